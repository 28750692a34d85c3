package mutants

// takeKey is the prompt for a card that is moved.
func takeKey(step *Step) string {
	if step.What == FromDiscard {
		return "take-card"
	}
	return "move-card"
}

// moveCard puts a card into another zone of its owner. Only on the way to the
// discard pile it leaves the arena as a mutant does: "Whenever a mutant
// leaves".
func (s *state) moveCard(c *card, from, to Zone) {
	switch {
	case from == InDiscard:
		s.move("takes", c, from, to)
	case from&inArena != 0 && to == InDiscard:
		s.leave(c)
	case from != to:
		s.move("puts", c, from, to)
	}
}

// swap exchanges what lies in the left and the right slot, as it lies.
func (s *state) swap(p *player) {
	left, right := p.in(InLeft), p.in(InRight)
	s.across(left, InRight)
	s.across(right, InLeft)
}

func (s *state) across(c *card, to Zone) {
	if c == nil {
		return
	}
	down := c.down
	s.move("moves", c, c.where, to)
	c.down = down
}

// gainPoints: victory points, "PV". Against a boss they are its health.
func (s *state) gainPoints(p *player, n int) {
	s.tell("gains-points", p, n)
	s.scores(p, n)
}

// losePoints: a score is never below 0.
func (s *state) losePoints(p *player, n int) {
	before := s.score.space(p.index)
	s.tell("loses-points", p, n)
	if to := max(0, before-n); to < before {
		s.score.land(p.index, to)
	}
}
