package engine

import (
	"strings"
	"testing"
)

// A judgedPen is a pen that judges keys. About the key left it panics, half changed.
type judgedPen struct{ penState }

func (s *judgedPen) Takes(in Input) error {
	switch in.Arg(0) {
	case "left":
		s.n = -1
		panic("no ink")
	case "minus":
		return Refuse("refusal.minus")
	case "plus":
		return nil
	}
	return ErrTry
}

func (s *judgedPen) Replies(list []Reply) []Reply { return AppendReplies(list, s.View().Prompts) }

type judgedPenGame struct{ pen }

func (judgedPenGame) New(Setup) (func() (State, error), error) {
	return func() (State, error) { return &judgedPen{}, nil }, nil
}

// TestTakes checks what a Judge, a trial and the match itself say of an input, and that a panic of
// a Judge changes nothing.
func TestTakes(t *testing.T) {
	for _, game := range []Game{judgedPenGame{}, pen{}} {
		m, err := NewMatch(game, Setup{Seats: []Player{{Seat: "red"}}})
		if err != nil {
			t.Fatal(err)
		}
		for line, want := range map[string]string{
			"red key plus": "", "red choose word": "", "red set name Bea": "",
			"red key minus": "refusal.minus", "red tap card": "refusal.cannot-be", "red key right": "torn paper",
			"red key left": "no ink", "blue key plus": "refusal.no-such-seat", "red key up": "refusal.no-such-key",
		} {
			in, err := ParseInput(line)
			if err != nil {
				t.Fatal(err)
			}
			said := ""
			if err := m.Takes(in); err != nil {
				said = err.Error()
			}
			if !strings.Contains(said, want) || want == "" && said != "" {
				t.Errorf("%T, %s: %q, want %q", game, line, said, want)
			}
		}
		if lines, _ := m.View().Counters.Get("lines"); lines != 0 {
			t.Errorf("%T: %d lines before the first", game, lines)
		}
		if _, err := m.Apply(Input{Seat: "red", Verb: Key, Args: []string{"plus"}}); err != nil {
			t.Error(err)
		}
		if lines, _ := m.View().Counters.Get("lines"); lines != 1 {
			t.Errorf("%T: %d lines, want 1", game, lines)
		}
		m.Apply(Input{Seat: "red", Verb: Tap, Args: []string{"card"}})
		if err := m.Takes(Input{Seat: "red", Verb: Key, Args: []string{"yes"}}); err != nil {
			t.Errorf("%T: an override: %v", game, err)
		}
	}
}
