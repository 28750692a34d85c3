package device

import (
	"testing"

	"tableside/engine"
)

func TestSteer(t *testing.T) {
	prompt := func(seat engine.Seat, inputs ...string) engine.View {
		p := engine.Prompt{Seat: seat, Key: "p"}
		for _, in := range inputs {
			a := engine.Answer{Input: in}
			if in == "red tap" {
				a.Zone = "red/hand"
			}
			p.Options = append(p.Options, a)
		}
		return engine.View{Prompts: []engine.Prompt{p}}
	}
	three := prompt("red", "red choose a", "red choose b", "red choose c")
	for _, c := range []struct {
		name   string
		view   engine.View
		cursor int
		in     string
		at     int
		out    string // "" when the key only moved the cursor
	}{
		{"right", three, 0, "red key right", 1, ""},
		{"right at the end", three, 2, "red key right", 0, ""},
		{"left at the beginning", three, 0, "red key left", 2, ""},
		{"plus", three, 0, "red key plus", 1, ""},
		{"minus", three, 1, "red key minus", 0, ""},
		{"yes", three, 1, "red key yes", 1, "red choose b"},
		{"yes at first", three, -1, "red key yes", 0, "red choose a"},
		{"yes of a lost cursor", three, 7, "red key yes", 0, "red choose a"},
		{"the table's keys", three, 0, "table key right", 1, ""},
		{"another seat", three, 0, "blue key right", 0, "blue key right"},
		{"another key", three, 0, "red key next", 0, "red key next"},
		{"another verb", three, 0, "red choose right", 0, "red choose right"},
		{"anyone's prompt", prompt("table", "table choose a", "table choose b"), 0, "blue key right", 1, ""},
		{"anyone's answer", prompt("table", "table choose a", "table choose b"), 1, "blue key yes", 1, "table choose b"},
		{"a key of its own", prompt("red", "red key left", "red key right", "red choose a"), 0, "red key right", -1,
			"red key right"},
		{"a yes of its own", prompt("red", "red key yes", "red key no"), 0, "red key right", -1, "red key right"},
		{"a yes of its own among words", prompt("red", "red choose a", "red key yes", "red choose b"), -1, "red key yes", 1,
			"red key yes"},
		{"…and past it", prompt("red", "red choose a", "red key yes", "red choose b"), 1, "red key right", 2, ""},
		{"…to another answer", prompt("red", "red choose a", "red key yes", "red choose b"), 2, "red key yes", 2,
			"red choose b"},
		{"cards are tapped first", prompt("red", "red tap", "red choose a", "red key no"), -1, "red key yes", -1,
			"red key yes"},
		{"…and then the first", prompt("red", "red tap", "red choose a", "red key no"), -1, "red key right", 1, ""},
		{"…or the last", prompt("red", "red tap", "red choose a", "red key no"), -1, "red key left", 2, ""},
		{"a plus of its own", prompt("red", "red key plus", "red choose a"), 0, "red key plus", 0, "red key plus"},
		{"…but the cursor beside it", prompt("red", "red key plus", "red choose a"), 0, "red key right", 1, ""},
		{"cards are tapped", prompt("red", "red tap", "red choose a", "red tap", "red choose b"), 1, "red key right", 3, ""},
		{"only cards", prompt("red", "red tap"), 0, "red key yes", -1, "red key yes"},
		{"not an input", prompt("red", "", "red choose a"), 0, "red key yes", 1, "red choose a"},
		{"no prompt", engine.View{}, 0, "red key yes", -1, "red key yes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			at, out, moved := steer(c.view, c.cursor, input(t, c.in))
			got := out.Command()
			if moved {
				got = ""
			}
			if at != c.at || got != c.out {
				t.Errorf("cursor %d, input %q; want %d, %q", at, got, c.at, c.out)
			}
		})
	}
}

// TestCursorStays checks that the cursor stays while the prompt is the same, and
// starts again when it is not.
func TestCursorStays(t *testing.T) {
	table := start(t, configured(t.TempDir()))
	table.begin("red", "blue")
	if c := table.Frame().Status.Cursor; c != 0 {
		t.Errorf("cursor %d", c)
	}
	table.must("red key next", "red key right")
	table.must("blue key plus") // plus does not move the cursor of red
	if f := table.Frame(); f.Status.Cursor != 1 || f.View.Seq != 2 {
		t.Errorf("cursor %d at seq %d", f.Status.Cursor, f.View.Seq)
	}
	table.must("red key yes", "red key next")
	if f := table.Frame(); f.Status.Cursor != 0 || f.View.Phase != "bee" {
		t.Errorf("cursor %d after %q", f.Status.Cursor, f.View.Phase)
	}
}
