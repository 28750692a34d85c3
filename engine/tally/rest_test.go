package tally

import (
	"strings"
	"testing"
	"time"

	"tableside/engine"
)

// TestRest checks that the key which ends a round says who gets or pays what.
func TestRest(t *testing.T) {
	for _, c := range []struct {
		sum         string
		red, blue   string
		says, parle string
	}{
		{"0", "-25", "-25", "End round: the others pay Zoé 50", "Finir la manche : les autres paient 50 à Zoé"},
		{"0", "+10", "+20", "End round: Zoé pays the others 30", "Finir la manche : Zoé paie 30 aux autres"},
		{"26", "+10", "+9", "End round: Zoé gets the rest, 7", "Finir la manche : Zoé reçoit le reste, 7"},
		{"0", "+30", "", "End round: the others pay 15 each", "Finir la manche : les autres paient 15 chacun"},
		{"0", "-30", "", "End round: the others get 15 each", "Finir la manche : les autres reçoivent 15 chacun"},
		{"0", "+31", "", "End round", "Finir la manche"},
		{"26", "+26", "+26", "End round", "Finir la manche"}, // the moon
		{"26", "+26", "", "End round", "Finir la manche"},
	} {
		setup := engine.Setup{Game: "tally/score", Begin: time.Unix(1e9, 0),
			Rules: Games()[0].Info().Rules, Options: map[string]string{"sum": c.sum, "turns": "off"},
			Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}, {Seat: "yellow", Name: "Zoé"}}}
		m, err := engine.NewMatch(Games()[0], setup)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"red choose " + c.red, "blue choose " + c.blue} {
			if strings.HasSuffix(line, " ") {
				continue
			}
			in, err := engine.ParseInput(line)
			if err == nil {
				_, err = m.Apply(in)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		words := m.Words()
		for lang, want := range map[engine.Lang]string{engine.English: c.says, engine.French: c.parle} {
			v := words.SpeakView(lang, m.View())
			table := v.Prompts[len(v.Prompts)-1]
			if got := table.Options[0].Text; strings.ReplaceAll(got, "\u00a0", " ") != want {
				t.Errorf("sum %s: got %q, want %q", c.sum, got, want)
			}
		}
	}
}
