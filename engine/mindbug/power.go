package mindbug

import "slices"

// 001 "Autres capacités": Capacités permanentes are in force as long as their conditions hold.

// holds reports whether a condition holds for a player.
func (s *state) holds(c Condition, p *player) bool {
	o := s.opponentOf(p)
	switch c {
	case FewerCreatures:
		return len(p.play) < len(o.play)
	case MoreCreatures:
		return len(p.play) > len(o.play)
	case OwnTurn:
		return s.active == p.index
	case OnlyCreature:
		return len(p.play) == 1
	case OneLife:
		return p.life == 1
	case NoDiscards:
		return len(p.discard)+p.heap == 0
	case EqualAllies:
		return slices.ContainsFunc(p.play, func(c *card) bool { return s.hasRank(c, Shared, Allied) })
	case TwoCreatures:
		return len(p.play) == 2
	case ThreeEnemies:
		return len(o.play) >= 3
	case NoMindbugs:
		return p.mindbugs == 0
	}
	return true
}

// activeRule holds a rule in force, the player for whom it applies, and the card that gives it.
type activeRule struct {
	rule  *Rule
	p     *player
	giver *card
}

// inForce yields the rules in force: those of the cards in play and in the discard piles, and
// those for this turn.
func (s *state) inForce(yield func(activeRule) bool) {
	for _, p := range s.players {
		for _, c := range p.play {
			for i := range c.kind.Always {
				if !yield(activeRule{&c.kind.Always[i], p, c}) {
					return
				}
			}
		}
		for _, c := range p.discard {
			for i := range c.kind.InDiscard {
				if !yield(activeRule{&c.kind.InDiscard[i], p, c}) {
					return
				}
			}
		}
	}
	for _, f := range s.turnRules {
		if !yield(f) {
			return
		}
	}
}

func (s *state) anyRule(ruling Ruling, fits func(activeRule) bool) bool {
	for f := range s.inForce {
		if f.rule.Ruling == ruling && fits(f) {
			return true
		}
	}
	return false
}

// power returns the power of a creature in play. It is never less than 1: 001 "Cartes
// Créature", Remarque.
func (s *state) power(c *card) int {
	n := c.kind.Power + int(c.growth) + len(c.boosts)
	for f := range s.inForce {
		if f.rule.Ruling == Have && f.rule.Power != 0 && s.concerns(f, c) {
			if f.rule.Per {
				n += f.rule.Power * (len(f.p.play) - 1)
			} else {
				n += f.rule.Power
			}
		}
	}
	return max(1, n)
}

// concerns reports whether a rule holds now and is about a creature.
func (s *state) concerns(f activeRule, c *card) bool {
	return s.holds(f.rule.While, f.p) && s.isOnSide(f.rule.Creatures.Side, f.p, f.giver, c) &&
		s.hasTraits(c, &f.rule.Creatures)
}

// isOnSide reports whether the creature c belongs to the given side. The sides are those of
// the player p: p's own creatures are allied, and the opponent's creatures are enemies. On the
// side This there is only the given source card.
func (s *state) isOnSide(side Side, p *player, source, c *card) bool {
	allied := c.Where == p.placeOf(inPlay)
	switch side {
	case This:
		return c == source
	case Allied:
		return allied
	case OtherAllied:
		return allied && c != source
	case Enemy:
		return !allied
	}
	return true
}

// hasTraits reports whether a creature has the boosts, the keywords and the power that a value
// of the type Creatures asks for. It does not check the power Weaker, because s.candidates
// checks it.
func (s *state) hasTraits(c *card, of *Creatures) bool {
	if of.Trait == Boosted && len(c.boosts) == 0 || of.Keywords != noKeywords && s.keywords(c)&of.Keywords != of.Keywords {
		return false
	}
	switch {
	case of.Trait == Highest || of.Trait == Lowest || of.Trait == Shared:
		return s.hasRank(c, of.Trait, of.Side)
	case of.Low == 0 && of.High == 0:
		return true
	}
	n := s.power(c)
	return n >= of.Low && (of.High == 0 || n <= of.High)
}

// hasRank reports whether a creature has the power that an Extreme asks for. An Extreme asks
// for the highest power, the lowest power, or a power that another creature shares. If the
// side is AnySide, the powers of all creatures are compared. For any other side, only the
// creatures of the same player are compared.
func (s *state) hasRank(c *card, by Trait, side Side) bool {
	n := s.power(c)
	for _, p := range s.players {
		if side != AnySide && p != s.controller(c) {
			continue
		}
		for _, d := range p.play {
			switch m := s.power(d); {
			case by == Shared && d != c && m == n:
				return true
			case by == Highest && m > n, by == Lowest && m < n:
				return false
			}
		}
	}
	return by != Shared
}

func (s *state) keywords(c *card) Keywords {
	own, mirror := s.givenKeywords(c), s.mirrors(c)
	if mirror&^own == 0 {
		return own
	}
	return own | mirror&s.enemyKeywords(s.controller(c))
}

func (s *state) givenKeywords(c *card) Keywords {
	k := c.kind.Keywords
	for f := range s.inForce {
		if f.rule.Ruling == Have && f.rule.Keywords&^k != 0 && s.concerns(f, c) {
			k |= f.rule.Keywords
		}
	}
	return k
}

func (s *state) mirrors(c *card) (k Keywords) {
	for i := range c.kind.Always {
		if r := &c.kind.Always[i]; r.Ruling == Mirror && s.holds(r.While, s.controller(c)) {
			k |= r.Keywords
		}
	}
	return k
}

// enemyKeywords returns the keywords of a player's enemies. An enemy has its own keywords. An
// enemy that mirrors a keyword has it if one of the player's creatures has the keyword of its
// own. If two creatures mirror each other, neither gets a keyword that no creature has of its
// own.
func (s *state) enemyKeywords(p *player) Keywords {
	var has, reflects [2]Keywords
	for i, o := range s.players {
		for _, c := range o.play {
			has[i] |= s.givenKeywords(c)
			reflects[i] |= s.mirrors(c)
		}
	}
	o := s.opponentOf(p).index
	return has[o] | reflects[o]&has[p.index]
}

// silenced reports whether a rule keeps the Play effects of a player from triggering.
func (s *state) silenced(p *player) bool {
	return s.anyRule(SilencesPlays, func(f activeRule) bool { return f.p != p && s.holds(f.rule.While, f.p) })
}

// diceOf returns how many dice a creature throws when it attacks (002 "Symbole de Lancer de
// dé"). A rule may add one die to any creature. No creature throws more than two dice.
func (s *state) diceOf(c *card) int {
	n := c.kind.Dice
	for f := range s.inForce {
		if f.rule.Ruling == Have && f.rule.Dice != 0 && s.concerns(f, c) {
			n += f.rule.Dice
		}
	}
	return min(n, maxDice)
}
