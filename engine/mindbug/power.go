package mindbug

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
	}
	return true
}

// power is that of a creature in play. 001 "Cartes Créature", Remarque: never
// less than 1.
func (s *state) power(c *card) int {
	n := c.kind.Power
	for _, p := range s.players {
		for _, giver := range p.play {
			for i := range giver.kind.Always {
				r := &giver.kind.Always[i]
				if r.Is == Have && r.Power != 0 && s.concerns(r, p, giver, c) && s.holds(r.While, p) {
					n += r.Power
				}
			}
		}
	}
	return max(1, n)
}

// concerns reports whether a permanent ability is about a creature.
func (s *state) concerns(r *Rule, p *player, giver, c *card) bool {
	return s.sided(r.Who.Side, p, giver, c) && s.bounded(c, &r.Who)
}

// sided reports whether a creature in play is of a side, as a card of the
// player sees it.
func (s *state) sided(side Side, p *player, source, c *card) bool {
	allied := c.where == p.of(inPlay)
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

// bounded reports whether a creature has the power that is asked for.
func (s *state) bounded(c *card, of *Creatures) bool {
	if of.Low == 0 && of.High == 0 {
		return true
	}
	n := s.power(c)
	return n >= of.Low && (of.High == 0 || n <= of.High)
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
	for _, p := range s.players {
		for _, giver := range p.play {
			for i := range giver.kind.Always {
				r := &giver.kind.Always[i]
				if r.Is == Have && r.Keywords&^k != 0 && s.concerns(r, p, giver, c) && s.holds(r.While, p) {
					k |= r.Keywords
				}
			}
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
	o := s.other(p)
	for _, c := range o.play {
		for i := range c.kind.Always {
			if r := &c.kind.Always[i]; r.Is == SilencesPlays && s.holds(r.While, o) {
				return true
			}
		}
	}
	return false
}
