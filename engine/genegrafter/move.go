package genegrafter

import (
	"slices"

	"tableside/engine"
)

// move takes a card from where it is known to be and puts it elsewhere.
func (s *state) move(event string, seat engine.Seat, c *card, to Place) {
	from := c.where
	s.lift(c)
	s.lay(c, to)
	s.emit(engine.Event{Name: event, Seat: seat, Card: c.name, From: s.place(from), To: s.place(to)})
}

func (s *state) lift(c *card) {
	from := c.where
	c.where = 0
	switch from {
	case inDeck:
		s.deck = max(0, s.deck-1)
		return
	case inDiscard:
		s.discard = withoutOrUnnamed(s.discard, c)
		return
	case inDNA:
		s.dna = without(s.dna, c)
		return
	}
	p := s.owner(from)
	if p == nil {
		return // aside
	}
	switch from {
	case p.of(inHand):
		p.hand = max(0, p.hand-1)
	case p.of(inBattle):
		p.battle = withoutOrUnnamed(p.battle, c)
	case p.of(inPlay):
		p.play = without(p.play, c)
		if c.host != nil {
			c.host.grafts, c.host.gear = without(c.host.grafts, c), without(c.host.gear, c)
			c.host = nil
		}
	case p.of(inPool):
		p.pool = without(p.pool, c)
	}
}

// lay puts a card into a place; what it was before is forgotten.
func (s *state) lay(c *card, to Place) {
	c.where, c.open = to, to&(shown|inDiscard) != 0
	c.wounded, c.tired, c.fought, c.infinite, c.given = false, false, false, false, false
	switch to {
	case inDeck:
		s.deck++
	case inDiscard:
		s.discard = append(s.discard, c)
	case inDNA:
		s.dna = append(s.dna, c)
	}
	if p := s.owner(to); p != nil {
		switch to {
		case p.of(inHand):
			p.hand++
		case p.of(inBattle):
			p.battle = append(p.battle, c)
		case p.of(inPlay):
			p.play = append(p.play, c)
		case p.of(inPool):
			p.pool = append(p.pool, c)
		}
	}
	s.exclude()
}

// put lays a card beside or under a character: a gear, or a graft.
func (s *state) put(event string, p *player, c, host *card) {
	from := c.where
	s.lift(c)
	c.where, c.open, c.host, c.given = p.of(inPlay), true, host, false
	if c.kind.Type == Gear {
		host.gear = append(host.gear, c)
	} else {
		host.grafts = append(host.grafts, c)
	}
	s.exclude()
	s.emit(engine.Event{Name: event, Seat: p.seat, Card: c.name, From: s.place(from), To: s.place(c.where), Word: string(engine.CardWord(host.name))})
}

// leave takes a character out of play. Its grafts go where it goes, as cards
// of their own; its gear is discarded: 004 "Règle Bonus Kickstart", until the
// bearer dies.
func (s *state) leave(event string, seat engine.Seat, c *card, to Place) {
	grafts, gear := slices.Clone(c.grafts), slices.Clone(c.gear)
	for _, g := range gear {
		s.move("gear-lost", seat, g, inDiscard)
	}
	for _, g := range grafts {
		s.move("graft-leaves", seat, g, to)
	}
	s.move(event, seat, c, to)
}

func without(cards []*card, c *card) []*card {
	if i := slices.Index(cards, c); i >= 0 {
		return slices.Delete(cards, i, i+1)
	}
	return cards
}

// withoutOrUnnamed takes a card out of a list, or one that nobody has named.
func withoutOrUnnamed(cards []*card, c *card) []*card {
	if !slices.Contains(cards, c) {
		c = nil
	}
	return without(cards, c)
}

// drawn moves n cards from the deck to the hand; there are as many.
func (s *state) drawn(p *player, n int) {
	if n == 0 {
		return
	}
	s.deck -= n
	p.hand += n
	s.mayHaveMoved(inDeck, p.of(inHand))
	s.emit(engine.Event{Name: "draws", Seat: p.seat, N: n, From: s.place(inDeck), To: s.place(p.of(inHand))})
}

// reshuffle makes the discard pile the new deck, where that is empty.
func (s *state) reshuffle() {
	n := len(s.discard)
	if s.deck > 0 || n == 0 {
		return
	}
	for _, c := range s.discard {
		if c != nil {
			c.where, c.open = inDeck, false
		}
	}
	s.deck, s.discard = n, nil
	s.mayHaveMoved(inDiscard, inDeck)
	s.emit(engine.Event{Name: "shuffle", N: n, From: s.place(inDiscard), To: s.place(inDeck)})
}

// thrownAway discards a whole hand that nobody names.
func (s *state) thrownAway(p *player) {
	n := p.hand
	if n == 0 {
		return
	}
	p.hand = 0
	s.discard = append(s.discard, make([]*card, n)...)
	s.mayHaveMoved(p.of(inHand), inDiscard)
	s.emit(engine.Event{Name: "throws-away", Seat: p.seat, N: n, From: s.place(p.of(inHand)), To: s.place(inDiscard)})
}
