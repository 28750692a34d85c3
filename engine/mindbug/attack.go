package mindbug

import (
	"slices"

	"tableside/engine"
)

// battle is an attack in progress.
type battle struct {
	p            *player // the attacking player; not always the one whose turn it is
	attacker     *card
	blocker      *card
	attackCount  int     // attacks of the creature including this one: Frenzy
	outer        *battle // the battle in which an effect ordered this one
	attackerGone bool    // the attacker has left play, even if it came back
}

// attackWith begins an attack (001 "Attaquer avec une créature"). Attack effects come before
// the opponent decides whether to block ("Déclencheurs", Attaque). They therefore also come
// before a Hunter chooses the blocker.
func (s *state) attackWith(p *player, c *card) {
	s.market = false
	s.strike(&battle{p: p, attacker: c, attackCount: 1, outer: s.battle})
}

func (s *state) strike(b *battle) {
	s.battle = b
	s.Emit(engine.Event{Name: "attacks", Seat: b.p.seat, Card: b.attacker.Name})
	s.Do(s.rollDice, s.begins, s.settle, s.hunt, s.block, s.settle,
		s.attackAgain)
}

func (s *state) begins() {
	if b := s.battle; s.attacking() {
		s.trigger(b.p, b.attacker, "attack")
	}
}

func (s *state) attacking() bool {
	return !s.battle.attackerGone && s.battle.attacker.Where == s.battle.p.placeOf(inPlay)
}

func (s *state) canAttack(c *card) bool {
	stops := func(f activeRule) bool { return s.concerns(f, c) }
	return !s.anyRule(CannotAttack, stops) && !s.anyRule(Idle, stops)
}

// hunt lets the player of a Hunter choose the blocker (001 "Mots-clés", CHASSEUR). The player
// may choose any enemy creature that no rule protects, even a creature that could not block.
// The player may also choose none. If there are enemy creatures that a hunter must attack in
// its own turn, the player has to choose one of those. If there is only one of those, it is
// chosen without a question.
func (s *state) hunt() {
	b := s.battle
	o := s.opponentOf(b.p)
	if !s.attacking() || s.keywords(b.attacker)&Hunter == 0 {
		return
	}
	choose := func(c *card) {
		b.blocker = c
		s.Emit(engine.Event{Name: "hunts", Seat: b.p.seat, Other: o.seat, Card: c.Name})
	}
	q := question{Seat: b.p.seat, Key: "hunt", About: b.attacker, In: o.placeOf(inPlay), Label: "hunt",
		Tap: choose, Chosen: func(answer) {}, Again: s.hunt}
	if b.p.index == s.active && (b.attackCount == 1 || s.rules.revised) {
		q.Cards = s.prey(b.p, b.attacker)
	}
	switch {
	case len(q.Cards) == 1:
		choose(q.Cards[0])
		return
	case len(q.Cards) == 0:
		q.Fixed = noHunt
		q.Cards = slices.DeleteFunc(slices.Clone(o.play), func(c *card) bool { return !s.mayHunt(b.attacker, c) })
	}
	if len(q.Cards) > 0 {
		s.Ask(q)
	}
}

func (s *state) mayHunt(hunter, c *card) bool {
	return !s.anyRule(CannotHunt, func(f activeRule) bool {
		return f.giver == hunter && s.holds(f.rule.While, f.p) && s.hasTraits(c, &f.rule.Creatures)
	})
}

// prey returns the enemy creatures that a hunter has to attack.
func (s *state) prey(p *player, hunter *card) (list []*card) {
	for f := range s.inForce {
		if f.rule.Ruling == MustHunt && f.p != p && s.holds(f.rule.While, f.p) && s.mayHunt(hunter, f.giver) {
			list = append(list, f.giver)
		}
	}
	return list
}

// obliged returns an enemy creature that one of the player's hunters can and must attack. If
// there is no such creature, obliged returns nil.
func (s *state) obliged(p *player) *card {
	for _, c := range p.play {
		if prey := s.mustFirst(p, c); prey != nil {
			return prey
		}
	}
	return nil
}

// mustFirst returns the enemy creature that a player's creature has to attack before
// anything else. If the player has no such duty, mustFirst returns nil.
func (s *state) mustFirst(p *player, c *card) *card {
	if prey := s.prey(p, c); len(prey) > 0 && s.keywords(c)&Hunter != 0 && s.canAttack(c) {
		return prey[0]
	}
	return nil
}

// block asks the opponent to block with a creature or to lose 1 life. If a Hunter has chosen
// the blocker, the fight begins without a question. If no creature may block, the opponent
// loses the life without a question.
func (s *state) block() {
	b := s.battle
	o := s.opponentOf(b.p)
	if !s.attacking() {
		return
	}
	if b.blocker != nil {
		s.fight()
		return
	}
	if !slices.ContainsFunc(o.play, s.mayBlock) {
		s.unblocked(o)
		return
	}
	s.Ask(question{Seat: o.seat, Key: "block", About: b.attacker, N: s.power(b.attacker), In: o.placeOf(inPlay),
		Label: "block",
		Fits:  func(c *card) unfit { return unfit{Key: "refusal.cannot-block", Card: c}.If(!s.mayBlock(c)) },
		Tap:   s.blocks,
		Fixed: noBlock, Chosen: func(answer) { s.unblocked(o) },
		Again: s.block,
	})
}

