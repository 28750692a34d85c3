package genegrafter

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// move takes a card from where it is known to be and puts it elsewhere.
func (s *state) move(event string, seat engine.Seat, c *card, to Place) {
	from := c.Where
	s.lift(c)
	s.lay(c, to)
	s.Emit(engine.Event{Name: event, Seat: seat, Card: c.Name, From: s.PlaceName(from), To: s.PlaceName(to)})
}

// lift takes a card from where it lies, and from the character it belongs to.
func (s *state) lift(c *card) {
	s.TakeOut(c)
	if c.host != nil {
		c.host.grafts, c.host.gear = cardgame.Without(c.host.grafts, c), cardgame.Without(c.host.gear, c)
		c.host = nil
	}
}

// lay puts a card into a place; what it was before is forgotten.
func (s *state) lay(c *card, to Place) {
	c.wounded, c.tired, c.fought, c.infinite, c.given = false, false, false, false, false
	s.PutIn(c, to)
}

// put lays a card beside or under a character: a gear, or a graft.
func (s *state) put(event string, p *player, c, host *card) {
	from := c.Where
	s.lift(c)
	c.Where, c.Open, c.host, c.given = p.of(inPlay), true, host, false
	if c.kind.Type == Gear {
		host.gear = append(host.gear, c)
	} else {
		host.grafts = append(host.grafts, c)
	}
	s.Exclude()
	s.Emit(engine.Event{Name: event, Seat: p.seat, Card: c.Name, From: s.PlaceName(from), To: s.PlaceName(c.Where), Word: string(engine.CardWord(host.Name))})
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

// drawn moves n cards from the deck to the hand; there are as many.
func (s *state) drawn(p *player, n int) {
	if n == 0 {
		return
	}
	s.Shift(engine.Event{Name: "draws", Seat: p.seat}, inDeck, p.of(inHand), n)
}

// reshuffle makes the discard pile the new deck, where that is empty.
func (s *state) reshuffle() {
	n := len(s.discard)
	if s.deck > 0 || n == 0 {
		return
	}
	for _, c := range s.discard {
		if c != nil {
			c.Where, c.Open = inDeck, false
		}
	}
	s.deck, s.discard = n, nil
	s.MayHaveMoved(inDiscard, inDeck)
	s.Emit(engine.Event{Name: engine.EventShuffle, N: n, From: s.PlaceName(inDiscard), To: s.PlaceName(inDeck)})
}

// thrownAway discards a whole hand that nobody names.
func (s *state) thrownAway(p *player) {
	if p.hand > 0 {
		s.Shift(engine.Event{Name: "throws-away", Seat: p.seat}, p.of(inHand), inDiscard, p.hand)
	}
}
