package genegrafter

import (
	"slices"

	"tableside/engine"
)

// isShown reports whether a card is shown as soon as it is drawn: 004
// "Piochez trois carte".
func isShown(c *card) bool { return c.kind.Type == Event || c.kind.Type == DNA }

// show shows a card. An event is resolved. A DNA strand begins a graft round, or ends the
// match.
func (s *state) show(p *player, c *card) {
	if c.kind.Type == DNA {
		s.showStrand(p, c)
		return
	}
	s.move("event", p.seat, c, inDiscard)
	if s.rules.eventsFirst {
		s.heldEvents = append(s.heldEvents, c)
	}
	if c.kind.unknownFields()&FieldDoes != 0 {
		s.Do(func() { s.resolveByHand(p, c) })
		return
	}
	for _, step := range slices.Backward(c.kind.Does) {
		s.Do(func() { s.resolveEvent(p, c, step) })
	}
}

// resolveEvent resolves one effect of an event, player by player, beginning with the one who
// drew it.
func (s *state) resolveEvent(p *player, c *card, step Step) {
	list := s.playersFrom(p)
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
				s.askUnknown(c, FieldMarkers)
			}
		}
	case MostLoses:
		s.hurt(step.N, highest(list, func(p *player) int { return p.health })[0])
	case HealAll, TireAll:
		for _, o := range list {
			for _, c := range o.play {
				s.turnAll(o, c, step.Do)
			}
		}
	case EachDiscards:
		inTurn(func(o *player) { s.discardCards(o, step.N) })
	case TakesBoth:
		active := s.players[s.active]
		s.takeToken(active, attackSide)
		s.takeToken(active, defenceSide)
	case Reshuffles:
		s.shuffleIn()
	case EachDraws:
		inTurn(func(o *player) { s.draw(o, step.N) })
	case EachLoses:
		s.hurt(step.N, list...)
	case ByHand:
		s.resolveByHand(p, c)
	}
}

func (s *state) turnAll(p *player, c *card, how Effect) {
	switch {
	case how == HealAll && c.wounded:
		c.wounded = false
		s.tellOf("healed", p, c)
	case how == TireAll && !c.tired:
		c.tired = true
		s.tellOf("tires", p, c)
	}
}

func (s *state) takeToken(p *player, side int) {
	p.tokens[side]++
	s.Emit(engine.Event{Name: "takes-token", Seat: p.seat, N: p.tokens[side], Word: "counter." + tokenNames[side] + "s"})
}

// swapPools exchanges the gene pools with the most and the fewest markers. If several players
// have the most or the fewest, swapPools takes the first of them in the list. The list goes
// clockwise from the player who drew the event. If all pools have equally many markers,
// nothing happens.
func (s *state) swapPools(list []*player) {
	markers := func(p *player) int { return sum(p.pool, (*card).countGenes) }
	most := highest(list, markers)[0]
	least := highest(list, func(p *player) int { return -markers(p) })[0]
	if markers(most) == markers(least) {
		return
	}
	mine, theirs := slices.Clone(most.pool), slices.Clone(least.pool)
	for _, c := range mine {
		s.move("changes-hands", least.seat, c, least.placeOf(inPool))
	}
	for _, c := range theirs {
		s.move("changes-hands", most.seat, c, most.placeOf(inPool))
	}
}

// resolveCard resolves the effects of a fighter's card. The card is an ability, the character,
// a graft or a gear. If the character lacks the power that an effect needs, the effect is
// skipped. An effect that needs dice waits for the dice, and an effect that needs damage waits
// for the damage (004 "Complément sur les cartes").
func (s *state) resolveCard(f *fighter, c *card) {
	b := s.battle
	if b == nil {
		return // a correction by hand has ended it
	}
	byHand := func() { s.resolveByHand(f.p, c) }
	if c.kind.unknownFields()&FieldDoes != 0 {
		s.Do(byHand)
	}
	for _, step := range slices.Backward(c.kind.Does) {
		if step.If != 0 && f.c.powers()&(step.If|InfinitePower) == 0 {
			continue
		}
		switch step.Do {
		case HealOne:
			f.heals++
		case FewerDice:
			o := b.opponentOf(f)
			o.extra -= step.N
			s.Tell("extra", o.p.seat, o.extra)
		case GainsHealth:
			if gained := min(step.N, startHealth-f.p.health); gained > 0 { // as far as the die shows it: 004 "Débuter", 3
				f.p.health += gained
				s.Tell("gains-health", f.p.seat, gained)
			}
		case TakesAttack:
			s.takeToken(f.p, attackSide)
		case TakesDefence:
			s.takeToken(f.p, defenceSide)
		case OpponentsDiscard:
			for _, o := range slices.Backward(s.opponents(f.p)) {
				s.Do(func() { s.discardCards(o, step.N) })
			}
		case Safe:
			f.safe = true
		case RollAgain, RollBetter, TurnDie, ChangeDie, RollOwn, RollTheirs, TurnOwn, AddToOwn:
			b.ready = append(b.ready, readyAbility{p: f.p, card: c, step: step})
		case Draws:
			s.Do(func() { s.draw(f.p, step.N) })
		case OpponentDiscards:
			s.Do(func() { s.discardCards(b.opponentOf(f).p, step.N) })
		case ByHand:
			s.Do(byHand)
		}
	}
}
