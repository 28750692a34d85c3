package web

import (
	"fmt"
	"testing"

	"tableside/engine"
)

// The changes of a counter keep their places and their keys, and the end of a match
// is asked for once more.
func TestPadKeepsItsPlaces(t *testing.T) {
	const journal = `tableside-journal 1
game tally/score
option low 0
option step 2
seat red Alice
seat blue Max
begin 2026-11-21T20:15:00Z
`
	s := newServer(Config{Games: func() []engine.Info { return nil }})
	if err := s.Show(t.Context(), tallyFrame(t, journal)); err != nil {
		t.Fatal(err)
	}
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	pad := func(want string) {
		t.Helper()
		b.until(fmt.Sprintf(`[...document.querySelectorAll("[data-seat=red] .pad button")]
			.map(e => e.textContent + (e.disabled ? " off" : "")).join(", ") === %q`, want))
	}
	places := `[...document.querySelectorAll("[data-seat=red] .pad button, #ask .answers button")].map(e =>
		Math.round(e.getBoundingClientRect().x) + " " + (e.dataset.number ?? e.querySelector("kbd")?.textContent)).join()`
	pad("−20 off, −10 off, −2 off, +2, +10, +20, Other…")
	before := b.eval(places)
	if err := s.Show(t.Context(), tallyFrame(t, journal+"1s red choose +10\n")); err != nil {
		t.Fatal(err)
	}
	pad("−20, −10, −2, +2, +10, +20, Other…")
	if after := b.eval(places); after != before {
		t.Errorf("the answers were at %s, and are at %s", before, after)
	}
	b.click(`#ask [data-open="end"]`)
	b.until(`!!document.querySelector('#dialog [data-input="table choose end"]')`)
}
