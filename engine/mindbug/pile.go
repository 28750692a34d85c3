package mindbug

import "tableside/engine"

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
			if c.where&(p.of(inDiscard)|p.of(inHeap)) == 0 {
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
	s.unused--
	p.hand++
	s.mayHaveMoved(inUnused, p.of(inHand))
	s.emit(engine.Event{Name: "draws-unused", Seat: p.seat, N: 1, From: s.place(inUnused), To: s.place(p.of(inHand))})
}

// playHidden plays a card of one's own hand. Whether there is one that fits,
// only its owner sees.
func (s *state) playHidden(src source, step *Step) {
	p := src.p
	if p.hand == 0 {
		return
	}
	s.ask(question{player: p, key: "play-hand", card: src.card, n: step.Card.Low, places: p.of(inHand), hidden: "play",
		fits: func(c *card) reason {
			if !step.Card.fits(c) {
				return reason{key: "refusal.not-such-card"} // which stays secret
			}
			return reason{}
		},
		tap: func(c *card) {
			s.enter(p, c)
			s.drawUp(p)
		},
		fixed: nothingFits, chosen: func(answer) {},
		again: func() { s.playHidden(src, step) },
	})
}

var nothingFits = []answer{key("no", "nothing-fits")}

// give asks the opponent for a card of the hand.
func (s *state) give(src source, then func(*card)) {
	o := s.other(src.p)
	if o.hand == 0 {
		return
	}
	s.ask(question{player: o, key: "give", card: src.card, places: o.of(inHand),
		tap: func(c *card) {
			then(c)
			s.drawUp(o)
		},
		again: func() { s.give(src, then) },
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
		s.do(func() { s.playGift(src.p, c) })
	})
}

func (s *state) playGift(p *player, c *card) {
	if c.where != onStage {
		return // a correction by hand has taken it away
	}
	s.ask(question{player: p, key: "play-or-keep", card: c, fixed: playOrKeepAnswers,
		chosen: func(a answer) {
			if a.word == "yes" {
				s.enter(p, c)
			} else {
				s.move("keeps", p.seat, c, p.of(inHand))
			}
		},
		again: func() { s.playGift(p, c) },
	})
}

var playOrKeepAnswers = []answer{key("yes", "play-it"), key("no", "keep-it")}
