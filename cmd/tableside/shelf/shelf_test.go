package shelf

import (
	"slices"

	"tableside/engine/genegrafter"
	"tableside/engine/mindbug"
	"tableside/engine/mutants"
)

func allGames() List { return slices.Concat(mutants.Games(), mindbug.Games(), genegrafter.Games()) }
