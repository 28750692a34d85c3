// Package mutants follows the card game Mutants: gene pools, the arena, the Power Track and
// the score. The code reads like the two rulebooks and cites their headings. "EN" stands for
// the first edition, "FR" for the newer one. Where the rulebooks are silent, docs/rulings.md
// says what was decided.
package mutants

import (
	_ "embed"
	"maps"
	"slices"
	"strconv"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// An edition holds the rules in which the two rulebooks differ.
type edition struct {
	name string

	// crushEndsRound reports whether a Crush ends the round. In EN it does, but all opponents
	// must be in the Red Zone ("Crush the Competition"). In FR one opponent in the Red Zone
	// is enough, and the turn continues ("Écraser la compétition").
	crushEndsRound bool

	// FR "Mise en place", Mulligan.
	mulligan bool

	// stopsAtFailure reports whether an ability stops at the first part that cannot be
	// resolved. EN says so ("Icons effects & special rules"). In FR as much as possible is
	// resolved.
	stopsAtFailure bool

	// Ongoing abilities are never active during the End of Round step: EN "Ongoing".
	restsAtRoundEnd bool

	// In this edition, one player plays against a boss: FR "La Révolte".
	uprising bool
}

var editions = []edition{
	{name: "first-edition", crushEndsRound: true, stopsAtFailure: true, restsAtRoundEnd: true},
	{name: "second-edition", mulligan: true},
	{name: uprisingEdition, mulligan: true, uprising: true},
}

//go:embed words.txt
var wordsFile string

// bossWords holds the texts that only the Uprising has, and those that differ in the Uprising.
//
//go:embed bosswords.txt
var bossWords string

// Games returns the editions.
func Games() []engine.Game {
	words := engine.MustWords("mutants/words.txt", wordsFile)
	var games []engine.Game
	for i := range editions {
		e := &editions[i]
		known, standIn := cardfile.Must(Build(e.name, printed())), cardfile.Must(Build(e.name, printed(), standIns()))
		games = append(games, newGame(e, known, standIn, words))
	}
	return games
}

// A game holds the rules of an edition and the cards of its box.
type game struct {
	edition *edition
	known   *Data // the facts about the real box
	standIn *Data // the facts, completed by made-up values
	info    engine.Info
}

func newGame(e *edition, known, standIn Data, words engine.Words) *game {
	g := &game{edition: e, known: &known, standIn: &standIn}
	words = engine.Merge(standIn.Words(), words)
	g.info = engine.Info{
		Name:     "mutants/" + e.name,
		Rules:    newest,
		MinSeats: 2,
		MaxSeats: 4,
		Words:    words,
		Figures:  figures(),
		Options: []engine.Option{
			{Name: "cards", Default: "on", Values: []string{"on", "off"}},
			{Name: "guide", Default: "on", Values: []string{"on", "off"}, Advanced: true},
			{Name: "pools", Default: "ready-made", Values: []string{"ready-made", "draft", "constructed"}},
			// The available bosses depend on the data.
			{Name: "data", Default: "known", Values: []string{"known", "stand-in"}, Advanced: !e.uprising},
			{Name: "spaces", Default: "", Check: engine.Between(minSpaces, maxSpaces), Advanced: true},
			{Name: "red-zone", Default: "", Check: engine.Between(1, 10), Advanced: true},
			{Name: "rounds", Default: "", Check: checkRounds, Advanced: true},
		},
	}
	if e.uprising {
		g.info.MinSeats, g.info.MaxSeats = 1, 1
		g.info.Words = engine.Merge(words, engine.MustWords("mutants/bosswords.txt", bossWords))
		// without the first two: the Uprising always taps cards, and constructs the gene pool
		g.info.Options = append(standIn.bossOptions(), g.info.Options[1:]...)
		g.info.Options = slices.DeleteFunc(g.info.Options, func(o engine.Option) bool { return o.Name == "pools" })
	}
	for i := range standIn.Kinds {
		g.info.Cards = append(g.info.Cards, standIn.Kinds[i].ID)
	}
	for _, pc := range known.Precons {
		g.info.Pools = append(g.info.Pools, pc.ID)
	}
	return g
}

func checkRounds(s string) error {
	_, err := parseRounds(s)
	return err
}

func (g *game) Info() engine.Info { return g.info }

// A journal names the version of the rules with which its match began, and is replayed by that
// version.
const (
	// rules2 changed this: a mulligan is for all three piles and not lost by skipping; the
	// last card played ends a round of the Uprising; deeds by hand are entered; the health
	// track reaches as far as the health; and only made-up parts of the board are announced.
	// Cards are data and have no version: an older journal plays Beast with its price, as in
	// the box.
	rules2 = 2

	// rules3 changed this: the table asks which ready-made list a seat plays, and for the cards
	// of a constructed gene pool. Before, it chose the list or the cards itself. The set-up is
	// explained step by step.
	rules3 = 3

	// rules4 changed this: a form refuses words that are no sentence of the card language, and who
	// declines what one may do leaves out only what that sentence says.
	rules4 = 4

	newest = rules4
)

// rules holds the cards and the board of one match.
type rules struct {
	*edition
	revision    int
	data        *Data
	kinds       map[string]*Kind
	board       Board
	boss        *Boss  // of the Uprising; nil in other editions
	extraHealth int    // health that the boss has in addition to its own
	bannedGenes []Gene // genes that may not be in the gene pool
	cards       bool   // cards are tapped; else only the tracks are followed

	draftsUnnamed bool // a draft deals the cards that are called by their genes
}

// New implements engine.Game. The owner's file overrides the facts about the real
// box and the made-up values (stand-ins). The options of the setup override all other values.
func (g *game) New(setup engine.Setup) (func() (engine.State, error), error) {
	var data *Data
	standIn := setup.Option("data") == "stand-in"
	switch {
	case len(setup.Definitions) > 0:
		own, err := build(g.edition.name, standIn, setup.Definitions)
		if err != nil {
			return nil, engine.NewSetupError("setup.definitions", "reason", err.Error())
		}
		data = &own
	case standIn:
		data = g.standIn
	default:
		data = g.known
	}
	r := &rules{edition: g.edition, revision: setup.Rules, data: data, board: data.Board,
		cards: setup.Option("cards") != "off", draftsUnnamed: standIn || setup.Rules >= rules3}
	r.kinds = make(map[string]*Kind, len(data.Kinds))
	for i := range data.Kinds {
		r.kinds[data.Kinds[i].ID] = &data.Kinds[i]
	}
	if g.edition.uprising {
		if err := r.addBoss(setup); err != nil {
			return nil, err
		}
	}
	if n, err := strconv.Atoi(setup.Option("spaces")); err == nil {
		r.board.Spaces = n
	}
	if n, err := strconv.Atoi(setup.Option("red-zone")); err == nil {
		r.board.RedZone = n
	}
	if s := setup.Option("rounds"); s != "" {
		rounds, err := parseRounds(s)
		if err != nil {
			return nil, engine.NewSetupError("setup.option-reason", "name", "rounds", "value", s, "reason", err.Error())
		}
		r.board.Rounds = rounds
	}
	if r.revision >= rules2 {
		r.board.StandIn = slices.ContainsFunc(data.filledGaps, func(g Gap) bool {
			return g.Card == "" && g.StandIn && setup.Option(g.Field) == ""
		})
	}
	// The Red Zone ends before the Second Space.
	if b := r.board; b.Spaces > 0 && b.RedZone > b.Spaces-2 {
		return nil, engine.NewSetupError("setup.red-zone", "spaces", b.Spaces, "n", b.RedZone)
	}
	return func() (engine.State, error) { return r.copy().begin(setup) }, nil
}

// copy returns the rules for one match. During a match, unknown values of the board, of the
// boss and of the boss's cards may be entered. The copy therefore has a board, a boss and
// boss's cards of its own. It shares all other cards with the original.
func (r *rules) copy() *rules {
	c := *r
	c.board.Rounds = slices.Clone(r.board.Rounds)
	if r.boss == nil {
		return &c
	}
	c.boss, c.kinds = new(*r.boss), maps.Clone(r.kinds)
	for id, kind := range r.kinds {
		if kind.Action != nil && kind.Action.Boss == r.boss.ID {
			own := *kind
			own.Action = new(*kind.Action)
			c.kinds[id] = &own
		}
	}
	return &c
}

func (r *rules) precon(id string) *Precon {
	if i := slices.IndexFunc(r.data.Precons, func(p Precon) bool { return p.ID == id }); i >= 0 {
		return &r.data.Precons[i]
	}
	return nil
}
