package genegrafter

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// A declaration is an attack that is announced and not resolved yet.
type declaration struct {
	c *card
	o *player // whom it attacks
}

// fight lets each character that is not tired attack once (004 "Combattre"). All attacks are
// declared before the first attack is resolved (004 "Combattre", 10, "toutes les attaques
// déclarées"). If the option "attacks" is set to "one-by-one", each attack is resolved as soon
// as it is declared.
func (s *state) fight(p *player) {
	switch {
	case p.out || len(s.opponents(p)) == 0:
		return
	case !s.canAttack(p):
		s.resolve(p)
		return
	}
	q := question{Seat: p.seat, Key: "fight", In: p.placeOf(inPlay), Label: "attack",
		Fits: s.attackRefusal,
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

func (s *state) canAttack(p *player) bool {
	return slices.ContainsFunc(p.play, func(c *card) bool { return s.attackRefusal(c).Key == "" })
}

// attackRefusal returns the reason why a character cannot attack. If the character can attack,
// attackRefusal returns the zero value.
func (s *state) attackRefusal(c *card) unfit {
	switch {
	case c.host != nil:
		return unfit{Key: "refusal.no-character", Card: c}
	case c.tired && !slices.ContainsFunc(c.gear, func(g *card) bool { return g.kind.hasEffect(Hasty) }):
		return unfit{Key: "refusal.tired", Card: c}
	case c.fought:
		return unfit{Key: "refusal.fought", Card: c}
	case s.isDeclared(c):
		return unfit{Key: "refusal.declared", Card: c}
	}
	return unfit{}
}

// cannotAttack reports whether a chosen character can no longer attack. Since the choice, the
// character may have left play, or a correction by hand may have changed it.
func (s *state) cannotAttack(p *player, c *card) bool {
	return c.Where != p.placeOf(inPlay) || s.attackRefusal(c).Key != ""
}

func (s *state) isDeclared(c *card) bool {
	return slices.ContainsFunc(s.declared, func(d declaration) bool { return d.c == c })
}

// chooseTarget asks which opponent is attacked (004 "Combattre", 1). If the player wants to do
// something else, or if the attacker can attack no more, the callback runs. The callback
// returns to the choice of the attacker.
func (s *state) chooseTarget(p *player, c *card, back func()) {
	if s.cannotAttack(p, c) {
		s.Do(back)
		return
	}
	s.choosePlayer(p, "target", c, s.opponents(p), func(o *player) {
		if o == nil {
			s.Do(back)
		} else {
			s.declare(p, c, o)
		}
	}, cardgame.Key("no", "something-else"))
}

// declare announces an attack (004 "Combattre", 1 and 2). If attacks are resolved one by one,
// declare begins the battle instead. The only attack of a turn needs no announcement.
func (s *state) declare(p *player, c *card, o *player) {
	if !s.rules.attacksTogether {
		s.attack(p, c, o)
		return
	}
	s.declared = append(s.declared, declaration{c, o})
	if len(s.declared) > 1 || s.canAttack(p) {
		s.Emit(engine.Event{Name: "declares", Seat: p.seat, Other: o.seat, Card: c.Name})
	}
}

// resolve carries out the declared attacks one after the other, in the order of their
// declaration (004 "Combattre", 10). If the target is out or the attacker can attack no more,
// the attack is skipped.
func (s *state) resolve(p *player) {
	if len(s.declared) == 0 || p.out {
		return
	}
	d := s.declared[0]
	s.declared = s.declared[1:]
	s.Do(func() { s.resolve(p) })
	if d.o.out || s.cannotAttack(p, d.c) {
		s.tellOf("no-attack", p, d.c)
		return
	}
	s.attack(p, d.c, d.o)
}

// attack begins a battle (004 "Combattre", 2). Abilities that found no dice in earlier battles
// may be used on any die of this battle, whoever fights.
func (s *state) attack(p *player, c *card, o *player) {
	c.fought = true
	s.dice = nil
	waiting := slices.DeleteFunc(s.carriedOver, func(r readyAbility) bool { return !r.isThere() })
	s.battle = &battle{ready: waiting, fighters: [2]*fighter{{side: attackSide, p: p, c: c}, {side: defenceSide, p: o}}}
	s.carriedOver = nil
	s.Emit(engine.Event{Name: "attacks", Seat: p.seat, Other: o.seat, Card: c.Name})
	s.Do(s.chooseDefender, s.healAfter, s.endBattle)
}

// chooseDefender asks who defends (004 "Combattre", 3). Any character may defend, any number
// of times. A player without a defender is hit (004 "Combattre", 10).
func (s *state) chooseDefender() {
	attacker, defender := s.battle.fighters[attackSide], s.battle.fighters[defenceSide]
	o := defender.p
	switch {
	case attacker.c.Where != attacker.p.placeOf(inPlay) || o.out: // a correction by hand has taken it away
	case len(o.play) == 0:
		s.hitPlayer(o, attacker.c)
	default:
		s.choose(o, "defend", attacker.c, o.play, func(c *card) {
			defender.c = c
			s.tellOf("defends", o, c)
			s.fightOn(s.learnFighters, s.useCharacters, s.layCards, s.turnCards, s.learnNumbers, s.layDice, s.throwDice)
		})
	}
}

// hitPlayer takes 1 health from a player without a defender. From rules 2 on, a player who may
// still throw the special die is asked first. The special die may bring a defender.
func (s *state) hitPlayer(o *player, attacker *card) {
	hit := func(answer) {
		s.tellOf("undefended", o, attacker)
		s.hurt(1, o)
	}
	if !s.rules.revised || !s.mayThrowSpecial(o) {
		hit(answer{})
		return
	}
	s.Ask(question{Seat: o.seat, Key: "undefended", About: attacker,
		Fixed: []answer{cardgame.Key("next", "lose-health")}, Chosen: hit})
}
