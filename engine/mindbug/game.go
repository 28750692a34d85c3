// Package mindbug follows the card game Mindbug: life, Mindbugs, creatures
// and what their cards do. It reads like the rulebooks and cites their
// headings: "001" is that of Mindbug, "002" that of Mindbug x King of Tokyo.
// Where they are silent, docs/rulings.md says what was decided.
package mindbug

import (
	_ "embed"
	"slices"

	"tableside/engine"
)

// An edition is a box that can be played alone.
type edition struct {
	name    string
	sets    []string // whose cards are shuffled
	mindbug string   // the default of what follows a Mindbug
}

var editions = []edition{
	{name: "first-contact", sets: []string{"first-contact"}, mindbug: extraTurn},
}

// What the player gets whose card was taken by a Mindbug: 001 and 002
// "Jouer une carte", Option 2, disagree.
const (
	extraTurn   = "turn"
	extraAction = "action"
)

//go:embed words.txt
var wordsFile string

// Games are the editions this package knows.
func Games() []engine.Game {
	var games []engine.Game
	for i := range editions {
		games = append(games, newGame(&editions[i]))
	}
	return games
}

// Editions are their names, as they stand behind "mindbug/".
func Editions() []string {
	var names []string
	for i := range editions {
		names = append(names, editions[i].name)
	}
	return names
}

// CardsOf keeps the cards that an edition may be played with.
func CardsOf(name string, d Data) Data {
	for i := range editions {
		if editions[i].name == name {
			return d.of(editions[i].sets)
		}
	}
	return Data{}
}

// A game is the rules of an edition with the cards of its box.
type game struct {
	edition *edition
	known   Data
	info    engine.Info
}

func newGame(e *edition) *game {
	all, err := Build(Printed())
	if err != nil {
		panic(err)
	}
	g := &game{edition: e, known: all.of(e.sets)}
	g.info = engine.Info{
		Name:     "mindbug/" + e.name,
		Rules:    1,
		MinSeats: 2,
		MaxSeats: 2,
		Words:    engine.Merge(all.Words(), engine.MustWords("mindbug/words.txt", wordsFile)),
		Options: []engine.Option{
			{Name: "cards", Default: "on", Values: []string{"on", "off"}},
			{Name: "mindbug", Default: e.mindbug, Values: []string{extraTurn, extraAction}},
		},
	}
	for i := range g.known.Kinds {
		g.info.Cards = append(g.info.Cards, g.known.Kinds[i].ID)
	}
	return g
}

// of keeps the cards of some sets.
func (d Data) of(sets []string) Data {
	var kept Data
	for _, k := range d.Kinds {
		if slices.Contains(sets, k.Set) {
			kept.Kinds = append(kept.Kinds, k)
		}
	}
	return kept
}

func (g *game) Info() engine.Info { return g.info }

// rules are the cards and options of one match.
type rules struct {
	*edition
	data        Data
	kinds       map[string]*Kind
	cards       bool // whether cards are tapped, or only life and Mindbugs followed
	extraAction bool // after a Mindbug: an action in the same turn, not a turn
}

func (g *game) rulesFor(setup engine.Setup) (*rules, error) {
	r := &rules{edition: g.edition, data: g.known,
		cards: setup.Option("cards") != "off", extraAction: setup.Option("mindbug") == extraAction}
	if len(setup.Definitions) > 0 {
		all, err := build(setup.Definitions)
		if err != nil {
			return nil, engine.NewSetupError("setup.definitions", "reason", err.Error())
		}
		r.data = all.of(g.edition.sets)
	}
	if len(setup.Pools) > 0 {
		return nil, engine.NewSetupError("setup.no-pools")
	}
	r.kinds = make(map[string]*Kind, len(r.data.Kinds))
	for i := range r.data.Kinds {
		r.kinds[r.data.Kinds[i].ID] = &r.data.Kinds[i]
	}
	return r, nil
}
