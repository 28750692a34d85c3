package host

import (
	"testing"
	"time"

	"tableside/device/hall"
	"tableside/engine"
	"tableside/engine/mindbug"
	"tableside/engine/tally"
)

// TestFindGame names the game of an evening in the ways in which people and programs do.
func TestFindGame(t *testing.T) {
	h := &Hall{Games: append(tally.Games(), mindbug.Games()...), tables: hall.New(hall.Config{
		Show: func(string, *engine.Frame) {}, Changed: func() {}})}
	v := engine.EmptyView()
	v.Game, v.Title, v.Match = "darts/301", "Darts", "2026-11-21T20-00-00Z"
	h.tables.State("one", &v, false)
	h.tables.Alive("one", v.Match, 0, time.Time{})
	for name, want := range map[string]string{"": "", "tally": "tally", "Tally": "tally", "tally/score": "tally",
		"MINDBUG": "mindbug", "mindbug/first-contact": "mindbug", "darts": "darts", "Darts": "darts",
		"hearts": "hearts", "Dame de pique": "hearts"} {
		if got, err := h.findGame(name); got != want || err != nil {
			t.Errorf("%q: got %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"bridge", "any game", "tally "} {
		_, err := h.findGame(name)
		r, refused := engine.AsRefusal(err)
		if !refused || r.Text.Key != "evening.no-game" || r.Text.Args["known"] != "darts, mindbug, tally" {
			t.Errorf("%q: got %v", name, err)
		}
	}
}
