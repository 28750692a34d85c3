package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"tableside/cmd/tableside/host"
	"tableside/engine"
)

// TestShownMatches tests that there is a match to show of each game, that it takes at most a minute
// and a quarter, that no line of it is refused, and that what is said at it is short, in each
// language, and stays long enough to be read.
func TestShownMatches(t *testing.T) {
	all, err := shownMatches()
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range allGames() {
		if all[engine.Title(g.Info().Name)] == nil {
			t.Errorf("no match of %s is shown", g.Info().Name)
		}
	}
	for _, title := range slices.Sorted(maps.Keys(all)) {
		shown := all[title]
		match, err := engine.NewMatch(engine.Find(allGames(), shown.Setup.Game), shown.Setup)
		for n := 0; err == nil && n < len(shown.Lines); n++ {
			if _, err = match.Apply(shown.Lines[n].Input); err != nil {
				err = fmt.Errorf("line %d: %w", n, err)
			}
		}
		if err != nil {
			t.Errorf("%s: %v", title, err)
			continue
		}
		if last := shown.Lines[len(shown.Lines)-1].Input.At; last.Seconds() > 75 {
			t.Errorf("%s takes %v", title, last)
		}
		checkCaptions(t, title, shown)
	}
}

func checkCaptions(t *testing.T, title string, shown *host.Shown) {
	t.Helper()
	said := 0
	for n, line := range shown.Lines {
		captions := shown.Captions(n)
		if captions == nil {
			continue
		}
		said++
		for _, lang := range engine.Languages {
			text := captions[lang]
			if text == "" || len(text) > 100 || strings.Count(text, ". ") > 1 {
				t.Errorf("%s, line %d: %q in %s", title, n, text, lang)
			}
		}
		if next := n + 1; next < len(shown.Lines) && (shown.Lines[next].Input.At-line.Input.At).Seconds() < 5 {
			t.Errorf("%s, line %d: too short to read", title, n)
		}
	}
	if said < 3 {
		t.Errorf("%s: only %d lines are explained", title, said)
	}
}

// TestCourseOfReplay tests that what render draws shows how a match went, as the panel does; before
// the end there is nothing.
func TestCourseOfReplay(t *testing.T) {
	p := &program{games: allGames, err: io.Discard}
	journal, err := p.readJournal("testdata/games/mindbug-first-contact.journal")
	if err != nil {
		t.Fatal(err)
	}
	r := &replay{program: p, until: -1, out: io.Discard}
	if err := r.play(journal); err != nil || len(r.match.View().Winners) != 1 {
		t.Errorf("%v, winners: %v", err, r.match.View().Winners)
	}
	if c := r.frame().Course; c == nil || len(c.Lines) != len(journal.Setup.Seats) {
		t.Errorf("got the course %v of a match that is over", c)
	}
	half := &replay{program: p, until: len(journal.Lines) / 2, out: io.Discard}
	if err := half.play(journal); err != nil || half.frame().Course != nil {
		t.Errorf("%v, got the course %v in the middle of a match", err, half.frame().Course)
	}
}
