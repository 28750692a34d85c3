package genegrafter

import "slices"

// isShown reports whether a card is shown as soon as it is drawn: 004
// "Piochez trois carte".
func isShown(c *card) bool { return c.kind.Type == Event || c.kind.Type == DNA }

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

// resolveEvent resolves an effect, beginning with the player who drew the event.
func (s *state) resolveEvent(p *player, c *card, step Step) {
	list := s.from(p)
	inTurn := func(do func(*player)) {
		for _, o := range slices.Backward(list) {
			s.Do(func() { do(o) })
		}
	}
	switch step.Do {
	case DiscardHands:
		for _, o := range list {
			s.throwAway(o)
		}
	case Destroy:
		inTurn(func(o *player) {
			s.choose(o, "destroy", nil, o.play, func(c *card) { s.leave("destroyed", o.seat, c, inDiscard) })
		})
	case SwapPools:
		s.Do(func() { s.swapPools(list) })
		for _, o := range list {
			for _, c := range o.pool {
				s.known(c, FieldMarkers)
			}
		}
	case EachDraws:
		inTurn(func(o *player) { s.draw(o, step.N) })
	case EachLoses:
		s.hurt(step.N, list...)
	case ByHand:
		s.byHand(p, c)
	}
}

// swapPools exchanges the gene pools with the most and the fewest markers. Ties
// go to the first player clockwise from the one who drew the event.
func (s *state) swapPools(list []*player) {
	markers := func(p *player) int { return sum(p.pool, (*card).genes) }
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

// resolveCard resolves the effects of an ability or a character. Those that need
// dice, or damage, wait for them: 004 "Complément sur les cartes".
func (s *state) resolveCard(f *fighter, c *card) {
	b := s.battle
	if b == nil {
		return // a correction by hand has ended it
	}
	byHand := func() { s.byHand(f.p, c) }
	if c.kind.unknown()&FieldDoes != 0 {
		s.Do(byHand)
	}
	for _, step := range slices.Backward(c.kind.Does) {
		switch step.Do {
		case HealOne:
			f.heals++
		case RollAgain, RollBetter, TurnDie, ChangeDie:
			b.ready = append(b.ready, readied{p: f.p, card: c, step: step})
		case Draws:
			s.Do(func() { s.draw(f.p, step.N) })
		case OpponentDiscards:
			s.Do(func() { s.discardCards(b.against(f).p, step.N) })
		case ByHand:
			s.Do(byHand)
		}
	}
}
