package web

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/genegrafter"
	"tableside/engine/mindbug"
	"tableside/engine/mutants"
	"tableside/engine/tally"
)

func everyGame() []engine.Game {
	return slices.Concat(mutants.Games(), mindbug.Games(), genegrafter.Games(), tally.Games())
}

// A played is a match of a game, after so many inputs of random players; 0 plays to
// the end.
type played struct {
	game   string
	seats  int
	inputs int
}

// table returns a table with the match, and the inputs that follow.
func (p played) table(t *testing.T) (*table, []engine.Input) {
	t.Helper()
	all := everyGame()
	game := engine.Find(all, p.game)
	tb, info := newTable(t), game.Info()
	tb.game = game
	setup := engine.Setup{Game: p.game, Seats: enginetest.Seats(p.seats), First: "red", Options: map[string]string{}}
	for _, o := range info.Options {
		switch o.Name {
		case "data":
			setup.Options[o.Name] = "stand-in"
		case "target":
			setup.Options[o.Name] = "100"
		}
	}
	if r := tb.order(t.Context(), engine.Order{Do: "begin", Setup: setup}); r.Outcome != engine.Accepted {
		t.Fatalf("%s: %+v", p.game, r)
	}
	var inputs []engine.Input
	for seed := uint64(1); len(inputs) <= p.inputs; seed++ {
		match, err := enginetest.Play(game, tb.match.Setup(), rand.New(rand.NewPCG(seed, uint64(p.seats))))
		if err != nil {
			t.Fatal(err)
		}
		inputs = match.Inputs()
	}
	n := cmp.Or(p.inputs, len(inputs))
	for _, in := range inputs[:n] {
		if r := tb.apply("", in); r.Outcome != engine.Accepted {
			t.Fatalf("%s: %+v", in, r)
		}
	}
	tb.past, tb.status.Receipt = slices.Clone(tb.events), nil
	return tb, inputs[n:]
}
