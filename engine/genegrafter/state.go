package genegrafter

import (
	"cmp"
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// A state is a match of Genegrafter at one moment.
//
// If something happens before a question is answered, the step that asked the question may run
// again. Whatever a step changes before its question must therefore be safe to change twice.
type state struct {
	cardgame.Table[*card]
	rules            *rules
	players          []*player   // clockwise
	setUp            int         // the step of the set-up that is shown; 0 for none
	begun            bool        // whether the first player is known
	first            int         // who began
	active           int         // whose turn it is
	charactersPlayed int         // this turn
	geared           bool        // a gear was played this turn
	ownStatements    []Statement // the owner's lines, and the lines entered in this match

	deck       int
	discard    []*card // nil for a card that nobody has named
	dna        []*card // 004 "Phase de Genegrafter"
	viewCaches struct{ discard, dna cardgame.ViewCache }
	closing    bool // the last turns are played

	finished bool // no turn follows: genes decide who wins

	declared    []declaration // attacks to be resolved
	battle      *battle
	carriedOver []readyAbility // abilities that found no dice in the battles so far
	dice        []die          // of the last throw
}

// A player holds a seat, and the cards and counters of this seat.
type player struct {
	seat   engine.Seat
	index  int
	health int
	tokens [2]int // attack, defence
	hand   int
	play   []*card // characters
	battle []*card // laid in this battle; nil while face down
	pool   []*card // 004: "réserve génétique"

	special  string // face that the special die has shown; "" while it can still be thrown
	roll     int    // number thrown to find the first player or a winner; 0 before the throw
	owesTurn bool   // has one of the last turns to take
	out      bool   // eliminated
}

type (
	question = cardgame.Question[*card]
	answer   = cardgame.Answer
	unfit    = cardgame.Unfit[*card]
)

// The fixed quantities of a match: 004 "Débuter" and "Remportez la partie".
const (
	startHealth = 6
	startTokens = 3
	handSize    = 5
	boxSize     = 54
	strandCount = 3
)

func (g *game) New(setup engine.Setup) (engine.State, error) { return cardgame.New(g, setup) }

func (g *game) Prepare(setup engine.Setup) (func() (engine.State, error), error) {
	r, err := g.rulesFor(setup)
	if err != nil {
		return nil, err
	}
	return func() (engine.State, error) { return r.begin(setup) }, nil
}

func (r *rules) begin(setup engine.Setup) (engine.State, error) {
	s := &state{rules: r, ownStatements: slices.Clone(r.ownStatements)}
	if r.guided {
		s.setUp = 1
	}
	for i, seat := range setup.Seats {
		p := &player{seat: seat.Seat, index: i, health: startHealth, tokens: [2]int{startTokens, startTokens}}
		s.players = append(s.players, p)
		if seat.Seat == setup.First {
			s.first, s.active, s.begun = i, i, true
		}
	}
	if err := s.deal(); err != nil {
		return nil, err
	}
	s.Do(s.chooseFirst, s.beginTurn)
	return s, s.Run(s)
}

// BreakOff drops everything in progress, and the declared attacks.
func (s *state) BreakOff() {
	s.Table.BreakOff()
	s.declared = nil
}

// doFirst puts steps on the agenda before the pending question, which is asked again after
// them.
func (s *state) doFirst(steps ...func()) {
	if s.Question.Key != "" {
		s.Question = question{}
		s.Again()
	}
	s.Do(steps...)
}

// tellOf emits the event with the given name, about a player and a card.
func (s *state) tellOf(name string, p *player, c *card) {
	s.Emit(engine.Event{Name: name, Seat: p.seat, Card: c.Name})
}

// Apply applies the next input. If the input answers the set-up guide, the pending question
// remains open.
func (s *state) Apply(in engine.Input) ([]engine.Event, error) {
	if s.takeGuide(in) {
		return nil, nil
	}
	return s.Table.Apply(in, s)
}

// Tap applies an input that reports the tap of a card.
func (s *state) Tap(in engine.Input) error { return s.TakeTap(in, s) }

// Unasked throws the special die if the input asks for it. Any seat may ask for it at any
// time. The result reports whether the input asked for the special die. If the pending
// question asks a player to throw other dice, the roll key of that player throws those dice.
// For that key, Unasked returns false.
func (s *state) Unasked(in engine.Input) (bool, error) {
	q := &s.Question
	p := cmp.Or(s.playerAt(in.Seat), s.playerAt(q.Seat), s.players[s.active])
	if !isSpecial(in) || in.Verb == engine.Key && q.Roll > 0 && q.Seat == p.seat {
		return false, nil
	}
	return true, s.throwSpecial(p)
}

// playerAt returns the player of a seat, nil for the table.
func (s *state) playerAt(seat engine.Seat) *player {
	for _, p := range s.players {
		if p.seat == seat {
			return p
		}
	}
	return nil
}

// playersFrom lists the players who are still in the match, clockwise from the seat of p. If p
// is still in the match, the list begins with p.
func (s *state) playersFrom(p *player) []*player {
	list := slices.Concat(s.players[p.index:], s.players[:p.index])
	return slices.DeleteFunc(list, func(q *player) bool { return q.out })
}

// opponents lists the opponents of p who are still in the match, clockwise from the seat of p.
func (s *state) opponents(p *player) []*player {
	return slices.DeleteFunc(s.playersFrom(p), func(q *player) bool { return q == p })
}

// highest returns the players of a list for whom valueOf returns the greatest number. The list
// must not be empty.
func highest(list []*player, valueOf func(*player) int) []*player {
	most := valueOf(list[0])
	for _, p := range list {
		most = max(most, valueOf(p))
	}
	return slices.DeleteFunc(slices.Clone(list), func(p *player) bool { return valueOf(p) < most })
}

// sum adds up the numbers that valueOf returns for the elements of a list.
func sum[T any](list []T, valueOf func(T) int) int {
	n := 0
	for _, x := range list {
		n += valueOf(x)
	}
	return n
}
