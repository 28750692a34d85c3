package genegrafter

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// A declaration is an attack that was announced and is not resolved yet.
type declaration struct {
	c *card
	o *player // whom it attacks
}

// fight: 004 "Combattre". Each character that is not tired attacks once. All
// attacks are declared before the first is resolved (10: "toutes les attaques
// déclarées"), or, by the option attacks, each is resolved at once.
func (s *state) fight(p *player) {
	switch {
	case p.out || len(s.opponents(p)) == 0:
		return
	case !s.canAttack(p):
		s.resolve(p)
		return
	}
	q := question{Seat: p.seat, Key: "fight", In: p.of(inPlay), Label: "attack",
		Fits: s.mayAttack,
		Tap: func(c *card) {
			s.Do(func() { s.chooseTarget(p, c, func() {}) }, func() { s.fight(p) })
		},
		Fixed: []answer{cardgame.Key("next", "end-turn")}, Chosen: func(answer) { s.resolve(p) },
	}
	if len(s.declared) > 0 {
		q.Key, q.Fixed[0].Label = "fight-more", "begin-battles"
	}
	s.Ask(q)
}

// canAttack reports whether a player has a character that may still attack.
func (s *state) canAttack(p *player) bool {
	return slices.ContainsFunc(p.play, func(c *card) bool { return s.mayAttack(c) == unfit{} })
}

func (s *state) mayAttack(c *card) unfit {
	switch {
	case c.host != nil:
		return unfit{Key: "refusal.no-character", Card: c}
	case c.tired:
		return unfit{Key: "refusal.tired", Card: c}
	case c.fought:
		return unfit{Key: "refusal.fought", Card: c}
	case s.isDeclared(c):
		return unfit{Key: "refusal.declared", Card: c}
	}
	return unfit{}
}

func (s *state) isDeclared(c *card) bool {
	return slices.ContainsFunc(s.declared, func(d declaration) bool { return d.c == c })
}

// chooseTarget: 004 "Combattre", 1. Back leads to where the attacker was
// chosen.
func (s *state) chooseTarget(p *player, c *card, back func()) {
	list := s.opponents(p)
	if c.Where != p.of(inPlay) || s.mayAttack(c) != (unfit{}) { // a correction by hand
		s.Do(back)
		return
	}
	if len(list) == 1 {
		s.declare(p, c, list[0])
		return
	}
	q := question{Seat: p.seat, Key: "target", About: c, Chosen: func(a answer) {
		if a.Word == "no" {
			s.Do(back)
			return
		}
		s.declare(p, c, s.at(a.Seat))
	}}
	for _, o := range list {
		q.Fixed = append(q.Fixed, cardgame.ChooseSeat(o.seat, "seat"))
	}
	q.Fixed = append(q.Fixed, cardgame.Key("no", "something-else"))
	s.Ask(q)
}

// declare: 004 "Combattre", 1 and 2. The only attack needs no announcement.
func (s *state) declare(p *player, c *card, o *player) {
	if !s.rules.together {
		s.attack(p, c, o)
		return
	}
	s.declared = append(s.declared, declaration{c, o})
	if len(s.declared) > 1 || s.canAttack(p) {
		s.Emit(engine.Event{Name: "declares", Seat: p.seat, Other: o.seat, Card: c.Name})
	}
}

// resolve takes one declared attack after the other, in the order in which
// they were declared: 004 "Combattre", 10. One whose attacker or target is
// gone comes to nothing.
func (s *state) resolve(p *player) {
	if len(s.declared) == 0 || p.out {
		return
	}
	d := s.declared[0]
	s.declared = s.declared[1:]
	s.Do(func() { s.resolve(p) })
	if d.o.out || d.c.Where != p.of(inPlay) || s.mayAttack(d.c) != (unfit{}) {
		s.Emit(engine.Event{Name: "no-attack", Seat: p.seat, Card: d.c.Name})
		return
	}
	s.attack(p, d.c, d.o)
}

// attack: 004 "Combattre", 2 to 10.
func (s *state) attack(p *player, c *card, o *player) {
	c.fought = true
	s.dice = nil
	s.battle = &battle{sides: [2]side{{p: p, c: c}, {p: o}}, ready: s.takeWaiting()}
	s.Emit(engine.Event{Name: "attacks", Seat: p.seat, Other: o.seat, Card: c.Name})
	s.Do(s.chooseDefender, s.learnFighters, s.useCharacters, s.layCards, s.turnCards, s.learnNumbers, s.layDice, s.throwDice, s.healAfter, s.endBattle)
}
