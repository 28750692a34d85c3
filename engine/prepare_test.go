package engine_test

import (
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/tally"
)

// A preparing game counts how often a setup is read.
type preparing struct {
	engine.Game
	prepared, begun *int
}

func (g preparing) Prepare(setup engine.Setup) (func() (engine.State, error), error) {
	*g.prepared++
	return func() (engine.State, error) {
		*g.begun++
		return g.New(setup)
	}, nil
}

// TestPrepare: however often a match is folded, its setup is read once.
func TestPrepare(t *testing.T) {
	var prepared, begun int
	m, err := engine.NewMatch(preparing{tally.Games()[0], &prepared, &begun}, engine.Setup{Seats: enginetest.Seats(2)})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		for _, verb := range []engine.Verb{engine.Key, engine.Undo} {
			if _, _, err := m.Apply(engine.Input{Seat: "red", Verb: verb, Args: map[engine.Verb][]string{engine.Key: {"plus"}}[verb]}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if prepared != 1 || begun != 4 {
		t.Errorf("got %d readings of the setup and %d beginnings, want 1 and 4: one to begin with, and one for each undo", prepared, begun)
	}
}
