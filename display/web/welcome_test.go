package web

import (
	"context"
	"net/http"
	"strings"
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

// TestFirstVisit checks that the hints go for good, and that the match that plays
// itself can be started and stopped.
func TestFirstVisit(t *testing.T) {
	b := newTab(t)
	s, playing := stage(t)
	url, stop := listen(t, s, "127.0.0.1:0")
	defer stop()
	b.open(url + "/?lang=en")
	b.until("document.querySelectorAll('.welcome li').length === 3")
	b.click(".welcome [data-act=watch]")
	b.until("!!document.querySelector('.watching') && document.body.dataset.state === 'play'")
	if !playing.Load() {
		t.Error("nothing was started")
	}
	b.click(".watching button")
	b.until("document.body.dataset.state === 'empty' && !document.querySelector('.watching')")
	if playing.Load() {
		t.Error("nothing was stopped")
	}
	b.click(".welcome [data-act=seen]")
	b.until("!document.querySelector('.welcome') && !!document.querySelector('[data-act=watch]')")
	b.open(url + "/?lang=fr")
	b.until("!!document.querySelector('[data-act=watch]')")
	if said := b.eval("document.getElementById('ask').innerText"); strings.Contains(said, "Trois conseils") {
		t.Errorf("the hints are there again: %s", said)
	}
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
