// Package genegrafter follows the card game Genegrafter. The game has characters, battles with
// hidden abilities and dice, wounds, gene pools and grafts. The package reads like the
// rulebook and cites its headings. "004" is the French rulebook. Reviews describe how the
// first edition differs, and a comment marks each such place. Where the rulebook and the
// reviews are silent, docs/rulings.md says what was decided.
package genegrafter

import (
	_ "embed"
	"slices"
	"strconv"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/cardgame"
)

// An edition holds those rules that differ between the two editions of the game.
type edition struct {
	name      string
	draw      int // cards a turn: 004 "Piochez trois cartes"
	handLimit int // 004 "Défausse"

	// In the first edition, the defender wins a tie. In the other edition, the dice are thrown
	// again: 004 "Combattre", 7.
	defenderWinsTies bool

	// The loser is wounded before it is captured (004 "Combattre", 8). In the first edition,
	// the loser is captured without being wounded first.
	capturesAtOnce bool

	// In the first edition, the match ends with the third DNA strand. In the other edition,
	// one more turn follows (004 "Remportez la partie").
	endsAtOnce bool
}

var editions = []edition{
	{name: "early", draw: 1, handLimit: 7, defenderWinsTies: true, capturesAtOnce: true, endsAtOnce: true},
	{name: "standard", draw: 3, handLimit: 8},
}

// difficulties holds how many event cards make a match simple, medium or hard (004 "Pré
// partie"). The rulebook gives a range for each difficulty. Simple and medium have the upper
// end of their ranges. Hard has one card more than the lower end of its range.
var difficulties = map[string]int{"simple": 2, "medium": 4, "hard": 6}

const maxEvents = 20

//go:embed words.txt
var wordsFile string

// Games returns the editions in this package.
func Games() []engine.Game {
	known := newBox(cardfile.Must(build(printedStatements())))
	standIn := newBox(cardfile.Must(build(printedStatements(), standIns())))
	words := engine.Merge(known.data.Words(), standIn.data.Words(), engine.MustWords("genegrafter/words.txt", wordsFile))
	var games []engine.Game
	for i := range editions {
		games = append(games, newGame(&editions[i], known, standIn, words))
	}
	return games
}

// A game holds the rules of an edition and the cards of the box.
type game struct {
	edition        *edition
	known, standIn *box // the known cards alone, and with stand-ins
	info           engine.Info
}

func newGame(e *edition, known, standIn *box, words engine.Words) *game {
	g := &game{edition: e, known: known, standIn: standIn}
	g.info = engine.Info{
		Name:       "genegrafter/" + e.name,
		Rules:      newest,
		MinSeats:   2,
		MaxSeats:   4,
		FindsFirst: true,
		Words:      words,
		Figures: engine.Figures{ // 004 "Combattre"
			Kinds: []engine.Figure{{Name: "dice-luck", Unit: engine.Luck}, {Name: "captures"}},
			Count: countFigures,
		},
		Options: []engine.Option{
			{Name: "difficulty", Default: "simple", Values: []string{"simple", "medium", "hard"}},
			{Name: "gear", Default: "on", Values: []string{"on", "off"}},
			{Name: "attacks", Default: "together", Values: []string{"together", "one-by-one"}, Advanced: true},
			{Name: "guide", Default: "on", Values: []string{"on", "off"}, Advanced: true},
			{Name: "events", Default: "", Check: engine.Between(0, maxEvents), Advanced: true},
			{Name: "data", Default: "known", Values: []string{"known", "stand-in"}, Advanced: true},
		},
	}
	for _, k := range slices.Concat(standIn.data.Kinds, known.data.Kinds) {
		if !slices.Contains(g.info.Cards, k.ID) {
			g.info.Cards = append(g.info.Cards, k.ID)
		}
	}
	return g
}

func (g *game) Info() engine.Info { return g.info }

// A box holds a set of cards. Several matches share one box, so no code may change it.
type box struct {
	data  Data
	cards []card         // in printed order
	index map[string]int // in cards, by name: "super-punch.1"
}

func newBox(d Data) *box {
	b := &box{data: d, index: map[string]int{}}
	for _, k := range d.Kinds {
		for n := range k.Copies {
			name := k.ID + "." + strconv.Itoa(n+1)
			b.index[name] = len(b.cards)
			b.cards = append(b.cards, card{kind: k, Card: cardgame.Card{Name: name}})
		}
	}
	return b
}

// rules holds the cards and options of one match.
type rules struct {
	*edition
	*box
	layout        *cardgame.Layout
	ownStatements []Statement // the owner's lines
	events        int         // event cards that are shuffled into the deck
	fullBox       *box        // with the gear, which may be left out of the match
	gear          bool        // whether gear can come up

	// revised reports whether the journal is of rules 2 or later. Earlier rules resolved each
	// attack as it was declared. They took health for an undefended attack without asking.
	// They gave infinite power only to one's own characters. They counted the hand only once
	// at the end of a turn. They discarded abilities that had found no dice. They had no
	// set-up to be confirmed.
	revised         bool
	attacksTogether bool // attacks are declared before they are resolved
	guided          bool // the set-up is explained step by step

	// eventsFirst reports whether the journal is of rules 3 or later. Earlier rules shuffled an
	// event into the deck during the draw in which it came up. They also made a new deck
	// before the card that had been drawn last could be shown.
	eventsFirst bool

	// inOrder reports whether the journal is of rules 4 or later. In a battle, earlier rules
	// resolved those effects of a card first that ask nothing, and of these the last one first.
	inOrder bool
}

// The versions of the rules. For rules2 and all later ones, rules.revised is true; from rules3
// on, rules.eventsFirst is, too, and from rules4 on, rules.inOrder.
const (
	rules2 = 2
	rules3 = 3
	rules4 = 4
	newest = rules4
)

func (g *game) New(setup engine.Setup) (func() (engine.State, error), error) {
	if len(setup.Pools) > 0 {
		return nil, engine.NewSetupError("setup.no-pools")
	}
	r := &rules{edition: g.edition, layout: spots.At(setup), revised: setup.Rules >= rules2,
		eventsFirst: setup.Rules >= rules3, inOrder: setup.Rules >= rules4}
	r.guided = r.revised && setup.Option("guide") == "on"
	r.attacksTogether = r.revised && setup.Option("attacks") == "together"
	standIn := setup.Option("data") == "stand-in"
	switch {
	case len(setup.Definitions) > 0:
		d, own, err := withOwn(standIn, setup.Definitions)
		if err != nil {
			return nil, engine.NewSetupError("setup.definitions", "reason", err.Error())
		}
		r.ownStatements, r.box = own, newBox(d)
	case standIn:
		r.box = g.standIn
	default:
		r.box = g.known
	}
	r.fullBox = r.box
	if setup.Option("gear") == "off" {
		r.box = newBox(r.data.withoutGear())
	} else {
		r.gear = r.data.count(Gear)+r.data.count(UnknownType) > 0
	}
	r.events = difficulties[setup.Option("difficulty")]
	if s := setup.Option("events"); s != "" {
		r.events, _ = strconv.Atoi(s) // the option has checked it
	}
	if most := r.data.count(Event) + r.data.count(UnknownType); r.events > most {
		return nil, engine.NewSetupError("setup.too-many-events", "n", r.events, "most", most)
	}
	return func() (engine.State, error) { return r.begin(setup) }, nil
}
