package mindbug

import (
	"slices"

	"tableside/engine"
)

// Cards that are discarded: 001 lexicon, "Se défausser d'une carte". A card
// that was drawn at random is tapped all the same: it is named as it is shown.

// discard asks a player for one of the cards that a question is about, and goes
// on when it is discarded.
func (s *state) discard(q question, then func()) {
	p := q.player
	q.tap = func(c *card) {
		s.move("discards", p.seat, c, p.of(inDiscard))
		then()
	}
	s.ask(q)
}

// discardCards: as many as there are, then the hand is drawn up. Where all
// have to go one key does it.
func (s *state) discardCards(p *player, n int) {
	if n = min(n, p.hand); n == 0 {
		s.drawUp(p)
		return
	}
	q := question{player: p, key: "discard", n: n, places: p.of(inHand), again: func() { s.discardCards(p, n) }}
	if n > 1 && n == p.hand {
		q.fixed, q.chosen = discardRest, func(answer) { s.discardUnnamed(p, p.of(inHand)) }
	}
	s.discard(q, func() { s.discardCards(p, n-1) })
}

// discardAll discards whole piles, one after the other and card by card, as
// what lies in a discard pile is known. The hand is not drawn up before the
// last.
func (s *state) discardAll(p *player, piles ...Place) {
	for len(piles) > 0 && s.count(piles[0]) == 0 {
		piles = piles[1:]
	}
	if len(piles) == 0 {
		s.drawUp(p)
		return
	}
	again := func() { s.discardAll(p, piles...) }
	s.discard(question{player: p, key: "discard-all", n: s.count(piles[0]), places: piles[0], again: again,
		fixed: discardRest, chosen: func(answer) { s.discardUnnamed(p, piles...) }}, again)
}

func (s *state) discardRandom(p *player) {
	if p.hand == 0 {
		return
	}
	s.discard(question{player: p, key: "discard-random", places: p.of(inHand), again: func() { s.discardRandom(p) }},
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
	s.discard(question{player: p, key: "discard-up-to", card: src.card, n: n, places: p.of(inHand),
		fixed: enough, chosen: func(answer) { defeat() },
		again: func() { s.discardToDefeat(src, n, done) },
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
		s.do(func() { s.defeatEach(src, n-1) })
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
	s.ask(question{player: src.p, key: "reveal-random", card: src.card, places: o.of(inHand), hidden: "reveal-theirs",
		tap: func(c *card) {
			s.move("shows", o.seat, c, onStage)
			s.drawUp(o)
			s.putRevealed(src.p, c)
		},
		again: func() { s.revealRandom(src) },
	})
}

func (s *state) putRevealed(p *player, c *card) {
	if c.where != onStage {
		return // a correction by hand has taken it away
	}
	q := question{player: p, key: "put-revealed", card: c, again: func() { s.putRevealed(p, c) }}
	for _, to := range s.players {
		q.fixed = append(q.fixed, answer{verb: engine.Choose, word: string(to.seat), label: "discard-of", seat: to.seat})
	}
	q.chosen = func(a answer) {
		to := s.at(a.seat)
		s.move("puts", to.seat, c, to.of(inDiscard))
	}
	s.ask(q)
}
