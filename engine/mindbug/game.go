// Package mindbug follows the card game Mindbug: life, Mindbugs, creatures and the effects of
// cards. The code reads like the rulebooks and cites their headings. The number "001" stands
// for the rulebook of Mindbug, and "002" for the rulebook of Mindbug x King of Tokyo. Where
// the rulebooks are silent, docs/rulings.md says what was decided.
package mindbug

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/cardgame"
)

// edition is a box that can be played alone.
type edition struct {
	name       string
	sets       []string // whose cards are shuffled
	extensions []string
}

var editions = []edition{
	{name: "first-contact", sets: []string{"first-contact"},
		extensions: []string{"new-servants", "beyond-eternity", "beyond-evolution"}},
	{name: "king-of-tokyo", sets: []string{kingOfTokyo}},
}

// sets lists the boxes whose cards are known. All boxes can be mixed (002 "Mise en place",
// Étape 2). A match with the creatures of King of Tokyo also has its Energy cards, cubes and
// dice.
var sets = []string{"first-contact", "new-servants", "beyond-eternity", "beyond-evolution", kingOfTokyo}

const kingOfTokyo = "king-of-tokyo"

// The option "mindbug" says what a player gets after a Mindbug took their card. The option
// exists because 001 and 002 disagree ("Jouer une carte", Option 2).
const (
	extraTurn   = "turn"
	extraAction = "action"
	byRulebook  = "rulebook"
)

//go:embed words.txt
var wordsFile string

// Games returns the editions.
func Games() []engine.Game {
	all := cardfile.Must(Build(printed()))
	words := engine.Merge(all.Words(), engine.MustWords("mindbug/words.txt", wordsFile))
	games := make([]engine.Game, len(editions))
	for i := range editions {
		games[i] = newGame(&editions[i], all, words)
	}
	return games
}

// game holds the rules of an edition and the cards of its box.
type game struct {
	edition *edition
	all     Data // of every set
	box     *box // of the edition's sets
	info    engine.Info
}

func newGame(e *edition, all Data, words engine.Words) *game {
	g := &game{edition: e, all: all, box: newBox(all.selectSets(e.sets))}
	g.info = engine.Info{
		Name:       "mindbug/" + e.name,
		Rules:      rules4,
		MinSeats:   2,
		MaxSeats:   2,
		FindsFirst: true,
		Words:      words,
		Figures: engine.Figures{ // 001 "Mindbugs" and "Combat"
			Kinds: []engine.Figure{{Name: "mindbugs"}, {Name: "trade", Best: true}},
			Count: countFigures,
		},
		Options: []engine.Option{
			{Name: "cards", Default: "on", Values: []string{"on", "off"}},
			{Name: "mindbug", Default: byRulebook, Values: []string{byRulebook, extraTurn, extraAction}},
			{Name: "silent-no", Default: "off", Values: []string{"off", "on"}},
			{Name: "sets", Default: strings.Join(e.sets, ","), Values: sets, List: true},
			{Name: "guide", Default: "on", Values: []string{"on", "off"}, Advanced: true},
		},
	}
	for i := range all.Kinds {
		g.info.Cards = append(g.info.Cards, all.Kinds[i].ID)
	}
	return g
}

func (d Data) selectSets(sets []string) Data {
	other := func(k Kind) bool { return !slices.Contains(sets, k.Set) }
	return Data{slices.DeleteFunc(slices.Clone(d.Kinds), other)}
}

func (g *game) Info() engine.Info { return g.info }

// box holds the cards of all sets that are played together. Matches share a box and never
// change it.
type box struct {
	data      Data
	kinds     map[string]*Kind
	names     []string       // of every card, "killer-bee.2"
	cardKinds []*Kind        // of each card, in the order of names
	index     map[string]int // in names, by the name of a card or of a higher level
	levels    []level
}

// level is a higher level of a creature. A higher level is one side of a card that is laid on
// the creature when the creature evolves (001 lexicon, "Évoluer").
type level struct {
	name string
	kind *Kind
	card int // index of the creature
}

func newBox(d Data) *box {
	b := &box{data: d, kinds: make(map[string]*Kind, len(d.Kinds)), index: map[string]int{}}
	for i := range d.Kinds {
		b.kinds[d.Kinds[i].ID] = &d.Kinds[i]
	}
	for i := range d.Kinds {
		k := &d.Kinds[i]
		if k.Level > 1 {
			continue // higher levels are not dealt
		}
		for n := range k.Copies {
			at, name := len(b.names), k.ID+"."+strconv.Itoa(n+1)
			b.index[name] = at
			b.names, b.cardKinds = append(b.names, name), append(b.cardKinds, k)
			for next := b.kinds[k.Into]; next != nil; next = b.kinds[next.Into] {
				l := level{next.copyOf(name), next, at}
				b.index[l.name] = at
				b.levels = append(b.levels, l)
			}
		}
	}
	return b
}

// rules holds the cards and options of one match.
type rules struct {
	*box
	layout      *cardgame.Layout
	cards       bool // cards are tapped; else only life and Mindbugs are followed
	extraAction bool // after a Mindbug: an action in the same turn, not a turn
	silentNo    bool // a tap for the next turn declines the Mindbug
	energy      bool // with King of Tokyo: dice, cubes and Energy cards

	// revised reports whether the journal uses rules 2 or later. Earlier rules asked
	// questions whose answers changed nothing, and the answers in such a journal must not be
	// taken for moves. Under earlier rules, a Hunter with Frenzy could choose freely in its
	// second attack.
	revised bool
	guided  bool // the set-up is explained step by step; since rules 3
	rows    bool // alternatives are asked for in the words of the rows, among others; since rules 4
}

// The versions of the rules that rules.revised, rules.guided and rules.rows need.
const (
	rules2 = 2
	rules3 = 3
	rules4 = 4
)

func (g *game) New(setup engine.Setup) (func() (engine.State, error), error) {
	list := engine.SplitList(setup.Option("sets"))
	r := &rules{layout: spots.At(setup), energy: slices.Contains(list, kingOfTokyo)}
	r.cards, r.silentNo = setup.Option("cards") != "off", setup.Option("silent-no") == "on"
	r.revised = setup.Rules >= rules2
	r.rows = setup.Rules >= rules4
	r.guided = setup.Rules >= rules3 && setup.Option("guide") == "on"
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
		r.box = newBox(all.selectSets(list))
	case slices.Equal(list, g.edition.sets):
		r.box = g.box
	default:
		r.box = newBox(g.all.selectSets(list))
	}
	return func() (engine.State, error) { return r.begin(setup) }, nil
}
