package tally_test

import (
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/tally"
)

func setup(seats int, options ...string) engine.Setup {
	s := engine.Setup{Seats: enginetest.Seats(seats), Options: map[string]string{}}
	for i := 0; i < len(options); i += 2 {
		s.Options[options[i]] = options[i+1]
	}
	return s
}

func TestPromises(t *testing.T) {
	enginetest.Promises(t, tally.Games()[0],
		setup(1),
		setup(8, "target", "30"),
		setup(2, "counters", "life,energy", "start", "20,0", "target", "0", "step", "3"),
		setup(3, "rounds", "3", "goal", "low", "turns", "off", "low", "none"),
		setup(2, "limit", "5", "low", "-5", "step", "20"),
	)
}

func TestScripts(t *testing.T) { enginetest.RunScripts(t, tally.Games(), "testdata/*.txt") }

func BenchmarkFold(b *testing.B) { enginetest.BenchFold(b, tally.Games()[0], setup(4)) }

func BenchmarkUndo(b *testing.B) { enginetest.BenchUndo(b, tally.Games()[0], setup(4), 500) }
