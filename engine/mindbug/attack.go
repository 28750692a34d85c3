package mindbug

import (
	"slices"

	"tableside/engine"
)

// attack: 001 "Attaquer avec une créature". Attack effects come before the
// opponent decides whether to block ("Déclencheurs", Attaque), and so before
// a Hunter decides it for them.
func (s *state) attack(c *card) {
	p := s.controller(c)
	s.attacker, s.blocker = c, nil
	s.attacks++
	s.emit(engine.Event{Name: "attacks", Seat: p.seat, Card: c.name})
	s.do(s.rollDice, func() {
		if s.attacking() {
			s.trigger(p, c, "attack")
		}
	}, s.settle, s.hunt, s.block, s.settle, s.attackAgain)
}

// attacking reports whether the attacker is still in play for the player
// whose turn it is; else the attack is over.
func (s *state) attacking() bool {
	return s.attacker != nil && s.attacker.where == s.players[s.active].of(inPlay)
}

// canAttack reports whether a creature may attack at all.
func (s *state) canAttack(c *card) bool {
	for f := range s.inForce {
		if f.rule.Is == CannotAttack && s.concerns(f, c) {
			return false
		}
	}
	return true
}

// hunt: 001 "Mots-clés", CHASSEUR: the attacker's player may choose any enemy
// creature, even one that could not block.
func (s *state) hunt() {
	p := s.players[s.active]
	o := s.other(p)
	if !s.attacking() || s.keywords(s.attacker)&Hunter == 0 || !slices.ContainsFunc(o.play, s.mayHunt) {
		return
	}
	s.ask(question{player: p, key: "hunt", card: s.attacker, places: o.of(inPlay), open: "hunt",
		fits: func(c *card) error {
			if !s.mayHunt(c) {
				return engine.Refuse("refusal.not-this-one", "card", engine.CardWord(c.kind.ID))
			}
			return nil
		},
		tap: func(c *card) {
			s.blocker = c
			s.emit(engine.Event{Name: "hunts", Seat: p.seat, Other: o.seat, Card: c.name})
		},
		fixed: noHunt, chosen: func(answer) {},
		again: s.hunt,
	})
}

// mayHunt reports whether the attacker may choose a creature.
func (s *state) mayHunt(c *card) bool {
	for f := range s.inForce {
		if f.rule.Is == CannotHunt && f.giver == s.attacker && s.bounded(c, &f.rule.Who) {
			return false
		}
	}
	return true
}

var noHunt = []answer{key("no", "no-hunt")}

// block: the opponent chooses a creature that blocks, or loses 1 life.
func (s *state) block() {
	p := s.players[s.active]
	o := s.other(p)
	if !s.attacking() {
		return
	}
	if s.blocker != nil {
		s.fight()
		return
	}
	able := s.blockers()
	if len(able) == 0 {
		s.unblocked(o)
		return
	}
	s.ask(question{player: o, key: "block", card: s.attacker, n: s.power(s.attacker), places: o.of(inPlay), open: "block",
		fits: func(c *card) error {
			if !slices.Contains(able, c) {
				return engine.Refuse("refusal.cannot-block", "card", engine.CardWord(c.kind.ID))
			}
			return nil
		},
		tap: func(c *card) {
			s.blocker = c
			s.emit(engine.Event{Name: "blocks", Seat: o.seat, Card: c.name})
			s.fight()
		},
		fixed: noBlock, chosen: func(answer) { s.unblocked(o) },
		again: s.block,
	})
}

var noBlock = []answer{key("no", "no-block")}

func (s *state) unblocked(o *player) {
	s.emit(engine.Event{Name: "unblocked", Seat: o.seat, Card: s.attacker.name})
	s.loseLife(o, 1)
}

// blockers are the creatures that may block the attacker.
func (s *state) blockers() []*card {
	var able []*card
	for _, c := range s.other(s.players[s.active]).play {
		if s.mayBlock(c) {
			able = append(able, c)
		}
	}
	return able
}

// mayBlock: 001 "Mots-clés", FURTIF: a sneaky creature is blocked only by
// sneaky ones. Then come the permanent abilities of both sides.
func (s *state) mayBlock(c *card) bool {
	if s.keywords(s.attacker)&Sneaky != 0 && s.keywords(c)&Sneaky == 0 {
		return false
	}
	if c.noBlock {
		return false
	}
	p := s.players[s.active]
	for f := range s.inForce {
		forbids := f.rule.Is == CannotBlock && f.p == p && s.sided(f.rule.Who.Side, f.p, f.giver, c) || f.rule.Is == NotBlockedBy && f.giver == s.attacker
		if forbids && s.bounded(c, &f.rule.Who) {
			return false
		}
	}
	return true
}

// fight compares the powers: the weaker creature is defeated, both where
// they are equal. 001 "Mots-clés", VENIMEUX: whatever a poisonous creature
// fights is defeated.
func (s *state) fight() {
	a, b := s.attacker, s.blocker
	if !s.attacking() || b.where != s.other(s.players[s.active]).of(inPlay) {
		return
	}
	mine, theirs := s.power(a), s.power(b)
	var beaten []*card
	if theirs >= mine || s.keywords(b)&Poisonous != 0 {
		beaten = append(beaten, a)
	}
	if mine >= theirs || s.keywords(a)&Poisonous != 0 {
		beaten = append(beaten, b)
	}
	s.emit(engine.Event{Name: "fights", Card: a.name, N: mine})
	s.emit(engine.Event{Name: "fights", Card: b.name, N: theirs})
	s.defeat(beaten)
}

// attackAgain: 001 "Mots-clés", FURIE: a second attack in the turn, if the
// creature is still in play.
func (s *state) attackAgain() {
	c, p := s.attacker, s.players[s.active]
	ends := !s.attacking() || s.attacks >= 2 || s.keywords(c)&Frenzy == 0 || !s.canAttack(c)
	s.attacker, s.blocker = nil, nil
	if ends {
		return
	}
	s.ask(question{player: p, key: "frenzy", card: c, places: p.of(inPlay), open: "attack",
		fits: func(t *card) error {
			if t != c {
				return engine.Refuse("refusal.not-this-one", "card", engine.CardWord(t.kind.ID))
			}
			return nil
		},
		tap:   s.attack,
		fixed: frenzyAnswers, chosen: func(a answer) {
			if a.word == "yes" {
				s.attack(c)
			}
		},
		again: func() { s.attacker = c; s.attackAgain() },
	})
}

var frenzyAnswers = []answer{key("yes", "attack-again"), key("no", "end-turn")}

// defeat: creatures that are defeated together leave together. 001
// "Mots-clés", CORIACE: a tough one that is not tilted is tilted instead.
func (s *state) defeat(list []*card) {
	var fallen []*card
	for _, c := range list {
		if s.keywords(c)&Tough == 0 || c.tilted {
			fallen = append(fallen, c)
		}
	}
	for _, c := range list {
		if !slices.Contains(fallen, c) {
			c.tilted = true
			s.emit(engine.Event{Name: "tilted", Seat: s.controller(c).seat, Card: c.name})
		}
	}
	for _, c := range fallen {
		p := s.controller(c)
		s.move("defeated", p.seat, c, p.of(inDiscard))
		s.trigger(p, c, "defeated")
	}
}

// controller is the player for whom a card is in play.
func (s *state) controller(c *card) *player {
	if c.where == s.players[0].of(inPlay) {
		return s.players[0]
	}
	return s.players[1]
}
