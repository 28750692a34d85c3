package genegrafter

// What characters are at this moment, with their grafts and gear.

// powers are the super powers of a character: 004 "Phase de Genegrafter", a
// graft adds its own.
func (s *state) powers(c *card) Powers {
	p := c.kind.Powers
	for _, g := range c.grafts {
		p |= g.kind.Powers
	}
	for _, g := range c.gear {
		for _, step := range g.kind.Does {
			if step.Do == GivesPower {
				p |= step.Power
			}
		}
	}
	if c.infinite {
		p |= InfinitePower
	}
	return p
}

// colours are those of its genetic markers, of its grafts' and its gear's.
func (s *state) colours(c *card) [categoryCount]bool {
	var has [categoryCount]bool
	add := func(k *Kind) {
		for i, n := range k.Markers {
			has[i] = has[i] || n > 0
		}
		for _, step := range k.Does {
			if step.Do == GivesMarker {
				has[step.Category] = true
			}
		}
	}
	add(c.kind)
	for _, g := range c.grafts {
		add(g.kind)
	}
	for _, g := range c.gear {
		add(g.kind)
	}
	return has
}

// strength is how many dice a character throws for itself when it attacks, or
// defends. Grafts add none.
func strength(c *card, as int) int {
	n, more := c.kind.Attack, MoreAttack
	if as == defends {
		n, more = c.kind.Defence, MoreDefence
	}
	for _, g := range c.gear {
		for _, step := range g.kind.Does {
			if step.Do == more {
				n += step.N
			}
		}
	}
	return n
}

// diceOf: 004 "Combattre", 6, and FAQ "Super Punch": the base number of each
// ability or that for its power, not both; a die for each marker.
func (s *state) diceOf(i int) int {
	side := &s.battle.sides[i]
	n := strength(side.c, i) + side.tokens + side.extra
	for _, a := range side.shown {
		if s.matches(side.c, a.kind) {
			n += a.kind.Super
		} else {
			n += a.kind.Base
		}
	}
	return max(0, n)
}

// diceShown is how many lie there, or will.
func (s *state) diceShown(i int) int {
	if len(s.dice) == 0 {
		return s.diceOf(i)
	}
	n := 0
	for _, d := range s.dice {
		if d.side == i {
			n++
		}
	}
	return n
}

// rerollsOf: 004 "Carte capacité": one for each ability of a colour that the
// character has.
func (s *state) rerollsOf(i int) int {
	side := &s.battle.sides[i]
	has := s.colours(side.c)
	n := 0
	for _, a := range side.shown {
		if has[a.kind.Category] {
			n++
		}
	}
	for category, cards := range side.unnamed {
		if has[category] {
			n += cards
		}
	}
	return n
}
