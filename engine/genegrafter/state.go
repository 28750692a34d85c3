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
	begun            bool        // whether the first player is known
	first            int         // who began
	active           int         // whose turn it is
	charactersPlayed int         // this turn
	geared           bool        // a gear was played this turn
	ownStatements    []Statement // the owner's lines, and the lines entered in this match

	deck       int
	discard    []*card // nil for a card that nobody has named
	heldEvents []*card // events in the discard pile that are not shuffled in: see shuffleIn
	dna        []*card // 004 "Phase de Genegrafter"
	closing    bool    // the last turns are played

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

func (r *rules) begin(setup engine.Setup) (engine.State, error) {
	s := &state{rules: r, ownStatements: slices.Clone(r.ownStatements)}
	if r.guided {
		s.Guide = cardgame.NewGuide(r.guideSteps()...)
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
	s.declared, s.heldEvents = nil, nil
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

func (s *state) tellOf(name string, p *player, c *card) {
	s.Emit(engine.Event{Name: name, Seat: p.seat, Card: c.Name})
}

func (s *state) Apply(in engine.Input) ([]engine.Event, error) { return s.Table.Apply(in, s) }

// Takes is the method of an engine.Judge.
func (s *state) Takes(in engine.Input) error { return s.Table.Takes(in, s) }

// Tap checks an input that reports the tap of a card.
func (s *state) Tap(in engine.Input) (func(), error) { return s.CheckTap(in, s) }

// Unasked throws the special die if the input asks for it. Any seat may ask for it at any time. If
// the pending question asks a player to throw other dice, the roll key of that player throws those
// dice instead.
func (s *state) Unasked(in engine.Input) (func(), error) {
	q := &s.Question
	p := cmp.Or(s.playerAt(in.Seat), s.playerAt(q.Seat), s.players[s.active])
	if !isSpecial(in) || in.Verb == engine.Key && q.Roll > 0 && q.Seat == p.seat {
		return nil, nil
	}
	return func() { s.throwSpecial(p) }, s.specialRefusal(p)
}

func (s *state) playerAt(seat engine.Seat) *player {
	for _, p := range s.players {
		if p.seat == seat {
			return p
		}
	}
	return nil
}

func (s *state) playersFrom(p *player) []*player {
	list := slices.Concat(s.players[p.index:], s.players[:p.index])
	return slices.DeleteFunc(list, func(q *player) bool { return q.out })
}

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

func sum[T any](list []T, valueOf func(T) int) int {
	n := 0
	for _, x := range list {
		n += valueOf(x)
	}
	return n
}
