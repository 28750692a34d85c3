// Package mindbug follows the card game Mindbug: life, Mindbugs, creatures
// and what their cards do. It reads like the rulebooks and cites their
// headings: "001" is that of Mindbug, "002" that of Mindbug x King of Tokyo.
// Where they are silent, docs/rulings.md says what was decided.
package mindbug

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// An edition is a box that can be played alone.
type edition struct {
	name string
	sets []string // whose cards are shuffled
	more []string // sets that are added to it
}

var editions = []edition{
	{name: "first-contact", sets: []string{"first-contact"}, more: []string{"new-servants", "beyond-eternity", "beyond-evolution"}},
	{name: "king-of-tokyo", sets: []string{kingOfTokyo}},
}

// sets are the boxes whose cards are known. All can be mixed: 002 "Mise en
// place", Étape 2; Energy cards, cubes and dice come with their creatures.
var sets = []string{"first-contact", "new-servants", "beyond-eternity", "beyond-evolution", kingOfTokyo}

const kingOfTokyo = "king-of-tokyo"

// What the player gets whose card was taken by a Mindbug: 001 and 002
// "Jouer une carte", Option 2, disagree.
const (
	extraTurn   = "turn"
	extraAction = "action"
	byRulebook  = "rulebook"
)

//go:embed words.txt
var wordsFile string

// Games are the editions this package knows.
func Games() []engine.Game {
	all, err := Build(Printed())
	if err != nil {
		panic(err)
	}
	words := engine.Merge(all.Words(), engine.MustWords("mindbug/words.txt", wordsFile))
	var games []engine.Game
	for i := range editions {
		games = append(games, newGame(&editions[i], all, words))
	}
	return games
}

// A game is the rules of an edition with the cards of its box.
type game struct {
	edition *edition
	all     Data // of every set
	own     *box // of the edition's sets
	info    engine.Info
}

func newGame(e *edition, all Data, words engine.Words) *game {
	g := &game{edition: e}
	g.info = engine.Info{
		Name:       "mindbug/" + e.name,
		Rules:      2,
		MinSeats:   2,
		MaxSeats:   2,
		FindsFirst: true,
		Words:      words,
		Options: []engine.Option{
			{Name: "cards", Default: "on", Values: []string{"on", "off"}},
			{Name: "mindbug", Default: byRulebook, Values: []string{byRulebook, extraTurn, extraAction}},
			{Name: "silent-no", Default: "off", Values: []string{"off", "on"}},
			{Name: "sets", Default: strings.Join(e.sets, ","), Values: sets, List: true},
		},
	}
	g.all, g.own = all, newBox(all.of(e.sets))
	for i := range all.Kinds {
		g.info.Cards = append(g.info.Cards, all.Kinds[i].ID)
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

// A box is the cards that are mixed. Matches share it and change nothing.
type box struct {
	data   Data
	kinds  map[string]*Kind
	names  []string       // of every card, "killer-bee.2"
	of     []*Kind        // the kind of each
	index  map[string]int // of a name, higher levels among them
	levels []level
}

// A level is a side of a card that is laid on a creature: 001 lexicon,
// "Évoluer".
type level struct {
	name string
	kind *Kind
	card int // the creature
}

func newBox(d Data) *box {
	b := &box{data: d, kinds: make(map[string]*Kind, len(d.Kinds)), index: map[string]int{}}
	for i := range d.Kinds {
		b.kinds[d.Kinds[i].ID] = &d.Kinds[i]
	}
	for i := range d.Kinds {
		k := &d.Kinds[i]
		if k.Level > 1 {
			continue // it is not dealt
		}
		for n := range k.Copies {
			at, name := len(b.names), k.ID+"."+strconv.Itoa(n+1)
			b.index[name] = at
			b.names, b.of = append(b.names, name), append(b.of, k)
			for next := b.kinds[k.Into]; next != nil; next = b.kinds[next.Into] {
				l := level{next.copyOf(name), next, at}
				b.index[l.name] = at
				b.levels = append(b.levels, l)
			}
		}
	}
	return b
}

// rules are the cards and options of one match.
type rules struct {
	*box
	layout      *cardgame.Layout
	cards       bool // whether cards are tapped, or only life and Mindbugs followed
	extraAction bool // after a Mindbug: an action in the same turn, not a turn
	silentNo    bool // whether a tap for the next turn says that no Mindbug is used
	energy      bool // whether King of Tokyo is in: dice, cubes and Energy cards

	// Whether the journal is of rules 2 or later. Those before asked what
	// changed nothing, and their answers must not be taken for moves; and a
	// Hunter with Frenzy was free in its second attack.
	revised bool
}

// revision is the number of the rules from which on rules.revised holds.
const revision = 2

func (g *game) rulesFor(setup engine.Setup) (*rules, error) {
	list := engine.SplitList(setup.Option("sets"))
	r := &rules{box: g.own, layout: spots.At(setup), energy: slices.Contains(list, kingOfTokyo)}
	r.cards, r.silentNo = setup.Option("cards") != "off", setup.Option("silent-no") == "on"
	r.revised = setup.Rules >= revision
	follows := setup.Option("mindbug")
	r.extraAction = follows == extraAction || follows == byRulebook && r.energy
	switch {
	case len(setup.Pools) > 0:
		return nil, engine.NewSetupError("setup.no-pools")
	case len(setup.Definitions) > 0:
		all, err := build(setup.Definitions)
		if err != nil {
			return nil, engine.NewSetupError("setup.definitions", "reason", err.Error())
		}
		r.box = newBox(all.of(list))
	case !slices.Equal(list, g.edition.sets):
		r.box = newBox(g.all.of(list))
	}
	return r, nil
}
