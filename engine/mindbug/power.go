package mindbug

import "slices"

// What creatures are at this moment: 001 "Autres capacités", Capacités
// permanentes, are in force as long as their conditions hold.

// holds checks a condition for a player.
func (s *state) holds(c Condition, p *player) bool {
	o := s.other(p)
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
		return slices.ContainsFunc(p.play, func(c *card) bool { return s.shared(c, Allied) })
	case TwoCreatures:
		return len(p.play) == 2
	case ThreeEnemies:
		return len(o.play) >= 3
	case NoMindbugs:
		return p.mindbugs == 0
	}
	return true
}

// A force is a rule and the card that gives it, for a player.
type force struct {
	rule  *Rule
	p     *player
	giver *card
}

// inForce lists the rules of creatures in play, of cards in discard piles, and
// for this turn, whatever their conditions. It is found anew when a card has
// moved.
func (s *state) inForce() []force {
	if s.stale {
		s.findForces()
	}
	return s.forces
}

func (s *state) findForces() {
	s.stale, s.forces, s.ruled = false, s.forces[:0], 0
	add := func(rules []Rule, p *player, giver *card) {
		for i := range rules {
			s.forces = append(s.forces, force{&rules[i], p, giver})
		}
	}
	for _, p := range s.players {
		for _, c := range p.play {
			add(c.kind.Always, p, c)
		}
		for _, c := range p.discard {
			add(c.kind.InDiscard, p, c)
		}
	}
	s.forces = append(s.forces, s.lasting...)
	for _, f := range s.forces {
		s.ruled |= 1 << f.rule.Is
	}
}

// isRuled reports whether any rule of a kind is in force.
func (s *state) isRuled(is Ruling) bool {
	s.inForce()
	return s.ruled>>is&1 != 0
}

// forced reports whether a rule of a kind is in force that fits.
func (s *state) forced(is Ruling, fits func(force) bool) bool {
	return s.isRuled(is) && slices.ContainsFunc(s.forces, func(f force) bool { return f.rule.Is == is && fits(f) })
}

// power is that of a creature in play. 001 "Cartes Créature", Remarque: never
// less than 1.
func (s *state) power(c *card) int {
	n := c.kind.Power + int(c.grown) + len(c.boosts)
	for _, f := range s.inForce() {
		if f.rule.Is == Have && f.rule.Power != 0 && s.concerns(f, c) {
			if f.rule.Per {
				n += f.rule.Power * (len(f.p.play) - 1)
			} else {
				n += f.rule.Power
			}
		}
	}
	return max(1, n)
}

// concerns reports whether a rule holds now, and is about a creature.
func (s *state) concerns(f force, c *card) bool {
	return s.holds(f.rule.While, f.p) && s.sided(f.rule.Who.Side, f.p, f.giver, c) && s.bounded(c, &f.rule.Who)
}

// sided reports whether a creature in play is of a side, as a card of the
// player sees it.
func (s *state) sided(side Side, p *player, source, c *card) bool {
	allied := c.Where == p.of(inPlay)
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

// bounded reports whether a creature has what is asked for.
func (s *state) bounded(c *card, of *Creatures) bool {
	if of.Boosted && len(c.boosts) == 0 || of.Keywords != noKeywords && s.keywords(c)&of.Keywords != of.Keywords {
		return false
	}
	if of.Low == 0 && of.High == 0 && of.Power == 0 {
		return true
	}
	n := s.power(c)
	switch of.Power {
	case Highest, Lowest:
		return s.extreme(c, n, of)
	case Shared:
		return s.shared(c, of.Side)
	}
	return n >= of.Low && (of.High == 0 || n <= of.High)
}

// extreme reports whether no creature of the side has more power, or less.
func (s *state) extreme(c *card, n int, of *Creatures) bool {
	for _, p := range s.players {
		if of.Side != AnySide && p != s.controller(c) {
			continue
		}
		for _, d := range p.play {
			if m := s.power(d); of.Power == Highest && m > n || of.Power == Lowest && m < n {
				return false
			}
		}
	}
	return true
}

// shared reports whether another creature has the same power: on the same
// side, where one is named.
func (s *state) shared(c *card, side Side) bool {
	n := s.power(c)
	for _, p := range s.players {
		if side != AnySide && p != s.controller(c) {
			continue
		}
		for _, d := range p.play {
			if d != c && s.power(d) == n {
				return true
			}
		}
	}
	return false
}

// keywords are those of a creature in play.
func (s *state) keywords(c *card) Keywords {
	own := s.given(c)
	mirror := s.mirrors(c)
	if mirror&^own == 0 {
		return own
	}
	return own | mirror&s.theirs(s.controller(c))
}

// given are the keywords that a creature has without looking at others'.
func (s *state) given(c *card) Keywords {
	k := c.kind.Keywords
	for _, f := range s.inForce() {
		if f.rule.Is == Have && f.rule.Keywords&^k != 0 && s.concerns(f, c) {
			k |= f.rule.Keywords
		}
	}
	return k
}

// mirrors are the keywords that a creature has as soon as an enemy has them.
func (s *state) mirrors(c *card) Keywords {
	var k Keywords
	for i := range c.kind.Always {
		if r := &c.kind.Always[i]; r.Is == Mirror && s.holds(r.While, s.controller(c)) {
			k |= r.Keywords
		}
	}
	return k
}

// theirs are the keywords among the enemies of a player. Two creatures that
// mirror each other have what a third one lends to either.
func (s *state) theirs(p *player) Keywords {
	var has, reflects [2]Keywords
	for i, o := range s.players {
		for _, c := range o.play {
			has[i] |= s.given(c)
			reflects[i] |= s.mirrors(c)
		}
	}
	o := s.other(p).index
	return has[o] | reflects[o]&has[p.index]
}

// silenced reports whether Play effects of a player do not trigger.
func (s *state) silenced(p *player) bool {
	return s.forced(SilencesPlays, func(f force) bool { return f.p != p && s.holds(f.rule.While, f.p) })
}

// diceOf is how many dice a creature throws when it attacks: 002 "Symbole de
// Lancer de dé". What adds one adds it to any creature, up to two.
func (s *state) diceOf(c *card) int {
	n := c.kind.Dice
	for _, f := range s.inForce() {
		if f.rule.Is == Have && f.rule.Dice != 0 && s.concerns(f, c) {
			n += f.rule.Dice
		}
	}
	return min(n, maxDice)
}
