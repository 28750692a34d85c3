package device

import "testing"

// TestTitleIsTakenBack checks that events say a card by the title that was entered for it,
// until that is undone.
func TestTitleIsTakenBack(t *testing.T) {
	table := start(t, configured(t.TempDir()))
	table.order(timed(nil))
	says := func(when, want string) {
		t.Helper()
		table.must("red tap zombie.1")
		e := table.Frame().Events
		if len(e) != 1 || e[0].Spoken != want {
			t.Errorf("%s: got %+v, want %q", when, e, want)
		}
		table.must("table undo")
	}
	says("as printed", "Red plays Zombie")
	table.must("table set title Undead")
	says("entered", "Red plays Undead")
	table.must("table undo")
	says("taken back", "Red plays Zombie")
	table.must("table set title Undead", "table undo", "table redo")
	says("entered again", "Red plays Undead")
}
