package genegrafter

import (
	"slices"

	"tableside/engine"
)

// isShown reports whether a card is shown as soon as it is drawn: 004
// "Piochez trois carte".
func (s *state) isShown(c *card) bool { return c.kind.Type == Event || c.kind.Type == DNA }

// show resolves an event, or begins a graft round.
func (s *state) show(p *player, c *card) {
	if c.kind.Type == DNA {
		s.showStrand(p, c)
		return
	}
	s.move("event", p.seat, c, inDiscard)
	if c.kind.unknown()&FieldDoes != 0 {
		s.do(func() { s.byHand(p, c) })
		return
	}
	for _, step := range slices.Backward(c.kind.Does) {
		s.do(func() { s.resolveEvent(p, step) })
	}
}

// resolveEvent does what an event says, beginning with who has drawn it.
func (s *state) resolveEvent(p *player, step Step) {
	list := s.from(p)
	switch step.Do {
	case DiscardHands:
		for _, o := range list {
			s.thrownAway(o)
		}
	case Destroy:
		for _, o := range slices.Backward(list) {
			s.do(func() { s.destroy(o) })
		}
	case SwapPools:
		s.do(func() { s.swapPools(list) })
		for _, o := range list {
			for _, c := range o.pool {
				s.known(c, FieldMarkers)
			}
		}
	case EachDraws:
		for _, o := range slices.Backward(list) {
			s.do(func() { s.draw(o, step.N) })
		}
	case EachLoses:
		s.hurt(step.N, list...)
	}
}

// destroy takes a character of the player's choice out of play.
func (s *state) destroy(p *player) {
	gone := func(c *card) { s.leave("destroyed", p.seat, c, inDiscard) }
	switch {
	case len(p.play) == 0 || p.out:
	case len(p.play) == 1:
		gone(p.play[0])
	default:
		s.askCharacter(p, "destroy", nil, p.play, gone)
	}
}

// swapPools: those with the most and the fewest markers in their gene pools
// change them. Of several, the first clockwise from who has drawn the event.
func (s *state) swapPools(list []*player) {
	markers := func(p *player) int {
		n := 0
		for _, c := range p.pool {
			n += c.kind.markers()
		}
		return n
	}
	most := highest(list, markers)[0]
	least := highest(list, func(p *player) int { return -markers(p) })[0]
	if markers(most) == markers(least) {
		return
	}
	mine, theirs := slices.Clone(most.pool), slices.Clone(least.pool)
	for _, c := range mine {
		s.move("changes-hands", least.seat, c, least.of(inPool))
	}
	for _, c := range theirs {
		s.move("changes-hands", most.seat, c, most.of(inPool))
	}
}

// resolveAbility does what an ability says beside its dice. What needs dice,
// or damage, waits for them: 004 "Complément sur les cartes".
func (s *state) resolveAbility(i int, c *card) {
	if s.battle == nil {
		return
	}
	side, other := &s.battle.sides[i], &s.battle.sides[len(s.battle.sides)-1-i]
	if c.kind.unknown()&FieldDoes != 0 {
		s.do(func() { s.byHand(side.p, c) })
		return
	}
	for _, step := range slices.Backward(c.kind.Does) {
		switch step.Do {
		case HealOne:
			side.heals++
		case RollAgain, TurnDie, ChangeDie:
			s.battle.ready = append(s.battle.ready, readied{p: side.p, card: c, step: step})
		case Draws:
			s.do(func() { s.draw(side.p, step.N) })
		case OpponentDiscards:
			s.do(func() { s.discardCards(other.p, step.N) })
		}
	}
}

// byHand waits while the players do what a card says that nobody has entered,
// or a card, nil, that nobody has named. In a battle plus and minus count dice,
// else health. That a card has no effect is remembered.
func (s *state) byHand(p *player, c *card) {
	if p.out {
		return
	}
	q := question{player: p, key: "by-hand", card: c}
	if c == nil {
		if s.battle == nil {
			return // a correction by hand has ended it
		}
		q.key = "by-hand-unnamed"
	}
	q.fixed = healthAnswers(p)
	count := func(n int) {
		if n < 0 {
			s.hurt(1, p)
		} else {
			s.mend(p, 1)
		}
	}
	if b := s.battle; b != nil && (c == nil || c.kind.Type != Event) {
		i := attacks
		if b.sides[defends].p == p {
			i = defends
		}
		q.fixed = []answer{key("plus", "one-die")}
		if s.diceOf(i) > 0 {
			q.fixed = append(q.fixed, key("minus", "no-die"))
		}
		count = func(n int) {
			b.sides[i].extra += n
			s.emit(engine.Event{Name: "extra", Seat: p.seat, N: b.sides[i].extra})
		}
	}
	q.fixed = append(q.fixed, key("yes", "by-hand-done"))
	switch {
	case c == nil:
	case c.kind.Type == Ability:
		q.fixed = append(q.fixed, choice("nothing", "does-nothing"))
	default:
		q.fixed = append(q.fixed, choice("nothing", "no-effect"))
	}
	again := func() { s.byHand(p, c) }
	q.chosen = func(a answer) {
		switch a.word {
		case "plus":
			s.do(again)
			count(1)
		case "minus":
			s.do(again)
			count(-1)
		case "nothing":
			s.learn("card " + c.kind.ID + " does none")
		}
	}
	s.ask(q)
}

// healthAnswers count the health of a player, as far as the die shows it.
func healthAnswers(p *player) []answer {
	less := key("minus", "lose-health")
	if p.health == startHealth {
		return []answer{less}
	}
	return []answer{key("plus", "gain-health"), less}
}

// mend gives health back, as far as the die shows it: 004 "Débuter", 3.
func (s *state) mend(p *player, n int) {
	if n = min(n, startHealth-p.health); n > 0 {
		p.health += n
		s.tell("gains-health", p, n)
	}
}
