package mindbug

import "slices"

// targets returns the creatures that a step can affect. If all creatures that a CopyPlay step
// can affect are of one kind, targets returns only one of them, because the choice makes no
// difference. Rules before 2 do not have this exception.
func (s *state) targets(src source, step *Step) []*card {
	list := s.candidates(src, &step.Creatures)
	switch step.Do {
	case TriggerPlay:
		list = slices.DeleteFunc(list, func(c *card) bool { return c.kind.Play.isNone() })
	case CopyPlay:
		list = slices.DeleteFunc(list, func(c *card) bool { return c.kind.Play.isNone() || c == src.card })
		if s.rules.revised && len(list) > 1 &&
			!slices.ContainsFunc(list, func(c *card) bool { return c.kind != list[0].kind }) {
			return list[:1]
		}
	case ForceAttack:
		list = slices.DeleteFunc(list, func(c *card) bool { return c.Where == src.p.placeOf(inPlay) || !s.canAttack(c) })
	}
	return list
}

// affects reports whether a step would change anything for at least one of its targets.
func (s *state) affects(src source, step *Step) bool {
	return slices.ContainsFunc(s.targets(src, step), func(c *card) bool { return s.wouldChange(src, step.Do, c) })
}

// wouldChange reports whether an effect changes anything for a creature. If an effect would
// change no creature, the player is not asked to choose. Under rules before 2, wouldChange
// always returns true.
func (s *state) wouldChange(src source, do Effect, c *card) bool {
	mine := c.Where == src.p.placeOf(inPlay)
	if !s.rules.revised {
		return true
	}
	switch do {
	case TakeControl:
		return !mine
	case GiveControl:
		return mine
	case StopBlock:
		return !mine && s.stoppable(c)
	case Defeat, Outlast:
		return !c.undefeatable
	case TriggerPlay:
		return !s.silenced(s.controller(c)) && s.isPlayPossible(source{s.controller(c), c}, do, c)
	case CopyPlay:
		return s.isPlayPossible(src, do, c)
	}
	return true
}

// stoppable reports whether stopping a creature from blocking this turn makes a difference.
// For a creature that is already stopped, it makes none. For any other creature, it makes a
// difference if there is no battle, if the creature may block the present attack, or if Frenzy
// may bring a second attack.
func (s *state) stoppable(c *card) bool {
	b := s.battle
	return !c.noBlock && (b == nil || s.mayBlock(c) || b.attackCount < 2 && s.keywords(b.attacker)&Frenzy != 0)
}

// isPlayPossible reports whether a source could resolve any part of a creature's Play effect.
// If the Play effect is unknown, isPlayPossible returns true.
//
// A step that triggers or copies another Play effect is taken as possible. There is one
// exception. If the cause is CopyPlay, a step that can only copy is not taken as possible,
// because the creature that it would copy is judged separately.
func (s *state) isPlayPossible(src source, cause Effect, c *card) bool {
	a := &c.kind.Play
	nested := func(step *Step) bool { return step != nil && (step.Do == TriggerPlay || step.Do == CopyPlay) }
	for i := range a.Steps {
		step := &a.Steps[i]
		switch {
		case cause == CopyPlay && step.Do == CopyPlay && step.Or == nil:
		case s.holds(step.If, src.p) && (nested(step) || nested(step.Or) || s.possible(src, step)):
			return true
		}
	}
	return a.Unknown
}

// candidates returns the creatures that an effect could apply to. The opponent's creatures
// come first.
func (s *state) candidates(src source, of *Creatures) []*card {
	list := make([]*card, 0, len(s.players[0].play)+len(s.players[1].play))
	for _, p := range []*player{s.opponentOf(src.p), src.p} {
		for _, c := range p.play {
			weak := of.Trait != Weaker || src.card.Where&plays != 0 && s.power(c) < s.power(src.card)
			if weak && s.isOnSide(of.Side, src.p, src.card, c) && s.hasTraits(c, of) {
				list = append(list, c)
			}
		}
	}
	if of.Count == Some && of.Trait == Shared {
		count := map[int]int{} // by power
		for _, c := range list {
			count[s.power(c)]++
		}
		list = slices.DeleteFunc(list, func(c *card) bool { return count[s.power(c)] < of.N })
	}
	return list
}

func (s *state) pick(src source, key string, places Place, candidates func() []*card, then func(*card)) {
	switch list := candidates(); len(list) {
	case 0: // a correction by hand has taken it away
	case 1:
		then(list[0])
	default:
		s.Ask(question{Seat: src.p.seat, Key: key, About: src.card, In: places, Cards: list, Tap: then,
			Again: func() { s.pick(src, key, places, candidates, then) }})
	}
}

// choose finds the creatures that a step affects and passes them all to its callback.
//
// If the step is not for all candidates, the player taps one creature after the other. All
// creatures are chosen before anything happens to the first. If the step needs all candidates
// that are left, choose takes them without a question. If the step would change none of the
// remaining candidates, choose asks nothing more.
//
// The given list holds the creatures that were tapped so far. The question has the given key.
func (s *state) choose(src source, step *Step, key string, chosen []*card, then func([]*card)) {
	of := &step.Creatures
	list := s.candidates(src, of)
	together := of.Count == Some && of.Trait == Shared && len(chosen) > 0
	list = slices.DeleteFunc(list, func(c *card) bool {
		return slices.Contains(chosen, c) || together && s.power(c) != s.power(chosen[0])
	})
	most := max(1, of.N)
	switch left := most - len(chosen); {
	case of.Count == All:
		then(list)
		return
	case left == 0 || !slices.ContainsFunc(list, func(c *card) bool { return s.wouldChange(src, step.Do, c) }):
		then(chosen)
		return
	case of.Count != UpTo && len(list) <= left:
		then(append(chosen, list...))
		return
	}
	q := question{Seat: src.p.seat, Key: key, About: src.card, N: most - len(chosen), In: plays,
		Cards: list,
		Tap:   func(c *card) { s.choose(src, step, key, append(slices.Clone(chosen), c), then) },
		Again: func() { s.choose(src, step, key, nil, then) },
	}
	if of.Count == UpTo {
		q.Key = key + "-up-to"
		q.Fixed, q.Chosen = enough, func(answer) { then(chosen) }
	}
	s.Ask(q)
}
