package genegrafter_test

import (
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/genegrafter"
)

func setup(seats int, options ...string) engine.Setup {
	s := engine.Setup{Seats: enginetest.Seats(seats), Options: map[string]string{"data": "stand-in"}}
	for i := 0; i < len(options); i += 2 {
		s.Options[options[i]] = options[i+1]
	}
	return s
}

func TestPromises(t *testing.T) {
	for _, game := range genegrafter.Games() {
		t.Run(game.Info().Name, func(t *testing.T) {
			t.Parallel()
			enginetest.Promises(t, game, setup(2), setup(3, "difficulty", "medium"), setup(4, "difficulty", "hard"))
		})
	}
}
