package mindbug

import (
	"slices"

	"tableside/engine"
)

// move takes a card from where it is known to be and puts it elsewhere; on
// top where order counts. What lies on a creature or under it goes along, or
// is taken off where the creature leaves play.
func (s *state) move(event string, seat engine.Seat, c *card, to Place) {
	s.transfer(event, seat, c, to, (*state).drop)
	if to&discards != 0 {
		s.trigger(s.keeper(to), c, "discarded")
	}
}

// put does the same for a correction by hand, which triggers nothing.
func (s *state) put(seat engine.Seat, c *card, to Place) {
	s.transfer("put", seat, c, to, (*state).put)
}

// transfer moves a card; drop is what becomes of its boosts.
func (s *state) transfer(event string, seat engine.Seat, c *card, to Place, drop func(*state, engine.Seat, *card, Place)) {
	from := c.where
	if to == onStage {
		c.hand = from
	}
	leaves := from&plays != 0 && to&plays == 0
	if leaves {
		s.devolve(c)
	}
	s.lift(c)
	s.lay(c, to)
	s.emit(engine.Event{Name: event, Seat: seat, Card: c.name, From: s.place(from), To: s.place(to)})
	switch {
	case leaves:
		s.forget(c)
		s.dropBoosts(c, s.keeper(from), drop)
	case from&plays != 0 && from != to:
		s.bringAlong(c, from, to)
	}
}

// forget: a creature that has left play is another one when it comes again.
// Its attack is over, and so is what it alone has for this turn.
func (s *state) forget(c *card) {
	for b := s.battle; b != nil; b = b.outer {
		b.over = b.over || b.attacker == c
	}
	s.lasting = slices.DeleteFunc(s.lasting, func(f force) bool { return f.giver == c && f.rule.Who.Side == This })
}

// keeper is the player of a place, which is none of the table's.
func (s *state) keeper(z Place) *player {
	if z>>seatBits == 0 {
		return s.players[0]
	}
	return s.players[1]
}

func (s *state) lift(c *card) {
	from := c.where
	c.where = 0
	s.stale = s.stale || from&(plays|discards) != 0
	switch from {
	case inUnused:
		s.unused--
	case inRevealed:
		s.revealed = without(s.revealed, c)
	case onStage:
		s.stage = without(s.stage, c)
	case inEnergyDeck:
		s.energyDeck--
	case inEnergyRow:
		s.energyRow = without(s.energyRow, c)
	case inEnergyDiscard:
		s.energyGone = without(s.energyGone, c)
	default:
		for _, p := range s.players {
			switch from {
			case p.of(inHand):
				p.hand--
			case p.of(inDeck):
				p.deck--
			case p.of(inPlay):
				p.play = without(p.play, c)
			case p.of(inHeap):
				p.heap--
			case p.of(inDiscard):
				p.discard = without(p.discard, c)
			case p.of(inBoosts):
				c.under.boosts = without(c.under.boosts, c)
				c.under = nil
			}
		}
	}
}

// lay puts a card into a place. A creature that stays in play stays as it is:
// 001 lexicon, "Prendre le contrôle d'une créature".
func (s *state) lay(c *card, to Place) {
	c.where = to
	s.stale = s.stale || to&(plays|discards) != 0
	if to&plays == 0 {
		c.wear = wear{}
	}
	switch to {
	case inUnused:
		s.unused++
	case inRevealed:
		s.revealed = append(s.revealed, c)
	case onStage:
		s.stage = append(s.stage, c)
	case inEnergyDeck:
		s.energyDeck++
	case inEnergyRow:
		s.energyRow = append(s.energyRow, c)
	case inEnergyDiscard:
		s.energyGone = append(s.energyGone, c)
	}
	for _, p := range s.players {
		switch to {
		case p.of(inHand):
			p.hand++
		case p.of(inDeck):
			p.deck++
		case p.of(inPlay):
			p.play = append(p.play, c)
		case p.of(inDiscard):
			p.discard = append(p.discard, c)
		}
	}
	if to&hidden != 0 {
		s.exclude()
	}
}

func without(cards []*card, c *card) []*card {
	if i := slices.Index(cards, c); i >= 0 {
		return slices.Delete(cards, i, i+1)
	}
	return cards
}

// drawUp: 001 "Piocher des cartes": up to five cards in hand, at once, as far
// as the deck goes.
func (s *state) drawUp(p *player) {
	n := min(handSize-p.hand, p.deck)
	if n <= 0 {
		s.exclude()
		return
	}
	p.deck -= n
	p.hand += n
	s.mayHaveMoved(p.of(inDeck), p.of(inHand))
	s.emit(engine.Event{Name: "draws", Seat: p.seat, N: n, From: s.place(p.of(inDeck)), To: s.place(p.of(inHand))})
}

// steal: 001 lexicon, "Voler". Nobody names the cards.
func (s *state) steal(p *player, n int) {
	o := s.other(p)
	if n = min(n, o.hand); n == 0 {
		return
	}
	o.hand -= n
	p.hand += n
	s.mayHaveMoved(o.of(inHand), p.of(inHand))
	s.emit(engine.Event{Name: "steals", Seat: p.seat, Other: o.seat, N: n, From: s.place(o.of(inHand)), To: s.place(p.of(inHand))})
	s.drawUp(o)
}
