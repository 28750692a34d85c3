package mindbug

import "slices"

// can reports whether some of a step can be resolved, whatever may be chosen
// instead.
func (s *state) can(src source, step *Step) bool {
	p, o := src.p, s.other(src.p)
	switch step.Do {
	case OpponentKeeps:
		return o.life > step.N
	case LifeAsOpponent:
		return o.life != p.life
	case LifePerMindbug:
		return o.mindbugs > 0
	case OpponentDiscards, Steal, PlayGiven, PlayOrKeep, PutRandom:
		return o.hand > 0
	case DiscardPerEnemy:
		return o.hand > 0 && len(o.play) > 0
	case DiscardDeck:
		return o.deck > 0
	case DiscardAll:
		return o.hand+o.deck > 0
	case DiscardRandom, DiscardToDefeat:
		return p.hand > 0
	case DrawDiscard:
		return len(p.discard)+p.heap > 0
	case PlayCard, DrawCard:
		return len(s.drawn(p, step)) > 0 || s.unnamed(p, step.From) != 0 || step.From == OwnHand && p.hand > 0 || step.From == Unused && s.unused > 0
	case PlayThis:
		return src.card.Where == p.of(inDiscard)
	case EnergyPerEnemy:
		return len(o.play) > 0
	case DefeatNamed:
		return slices.ContainsFunc(o.play, func(c *card) bool { return !s.rules.revised || !c.lasts && s.keywords(c) != noKeywords })
	case TakeEnergyCard:
		return len(s.energyRow) > 0
	case TakeTopEnergy:
		return s.energyDeck > 0
	case TakeBoost:
		return len(s.boosted()) > 0
	case Boost:
		return s.anyDiscards() && len(s.candidates(src, &step.What)) > 0
	case TriggerPlay, ForceAttack, CopyPlay, Defeat, TakeControl, GiveControl, Return, ReturnTheirs, StopBlock, Outlast:
		return slices.ContainsFunc(s.targets(src, step), func(c *card) bool { return s.changes(src, step.Do, c) })
	case Evolve:
		return s.mayEvolve(src.card, step.Into)
	}
	return true
}

func hasPlay(c *card) bool { return !c.kind.Play.none() }

// targets are the creatures with which a step does anything.
func (s *state) targets(src source, step *Step) []*card {
	list := s.candidates(src, &step.What)
	var unfit func(*card) bool
	switch step.Do {
	case TriggerPlay:
		unfit = func(c *card) bool { return !hasPlay(c) }
	case CopyPlay:
		unfit = func(c *card) bool { return !hasPlay(c) || c == src.card }
	case ForceAttack:
		unfit = func(c *card) bool { return c.Where == src.p.of(inPlay) || !s.canAttack(c) }
	default:
		return list
	}
	return slices.DeleteFunc(list, unfit)
}

// changes reports whether an effect changes anything where it takes hold of a
// creature. Nobody is asked which, where none would.
func (s *state) changes(src source, do Effect, c *card) bool {
	mine := c.Where == src.p.of(inPlay)
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
		return !c.lasts
	case TriggerPlay:
		return !s.silenced(s.controller(c)) && s.stirs(source{s.controller(c), c}, do, c)
	case CopyPlay:
		return s.stirs(src, do, c)
	}
	return true
}

// stoppable reports whether a creature could still block this turn. Who
// attacks blocks nothing.
func (s *state) stoppable(c *card) bool {
	b := s.battle
	return !c.noBlock && (b == nil || s.mayBlock(c) || b.times < 2 && s.keywords(b.attacker)&Frenzy != 0)
}

// stirs reports whether the Play effect of a creature would do anything for a
// source. What a copied effect copies is asked of that creature itself.
func (s *state) stirs(src source, do Effect, c *card) bool {
	a := &c.kind.Play
	nested := func(step *Step) bool { return step != nil && (step.Do == TriggerPlay || step.Do == CopyPlay) }
	for i := range a.Steps {
		step := &a.Steps[i]
		switch {
		case do == CopyPlay && step.Do == CopyPlay && step.Or == nil:
		case s.holds(step.If, src.p) && (nested(step) || nested(step.Or) || s.possible(src, step)):
			return true
		}
	}
	return a.Unknown
}

// candidates are the creatures that an effect could take hold of, the
// opponent's first.
func (s *state) candidates(src source, of *Creatures) []*card {
	list := make([]*card, 0, len(s.players[0].play)+len(s.players[1].play))
	for _, p := range []*player{s.other(src.p), src.p} {
		for _, c := range p.play {
			weak := of.Power != Weaker || src.card.Where&plays != 0 && s.power(c) < s.power(src.card)
			if weak && s.sided(of.Side, src.p, src.card, c) && s.bounded(c, of) {
				list = append(list, c)
			}
		}
	}
	if of.Count == Exactly && of.Power == Shared {
		all := slices.Clone(list)
		list = slices.DeleteFunc(list, func(c *card) bool { return s.likes(all, c) < of.Most })
	}
	return list
}

// likes counts the creatures of a list that have the power of one.
func (s *state) likes(list []*card, of *card) int {
	n := 0
	for _, c := range list {
		if s.power(c) == s.power(of) {
			n++
		}
	}
	return n
}

// pick lets a player tap one card of a list, if there are several.
func (s *state) pick(src source, key string, places Place, find func() []*card, then func(*card)) {
	switch list := find(); len(list) {
	case 0: // a correction by hand has taken it away
	case 1:
		then(list[0])
	default:
		s.Ask(question{Seat: src.p.seat, Key: key, About: src.card, In: places, Of: list, Tap: then,
			Again: func() { s.pick(src, key, places, find, then) }})
	}
}

// choose finds the creatures of an effect: all of them, as many as there have
// to be, or those that the player taps. They are known before anything
// happens to any of them.
func (s *state) choose(src source, step *Step, key string, chosen []*card, then func([]*card)) {
	of := &step.What
	list := s.candidates(src, of)
	together := of.Count == Exactly && of.Power == Shared && len(chosen) > 0
	list = slices.DeleteFunc(list, func(c *card) bool {
		return slices.Contains(chosen, c) || together && s.power(c) != s.power(chosen[0])
	})
	most := 1
	if of.Count == UpTo || of.Count == Exactly {
		most = of.Most
	}
	switch left := most - len(chosen); {
	case of.Count == All:
		then(list)
		return
	case left == 0 || !slices.ContainsFunc(list, func(c *card) bool { return s.changes(src, step.Do, c) }):
		then(chosen)
		return
	case of.Count != UpTo && len(list) <= left:
		then(append(chosen, list...))
		return
	}
	q := question{Seat: src.p.seat, Key: key, About: src.card, N: most - len(chosen), In: plays,
		Of:    list,
		Tap:   func(c *card) { s.choose(src, step, key, append(slices.Clone(chosen), c), then) },
		Again: func() { s.choose(src, step, key, nil, then) },
	}
	if of.Count == UpTo {
		q.Key = key + "-up-to"
		q.Fixed, q.Chosen = enough, func(answer) { then(chosen) }
	}
	s.Ask(q)
}