func (s *state) blocks(c *card) {
	s.battle.blocker = c
	s.Emit(engine.Event{Name: "blocks", Seat: s.controller(c).seat, Card: c.Name})
	s.fight()
}

func (s *state) unblocked(o *player) {
	s.Emit(engine.Event{Name: "unblocked", Seat: o.seat, Card: s.battle.attacker.Name})
	s.loseLife(o, 1)
}

// mayBlock reports whether a creature may block the attacker. Only sneaky creatures may block
// a sneaky attacker (001 "Mots-clés", FURTIF). Permanent abilities of both sides may also
// forbid the block.
func (s *state) mayBlock(c *card) bool {
	b := s.battle
	if c.noBlock || s.keywords(b.attacker)&Sneaky != 0 && s.keywords(c)&Sneaky == 0 {
		return false
	}
	for f := range s.inForce {
		if s.forbids(f, b, c) && s.holds(f.rule.While, f.p) && s.hasTraits(c, &f.rule.Creatures) {
			return false
		}
	}
	return true
}

// forbids reports whether a rule keeps the creature c from blocking in a battle. It leaves two
// checks to mayBlock: whether the condition of the rule holds, and whether c has the power and
// keywords that the rule asks for.
func (s *state) forbids(f activeRule, b *battle, c *card) bool {
	switch f.rule.Ruling {
	case CannotBlock, Idle:
		// Before rules 4, such a rule held only where its own player attacked.
		return (s.rules.rows || f.p == b.p) && s.isOnSide(f.rule.Creatures.Side, f.p, f.giver, c)
	case NotBlockedBy:
		return f.giver == b.attacker
	case BlockedNear:
		apart := s.power(c) - s.power(b.attacker)
		return f.giver == b.attacker && max(apart, -apart) > f.rule.Power
	}
	return false
}

// fight compares the powers of the two creatures and defeats the weaker creature. If either
// creature has the rule Upside, the stronger creature is defeated instead. If the powers are
// equal, both creatures are defeated. A poisonous creature defeats any opponent (001
// "Mots-clés", VENIMEUX).
func (s *state) fight() {
	a, b := s.battle.attacker, s.battle.blocker
	if !s.attacking() || b.Where != s.opponentOf(s.battle.p).placeOf(inPlay) {
		return
	}
	mine, theirs := s.power(a), s.power(b)
	wins := mine - theirs
	if s.lowerPowerWins(a) || s.lowerPowerWins(b) {
		wins = -wins
	}
	var beaten []*card
	if wins <= 0 || s.keywords(b)&Poisonous != 0 {
		beaten = append(beaten, a)
	}
	if wins >= 0 || s.keywords(a)&Poisonous != 0 {
		beaten = append(beaten, b)
	}
	s.Emit(engine.Event{Name: "fights", Card: a.Name, N: mine})
	s.Emit(engine.Event{Name: "fights", Card: b.Name, N: theirs})
	s.defeat(beaten)
}

// lowerPowerWins reports whether a creature has a rule, now in force, by which the lower power
// wins when that creature fights.
func (s *state) lowerPowerWins(c *card) bool {
	return s.anyRule(Upside, func(f activeRule) bool { return f.giver == c && s.holds(f.rule.While, f.p) })
}

// attackAgain offers the attacker a second attack in the turn (001 "Mots-clés", FURIE). The
// creature must have Frenzy and must still be in play. Some cards say that hunters "must
// always attack this (…) if able". Under revised rules, a hunter then attacks such a card
// again without a question.
func (s *state) attackAgain() {
	b := s.battle
	c, p := b.attacker, b.p
	ends := !s.attacking() || b.attackCount >= 2 || s.keywords(c)&Frenzy == 0 || !s.canAttack(c)
	s.battle = b.outer
	if ends {
		return
	}
	again := func(*card) { s.strike(&battle{p: p, attacker: c, attackCount: 2, outer: b.outer}) }
	if s.rules.revised && p.index == s.active && s.mustFirst(p, c) != nil {
		again(c)
		return
	}
	s.Ask(question{Seat: p.seat, Key: "frenzy", About: c, In: p.placeOf(inPlay), Label: "attack",
		Cards: []*card{c},
		Tap:   again,
		Fixed: frenzyAnswers, Chosen: func(a answer) {
			if a.Word == "yes" {
				again(c)
			}
		},
		Again: func() { s.battle = b; s.attackAgain() },
	})
}

// defeat defeats several creatures at once and triggers their Defeated effects. A tough
// creature that is still upright is tilted instead (001 "Mots-clés", CORIACE). A creature that
// cannot be defeated this turn stays as it is.
func (s *state) defeat(list []*card) {
	fallen := slices.DeleteFunc(slices.Clone(list), func(c *card) bool { return !s.falls(c) })
	for _, c := range list {
		if !c.undefeatable && !slices.Contains(fallen, c) {
			c.tilted = true
			s.Emit(engine.Event{Name: "tilted", Seat: s.controller(c).seat, Card: c.Name})
		}
	}
	for _, c := range fallen {
		p := s.controller(c)
		s.move("defeated", p.seat, c, p.placeOf(inDiscard))
		s.trigger(p, c, "defeated")
	}
}

func (s *state) falls(c *card) bool { return !c.undefeatable && (s.keywords(c)&Tough == 0 || c.tilted) }

func (s *state) controller(c *card) *player { return s.keeper(c.Where) }
