package web

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"tableside/engine"
)

// TestReplayShowsChances looks at the curve of a match, and at the turning points.
func TestReplayShowsChances(t *testing.T) {
	journal, err := os.ReadFile("../../cmd/tableside/testdata/journals/mindbug-first-contact-silent-no.journal")
	if err != nil {
		t.Fatal(err)
	}
	url, _ := listen(t, replaying(engine.Find(everyGame(), "mindbug/first-contact"), journal), "127.0.0.1:0")
	b := newTab(t)
	b.do(chromedp.EmulateViewport(1366, 768))
	b.open(url + "/matches/old?lang=en")
	b.until(`document.querySelectorAll(".odds path").length === 2 && !!document.querySelector(".turns .swing")`)
	b.until(`[...document.querySelectorAll(".turns .swing")].every(e => /^\d+ → \d+ %$/.test(e.textContent))`)
	b.until(`document.querySelectorAll(".turns li").length === document.querySelectorAll(".turns .swing").length`)
	b.click("[data-log=better]")
	b.until(`/^Better: \w/.test(document.querySelector(".turns button > span")?.textContent)`)
	if got := b.eval(`String(document.documentElement.scrollHeight)`); got != "768" {
		t.Errorf("the page is %s high", got)
	}
}

// TestChances asks for the chances of a match at several moments, and looks at the bars of overlay and television.
func TestChances(t *testing.T) {
	open := func(p played) (url string) {
		tb, _ := p.table(t)
		config := tb.config()
		config.ReadMatch = func(string) (engine.Game, *engine.Journal, error) { return tb.played() }
		config.Chances = imagined(config.ReadMatch)
		config.Matches = func() ([]engine.MatchInfo, error) {
			return []engine.MatchInfo{{ID: tb.match.Setup().MatchID()}}, nil
		}
		url, _ = listen(t, tb.show(newServer(config)), "127.0.0.1:0")
		return url
	}
	url := open(played{"mindbug/first-contact", 2, 33})
	ask := func(seq string, status int) (seen struct {
		Seq, Of int
		List    []engine.Chance
	}) {
		t.Helper()
		r, err := http.Get(url + "/api/chances?seq=" + seq)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		if err := json.NewDecoder(r.Body).Decode(&seen); err != nil || r.StatusCode != status {
			t.Fatal(r.Status, err)
		}
		return seen
	}
	for _, seq := range []int{0, 10, 33} {
		c := ask(fmt.Sprint(seq), http.StatusOK)
		if c.Seq != seq || c.Of == 0 || len(c.List) != 2 || math.Abs(c.List[0].Mean+c.List[1].Mean-1) > 1e-9 ||
			c.List[0].Error < 0 {
			t.Errorf("after %d inputs: %+v", seq, c)
		}
	}
	ask("x", http.StatusBadRequest)

	b := newTab(t)
	b.do(chromedp.EmulateViewport(1920, 1080))
	for _, page := range []string{"/overlay?lang=en&chances=1", "/tv?lang=en&chances"} {
		b.open(url + page)
		b.until(`document.querySelectorAll(".chances span").length === 2`)
		b.until(`[...document.querySelectorAll(".chances b")].reduce((sum, e) => sum + parseInt(e.textContent), 0) >= 93`)
	}
	b.open(url + "/overlay?lang=en")
	b.until(`!!document.querySelector(".plate") && !document.querySelector(".chances")`)

	b.open(url + "/?lang=en")
	b.until(`!!document.getElementById("prompt") && !document.querySelector("[data-k=odds]")`)
	b.click("[data-open=menu]")
	b.click("#dialog [data-act=odds]")
	b.until(`document.querySelectorAll("[data-k=odds]").length === 2 && !document.querySelector("#dialog[open]")`)
	b.until(`[...document.querySelectorAll("[data-k=odds]")].every(e => /^\d+ %$/.test(e.textContent))`)
	b.click("[data-open=menu]")
	b.click("#dialog [data-act=odds]")
	b.until(`!document.querySelector("[data-k=odds]")`)

	url = open(played{"tally/score", 3, 20}) // nobody lists what may be counted
	ask("5", http.StatusNotFound)
}
