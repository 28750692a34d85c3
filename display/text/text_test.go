package text_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tableside/display/displaytest"
	"tableside/display/text"
	"tableside/engine"
	"tableside/engine/enginetest"
)

func TestGolden(t *testing.T) {
	for _, s := range displaytest.Samples() {
		t.Run(s.Name, func(t *testing.T) {
			enginetest.Golden(t, filepath.Join("testdata", s.Name+".txt"), text.Draw(s.Frame))
		})
	}
}

// TestEventsAndRoll tells what the samples do not hold.
func TestEventsAndRoll(t *testing.T) {
	f := displaytest.Mindbug(engine.English)
	f.Events = []engine.Event{{Name: "attack", Spoken: "Max attacks with Bee Bear"}, {Name: "silent"}}
	f.View.Prompts = []engine.Prompt{{Seat: "red", Text: "Roll", Roll: &engine.RollRequest{Kind: "kot", N: 2, Faces: []string{"growth-1", "energy-1"}}}}
	got := text.Draw(f)
	for _, want := range []string{"· Max attacks with Bee Bear\n\n", "  red roll …   dice to roll: 2 × growth-1, energy-1\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestInitials(t *testing.T) {
	view := func(names ...string) *engine.View {
		v := &engine.View{}
		for i, name := range names {
			v.Seats = append(v.Seats, engine.SeatView{ID: engine.Seat("s" + string(rune('a'+i))), Name: name})
		}
		return v
	}
	for _, test := range []struct{ names, want string }{
		{"Alice Max", "AM"},
		{"Anna Ann Annabelle", "ANB"},
		{"Ann Ann Ann", "AN3"},
		{"Élodie Zoë 7of9", "EZO"},
		{"李 Øystein", "李Ø"},
	} {
		v := view(strings.Fields(test.names)...)
		initials := text.Initials(v)
		got := ""
		for _, s := range v.Seats {
			got += initials[s.ID]
		}
		if got != test.want {
			t.Errorf("%s are %s, want %s", test.names, got, test.want)
		}
	}
}

func TestWarnings(t *testing.T) {
	f := displaytest.Trouble(engine.English)
	want := []string{"The disk is full: play on, but nothing is being kept", "reader left does not work", "stand-in board"}
	if got := text.Warnings(f); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	f.Status.Trouble = ""
	if got := text.Warnings(f)[0]; got != "Nothing is being saved" {
		t.Errorf("says %q", got)
	}
}

func TestAnswered(t *testing.T) {
	f := displaytest.Mutants2(engine.French)
	if got := text.Answered(f); got != "" {
		t.Errorf("says %q before anything was done", got)
	}
	f.Status.Receipt = &engine.Receipt{Outcome: engine.Accepted}
	if got := text.Answered(f); got != "" {
		t.Errorf("says %q of what was accepted", got)
	}
	f.Status.Receipt = &engine.Receipt{Outcome: engine.Unknown}
	if got := text.Answered(f); got != "Cette étiquette est inconnue" {
		t.Errorf("says %q", got)
	}
}

// TestNames holds that a seat without a player is called by its own name.
func TestNames(t *testing.T) {
	v := &engine.View{Seats: []engine.SeatView{{ID: "red"}, {ID: "blue"}, {ID: "green", Name: "Zoë"}}, Labels: map[string]string{"seat.blue": "Bleu"}}
	for seat, want := range map[engine.Seat]string{"red": "Red", "blue": "Bleu", "green": "Zoë"} {
		if got := text.Name(v, seat); got != want {
			t.Errorf("%s is called %s, want %s", seat, got, want)
		}
	}
}
