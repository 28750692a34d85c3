package engine

import (
	"strings"
	"testing"
)

const endHead = "tableside-journal 1\ngame tally\nseat red\nseat blue\nbegin 2026-11-20T20:15:00Z\n"

func TestJournalEnd(t *testing.T) {
	for _, c := range []struct {
		name, lines, want, err string
	}{
		{name: "none", lines: "1s red undo\n"},
		{name: "abandoned", lines: "1s red undo\n" + Seal("end abandoned"), want: "end abandoned"},
		{name: "finished", lines: "end finished red blue\n", want: "end finished red blue"},
		{name: "taken up again", lines: "end finished red\n2s blue undo\n"},
		{name: "resumed", lines: "end abandoned\nmark 0 12345678\n"},
		{name: "a mark is no input", lines: "end finished red\nmark 0 12345678\n", want: "end finished red"},
		{name: "no state", lines: "end\n", err: "want an end such as"},
		{name: "odd state", lines: "end lost\n", err: "want an end such as"},
		{name: "stranger", lines: "end finished green\n", err: `6:14: nobody sits at "green"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			j, err := ParseJournal("f", []byte(endHead+c.lines))
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if j.End != nil {
				got = j.End.String()
			}
			if got != c.want {
				t.Errorf("end is %q, want %q", got, c.want)
			}
		})
	}
}

// TestConfirmedInputReadsBack checks that an input that yes has confirmed, which
// is journalled with "anyway", reads back for every verb that a game may refuse.
func TestConfirmedInputReadsBack(t *testing.T) {
	for _, line := range []string{
		"1s red tap zombie.1 anyway", "1s red lift zombie.1 anyway", "1s red choose a b anyway",
		"1s red key left anyway", "1s red set a b c d e f anyway",
	} {
		in, err := ParseInput(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
		} else if in.String() != line || !in.Confirmed() {
			t.Errorf("%s reads back as %s", line, in)
		}
	}
	if _, err := ParseInput("1s red lift zombie.1 zombie.2"); err == nil {
		t.Error("a lift of two cards was read")
	}
}

type blindGame struct{}

func (blindGame) Info() Info { return Info{Name: "blind", Rules: 1, MinSeats: 1, MaxSeats: 2} }
func (blindGame) New(Setup) (func() (State, error), error) {
	return func() (State, error) { return &blindState{}, nil }, nil
}

type blindState struct{ n int }

func (s *blindState) Apply(Input) ([]Event, error) { s.n++; return nil, nil }
func (s *blindState) View() View {
	if s.n == 2 {
		panic("cannot be seen")
	}
	return View{Round: s.n}
}

// TestInputThatCannotBeShown checks that an input after which the view panics is
// not part of the match.
func TestInputThatCannotBeShown(t *testing.T) {
	m, err := NewMatch(blindGame{}, Setup{Seats: []Player{{Seat: "red"}}})
	if err != nil {
		t.Fatal(err)
	}
	in := Input{Seat: "red", Verb: Key, Args: []string{"next"}}
	if _, err := m.Apply(in); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Apply(in); err == nil {
		t.Fatal("an input that breaks the view was accepted")
	}
	if v := m.View(); v.Round != 1 || v.Seq != 1 {
		t.Errorf("round %d, seq %d; want 1, 1", v.Round, v.Seq)
	}
}
