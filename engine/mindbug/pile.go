package mindbug

import (
	"slices"

	"tableside/engine"
)

func (f *Filter) fits(c *card) bool {
	return c.kind.Power >= f.Low && (f.Trigger == "" || !c.kind.ability(f.Trigger).isNone())
}

// drawn returns the cards that an effect may take from discard piles. It returns only open
// cards.
func (s *state) drawn(p *player, step *Step) (list []*card) {
	add := func(of *player) {
		for _, c := range of.discard {
			if step.Card.fits(c) {
				list = append(list, c)
			}
		}
	}
	if step.From == OwnDiscard || step.From == AnyDiscard {
		add(p)
	}
	if step.From == TheirDiscard || step.From == AnyDiscard {
		add(s.opponentOf(p))
	}
	return list
}

// takeFrom plays a card of the pile that a step names, or draws up to n cards of that pile. If
// an effect plays a card, no Mindbug can take the card (001 "Jouer une carte", Remarque).
func (s *state) takeFrom(src source, step *Step, n int) {
	p := src.p
	switch {
	case n == 0:
		return
	case step.From == OwnHand:
		s.playHidden(src, step)
		return
	}
	key, then := "play-from", func(c *card) { s.enter(p, c) }
	if step.Do == DrawCard {
		key, then = "draw-from", func(c *card) {
			event := "takes-back"
			if c.Where&(p.placeOf(inDiscard)|p.placeOf(inHeap)) == 0 {
				event = "takes-theirs"
			}
			s.move(event, p.seat, c, p.placeOf(inHand))
			s.takeFrom(src, step, n-1)
		}
	}
	if unnamed := s.unnamedHeaps(p, step.From); unnamed != 0 {
		s.pickUnnamed(src, step, key, unnamed, then, func() { s.takeFrom(src, step, n) })
		return
	}
	if step.Do == DrawCard && n > 1 && s.rules.revised {
		if list := s.drawn(p, step); 0 < len(list) && len(list) <= n {
			then(list[0]) // all of them
			return
		}
	}
	s.pick(src, key, discards, func() []*card { return s.drawn(p, step) }, then)
}

// playHidden lets the source's player play a suitable card from the hand and then fill the
// hand up to five cards. The filter of the step says which cards are suitable. Only that
// player sees whether the hand holds a suitable card, and may say that it holds none.
func (s *state) playHidden(src source, step *Step) {
	p := src.p
	if p.hand == 0 {
		return
	}
	s.Ask(question{Seat: p.seat, Key: "play-hand", About: src.card, N: step.Card.Low, In: p.placeOf(inHand),
		Hidden: "play",
		Fits: func(c *card) unfit {
			return unfit{Key: "refusal.not-such-card"}.If(!step.Card.fits(c)) // the reason stays secret
		},
		Tap: func(c *card) {
			s.enter(p, c)
			s.drawUp(p)
		},
		Fixed: nothingFits, Chosen: func(answer) {},
		Again: func() { s.playHidden(src, step) },
	})
}

// give asks the opponent for a card of their hand and passes the card to the callback. After
// that, the opponent fills the hand up to five cards. If the hand is empty, nothing happens.
func (s *state) give(src source, then func(*card)) {
	o := s.opponentOf(src.p)
	if o.hand == 0 {
		return
	}
	s.Ask(question{Seat: o.seat, Key: "give", About: src.card, In: o.placeOf(inHand),
		Tap: func(c *card) {
			then(c)
			s.drawUp(o)
		},
		Again: func() { s.give(src, then) },
	})
}

func (s *state) playOrKeep(src source) {
	s.give(src, func(c *card) {
		s.move("gives", s.opponentOf(src.p).seat, c, onStage)
		s.Do(func() { s.playGift(src.p, c) })
	})
}

func (s *state) playGift(p *player, c *card) {
	if c.Where != onStage {
		return // a correction by hand has taken it away
	}
	s.Ask(question{Seat: p.seat, Key: "play-or-keep", About: c, Fixed: playOrKeepAnswers,
		Chosen: func(a answer) {
			if a.Word == "yes" {
				s.enter(p, c)
			} else {
				s.move("keeps", p.seat, c, p.placeOf(inHand))
			}
		},
		Again: func() { s.playGift(p, c) },
	})
}

// Cards that are discarded all at once need not be named one by one: they lie in the
// heap of a discard pile until one of them is tapped. Abilities of cards in a discard
// pile work only if the cards are named.

func (s *state) discardUnnamed(p *player, piles ...Place) {
	for _, z := range piles {
		s.shift("discards-rest", p, z, p.placeOf(inHeap))
	}
	s.drawUp(p)
}

func (s *state) shift(event string, p *player, from, to Place) {
	if n := s.Count(from); n > 0 {
		s.Shift(engine.Event{Name: event, Seat: p.seat}, from, to, n)
	}
}

func (s *state) unnamedHeaps(p *player, from Pile) (z Place) {
	if p.heap > 0 && (from == OwnDiscard || from == AnyDiscard) {
		z |= p.placeOf(inHeap)
	}
	if o := s.opponentOf(p); o.heap > 0 && (from == TheirDiscard || from == AnyDiscard) {
		z |= o.placeOf(inHeap)
	}
	return z
}

// pickUnnamed lets a player tap a card of the discard piles. It is for piles with unnamed
// cards, and the argument heaps says where these cards lie. Only a player who looks through
// the piles sees whether a card is suitable.
//
// The tapped card goes to the first callback. The second callback asks the question again. The
// question has the given key.
func (s *state) pickUnnamed(src source, step *Step, key string, heaps Place, then func(*card), again func()) {
	list := s.drawn(src.p, step)
	q := question{Seat: src.p.seat, Key: key, About: src.card, In: discards | heaps, Tap: then, Again: again,
		Fits: func(c *card) unfit {
			switch {
			case c.Open && !slices.Contains(list, c):
				return unfit{Key: "refusal.not-this-one", Card: c}
			case !c.Open && !step.Card.fits(c):
				return unfit{Key: "refusal.not-such-card"} // there may be no such card in the pile
			}
			return unfit{}
		}}
	if len(list) == 0 && step.Card != (Filter{}) {
		q.Fixed, q.Chosen = nothingFits, func(answer) {}
	}
	s.askDiscards(q)
}

// askDiscards asks for a card of the discard piles. If the tapped card may have lain unnamed
// in either player's pile, the player is also asked whose card it was.
func (s *state) askDiscards(q question) {
	take := q.Tap
	q.Tap = func(c *card) {
		if c.Where&heaps != heaps {
			take(c)
			return
		}
		s.Ask(question{Seat: q.Seat, Key: "whose-discard", About: c, Fixed: s.eitherSeat("discard-of"),
			Chosen: func(a answer) {
				c.Where = s.playerAt(a.Seat).placeOf(inHeap)
				take(c)
			},
			Again: q.Again,
		})
	}
	s.Ask(q)
}
