package mindbug

import (
	"math/bits"

	"tableside/engine"
)

// Cards that are discarded all at once need not be named one by one: they lie
// in the heap of a discard pile until one of them is tapped. What works in a
// discard pile works only for cards that have a name.

var discardRest = []answer{key("next", "discard-rest")}

// discardUnnamed discards whole piles without naming a card, and draws up.
func (s *state) discardUnnamed(p *player, piles ...Place) {
	for _, z := range piles {
		s.shift("discards-rest", p, z, p.of(inHeap))
	}
	s.drawUp(p)
}

// shift moves all cards of a hidden place of a player to another, unnamed.
func (s *state) shift(event string, p *player, from, to Place) {
	n := s.count(from)
	if n == 0 {
		return
	}
	*p.pile(from) = 0
	*p.pile(to) += n
	s.mayHaveMoved(from, to)
	s.emit(engine.Event{Name: event, Seat: p.seat, N: n, From: s.place(from), To: s.place(to)})
}

// pile counts the cards of a hidden place of a player.
func (p *player) pile(z Place) *int {
	switch z {
	case p.of(inHand):
		return &p.hand
	case p.of(inHeap):
		return &p.heap
	}
	return &p.deck
}

// unnamed are the heaps of the piles from which an effect takes cards.
func (s *state) unnamed(p *player, from Pile) Place {
	var z Place
	if p.heap > 0 && (from == OwnDiscard || from == AnyDiscard) {
		z |= p.of(inHeap)
	}
	if o := s.other(p); o.heap > 0 && (from == TheirDiscard || from == AnyDiscard) {
		z |= o.of(inHeap)
	}
	return z
}

// pickUnnamed lets a player tap a card of discard piles of which some have no
// name yet. Whether one of those fits, only who looks at them sees.
func (s *state) pickUnnamed(src source, step *Step, key string, unnamed Place, then func(*card), again func()) {
	list := s.drawn(src.p, step)
	named := only(list)
	q := question{player: src.p, key: key, card: src.card, places: discards | unnamed, tap: then, again: again,
		fits: func(c *card) reason {
			switch {
			case c.open():
				return named(c)
			case !step.Card.fits(c):
				return reason{key: "refusal.not-such-card"} // it may be no card of the pile
			}
			return reason{}
		}}
	if len(list) == 0 && step.Card != (Filter{}) {
		q.fixed, q.chosen = nothingFits, func(answer) {}
	}
	s.ask(q)
}

// ambiguous reports whether a card that was tapped may lie in either heap.
func ambiguous(c *card) bool { return bits.OnesCount32(uint32(c.where&heaps)) > 1 }

// askWhose asks out of whose discard pile such a card was taken.
func (s *state) askWhose(q question, c *card) {
	whose := question{player: q.player, key: "whose-discard", card: c, again: q.again}
	for _, p := range s.players {
		whose.fixed = append(whose.fixed, answer{verb: engine.Choose, word: string(p.seat), label: "discard-of", seat: p.seat})
	}
	whose.chosen = func(a answer) {
		c.where = s.at(a.seat).of(inHeap)
		q.tap(c)
	}
	s.ask(whose)
}
