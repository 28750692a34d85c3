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
			setups := []engine.Setup{setup(3, "data", "known", "events", "5")}
			for seats := 2; seats <= 4; seats++ {
				for _, level := range []string{"simple", "medium", "hard"} {
					setups = append(setups, setup(seats, "difficulty", level))
				}
			}
			enginetest.Promises(t, game, setups...)
		})
	}
}

func TestScripts(t *testing.T) {
	enginetest.RunScripts(t, genegrafter.Games(), "testdata/*/*.txt")
}
