package shelf

import (
	"slices"

	"tableside/engine/genegrafter"
	"tableside/engine/mindbug"
	"tableside/engine/mutants"
)

// allGames returns the games with cards.
func allGames() List { return slices.Concat(mutants.Games(), mindbug.Games(), genegrafter.Games()) }
