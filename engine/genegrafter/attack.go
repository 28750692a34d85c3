package genegrafter

import (
	"slices"

	"tableside/engine"
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
	q := question{player: p, key: "fight", places: p.of(inPlay), open: "attack",
		fits: s.mayAttack,
		tap: func(c *card) {
			s.do(func() { s.chooseTarget(p, c, func() {}) }, func() { s.fight(p) })
		},
		fixed: []answer{key("next", "end-turn")}, chosen: func(answer) { s.resolve(p) },
	}
	if len(s.declared) > 0 {
		q.key, q.fixed[0].label = "fight-more", "begin-battles"
	}
	s.ask(q)
}

// canAttack reports whether a player has a character that may still attack.
func (s *state) canAttack(p *player) bool {
	return slices.ContainsFunc(p.play, func(c *card) bool { return s.mayAttack(c) == nil })
}

func (s *state) mayAttack(c *card) error {
	switch {
	case c.host != nil:
		return engine.Refuse("refusal.no-character", "card", engine.CardWord(c.name))
	case c.tired:
		return engine.Refuse("refusal.tired", "card", engine.CardWord(c.name))
	case c.fought:
		return engine.Refuse("refusal.fought", "card", engine.CardWord(c.name))
	case s.isDeclared(c):
		return engine.Refuse("refusal.declared", "card", engine.CardWord(c.name))
	}
	return nil
}

func (s *state) isDeclared(c *card) bool {
	return slices.ContainsFunc(s.declared, func(d declaration) bool { return d.c == c })
}

// chooseTarget: 004 "Combattre", 1. Back leads to where the attacker was
// chosen.
func (s *state) chooseTarget(p *player, c *card, back func()) {
	list := s.opponents(p)
	if c.where != p.of(inPlay) || s.mayAttack(c) != nil { // a correction by hand
		s.do(back)
		return
	}
	if len(list) == 1 {
		s.declare(p, c, list[0])
		return
	}
	q := question{player: p, key: "target", card: c, chosen: func(a answer) {
		if a.word == "no" {
			s.do(back)
			return
		}
		s.declare(p, c, s.at(a.seat))
	}}
	for _, o := range list {
		q.fixed = append(q.fixed, answer{verb: engine.Choose, word: string(o.seat), label: "seat", seat: o.seat})
	}
	q.fixed = append(q.fixed, key("no", "something-else"))
	s.ask(q)
}

// declare: 004 "Combattre", 1 and 2. The only attack needs no announcement.
func (s *state) declare(p *player, c *card, o *player) {
	if !s.rules.together {
		s.attack(p, c, o)
		return
	}
	s.declared = append(s.declared, declaration{c, o})
	if len(s.declared) > 1 || s.canAttack(p) {
		s.emit(engine.Event{Name: "declares", Seat: p.seat, Other: o.seat, Card: c.name})
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
	s.do(func() { s.resolve(p) })
	if d.o.out || d.c.where != p.of(inPlay) || s.mayAttack(d.c) != nil {
		s.emit(engine.Event{Name: "no-attack", Seat: p.seat, Card: d.c.name})
		return
	}
	s.attack(p, d.c, d.o)
}

// attack: 004 "Combattre", 2 to 10.
func (s *state) attack(p *player, c *card, o *player) {
	c.fought = true
	s.dice = nil
	s.battle = &battle{sides: [2]side{{p: p, c: c}, {p: o}}, ready: s.takeWaiting()}
	s.emit(engine.Event{Name: "attacks", Seat: p.seat, Other: o.seat, Card: c.name})
	s.do(s.chooseDefender, s.learnFighters, s.useCharacters, s.layCards, s.turnCards, s.learnNumbers, s.layDice, s.throwDice, s.healAfter, s.endBattle)
}
