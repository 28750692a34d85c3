package mutants

import (
	"strconv"

	"tableside/engine"
)

// most is the greatest number a correction may set.
const most = 999

// set corrects by hand what the engine believes: the table is right.
//
//	red set score 12          red set power 5       (the marker lands on top)
//	red set hand 4            red set deck 6
//	red set zombie.1 left     red set zombie.1 left face-down
//	table set round 3         table set turn blue
func (s *state) set(in engine.Input) error {
	what, value := in.Arg(0), in.Arg(1)
	p := s.at(in.Seat)
	if p == nil {
		return s.setTable(what, value)
	}
	if s.first < 0 || s.rules.board.Spaces == 0 {
		return engine.Refuse("refusal.not-yet")
	}
	n, isNumber := count(value)
	switch {
	case what == "score" && isNumber:
		s.score.land(p.index, n)
	case what == "power" && isNumber && n >= 1 && n <= s.rules.board.Spaces:
		s.power.land(p.index, n)
	case what == "hand" && isNumber && n <= len(p.cards) && s.rules.cards:
		p.hand = n
		p.anywhere(InHand, n)
	case what == "deck" && isNumber && n <= len(p.cards) && s.rules.cards:
		p.deck = n
		p.deckTop = nil
		p.anywhere(InDeck, n)
	case s.rules.cards && len(in.Args) <= 3:
		return s.setCard(p, in)
	default:
		return engine.Refuse("refusal.set", "what", what, "value", value)
	}
	s.emit(engine.Event{Name: "set", Seat: p.seat, N: n, Word: "counter." + what})
	return nil
}

// anywhere widens what is known: after a correction any hidden card may lie
// there, or none.
func (p *player) anywhere(z Zone, n int) {
	for _, c := range p.cards {
		switch {
		case n == 0:
			c.where &^= z
		case c.where&(InHand|InDeck) != 0:
			c.where |= z
		}
	}
}

func (s *state) setTable(what, value string) error {
	n, isNumber := count(value)
	switch {
	case what == "round" && isNumber && n >= 1 && n <= len(s.rules.board.Rounds):
		s.round = n
		s.emit(engine.Event{Name: "set", Seat: engine.Table, N: n, Word: "counter.round"})
		return nil
	}
	return engine.Refuse("refusal.set", "what", what, "value", value)
}

func count(value string) (int, bool) {
	n, err := strconv.Atoi(value)
	return n, err == nil && n >= 0 && n <= most && strconv.Itoa(n) == value
}

// setCard puts a copy into a zone, and a mutant on its face or its back.
func (s *state) setCard(p *player, in engine.Input) error {
	to := Zone(0)
	for z, name := range zoneNames {
		if name == in.Arg(1) && z != InLeaving {
			to = z
		}
	}
	down := in.Arg(2) == "face-down"
	if to == 0 || in.Arg(2) != "" && !(down && to&inArena != 0) {
		return engine.Refuse("refusal.set", "what", in.Arg(0), "value", in.Arg(1))
	}
	if sl := slotOf(to); sl >= 0 && p.slots[sl].card != nil && p.slots[sl].name != in.Arg(0) {
		return engine.Refuse("refusal.slot-taken", "zone", zoneWord(to), "card", engine.CardWord(p.slots[sl].kind.ID))
	}
	if to == InIncubator && p.incubator != nil && p.incubator.name != in.Arg(0) {
		return engine.Refuse("refusal.slot-taken", "zone", zoneWord(to), "card", engine.CardWord(p.incubator.kind.ID))
	}
	if to&inPool != 0 && p.piles[pileOf(to)].top != nil {
		return engine.Refuse("refusal.slot-taken", "zone", zoneWord(to), "card", engine.CardWord(p.piles[pileOf(to)].top.kind.ID))
	}
	c, err := s.find(p, in.Arg(0), ^Zone(0), false)
	if err != nil {
		return err
	}
	from := s.certain(c)
	if from == InLeaving {
		return engine.Refuse("refusal.set", "what", in.Arg(0), "value", in.Arg(1))
	}
	s.move("put", c, from, to)
	if i := pileOf(to); i >= 0 {
		p.piles[i].n++
		p.piles[i].top = c
	}
	if sl := slotOf(to); sl >= 0 {
		p.slots[sl].down = down
	}
	return nil
}

// certain picks a zone from those in which a card may lie: one that is not
// empty.
func (s *state) certain(c *card) Zone {
	p := c.player
	for _, z := range []Zone{InHand, InDeck, InDiscard} {
		if c.where&z == 0 {
			continue
		}
		if z == InHand && p.hand > 0 || z == InDeck && p.deck > 0 || z == InDiscard && len(p.discard) > 0 {
			return z
		}
	}
	if c.where&inPool == inPool {
		for i, z := range pileZone {
			if p.piles[i].n > 0 && p.piles[i].top == nil {
				return z
			}
		}
		return InPile1
	}
	return c.where & (^c.where + 1)
}
