package mindbug

import (
	"slices"

	"tableside/engine/cardgame"
)

// Cards that are discarded: 001 lexicon, "Se défausser d'une carte". A card
// that was drawn at random is tapped all the same: it is named as it is shown.

// discard asks a player for one of the cards that a question is about, and goes
// on when it is discarded.
func (s *state) discard(q question, then func()) {
	p := s.at(q.Seat)
	q.Tap = func(c *card) {
		s.move("discards", p.seat, c, p.of(inDiscard))
		then()
	}
	s.Ask(q)
}

// discardCards: as many as there are, then the hand is drawn up. Where all
// have to go one key does it.
func (s *state) discardCards(p *player, n int) {
	if n = min(n, p.hand); n == 0 {
		s.drawUp(p)
		return
	}
	q := question{Seat: p.seat, Key: "discard", N: n, In: p.of(inHand), Again: func() { s.discardCards(p, n) }}
	if n > 1 && n == p.hand {
		q.Fixed, q.Chosen = discardRest, func(answer) { s.discardUnnamed(p, p.of(inHand)) }
	}
	s.discard(q, func() { s.discardCards(p, n-1) })
}

// discardAll discards whole piles, one after the other and card by card, as
// what lies in a discard pile is known. The hand is not drawn up before the
// last.
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
	s.discard(question{Seat: p.seat, Key: "discard-random", In: p.of(inHand), Again: func() { s.discardRandom(p) }},
		func() { s.drawUp(p) })
}

// discardToDefeat: up to n cards are discarded, and then a creature is
// defeated for each of them.
func (s *state) discardToDefeat(src source, n, done int) {
	p := src.p
	defeat := func() {
		s.drawUp(p)
		s.defeatEach(src, done)
	}
	if n == 0 || p.hand == 0 {
		defeat()
		return
	}
	s.discard(question{Seat: p.seat, Key: "discard-up-to", About: src.card, N: n, In: p.of(inHand),
		Fixed: enough, Chosen: func(answer) { defeat() },
		Again: func() { s.discardToDefeat(src, n, done) },
	}, func() { s.discardToDefeat(src, n-1, done+1) })
}

// defeatEach defeats n creatures one after the other, so that each choice sees
// what the one before has changed. Where all fall whatever is chosen, nobody
// is asked.
func (s *state) defeatEach(src source, n int) {
	if n == 0 {
		return
	}
	defeat := func(list []*card) {
		s.defeat(list)
		s.Do(func() { s.defeatEach(src, n-1) })
	}
	step := Step{Do: Defeat} // of anybody
	list := s.candidates(src, &step.What)
	if 0 < len(list) && len(list) <= n && !slices.ContainsFunc(list, func(c *card) bool { return !s.falls(c) }) {
		defeat(list[:1])
		return
	}
	s.choose(src, &step, "defeat", nil, defeat)
}

// revealRandom takes a card of the opponent's hand, and then the player says
// into whose discard pile it goes.
func (s *state) revealRandom(src source) {
	o := s.other(src.p)
	if o.hand == 0 {
		return
	}
	s.Ask(question{Seat: src.p.seat, Key: "reveal-random", About: src.card, In: o.of(inHand), Hidden: "reveal-theirs",
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
	q := question{Seat: p.seat, Key: "put-revealed", About: c, Again: func() { s.putRevealed(p, c) }}
	for _, to := range s.players {
		q.Fixed = append(q.Fixed, cardgame.ChooseSeat(to.seat, "discard-of"))
	}
	q.Chosen = func(a answer) {
		to := s.at(a.Seat)
		s.move("puts", to.seat, c, to.of(inDiscard))
	}
	s.Ask(q)
}
