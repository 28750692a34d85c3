package genegrafter

import (
	"slices"

	"tableside/engine"
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
	for _, step := range slices.Backward(c.kind.Does) {
		s.Do(func() { s.resolveStep(f, c, step) })
	}
}

func (s *state) resolveStep(f *fighter, c *card, step Step) {
	_, waits := readyPrompts[step.Do]
	switch b := s.battle; {
	case b == nil || step.If != 0 && f.c.powers()&(step.If|InfinitePower) == 0:
	case waits:
		b.ready = append(b.ready, readyAbility{p: f.p, card: c, step: step})
	case step.Do == Heal && step.Which == "some" && step.Whom == "":
		f.heals += step.N
	case step.Do == Safe:
		f.safe = true
	default:
		s.carryOut(f.p, c, step)
	}
}

// carryOut carries out an effect of a player's card, player by player, beginning with this one.
func (s *state) carryOut(p *player, c *card, step Step) {
	list := s.whom(p, step.Whom)
	inTurn := func(do func(*player)) {
		for _, o := range slices.Backward(list) {
			s.Do(func() { do(o) })
		}
	}
	switch step.Do {
	case Draw:
		inTurn(func(o *player) { s.draw(o, step.N) })
	case Discard:
		inTurn(func(o *player) { s.discardCards(o, step.N) })
	case DiscardHand:
		for _, o := range list {
			s.throwAway(o)
		}
	case GainHealth:
		for _, o := range list {
			s.gainHealth(o, step.N)
		}
	case LoseHealth:
		s.hurt(step.N, list...)
	case TakeToken:
		for _, o := range list {
			s.takeTokens(o, slices.Index(sideNames, step.Which), step.N)
		}
	case ThrowDice:
		for _, o := range list {
			s.changeDice(o, step)
		}
	case Heal, Tire:
		if step.Which == "some" {
			inTurn(func(o *player) { s.healSome(o, step.N) })
			break
		}
		for _, o := range s.playersFrom(p) {
			for _, c := range o.play {
				s.turnAll(o, c, step.Do)
			}
		}
	case Destroy:
		inTurn(func(o *player) { s.destroySome(o, step.N) })
	case SwapPools:
		all := s.playersFrom(p)
		s.Do(func() { s.swapPools(all) })
		for _, o := range all {
			for _, c := range o.pool {
				s.askUnknown(c, FieldMarkers)
			}
		}
	case Reshuffle:
		s.shuffleIn()
	case ByHand:
		s.resolveByHand(p, c)
	}
}

// whom returns the players whom an effect is about, clockwise from the player of its card. If
// several have the most health, whom returns the first of them.
func (s *state) whom(p *player, who string) []*player {
	all := s.playersFrom(p)
	switch who {
	case "opponent":
		if f := s.fighterFor(p); f != nil {
			return []*player{s.battle.opponentOf(f).p}
		}
		return nil
	case "each-opponent":
		return s.opponents(p)
	case "each-player":
		return all
	case "active":
		return s.players[s.active : s.active+1]
	case "most-health":
		return highest(all, func(p *player) int { return p.health })[:1]
	}
	return []*player{p}
}

func (s *state) fighterFor(p *player) *fighter {
	if s.battle == nil {
		return nil
	}
	i := slices.IndexFunc(s.battle.fighters[:], func(f *fighter) bool { return f.p == p })
	if i < 0 {
		return nil
	}
	return s.battle.fighters[i]
}

// changeDice changes the number of dice that a player's fighter throws in this battle.
func (s *state) changeDice(p *player, step Step) {
	f := s.fighterFor(p)
	if f == nil {
		return
	}
	if step.Which == "fewer" {
		f.extra -= step.N
	} else {
		f.extra += step.N
	}
	s.Tell("extra", p.seat, f.extra)
}

// gainHealth gives a player n health, as far as the die shows it (004 "Débuter", 3).
func (s *state) gainHealth(p *player, n int) {
	if gained := min(n, startHealth-p.health); gained > 0 {
		p.health += gained
		s.Tell("gains-health", p.seat, gained)
	}
}

func (s *state) turnAll(p *player, c *card, how Effect) {
	switch {
	case how == Heal && c.wounded:
		c.wounded = false
		s.tellOf("healed", p, c)
	case how == Tire && !c.tired:
		c.tired = true
		s.tellOf("tires", p, c)
	}
}

func (s *state) healSome(p *player, n int) {
	if n > 0 {
		s.Do(func() { s.healOne(p) }, func() { s.healSome(p, n-1) })
	}
}

func (s *state) destroySome(p *player, n int) {
	if n > 0 && len(p.play) > 0 {
		s.Do(func() { s.destroySome(p, n-1) })
		s.choose(p, "destroy", nil, p.play, func(c *card) { s.leave("destroyed", p.seat, c, inDiscard) })
	}
}

func (s *state) takeTokens(p *player, side, n int) {
	for range n {
		p.tokens[side]++
		s.Emit(engine.Event{Name: "takes-token", Seat: p.seat, N: p.tokens[side], Word: "counter." + tokenNames[side] + "s"})
	}
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
