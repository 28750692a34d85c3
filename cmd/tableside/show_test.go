package main

import (
	"io"
	"testing"
)

// TestShow tests that the match that plays itself has a winner and takes a minute or
// two, and that no line of it is refused.
func TestShow(t *testing.T) {
	p := &program{games: allGames(), err: io.Discard}
	journal, err := sample()
	if err != nil {
		t.Fatal(err)
	}
	script, err := p.script("show.journal", &journalFile{Journal: journal})
	if err != nil || script.StopError != nil || len(script.RefusedLines) > 0 {
		t.Fatalf("%v, stops: %v, refused: %v", err, script.StopError, script.RefusedLines)
	}
	last := script.Lines[len(script.Lines)-1].Input
	if last.At.Minutes() < 1 || last.At.Minutes() > 2 {
		t.Errorf("it takes %v", last.At)
	}
	r := &replay{program: p, until: -1, out: io.Discard}
	if err := r.play(&journalFile{Journal: journal}); err != nil || len(r.match.View().Winners) != 1 {
		t.Errorf("%v, winners: %v", err, r.match.View().Winners)
	}
	// What render draws shows how it went, as the panel does; before the end there is nothing.
	if c := r.frame().Course; c == nil || len(c.Lines) != len(journal.Setup.Seats) {
		t.Errorf("got the course %v of a match that is over", c)
	}
	half := &replay{program: p, until: len(journal.Lines) / 2, out: io.Discard}
	if err := half.play(&journalFile{Journal: journal}); err != nil || half.frame().Course != nil {
		t.Errorf("%v, got the course %v in the middle of a match", err, half.frame().Course)
	}
}
