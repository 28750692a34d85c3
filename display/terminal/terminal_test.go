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
		if s.Frame.View.Match == "" {
			continue // a journal has a match
		}
		t.Run(s.Name, func(t *testing.T) {
			enginetest.Golden(t, filepath.Join("testdata", s.Name+".txt"), terminal.Draw(s.Frame))
		})
	}
}

// TestRoll covers a roll, which the samples do not have.
func TestRoll(t *testing.T) {
	f := displaytest.Mindbug(engine.English)
	f.View.Prompts = []engine.Prompt{{Seat: "red", Text: "Roll",
		Roll: &engine.RollRequest{Kind: "kot", N: 2, Faces: []string{"growth-1", "energy-1"}}}}
	got := terminal.Draw(f)
	if want := "  red roll …   dice to roll: 2 × growth-1, energy-1\n"; !strings.Contains(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
}

func TestSheet(t *testing.T) {
	v := engine.View{Match: "1", Game: "tally/score", Title: "Tally", Phase: "play", Labels: map[string]string{},
		Seats: []engine.SeatView{{ID: "red", Name: "Alice"}, {ID: "blue", Name: "Max"}},
		Sheet: &engine.Sheet{Columns: [][]engine.Seat{{"red"}, {"blue"}}, Rows: []engine.SheetRow{
			{ID: "round-1", Round: 1, Cells: engine.Counters{{Name: "red", Value: 12}, {Name: "blue", Value: -5}}},
			{ID: "full-house", Cells: engine.Counters{{Name: "blue", Value: 25}}}, {ID: "round-2", Round: 2}}}}
	const want = `
                  A      M
  1              12     -5
  full-house            25
  2
`
	if got := terminal.Draw(engine.Frame{View: v, Lang: engine.English}); !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
