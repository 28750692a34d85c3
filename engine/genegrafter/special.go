package genegrafter

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// specialDie is the special die: 004 "Le dé Spécial". What its sixth face does is not known.
var specialDie = &cardgame.Die{
	Kind: "special", Faces: []string{"character", "discard", "draw", "graft", "infinite-power", "unknown"},
}

func isSpecial(in engine.Input) bool {
	return in.Verb == engine.Key && in.Arg(0) == "roll" && len(in.Args) == 1 ||
		in.Verb == engine.Choose && in.Arg(0) == "special-die" && len(in.Args) == 1
}

// mayThrowSpecial reports whether a player may throw the special die now. Each player still in
// the match may throw it once, at any time, even in another player's turn. The first player
// must be known already. The pending question must be neither closed nor about a special die or a
// tie-break.
func (s *state) mayThrowSpecial(p *player) bool {
	return s.begun && p.special == "" && !p.out && len(s.Winners) == 0 &&
		s.Question.Die != specialDie && s.Question.Key != "tie-break" && !s.Question.Closed
}

func (s *state) specialRefusal(p *player) error {
	switch {
	case !s.begun:
		return engine.Refuse("refusal.not-yet")
	case p.special != "":
		return engine.Refuse("refusal.special-used", "seat", p.seat)
	case !s.mayThrowSpecial(p):
		return engine.Refuse("refusal.no-special-now")
	}
	return nil
}

func (s *state) throwSpecial(p *player) {
	s.doFirst(func() {
		if p.out {
			return
		}
		s.Ask(question{Seat: p.seat, Key: "special-die", Roll: 1, Die: specialDie, Rolled: func(faces []string) {
			p.special = faces[0]
			s.Emit(engine.Event{Name: "special", Seat: p.seat, Word: "face." + p.special})
			s.Do(func() { s.resolveSpecial(p, faces[0]) })
		}, Fixed: []answer{cardgame.Key("no", "keep-special")}})
	})
}

func (s *state) resolveSpecial(p *player, face string) {
	switch {
	case p.out:
	case face == "character":
		s.noUse(len(p.pool) == 0)
		s.bringBack(p, 1)
	case face == "discard":
		s.makeDiscard(p)
	case face == "draw":
		s.draw(p, 1)
	case face == "graft":
		s.noUse(!s.canGraft(p, p.placeOf(inPool)))
		s.graft(p, 1, p.placeOf(inPool))
	case face == "infinite-power":
		s.giveInfinitePower(p)
	default:
		s.specialByHand(p)
	}
}

func (s *state) noUse(none bool) {
	if none {
		s.Emit(engine.Event{Name: "no-use"})
	}
}

func (s *state) makeDiscard(p *player) {
	list := slices.DeleteFunc(s.opponents(p), func(o *player) bool { return o.hand == 0 })
	s.noUse(len(list) == 0)
	s.choosePlayer(p, "who-discards", nil, list, func(o *player) {
		s.Do(func() { s.discardCards(o, 1) })
	})
}

// giveInfinitePower lets a player give infinite power to a character in play. Under revised
// rules the player may choose a character of any player, or nobody. Under earlier rules the
// character is one of the player's own. If only one character can be chosen and the player
// owns it, it gets the power without a question. The power lasts until the character leaves
// play.
//
// The rulebook says neither whose character may get the power nor when the power ends (004 "Le
// dé Spécial").
func (s *state) giveInfinitePower(p *player) {
	list := p.play
	if s.rules.revised {
		list = nil
		for _, o := range s.playersFrom(p) {
			list = append(list, o.play...)
		}
	}
	give := func(c *card) {
		c.infinite = true
		s.tellOf("infinite", s.players[s.SeatOf(c.Where)], c)
	}
	switch {
	case len(list) == 0:
		s.noUse(true)
	case len(list) == 1 && len(p.play) == 1:
		give(list[0])
	default:
		s.askCharacter(p, "who-has-all", nil, list, give)
		if s.rules.revised {
			s.Question.Fixed = []answer{cardgame.Key("no", "nobody")}
		}
	}
}
