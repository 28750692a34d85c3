package mindbug

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// Cards that are discarded all at once need not be named one by one: they lie
// in the heap of a discard pile until one of them is tapped. What works in a
// discard pile works only for cards that have a name.

var discardRest = []answer{cardgame.Key("next", "discard-rest")}

// discardUnnamed discards whole piles without naming a card, and draws up.
func (s *state) discardUnnamed(p *player, piles ...Place) {
	for _, z := range piles {
		s.shift("discards-rest", p, z, p.of(inHeap))
	}
	s.drawUp(p)
}

// shift moves all cards of a hidden place of a player to another, unnamed.
func (s *state) shift(event string, p *player, from, to Place) {
	if n := s.Count(from); n > 0 {
		s.Shift(engine.Event{Name: event, Seat: p.seat}, from, to, n)
	}
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
	q := question{Seat: src.p.seat, Key: key, About: src.card, In: discards | unnamed, Tap: then, Again: again,
		Fits: func(c *card) unfit {
			switch {
			case c.Open && !slices.Contains(list, c):
				return unfit{Key: "refusal.not-this-one", Card: c}
			case !c.Open && !step.Card.fits(c):
				return unfit{Key: "refusal.not-such-card"} // it may be no card of the pile
			}
			return unfit{}
		}}
	if len(list) == 0 && step.Card != (Filter{}) {
		q.Fixed, q.Chosen = nothingFits, func(answer) {}
	}
	s.askDiscards(q)
}

// askDiscards asks for a card of discard piles, and then out of whose it was
// taken, where it may have lain unnamed in either.
func (s *state) askDiscards(q question) {
	take := q.Tap
	q.Tap = func(c *card) {
		if c.Where&heaps != heaps {
			take(c)
			return
		}
		whose := question{Seat: q.Seat, Key: "whose-discard", About: c, Again: q.Again}
		for _, p := range s.players {
			whose.Fixed = append(whose.Fixed, cardgame.ChooseSeat(p.seat, "discard-of"))
		}
		whose.Chosen = func(a answer) {
			c.Where = s.at(a.Seat).of(inHeap)
			take(c)
		}
		s.Ask(whose)
	}
	s.Ask(q)
}
