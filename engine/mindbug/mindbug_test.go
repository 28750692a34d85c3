package mindbug_test

import (
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/mindbug"
)

func setup(options ...string) engine.Setup {
	s := engine.Setup{Seats: enginetest.Seats(2), First: "blue", Options: map[string]string{}}
	for i := 0; i < len(options); i += 2 {
		s.Options[options[i]] = options[i+1]
	}
	return s
}

func TestPromises(t *testing.T) {
	for _, game := range mindbug.Games() {
		t.Run(game.Info().Name, func(t *testing.T) {
			t.Parallel()
			open := setup()
			open.First = ""
			enginetest.Promises(t, game, open, setup("mindbug", "action"), setup("cards", "off"))
		})
	}
}

func TestScripts(t *testing.T) {
	enginetest.RunScripts(t, mindbug.Games(), "testdata/*/*.txt")
}

func BenchmarkFold(b *testing.B) { enginetest.BenchFold(b, mindbug.Games()[0], setup()) }
