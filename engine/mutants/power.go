package mutants

// holds checks a condition.
func (s *state) holds(p *player, c Condition) bool {
	ahead, behind := false, false
	for _, o := range s.players {
		if o != p {
			ahead = ahead || s.power.ahead(p.index, o.index)
			behind = behind || s.power.ahead(o.index, p.index)
		}
	}
	switch c {
	case InTopSpace:
		return s.onTop(p)
	case IfInRedZone:
		return s.inRedZone(p)
	case IfDominated:
		return behind
	case IfDominating:
		return ahead
	case IfNotDominating:
		return !ahead
	case IfIncubating:
		return p.incubator != nil
	}
	return true
}

func (s *state) inRedZone(p *player) bool {
	return s.power.space(p.index) <= s.rules.board.RedZone
}

// gainPower: "Gain Power". At the Top Space each power that is left moves
// every opponent back one.
func (s *state) gainPower(p *player, n int) {
	space := s.power.space(p.index)
	steps := min(n, s.rules.board.Spaces-space)
	if steps > 0 {
		s.power.land(p.index, space+steps)
	}
	s.tell("gains-power", p, n)
	for range n - max(steps, 0) {
		for _, o := range s.opponents(p) {
			s.slideBack(o, 1)
		}
	}
}

// losePower: "Lose Power". At the far end no more is lost, and a marker that
// does not move stays where it is in its stack.
func (s *state) losePower(p *player, n int) {
	s.slideBack(p, n)
	s.tell("loses-power", p, n)
}

func (s *state) slideBack(p *player, n int) {
	if to := max(1, s.power.space(p.index)-n); to < s.power.space(p.index) {
		s.power.land(p.index, to)
	}
}
