package mindbug

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
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
	from := c.Where
	if to == onStage {
		c.hand = from
	}
	leaves := from&plays != 0 && to&plays == 0
	if leaves {
		s.devolve(c)
	}
	s.lift(c)
	s.lay(c, to)
	s.Emit(engine.Event{Name: event, Seat: seat, Card: c.Name, From: s.PlaceName(from), To: s.PlaceName(to)})
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

// lift takes a card from where it lies.
func (s *state) lift(c *card) {
	from := c.Where
	s.stale = s.stale || from&(plays|discards) != 0
	s.TakeOut(c)
	if from&boosts != 0 {
		c.under.boosts = cardgame.Without(c.under.boosts, c)
		c.under = nil
	}
}

// lay puts a card into a place. A creature that stays in play stays as it is:
// 001 lexicon, "Prendre le contrôle d'une créature".
func (s *state) lay(c *card, to Place) {
	s.stale = s.stale || to&(plays|discards) != 0
	if to&plays == 0 {
		c.wear = wear{}
	}
	s.PutIn(c, to)
}

// drawUp: 001 "Piocher des cartes": up to five cards in hand, at once, as far
// as the deck goes.
func (s *state) drawUp(p *player) {
	n := min(handSize-p.hand, p.deck)
	if n <= 0 {
		s.Exclude()
		return
	}
	s.Shift(engine.Event{Name: "draws", Seat: p.seat}, p.of(inDeck), p.of(inHand), n)
}

// steal: 001 lexicon, "Voler". Nobody names the cards.
func (s *state) steal(p *player, n int) {
	o := s.other(p)
	if n = min(n, o.hand); n == 0 {
		return
	}
	s.Shift(engine.Event{Name: "steals", Seat: p.seat, Other: o.seat}, o.of(inHand), p.of(inHand), n)
	s.drawUp(o)
}
