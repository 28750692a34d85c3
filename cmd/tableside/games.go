package main

import (
	"slices"
	"strings"

	"tableside/engine"
	"tableside/engine/genegrafter"
	"tableside/engine/mindbug"
	"tableside/engine/mutants"
	"tableside/engine/tally"
)

// allGames is the one list of games: a new game adds its line here.
func allGames() gameList {
	return slices.Concat(
		mutants.Games(),
		mindbug.Games(),
		genegrafter.Games(),
		tally.Games(),
	)
}

// defaultBox is whose cards are meant where nobody says so.
const defaultBox = "mutants/second-edition"

// A gameList is every game this program plays, one for each edition.
type gameList []engine.Game

func (l gameList) names() []string {
	var names []string
	for _, g := range l {
		names = append(names, g.Info().Name)
	}
	return names
}

// find returns the game of that name. The title alone, as "mutants", will do
// where there is one edition.
func (l gameList) find(name string) (engine.Game, error) {
	var editions []engine.Game
	for _, g := range l {
		full := g.Info().Name
		if full == name {
			return g, nil
		}
		if strings.HasPrefix(full, name+"/") {
			editions = append(editions, g)
		}
	}
	switch {
	case len(editions) == 1:
		return editions[0], nil
	case len(editions) > 1:
		return nil, wrong("game "+name, "there is more than one edition", "choose one of "+strings.Join(gameList(editions).names(), ", "))
	}
	names := l.names()
	for _, full := range names { // a title, misspelt, is enough to guess
		title, _, _ := strings.Cut(full, "/")
		names = append(names, title)
	}
	return nil, wrong("game "+name, "there is no such game", suggest(name, names, "tableside games lists them"))
}

// box is the card data of a game; nil for one without cards.
func (l gameList) box(name string) cardBox {
	for _, g := range l {
		if s, ok := g.(standIn); ok {
			g = s.Game
		}
		if box, ok := g.(cardBox); ok && g.Info().Name == name {
			return box
		}
	}
	return nil
}

// boxes are all games that have card data.
func (l gameList) boxes() []cardBox {
	var boxes []cardBox
	for _, name := range l.names() {
		if box := l.box(name); box != nil {
			boxes = append(boxes, box)
		}
	}
	return boxes
}
