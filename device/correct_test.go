package device

import (
	"testing"

	"tableside/engine"
	"tableside/engine/mindbug"
)

// A correction that means nothing is refused with what can be set, and trials
// change nothing.
func TestRefusedCorrectionsSayWhatIsPossible(t *testing.T) {
	config := configured(t.TempDir())
	config.Games = mindbug.Games()
	table := start(t, config)
	if r := table.Do(t.Context(), engine.Order{Do: "begin", Setup: engine.Setup{Game: "mindbug/first-contact",
		Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}}}}); r.Outcome != engine.Accepted {
		t.Fatalf("begin: %+v", r)
	}
	for _, line := range []string{"red tap gorillion.1", "blue tap killer-bee.1", "red tap luchataur.1", "blue key no"} {
		if r := table.do(line); r.Outcome != engine.Accepted {
			t.Fatalf("%s: %+v", line, r)
		}
	}
	for _, c := range []struct{ line, want string }{
		{"red set powr 99", `"powr" cannot be set to "99". Possible: life, mindbugs, hand, deck`},
		{"table set powr 99", `"powr" cannot be set to "99"`}, // the table's numbers follow from the cards
		{"red set luchataur.1 home", `"luchataur.1" cannot be set to "home". Possible: hand, deck, play, discard`},
		{"red set life many", `"life" cannot be set to "many"`},
	} {
		if r := table.do(c.line); r.Outcome != engine.Refused || r.Spoken != c.want {
			t.Errorf("%s: got %q, want %q", c.line, r.Spoken, c.want)
		}
	}
	inputs := []engine.Input{
		{Seat: "red", Verb: engine.Set, Args: []string{"life", "3"}},
		{Seat: "red", Verb: engine.Set, Args: []string{"life", "9"}},
		{Seat: "red", Verb: engine.Set, Args: []string{"luchataur.1", "play"}},
		{Seat: "red", Verb: engine.Set, Args: []string{"luchataur.1", "home"}},
		{Seat: "green", Verb: engine.Set, Args: []string{"life", "9"}},
		{Seat: "red", Verb: engine.Undo},
	}
	before := table.Frame().View
	now, results := table.Try(t.Context(), inputs)
	if results[0].Hash != now || results[1].Hash == now || results[1].Hash == "" || results[2].Hash != now ||
		results[3].Hash != "" || results[3].Why.Key == "" || results[4].Hash != "" || results[5].Hash != "" {
		t.Errorf("got now %s, results %v", now, results)
	}
	if after, _ := table.Try(t.Context(), nil); after != now || table.Frame().View.Hash() != before.Hash() {
		t.Error("trials have changed the match")
	}
}
