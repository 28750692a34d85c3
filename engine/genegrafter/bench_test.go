package genegrafter_test

import (
	"testing"

	"tableside/engine/enginetest"
	"tableside/engine/genegrafter"
)

func BenchmarkFold(b *testing.B) {
	for _, game := range genegrafter.Games() {
		b.Run(game.Info().Name, func(b *testing.B) { enginetest.BenchFold(b, game, setup(4, "difficulty", "hard")) })
	}
}
