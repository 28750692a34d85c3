package terminal_test

import (
	"path/filepath"
	"strings"
	"testing"

	"tableside/display/displaytest"
	"tableside/display/terminal"
	"tableside/engine"
	"tableside/engine/enginetest"
)

func TestGolden(t *testing.T) {
	for _, s := range displaytest.Samples() {
		t.Run(s.Name, func(t *testing.T) {
			enginetest.Golden(t, filepath.Join("testdata", s.Name+".txt"), terminal.Draw(s.Frame))
		})
	}
}

// TestEventsAndRoll covers events and a roll, which the samples do not have.
func TestEventsAndRoll(t *testing.T) {
	f := displaytest.Mindbug(engine.English)
	f.Events = []engine.Event{{Name: "attack", Spoken: "Max attacks with Bee Bear"}, {Name: "silent"}}
	f.View.Prompts = []engine.Prompt{{Seat: "red", Text: "Roll",
		Roll: &engine.RollRequest{Kind: "kot", N: 2, Faces: []string{"growth-1", "energy-1"}}}}
	got := terminal.Draw(f)
	for _, want := range []string{"· Max attacks with Bee Bear\n\n",
		"  red roll …   dice to roll: 2 × growth-1, energy-1\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
