package web

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	"tableside/engine"
)

// A stage is a table that could play a match by itself.
func stage(t *testing.T) (s *Server, playing *atomic.Bool) {
	t.Helper()
	playing = &atomic.Bool{}
	tb := newTable(t)
	config := tb.config()
	s = newServer(config)
	s.config.Show = &Show{
		Games: []string{"ring"},
		Start: func(ctx context.Context, _ string) engine.Receipt {
			playing.Store(true)
			frame := exampleFrame(0)
			frame.Status.Simulated = true
			_ = s.Show(ctx, frame)
			return engine.Receipt{Outcome: engine.Accepted}
		},
		Stop: func() {
			playing.Store(false)
			_ = s.Show(context.Background(), empty())
		},
		Playing: playing.Load,
		Caption: func(lang engine.Lang) string { return map[engine.Lang]string{"en": "Alice has won."}[lang] },
	}
	if err := s.Show(t.Context(), empty()); err != nil {
		t.Fatal(err)
	}
	return s, playing
}

// TestShow checks that a match of the chosen game plays itself, with what happens in a sentence, until
// somebody stops it.
func TestShow(t *testing.T) {
	b := newTab(t)
	s, playing := stage(t)
	url, stop := listen(t, s, "127.0.0.1:0")
	defer stop()
	b.open(url + "/?lang=en")
	b.click("[data-act=watch]")
	b.until(`document.querySelector(".watching")?.textContent.includes("Alice has won.") &&
		document.body.dataset.state === 'play'`)
	if !playing.Load() {
		t.Error("nothing was started")
	}
	b.click(".watching button")
	b.until("document.body.dataset.state === 'empty' && !document.querySelector('.watching')")
	if playing.Load() {
		t.Error("nothing was stopped")
	}
}

// TestTour checks that three things are pointed out in the first match that a browser begins, and
// that what is pointed at is not covered.
func TestTour(t *testing.T) {
	tb := newTable(t)
	url, _ := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.until(`document.querySelector("[data-setting=hints]").checked`)
	b.click("[data-begin]")
	const beside = `(() => {
		const [spot, box] = [".spot", ".pointer"].map(e => document.querySelector(e)?.getBoundingClientRect());
		return box && box.top >= 0 && box.bottom <= innerHeight && (box.top >= spot.bottom || box.bottom <= spot.top);
	})()`
	for _, name := range []string{"ask", "track", "hand"} {
		b.until(`document.querySelector(".spot")?.dataset.spot === "` + name + `" && ` + beside)
		b.click(".pointer .next")
	}
	b.until(`!document.querySelector(".pointer")`)
	tb.order(t.Context(), engine.Order{Do: "abandon"})
	b.until(`document.querySelector("[data-setting=hints]")?.checked === false`)
}

// TestShowRoute checks who may start the match that plays itself.
func TestShowRoute(t *testing.T) {
	s, playing := stage(t)
	for _, c := range []struct {
		ask  request
		want int
	}{
		{request{body: `{"do":"start","game":"ring"}`, peer: remotePeer}, http.StatusForbidden},
		{request{body: `{"do":"dance"}`}, http.StatusBadRequest},
		{request{body: `{"do":"start","game":"chess"}`}, http.StatusNotFound},
		{request{body: `{`}, http.StatusBadRequest},
		{request{body: `{"do":"start","game":"ring"}`}, http.StatusOK},
		{request{body: `{"do":"stop"}`}, http.StatusOK},
	} {
		c.ask.method, c.ask.path, c.ask.kind = "POST", "/api/show", "application/json"
		if w := c.ask.send(s); w.Code != c.want {
			t.Errorf("%+v: %d %s", c.ask, w.Code, w.Body)
		}
	}
	if playing.Load() {
		t.Error("it plays on")
	}
	_, other := served(t)
	if w := (request{method: "POST", path: "/api/show", body: `{"do":"start","game":"ring"}`}).send(other); w.Code != http.StatusNotFound {
		t.Errorf("a table without such a match: %d %s", w.Code, w.Body)
	}
}
