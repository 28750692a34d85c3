package mindbug

import (
	"math/bits"
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// byHand is the name of the event that a correction emits. A move with this event triggers
// nothing.
const byHand = "put"

// move takes a card from its known place and puts it elsewhere. If the new place has an order,
// the card goes on top. Cards on a creature or under it go along.
//
// If the creature leaves play, these cards are taken off, and its boosts go to the discard
// pile of its controller. A creature that stays in play keeps its state (001 lexicon, "Prendre
// le contrôle d'une créature"). A card that comes into a discard pile triggers its Discarded
// effect, unless a correction has moved the card.
func (s *state) move(event string, seat engine.Seat, c *card, to Place) {
	from := c.Where
	if to == onStage {
		c.playedFrom = uint8(bits.TrailingZeros64(uint64(from)))
	}
	leaves := from&plays != 0 && to&plays == 0
	if leaves {
		s.devolve(c)
	}
	c.takeFromUnder()
	if to&plays == 0 {
		c.condition = condition{}
	}
	s.Move(event, seat, c, to)
	switch {
	case leaves:
		s.forget(c)
		drop := "drops"
		if event == byHand {
			drop = byHand
		}
		for p := s.keeper(from); len(c.boosts) > 0; {
			s.move(drop, p.seat, c.boosts[0], p.placeOf(inDiscard))
		}
	case from&plays != 0 && from != to:
		s.bringAlong(c, from, to)
	}
	if to&discards != 0 && event != byHand {
		s.trigger(s.keeper(to), c, "discarded")
	}
}

// forget ends everything that a creature began before it left play. The creature's attack
// ends. The rules for this turn that the creature made for itself also end. If the creature
// comes back, it is treated as another creature.
func (s *state) forget(c *card) {
	for b := s.battle; b != nil; b = b.outer {
		b.attackerGone = b.attackerGone || b.attacker == c
	}
	s.turnRules = slices.DeleteFunc(s.turnRules,
		func(f activeRule) bool { return f.giver == c && f.rule.Creatures.Side == This })
}

// keeper returns the player to whom a place belongs. The place must not belong to the table.
func (s *state) keeper(z Place) *player {
	if z>>seatBits == 0 {
		return s.players[0]
	}
	return s.players[1]
}

func (c *card) takeFromUnder() {
	if c.under != nil {
		c.under.boosts = cardgame.Without(c.under.boosts, c)
		c.under = nil
	}
}

// drawUp fills a player's hand up to five cards in one draw (001 "Piocher des cartes"). If the
// deck has too few cards, the player draws the whole deck.
func (s *state) drawUp(p *player) {
	n := min(handSize-p.hand, p.deck)
	if n <= 0 {
		s.Exclude()
		return
	}
	s.Shift(engine.Event{Name: "draws", Seat: p.seat}, p.placeOf(inDeck), p.placeOf(inHand), n)
}

func (s *state) drawDiscard(p *player) {
	for len(p.discard) > 0 {
		s.move("takes-back", p.seat, p.discard[0], p.placeOf(inHand))
	}
	s.shift("takes-rest", p, p.placeOf(inHeap), p.placeOf(inHand))
}

// steal moves n unnamed cards from the opponent's hand to the player's hand (001 lexicon,
// "Voler"). If the opponent has fewer cards, all of them are moved. Then the opponent fills
// the hand up to five cards.
func (s *state) steal(p *player, n int) {
	o := s.opponentOf(p)
	if n = min(n, o.hand); n == 0 {
		return
	}
	s.Shift(engine.Event{Name: "steals", Seat: p.seat, Other: o.seat}, o.placeOf(inHand), p.placeOf(inHand), n)
	s.drawUp(o)
}

// Cards that are discarded: 001 lexicon, "Se défausser d'une carte". A card that was
// drawn at random is tapped too: it is named because it is shown.

func (s *state) discard(q question, then func()) {
	p := s.playerAt(q.Seat)
	q.Tap = func(c *card) {
		s.move("discards", p.seat, c, p.placeOf(inDiscard))
		then()
	}
	s.Ask(q)
}

// discardCards asks a player to discard n cards, or the whole hand if it has fewer. After
// that, the player fills the hand up to five cards. If the player has to discard a hand of
// several cards completely, one key discards them all unnamed.
func (s *state) discardCards(p *player, n int) {
	if n = min(n, p.hand); n == 0 {
		s.drawUp(p)
		return
	}
	q := question{Seat: p.seat, Key: "discard", N: n, In: p.placeOf(inHand), Again: func() { s.discardCards(p, n) }}
	if n > 1 && n == p.hand {
		q.Fixed, q.Chosen = discardRest, func(answer) { s.discardUnnamed(p, p.placeOf(inHand)) }
	}
	s.discard(q, func() { s.discardCards(p, n-1) })
}

// discardAll asks for all cards of the piles, one after the other, because the table should
// know which cards lie in a discard pile. One key discards the remaining cards unnamed. After
// the last card, the player fills the hand up to five cards.
func (s *state) discardAll(p *player, piles ...Place) {
	for len(piles) > 0 && s.Count(piles[0]) == 0 {
		piles = piles[1:]
	}
	if len(piles) == 0 {
		s.drawUp(p)
		return
	}
	again := func() { s.discardAll(p, piles...) }
	s.discard(question{Seat: p.seat, Key: "discard-all", N: s.Count(piles[0]), In: piles[0], Again: again,
		Fixed: discardRest, Chosen: func(answer) { s.discardUnnamed(p, piles...) }}, again)
}

func (s *state) discardRandom(p *player) {
	if p.hand == 0 {
		return
	}
	s.discard(question{Seat: p.seat, Key: "discard-random", In: p.placeOf(inHand), Again: func() { s.discardRandom(p) }},
		func() { s.drawUp(p) })
}

// discardToDefeat lets a player discard up to n more cards. Then one creature is defeated for
// each discarded card. The argument count is the number of cards that were discarded earlier.
func (s *state) discardToDefeat(src source, n, count int) {
	p := src.p
	defeat := func() {
		s.drawUp(p)
		s.defeatEach(src, count)
	}
	if n == 0 || p.hand == 0 {
		defeat()
		return
	}
	s.discard(question{Seat: p.seat, Key: "discard-up-to", About: src.card, N: n, In: p.placeOf(inHand),
		Fixed: enough, Chosen: func(answer) { defeat() },
		Again: func() { s.discardToDefeat(src, n, count) },
	}, func() { s.discardToDefeat(src, n-1, count+1) })
}

// defeatEach lets a player choose and defeat n creatures, one after the other. The player
// therefore sees each defeat before the next choice. If all creatures will fall anyway, the
// player is not asked.
func (s *state) defeatEach(src source, n int) {
	if n == 0 {
		return
	}
	defeat := func(list []*card) {
		s.defeat(list)
		s.Do(func() { s.defeatEach(src, n-1) })
	}
	step := Step{Do: Defeat} // anybody's creature
	list := s.candidates(src, &step.Creatures)
	if 0 < len(list) && len(list) <= n && !slices.ContainsFunc(list, func(c *card) bool { return !s.falls(c) }) {
		defeat(list[:1])
		return
	}
	s.choose(src, &step, "defeat", nil, defeat)
}

// revealRandom asks for a random card of the opponent's hand. The player then chooses
// the discard pile to which it goes.
func (s *state) revealRandom(src source) {
	o := s.opponentOf(src.p)
	if o.hand == 0 {
		return
	}
	s.Ask(question{Seat: src.p.seat, Key: "reveal-random", About: src.card, In: o.placeOf(inHand), Hidden: "reveal-theirs",
		Tap: func(c *card) {
			s.move("shows", o.seat, c, onStage)
			s.drawUp(o)
			s.putRevealed(src.p, c)
		},
		Again: func() { s.revealRandom(src) },
	})
}

func (s *state) putRevealed(p *player, c *card) {
	if c.Where != onStage {
		return // a correction by hand has taken it away
	}
	s.Ask(question{Seat: p.seat, Key: "put-revealed", About: c, Fixed: s.eitherSeat("discard-of"),
		Chosen: func(a answer) {
			to := s.playerAt(a.Seat)
			s.move("puts", to.seat, c, to.placeOf(inDiscard))
		},
		Again: func() { s.putRevealed(p, c) },
	})
}
