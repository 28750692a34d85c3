package genegrafter

import (
	"tableside/engine"
	"tableside/engine/cardgame"
)

// The faces of the special die: 004 "Le dé Spécial". What the sixth does was
// not found.
var specialDie = &cardgame.Die{Kind: "special", Faces: []string{"character", "discard", "draw", "graft", "infinite-power", "unknown"}}

func isSpecial(in engine.Input) bool {
	return in.Verb == engine.Key && in.Arg(0) == "roll" && len(in.Args) == 1 ||
		in.Verb == engine.Choose && in.Arg(0) == "special-die" && len(in.Args) == 1
}

// mayThrowSpecial: once a match, at any time, in another's turn too.
func (s *state) mayThrowSpecial(p *player) bool {
	return s.begun && p.special == "" && !p.out && len(s.Winners) == 0 && s.Question.Die != specialDie && s.Question.Key != "tie-break"
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
		s.Ask(question{Seat: p.seat, Key: "special-die", Roll: 1, Die: specialDie, Rolled: func(faces []string) {
			p.special = faces[0]
			s.Emit(engine.Event{Name: "special", Seat: p.seat, Word: "face." + p.special})
			s.Do(func() { s.resolveSpecial(p, faces[0]) })
		}, Fixed: []answer{cardgame.Key("no", "keep-special")}, Chosen: func(answer) {}})
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
			s.Emit(engine.Event{Name: "no-use"})
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
		s.Emit(engine.Event{Name: "no-use"})
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
	discard := func(o *player) { s.Do(func() { s.discardCards(o, 1) }) }
	switch len(list) {
	case 0:
		s.Emit(engine.Event{Name: "no-use"})
		return
	case 1:
		discard(list[0])
		return
	}
	q := question{Seat: p.seat, Key: "who-discards", Chosen: func(a answer) { discard(s.at(a.Seat)) }}
	for _, o := range list {
		q.Fixed = append(q.Fixed, cardgame.ChooseSeat(o.seat, "seat"))
	}
	s.Ask(q)
}

// giveInfinitePower: to any character in play, as long as it is; neither an
// owner nor an end is printed.
func (s *state) giveInfinitePower(p *player) {
	give := func(c *card) {
		c.infinite = true
		s.Emit(engine.Event{Name: "infinite", Seat: s.owner(c.Where).seat, Card: c.Name})
	}
	var list []*card
	for _, o := range s.from(p) {
		if o == p || s.rules.revised {
			list = append(list, o.play...)
		}
	}
	switch {
	case len(list) == 0:
		s.Emit(engine.Event{Name: "no-use"})
	case len(list) == 1 && len(p.play) == 1:
		give(p.play[0])
	default:
		s.askCharacter(p, "who-has-all", nil, list, give)
		if s.rules.revised {
			s.Question.Fixed, s.Question.Chosen = []answer{cardgame.Key("no", "nobody")}, func(answer) {}
		}
	}
}

// specialByHand waits while the players do what the sixth face says.
func (s *state) specialByHand(p *player) {
	again := func() { s.resolveSpecial(p, "unknown") }
	s.Ask(question{Seat: p.seat, Key: "special-by-hand", Fixed: append(healthAnswers(p), cardgame.Key("yes", "by-hand-done")),
		Chosen: func(a answer) {
			switch a.Word {
			case "plus":
				s.Do(again)
				s.mend(p, 1)
			case "minus":
				s.Do(again)
				s.hurt(1, p)
			}
		}})
}
