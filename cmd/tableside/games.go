package main

import (
	"slices"
	"strings"

	"tableside/cmd/tableside/config"
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
	return nil, wrong("game "+name, "there is no such game", l.meant(name))
}

// meant guesses which game a misspelt name means: title and edition are looked
// at apart, and a title alone is enough.
func (l gameList) meant(name string) string {
	var titles, editions []string
	for _, full := range l.names() {
		title, _, _ := strings.Cut(full, "/")
		titles = append(titles, title)
	}
	title, edition, divided := strings.Cut(name, "/")
	if !slices.Contains(titles, title) {
		title = config.Nearest(title, titles)
	}
	for _, full := range l.names() {
		if of, own, _ := strings.Cut(full, "/"); of == title {
			editions = append(editions, own)
		}
	}
	near := edition
	if !slices.Contains(editions, edition) {
		near = config.Nearest(edition, editions)
	}
	switch {
	case title == "":
		return config.Suggest(name, l.names(), "tableside games lists them")
	case !divided:
		return "did you mean " + title + "?"
	case near != "":
		return "did you mean " + title + "/" + near + "?"
	}
	return "choose one of " + title + "/" + strings.Join(editions, ", "+title+"/")
}

// box is the card data of a game; nil for one without cards.
func (l gameList) box(name string) cardBox {
	for _, g := range l {
		if s, ok := g.(demoGame); ok {
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
