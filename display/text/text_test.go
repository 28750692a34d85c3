package text_test

import (
	"slices"
	"strings"
	"testing"

	"tableside/display/displaytest"
	"tableside/display/text"
	"tableside/engine"
)

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
		t.Errorf("got %q before any input", got)
	}
	f.Status.Receipt = &engine.Receipt{Outcome: engine.Accepted}
	if got := text.Answered(f); got != "" {
		t.Errorf("got %q for an accepted input", got)
	}
	f.Status.Receipt = &engine.Receipt{Outcome: engine.Unknown}
	if got := text.Answered(f); got != "Cette étiquette est inconnue" {
		t.Errorf("says %q", got)
	}
}

// TestNames checks that a seat without a player's name has the seat's own name.
func TestNames(t *testing.T) {
	v := &engine.View{Seats: []engine.SeatView{{ID: "red"}, {ID: "blue"}, {ID: "green", Name: "Zoë"}},
		Labels: map[string]string{"seat.blue": "Bleu"}}
	for seat, want := range map[engine.Seat]string{"red": "Red", "blue": "Bleu", "green": "Zoë"} {
		if got := text.Name(v, seat); got != want {
			t.Errorf("name of %s: got %s, want %s", seat, got, want)
		}
	}
}

func TestTurn(t *testing.T) {
	f := displaytest.MindbugBlock(engine.English)
	if turn, answers := text.Turn(f); turn != "Max to play" || answers != "Max's turn · Alice answers" {
		t.Errorf("got %q and %q", turn, answers)
	}
	f.View.Prompts[0].Seat = "blue"
	if turn, answers := text.Turn(f); answers != turn {
		t.Errorf("got %q and %q, want them equal", turn, answers)
	}
}

// TestNumbered tests that answers show their numbers where a number pad gives them, but
// not beside another key of that pad, and not where a number is asked.
func TestNumbered(t *testing.T) {
	prompt := engine.Prompt{Seat: "red", Options: []engine.Answer{
		{Text: "Attack", Input: "red choose attack"}, {Text: "+1", Input: "red key plus"}, {Text: "No", Input: "red key no"}}}
	number := engine.Prompt{Options: []engine.Answer{{Text: "4 players", Input: "table choose 4"}}}
	for _, c := range []struct {
		digits bool
		prompt engine.Prompt
		want   string
	}{
		{false, prompt, "Attack, +1, No"},
		{true, prompt, "1 Attack, +1, 3 No"},
		{true, number, "4 players"},
	} {
		f := engine.Frame{Status: engine.Status{Digits: c.digits}}
		var texts []string
		for _, a := range text.Numbered(f, c.prompt) {
			texts = append(texts, a.Text)
		}
		if got := strings.Join(texts, ", "); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	if prompt.Options[0].Text != "Attack" {
		t.Error("the frame has changed")
	}
}
