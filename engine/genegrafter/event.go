package genegrafter

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
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
		s.Do(func() { s.byHand(p, c) })
		return
	}
	for _, step := range slices.Backward(c.kind.Does) {
		s.Do(func() { s.resolveEvent(p, c, step) })
	}
}

// resolveEvent does what an event says, beginning with who has drawn it.
func (s *state) resolveEvent(p *player, c *card, step Step) {
	list := s.from(p)
	switch step.Do {
	case DiscardHands:
		for _, o := range list {
			s.thrownAway(o)
		}
	case Destroy:
		for _, o := range slices.Backward(list) {
			s.Do(func() { s.destroy(o) })
		}
	case SwapPools:
		s.Do(func() { s.swapPools(list) })
		for _, o := range list {
			for _, c := range o.pool {
				s.known(c, FieldMarkers)
			}
		}
	case EachDraws:
		for _, o := range slices.Backward(list) {
			s.Do(func() { s.draw(o, step.N) })
		}
	case EachLoses:
		s.hurt(step.N, list...)
	case ByHand:
		s.byHand(p, c)
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
	if side := &s.battle.sides[i]; c.kind.unknown()&FieldDoes != 0 {
		s.Do(func() { s.byHand(side.p, c) })
		return
	}
	s.resolveSteps(i, c)
}

// useCharacters does what is printed on those who fight, beside their powers,
// and on their grafts: before any card is laid, the attacker's first.
func (s *state) useCharacters() {
	if !s.fighting() {
		return
	}
	for i, side := range slices.Backward(s.battle.sides[:]) {
		for _, c := range slices.Backward(append([]*card{side.c}, side.c.grafts...)) {
			if len(c.kind.Does) > 0 {
				s.Do(func() {
					if s.fighting() && (c == s.battle.sides[i].c || c.host == s.battle.sides[i].c) {
						s.resolveSteps(i, c)
					}
				})
			}
		}
	}
}

// resolveSteps does what an ability or a character does in a battle.
func (s *state) resolveSteps(i int, c *card) {
	side, other := &s.battle.sides[i], &s.battle.sides[len(s.battle.sides)-1-i]
	for _, step := range slices.Backward(c.kind.Does) {
		switch step.Do {
		case HealOne:
			side.heals++
		case RollAgain, RollBetter, TurnDie, ChangeDie:
			s.battle.ready = append(s.battle.ready, readied{p: side.p, card: c, step: step})
		case Draws:
			s.Do(func() { s.draw(side.p, step.N) })
		case OpponentDiscards:
			s.Do(func() { s.discardCards(other.p, step.N) })
		case ByHand:
			s.Do(func() { s.byHand(side.p, c) })
		}
	}
}

// byHand waits while the players do what a card says that nobody has entered.
// In a battle plus and minus count dice, else health. That a card has no effect
// is remembered.
func (s *state) byHand(p *player, c *card) {
	if p.out {
		return
	}
	q := question{Seat: p.seat, Key: "by-hand", About: c, Fixed: healthAnswers(p)}
	count := func(n int) {
		if n < 0 {
			s.hurt(1, p)
		} else {
			s.mend(p, 1)
		}
	}
	if b := s.battle; b != nil && c.kind.Type != Event {
		i := attacks
		if b.sides[defends].p == p {
			i = defends
		}
		q.Fixed = s.diceAnswers(i)
		count = func(n int) { s.countByHand(i, n) }
	}
	none := cardgame.Choose("nothing", "no-effect")
	if c.kind.Type == Ability {
		none.Label = "does-nothing"
	}
	q.Fixed = append(q.Fixed, cardgame.Key("yes", "by-hand-done"), none)
	q.Chosen = func(a answer) {
		switch a.Word {
		case "plus":
			s.Do(func() { s.byHand(p, c) })
			count(1)
		case "minus":
			s.Do(func() { s.byHand(p, c) })
			count(-1)
		case "nothing":
			s.learn("card " + c.kind.ID + " does none")
		}
	}
	s.Ask(q)
}

// unnamedByHand is byHand for a card that no reader knows. Its category may be
// said once, for a reroll.
func (s *state) unnamedByHand(i int, said bool) {
	if s.battle == nil || s.battle.sides[i].p.out {
		return // a correction by hand has ended it
	}
	side := &s.battle.sides[i]
	q := question{Seat: side.p.seat, Key: "by-hand-unnamed", Fixed: append(s.diceAnswers(i), cardgame.Key("yes", "by-hand-done"))}
	if !said {
		q.Fixed = append(q.Fixed, categoryChoices...)
	}
	q.Chosen = func(a answer) {
		again := func() { s.unnamedByHand(i, said || a.Verb == engine.Choose) }
		switch a.Word {
		case "yes":
			return
		case "plus":
			s.countByHand(i, 1)
		case "minus":
			s.countByHand(i, -1)
		default:
			side.unnamed[slices.Index(categoryNames, a.Word)]++
			s.Emit(engine.Event{Name: "unnamed-is", Seat: side.p.seat, Word: "keyword." + a.Word})
		}
		s.Do(again)
	}
	s.Ask(q)
}

// diceAnswers count the dice of a side.
func (s *state) diceAnswers(i int) []answer {
	more := cardgame.Key("plus", "one-die")
	if s.diceOf(i) == 0 {
		return []answer{more}
	}
	return []answer{more, cardgame.Key("minus", "no-die")}
}

func (s *state) countByHand(i, n int) {
	side := &s.battle.sides[i]
	side.extra += n
	s.Emit(engine.Event{Name: "extra", Seat: side.p.seat, N: side.extra})
}

// healthAnswers count the health of a player, as far as the die shows it.
func healthAnswers(p *player) []answer {
	less := cardgame.Key("minus", "lose-health")
	if p.health == startHealth {
		return []answer{less}
	}
	return []answer{cardgame.Key("plus", "gain-health"), less}
}

// mend gives health back, as far as the die shows it: 004 "Débuter", 3.
func (s *state) mend(p *player, n int) {
	if n = min(n, startHealth-p.health); n > 0 {
		p.health += n
		s.tell("gains-health", p, n)
	}
}
