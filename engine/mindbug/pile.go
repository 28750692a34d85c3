package mindbug

import (
	"tableside/engine"
	"tableside/engine/cardgame"
)

// fits reports whether a card is one that an effect asks for.
func (f *Filter) fits(c *card) bool {
	return c.kind.Power >= f.Low && (f.With == "" || !c.kind.ability(f.With).none())
}

// drawn are the open cards that an effect may take from its piles.
func (s *state) drawn(p *player, step *Step) []*card {
	var list []*card
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
		add(s.other(p))
	}
	return list
}

// takeFrom plays a card of a pile, or draws n. No Mindbug can take what an
// effect plays: 001 "Jouer une carte", Remarque.
func (s *state) takeFrom(src source, step *Step, n int) {
	p := src.p
	switch {
	case n == 0:
		return
	case step.From == Unused:
		s.drawUnused(p)
		return
	case step.From == OwnHand:
		s.playHidden(src, step)
		return
	}
	key, then := "play-from", func(c *card) { s.enter(p, c) }
	if step.Do == DrawCard {
		key, then = "draw-from", func(c *card) {
			event := "takes-back"
			if c.Where&(p.of(inDiscard)|p.of(inHeap)) == 0 {
				event = "takes-theirs"
			}
			s.move(event, p.seat, c, p.of(inHand))
			s.takeFrom(src, step, n-1)
		}
	}
	if unnamed := s.unnamed(p, step.From); unnamed != 0 {
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

// drawUnused: 002 lexicon, "Pile inutilisée": the top card, which nobody
// names.
func (s *state) drawUnused(p *player) {
	if s.unused == 0 {
		return
	}
	s.Shift(engine.Event{Name: "draws-unused", Seat: p.seat}, inUnused, p.of(inHand), 1)
}

// playHidden plays a card of one's own hand. Whether there is one that fits,
// only its owner sees.
func (s *state) playHidden(src source, step *Step) {
	p := src.p
	if p.hand == 0 {
		return
	}
	s.Ask(question{Seat: p.seat, Key: "play-hand", About: src.card, N: step.Card.Low, In: p.of(inHand), Hidden: "play",
		Fits: func(c *card) unfit {
			if !step.Card.fits(c) {
				return unfit{Key: "refusal.not-such-card"} // which stays secret
			}
			return unfit{}
		},
		Tap: func(c *card) {
			s.enter(p, c)
			s.drawUp(p)
		},
		Fixed: nothingFits, Chosen: func(answer) {},
		Again: func() { s.playHidden(src, step) },
	})
}

var nothingFits = []answer{cardgame.Key("no", "nothing-fits")}

// give asks the opponent for a card of the hand.
func (s *state) give(src source, then func(*card)) {
	o := s.other(src.p)
	if o.hand == 0 {
		return
	}
	s.Ask(question{Seat: o.seat, Key: "give", About: src.card, In: o.of(inHand),
		Tap: func(c *card) {
			then(c)
			s.drawUp(o)
		},
		Again: func() { s.give(src, then) },
	})
}

// playGiven plays what is given.
func (s *state) playGiven(src source) {
	s.give(src, func(c *card) { s.enter(src.p, c) })
}

// playOrKeep plays what is given, or keeps it.
func (s *state) playOrKeep(src source) {
	s.give(src, func(c *card) {
		s.move("gives", s.other(src.p).seat, c, onStage)
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
				s.move("keeps", p.seat, c, p.of(inHand))
			}
		},
		Again: func() { s.playGift(p, c) },
	})
}

var playOrKeepAnswers = []answer{cardgame.Key("yes", "play-it"), cardgame.Key("no", "keep-it")}
