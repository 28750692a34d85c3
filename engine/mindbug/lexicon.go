package mindbug

import (
	"slices"
	"strings"

	"tableside/engine"
)

// 001 lexicon, "Renforcer": cards of the discard piles lie under a creature,
// and each gives it 1 power. Everybody may look at them.

// boosting is an effect that lays up to n cards under creatures.
type boosting struct {
	source
	creatures *Creatures
	n         int
	creature  *card // the chosen creature; nil if none is chosen yet, or each card may have its own
}

// boost asks for up to b.n cards to lay under creatures, one card after the other. The player
// may stop earlier.
func (s *state) boost(b boosting) {
	list := s.candidates(b.source, b.creatures)
	if b.n == 0 || len(list) == 0 || !s.anyDiscards() || b.creature != nil && !slices.Contains(list, b.creature) {
		return
	}
	s.askDiscards(question{Seat: b.p.seat, Key: "boost", About: b.card, N: b.n,
		In: discards | s.unnamedHeaps(b.p, AnyDiscard),
		Tap: func(c *card) {
			switch {
			case b.creature != nil:
				s.layUnder(b, c, b.creature)
			case len(list) == 1:
				s.layUnder(b, c, list[0])
			default:
				s.boostOnto(b, c)
			}
		},
		Fixed: enough, Chosen: func(answer) {},
		Again: func() { s.boost(b) },
	})
}

// boostOnto asks under which creature a card is laid.
func (s *state) boostOnto(b boosting, c *card) {
	if c.Where&(discards|heaps) == 0 {
		s.boost(b) // a correction by hand has taken it away
		return
	}
	list := s.candidates(b.source, b.creatures)
	if len(list) == 0 {
		return
	}
	s.Ask(question{Seat: b.p.seat, Key: "boost-creature", About: c, In: plays,
		Cards: list,
		Tap:   func(onto *card) { s.layUnder(b, c, onto) },
		Again: func() { s.boostOnto(b, c) },
	})
}

func (s *state) layUnder(b boosting, c, onto *card) {
	s.putUnder("boosts", b.p.seat, c, onto)
	if b.creatures.Count != Any {
		b.creature = onto
	}
	b.n--
	s.boost(b)
}

func (s *state) putUnder(event string, seat engine.Seat, c, onto *card) {
	from := c.Where
	s.TakeOut(c)
	c.takeFromUnder()
	c.Where, c.Open, c.under = s.controller(onto).placeOf(inBoosts), true, onto
	onto.boosts = append(onto.boosts, c)
	s.Emit(engine.Event{Name: event, Seat: seat, Card: c.Name, Word: "card." + onto.kind.ID, From: s.PlaceName(from),
		To: s.PlaceName(c.Where)})
}

func (s *state) anyDiscards() bool {
	return len(s.players[0].discard)+len(s.players[1].discard)+s.players[0].heap+s.players[1].heap > 0
}

// bringAlong moves all cards on and under a creature to its new player.
func (s *state) bringAlong(c *card, from, to Place) {
	along := func(name string) {
		s.Emit(engine.Event{Name: "comes-along", Seat: s.keeper(to).seat, Card: name, From: s.PlaceName(from),
			To: s.PlaceName(to)})
	}
	for _, b := range c.boosts {
		b.Where = s.keeper(to).placeOf(inBoosts)
		along(b.Name)
	}
	for _, k := range s.pastLevels(c) {
		along(k.copyOf(c.Name))
	}
}

func (p *player) boosts() (list []*card) {
	for _, c := range p.play {
		list = append(list, c.boosts...)
	}
	return list
}

func (s *state) boosted() []*card { return append(s.players[0].boosts(), s.players[1].boosts()...) }

// 001 lexicon, "Évoluer": a line has three levels. The first one is dealt as any
// creature. The others are the two sides of one card, which is set aside and laid on
// the first; each side has its own name, and tapping either counts as tapping the
// creature.

// setAside names the place for the levels of creatures. A level lies there as long as its
// creature has not reached it.
const setAside = "set-aside"

func (s *state) evolve(event string, c *card, into *Kind) {
	word := "card." + c.kind.ID
	c.become(into)
	s.Emit(engine.Event{Name: event, Seat: s.controller(c).seat, Card: c.Name, Word: word, From: setAside,
		To: s.PlaceName(c.Where)})
}

// devolve returns a creature to its first level, before it leaves play.
func (s *state) devolve(c *card) {
	for _, k := range slices.Backward(s.pastLevels(c)) {
		s.Emit(engine.Event{Name: "set-aside", Seat: s.controller(c).seat, Card: c.Name, From: s.PlaceName(c.Where),
			To: setAside})
		c.become(k)
	}
}

func (s *state) pastLevels(c *card) (list []*Kind) {
	if c.kind.Level < 2 {
		return nil
	}
	for k := s.rules.cardKinds[s.rules.index[c.Name]]; k != c.kind; k = s.rules.kinds[k.Into] {
		list = append(list, k)
	}
	return list
}

func (c *card) become(k *Kind) { c.Name, c.kind = k.copyOf(c.Name), k }

func (k *Kind) copyOf(name string) string { return k.ID + name[strings.LastIndexByte(name, '.'):] }

func (s *state) setLevel(c *card, level *Kind) {
	if c.Where&plays == 0 || c.kind == level {
		return
	}
	s.devolve(c)
	for c.kind != level {
		s.evolve(byHand, c, s.rules.kinds[c.kind.Into])
	}
}

// asideCards lists the level cards that lie set aside, because their creatures have not
// reached these levels.
func (s *state) asideCards() []engine.Card {
	list := []engine.Card{}
	for _, l := range s.rules.levels {
		if s.Cards[l.card].kind.Level < l.kind.Level {
			_, n := engine.SplitCopy(l.name)
			list = append(list, engine.Card{Kind: engine.Null(l.kind.ID), Copy: n})
		}
	}
	return list
}
