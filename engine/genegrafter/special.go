package genegrafter

import "tableside/engine"

// The faces of the special die: 004 "Le dé Spécial". What the sixth does was
// not found.
var specialDie = dieKind{"special", []string{"character", "discard", "draw", "graft", "infinite-power", "unknown"}}

func isSpecial(in engine.Input) bool {
	return in.Verb == engine.Key && in.Arg(0) == "roll" && len(in.Args) == 1 ||
		in.Verb == engine.Choose && in.Arg(0) == "special-die" && len(in.Args) == 1
}

// mayThrowSpecial: once a match, at any time, in another's turn too.
func (s *state) mayThrowSpecial(p *player) bool {
	return s.begun && p.special == "" && !p.out && len(s.winners) == 0 && s.question.die.name != specialDie.name && s.question.key != "tie-break"
}

func (s *state) throwSpecial(p *player) error {
	switch {
	case !s.begun:
		return engine.Refuse("refusal.not-yet")
	case p.special != "":
		return engine.Refuse("refusal.special-used", "seat", p.seat)
	case !s.mayThrowSpecial(p):
		return engine.Refuse("refusal.no-special-now")
	}
	s.before(func() {
		if p.out {
			return
		}
		s.ask(question{player: p, key: "special-die", roll: 1, die: specialDie, rolled: func(faces []string) {
			p.special = faces[0]
			s.emit(engine.Event{Name: "special", Seat: p.seat, Word: "face." + p.special})
			s.do(func() { s.resolveSpecial(p, faces[0]) })
		}, fixed: []answer{key("no", "keep-special")}, chosen: func(answer) {}})
	})
	return nil
}

func (s *state) resolveSpecial(p *player, face string) {
	switch {
	case p.out:
	case face == "character":
		s.fromPool(p)
	case face == "discard":
		s.makeDiscard(p)
	case face == "draw":
		s.draw(p, 1)
	case face == "graft":
		if !s.canGraft(p, p.of(inPool)) {
			s.emit(engine.Event{Name: "no-use"})
		}
		s.graft(p, 1, p.of(inPool))
	case face == "infinite-power":
		s.giveInfinitePower(p)
	default:
		s.specialByHand(p)
	}
}

// fromPool brings a character of the player's own gene pool into play.
func (s *state) fromPool(p *player) {
	enter := func(c *card) { s.enter("returns", p, c) }
	switch {
	case len(p.pool) == 0:
		s.emit(engine.Event{Name: "no-use"})
	case len(p.pool) == 1:
		enter(p.pool[0])
	default:
		s.askCharacter(p, "from-pool", nil, p.pool, enter)
	}
}

// makeDiscard lets an opponent of the player's choice discard a card.
func (s *state) makeDiscard(p *player) {
	var list []*player
	for _, o := range s.opponents(p) {
		if o.hand > 0 {
			list = append(list, o)
		}
	}
	discard := func(o *player) { s.do(func() { s.discardCards(o, 1) }) }
	switch len(list) {
	case 0:
		s.emit(engine.Event{Name: "no-use"})
		return
	case 1:
		discard(list[0])
		return
	}
	q := question{player: p, key: "who-discards", chosen: func(a answer) { discard(s.at(a.seat)) }}
	for _, o := range list {
		q.fixed = append(q.fixed, answer{verb: engine.Choose, word: string(o.seat), label: "seat", seat: o.seat})
	}
	s.ask(q)
}

// giveInfinitePower: to any character in play, as long as it is; neither an
// owner nor an end is printed.
func (s *state) giveInfinitePower(p *player) {
	give := func(c *card) {
		c.infinite = true
		s.emit(engine.Event{Name: "infinite", Seat: s.owner(c.where).seat, Card: c.name})
	}
	var list []*card
	for _, o := range s.from(p) {
		if o == p || s.rules.revised {
			list = append(list, o.play...)
		}
	}
	switch {
	case len(list) == 0:
		s.emit(engine.Event{Name: "no-use"})
	case len(list) == 1 && len(p.play) == 1:
		give(p.play[0])
	default:
		s.askCharacter(p, "who-has-all", nil, list, give)
		if s.rules.revised {
			s.question.fixed, s.question.chosen = []answer{key("no", "nobody")}, func(answer) {}
		}
	}
}

// specialByHand waits while the players do what the sixth face says.
func (s *state) specialByHand(p *player) {
	again := func() { s.resolveSpecial(p, "unknown") }
	s.ask(question{player: p, key: "special-by-hand", fixed: append(healthAnswers(p), key("yes", "by-hand-done")),
		chosen: func(a answer) {
			switch a.word {
			case "plus":
				s.do(again)
				s.mend(p, 1)
			case "minus":
				s.do(again)
				s.hurt(1, p)
			}
		}})
}
