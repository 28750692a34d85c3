package genegrafter

import (
	"slices"

	"tableside/engine/cardgame"
)

// resolveCard resolves the effects of a fighter's card. The card is an ability, the character,
// a graft or a gear. If the character lacks the power that an effect needs, the effect is
// skipped. An effect that needs dice waits for the dice, and an effect that needs damage waits
// for the damage (004 "Complément sur les cartes").
func (s *state) resolveCard(f *fighter, c *card) {
	if s.battle == nil {
		return // a correction by hand has ended it
	}
	if c.kind.unknownFields()&FieldDoes != 0 {
		s.Do(func() { s.resolveByHand(f.p, c) })
	}
	s.resolveThose(f.p, f, c, func(step Step) bool {
		byHand := c.kind.Type == Gear && step.Do == ByHand // learnFighters has asked for it
		return (step.When == "" || step.When == "battle") && !byHand
	})
}

// happen resolves what a character and its grafts do when something happens to it.
func (s *state) happen(when string, p *player, c *card) {
	for _, part := range slices.Backward(append([]*card{c}, c.grafts...)) {
		if s.isUnread(part.kind) { // what it does may be about this
			s.Do(func() { s.resolveByHand(p, part) })
			continue
		}
		s.resolveThose(p, nil, part, func(step Step) bool { return step.When == when })
	}
}

// resolveThose resolves those effects of a player's card for which the function returns true. In a
// battle, f is the player's fighter, and else nil.
func (s *state) resolveThose(p *player, f *fighter, c *card, which func(Step) bool) {
	var steps []Step
	for _, step := range c.kind.Does {
		if which(step) {
			steps = append(steps, step)
		}
	}
	if f != nil && !s.rules.inOrder {
		asks := func(step Step) bool { return step.Do == Draw || step.Do == Discard || step.Do == ByHand }
		first := slices.DeleteFunc(slices.Clone(steps), asks)
		slices.Reverse(first)
		steps = append(first, slices.DeleteFunc(steps, func(step Step) bool { return !asks(step) })...)
	}
	s.resolveSteps(p, f, c, steps)
}

// resolveSteps resolves effects in order. If the player declines one, it skips those behind
// ", then"; under rules 4 or later also if its condition does not hold, or if it can do nothing.
func (s *state) resolveSteps(p *player, f *fighter, c *card, steps []Step) {
	if n := s.waiting(f, steps); n > 0 {
		wait := steps[:n]
		f.afterwards = append(f.afterwards, func() { s.resolveSteps(p, f, c, wait) })
		steps = steps[n:]
	}
	if len(steps) == 0 {
		return
	}
	declined := false
	s.Do(func() {
		if f == nil || s.battle != nil {
			s.resolveStep(p, f, c, steps[0], func() { declined = true })
		}
	}, func() {
		rest := steps[1:]
		for declined && len(rest) > 0 && !rest[0].Also {
			rest = rest[1:]
		}
		s.resolveSteps(p, f, c, rest)
	})
}

// waiting returns how many effects wait for the damage of a battle: one that heals, and what
// happens only if it does. Nothing waits that needs dice.
func (s *state) waiting(f *fighter, steps []Step) int {
	if f == nil || f.damaged || !s.rules.inOrder || len(steps) == 0 || steps[0].Do != Heal {
		return 0
	}
	n := 1
	for n < len(steps) && !steps[n].Also {
		n++
	}
	diced := func(step Step) bool { return step.has(ThrowDice) || step.has(Safe) || step.waits() }
	if n == 1 || slices.ContainsFunc(steps[:n], diced) {
		return 0
	}
	return n
}

func (s *state) resolveStep(p *player, f *fighter, c *card, step Step, decline func()) {
	_, onDie := readyPrompts[step.Do]
	declines := onDie || step.Do == Graft || step.Do == GivePower // when asked for a die or a character
	switch {
	case !s.holds(p, f, c, step) || p.out && step.asks():
		if s.rules.inOrder {
			decline()
		}
	case step.Price != nil && !canPay(p, step.Price):
		decline()
	case step.May && (step.Price != nil || !declines):
		s.Ask(question{Seat: p.seat, Key: "may", About: c, Fixed: mayAnswers, Chosen: func(a answer) {
			if a.Word == "yes" {
				s.Do(func() { s.use(p, f, c, step, decline) })
			} else {
				decline()
			}
		}})
	default:
		s.use(p, f, c, step, decline)
	}
}

// asks reports whether an effect begins with a question to the player of its card.
func (s *Step) asks() bool {
	return s.May || len(s.Either) > 0 || s.Price != nil || s.Whom == "one-opponent" || s.Whom == "one-player"
}

var (
	mayAnswers    = []answer{cardgame.Key("yes", "use-it"), cardgame.Key("no", "leave-it")}
	eitherAnswers = []answer{cardgame.Choose("first", "first"), cardgame.Choose("second", "second")}
)

// use resolves an effect that its player wants. Of two, the player chooses one; what it costs
// comes first.
func (s *state) use(p *player, f *fighter, c *card, step Step, decline func()) {
	switch {
	case len(step.Either) > 0:
		answers := slices.Clone(eitherAnswers)
		for i := range answers {
			if s.rules.inOrder {
				answers[i].Label, answers[i].About = "either", sentence(step.Either[i].said)
			}
		}
		s.Ask(question{Seat: p.seat, Key: "either", About: c, Fixed: answers, Chosen: func(a answer) {
			chosen := step.Either[slices.IndexFunc(eitherAnswers, func(e answer) bool { return e.Word == a.Word })]
			s.Do(func() { s.use(p, f, c, chosen, decline) })
		}})
	case step.Price != nil:
		price := *step.Price
		step.Price = nil
		s.Do(func() { s.carryOut(p, c, price, func() {}) }, func() { s.use(p, f, c, step, decline) })
	case f == nil:
		s.carryOut(p, c, step, decline)
	case s.battle != nil:
		s.useInBattle(f, c, step, decline)
	}
}

func canPay(p *player, price *Step) bool {
	switch price.Do {
	case Discard:
		return p.hand >= price.N
	case LoseHealth:
		return p.health >= price.N
	}
	return p.tokens[slices.Index(sideNames, price.Which)] >= price.N
}

func (s *state) useInBattle(f *fighter, c *card, step Step, decline func()) {
	switch {
	case step.waits():
		s.battle.ready = append(s.battle.ready, readyAbility{p: f.p, card: c, step: step})
	case step.Do == Heal && !f.damaged:
		f.afterwards = append(f.afterwards, func() { s.carryOut(f.p, c, step, func() {}) })
	case step.Do == Safe:
		f.safe = true
	default:
		s.carryOut(f.p, c, step, decline)
	}
}

// waits reports whether an effect waits for dice.
func (s *Step) waits() bool {
	_, waits := readyPrompts[s.Do]
	return waits || slices.ContainsFunc(s.Either, func(one Step) bool { return one.waits() })
}

// holds reports whether the condition of an effect is true. Outside a battle, a condition about
// a character is about the character of the card.
func (s *state) holds(p *player, f *fighter, c *card, step Step) bool {
	switch {
	case f != nil:
		c = f.c
	case c.host != nil:
		c = c.host
	}
	switch step.If {
	case "power":
		return c.powers()&(step.Needs|InfinitePower) != 0
	case "marker":
		return c.colours()[slices.Index(categoryNames, step.Category)]
	case "attacking":
		return f.side == attackSide
	case "defending":
		return f.side == defenceSide
	case "wounded":
		return c.wounded
	case "no-cards":
		return p.hand == 0
	}
	return true
}
