package device

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"tableside/engine"
	"tableside/engine/tally"
)

// TestKeysNameTheWinner checks that after a tie the keys of the table say who has won, and that the
// journal and the list of matches have the winner that was named last.
func TestKeysNameTheWinner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := configured(t.TempDir())
		config.Games = tally.Games()
		table := start(t, config)
		table.order(engine.Order{Do: "begin", Setup: engine.Setup{Game: "tally/score", First: "red",
			Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}}}})
		won := func(want string) {
			t.Helper()
			data, _ := table.Journal("")
			lines := strings.Split(strings.TrimSpace(string(data)), "\n")
			end, _, _ := strings.Cut(lines[len(lines)-1], " #=")
			if got := fmt.Sprint(table.Matches()[0].Winners); got != want || end != "end finished "+strings.Trim(want, "[]") {
				t.Errorf("got %s and %q, want %s", got, end, want)
			}
		}
		table.must("table choose end")
		won("[red blue]")
		if p := table.Frame().View.Prompts; p[0].Key != "tie" || p[1].Key != "lobby-over" {
			t.Fatalf("the prompts are %+v", p)
		}
		table.must("table key right", "table key yes")
		won("[blue]")
		if p := table.Frame().View.Prompts; p[0].Key != "lobby-over" {
			t.Errorf("the prompts are %+v", p)
		}
		table.must("red undo")
		won("[red blue]")
		table.must("table set winner red")
		won("[red]")
	})
}
