package shelf

import (
	"strings"
	"testing"
	"time"

	"tableside/engine"
)

// TestDemoSaysNoSetUp tests that nobody is asked to set up a simulated table, which
// has dealt the cards.
func TestDemoSaysNoSetUp(t *testing.T) {
	t.Parallel()
	asksSetUp := func(games List) bool {
		for _, g := range games {
			if g.Info().Name != "genegrafter/standard" {
				continue
			}
			match, err := engine.NewMatch(g, engine.Setup{Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}},
				Begin: time.Unix(0, 0)})
			if err != nil {
				t.Fatal(err)
			}
			return strings.HasPrefix(match.View().Prompts[0].Key, "set-up")
		}
		t.Fatal("there is no Genegrafter")
		return false
	}
	if !asksSetUp(allGames()) || asksSetUp(allGames().ForDemo()) {
		t.Error("the set-up is to be said at a real table, and not in a demo")
	}
}
