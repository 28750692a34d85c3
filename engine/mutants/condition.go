package mutants

// meets checks the conditions of a part, when it begins.
func (s *state) meets(src source, t *Test) bool {
	for i := range t.Clauses {
		if s.meetsOne(src, &t.Clauses[i]) == t.Any {
			return t.Any
		}
	}
	return !t.Any
}

func (s *state) meetsOne(src source, c *Clause) bool {
	switch c.Is {
	case IfCount:
		n := s.count(src, c.Of)
		switch c.How {
		case AtMost:
			return n <= c.N
		case Exactly:
			return n == c.N
		}
		return n >= c.N
	case IfThisActive:
		return (src.slot == InActive) != c.Not
	case IfThisLeft:
		return (src.slot == InLeft) != c.Not
	case IfThisRight:
		return (src.slot == InRight) != c.Not
	}
	return s.holds(src.p, c.Is) != c.Not
}

// onTop reports whether a marker is in the Top Space.
func (s *state) onTop(p *player) bool { return s.power.space(p.index) == s.rules.board.Spaces }
