package genegrafter

import (
	"slices"

	"tableside/engine"
)

// carryOut carries out an effect of a player's card, player by player, beginning with this one.
// If the effect can do nothing, carryOut also calls decline, under rules 4 or later.
func (s *state) carryOut(p *player, c *card, step Step, decline func()) {
	s.findWhom(p, c, step.Whom, func(list []*player) {
		if step.Which == "every" {
			list = s.playersFrom(p)
		}
		if s.rules.inOrder && !slices.ContainsFunc(list, func(o *player) bool { return s.isPossible(o, c, step) }) {
			decline()
		}
		inTurn := func(do func(*player)) {
			for _, o := range slices.Backward(list) {
				s.Do(func() {
					if !o.out {
						do(o)
					}
				})
			}
		}
		switch step.Do {
		case Draw:
			inTurn(func(o *player) { s.draw(o, step.N) })
		case Discard:
			inTurn(func(o *player) { s.discardCards(o, step.N) })
		case Heal, Wound, Tire, Destroy:
			inTurn(func(o *player) { s.affect(o, c, step) })
		case Return:
			inTurn(func(o *player) { s.bringBack(o, step.N) })
		case Graft:
			inTurn(func(o *player) { s.graft(o, step.N, o.placeOf(graftSources[step.Which])) })
		case GivePower:
			inTurn(s.giveInfinitePower)
		case LoseHealth:
			s.hurt(step.N, list...)
		case SwapPools:
			all := s.playersFrom(p)
			s.Do(func() { s.swapPools(all) })
			s.askMarkers(all, false)
		case Reshuffle:
			s.shuffleIn()
		case ByHand:
			s.resolveByHand(p, c)
		default:
			for _, o := range list {
				if !o.out {
					s.count(o, step)
				}
			}
		}
	})
}

// isPossible reports whether an effect of a card can do anything for a player.
func (s *state) isPossible(p *player, c *card, step Step) bool {
	if p.out {
		return false
	}
	switch step.Do {
	case Discard, DiscardHand:
		return p.hand > 0
	case GainHealth:
		return p.health < startHealth
	case LoseToken:
		return p.tokens[slices.Index(sideNames, step.Which)] > 0
	case Heal, Wound, Tire, Destroy:
		return len(p.affected(c, step)) > 0
	case Return:
		return len(p.pool) > 0
	case Graft:
		return s.canGraft(p, p.placeOf(graftSources[step.Which]))
	case Steal:
		f := s.fighterFor(p)
		return f != nil && s.battle.opponentOf(f).p.hand > 0
	}
	return true
}

var graftSources = map[string]Place{"hand": inHand, "pool": inPool}

// count carries out an effect that asks nothing.
func (s *state) count(p *player, step Step) {
	switch side := slices.Index(sideNames, step.Which); step.Do {
	case DiscardHand:
		s.throwAway(p)
	case GainHealth:
		s.gainHealth(p, step.N)
	case TakeToken:
		for range step.N {
			p.tokens[side]++
			s.tellTokens("takes-token", p, side)
		}
	case LoseToken:
		for range min(step.N, p.tokens[side]) {
			p.tokens[side]--
			s.tellTokens("loses-token", p, side)
		}
	case Steal:
		if f := s.fighterFor(p); f != nil {
			from := s.battle.opponentOf(f).p
			s.shift("steals", p, from.placeOf(inHand), p.placeOf(inHand), min(step.N, from.hand))
		}
	case ThrowDice:
		f := s.fighterFor(p)
		if f == nil {
			return
		}
		f.extra += map[string]int{"more": step.N, "fewer": -step.N}[step.Which]
		s.Tell("throws-"+step.Which, p.seat, step.N)
	}
}

func (s *state) tellTokens(event string, p *player, side int) {
	s.Emit(engine.Event{Name: event, Seat: p.seat, N: p.tokens[side], Word: "counter." + tokenNames[side] + "s"})
}

// findWhom finds the players whom an effect is about, clockwise from the player of its card.
// That player may choose one of them. If several have the most or the least of something, it is
// the first of them.
func (s *state) findWhom(p *player, c *card, who string, then func([]*player)) {
	all := s.playersFrom(p)
	first := func(most bool, valueOf func(*player) int) {
		then(highest(all, func(p *player) int {
			if most {
				return valueOf(p)
			}
			return -valueOf(p)
		})[:1])
	}
	one := func(o *player) { then([]*player{o}) }
	switch health := func(p *player) int { return p.health }; who {
	case "opponent":
		if f := s.fighterFor(p); f != nil {
			one(s.battle.opponentOf(f).p)
		}
	case "each-opponent":
		then(s.opponents(p))
	case "each-player":
		then(all)
	case "one-opponent":
		s.choosePlayer(p, "whom", c, s.opponents(p), one)
	case "one-player":
		s.choosePlayer(p, "whom", c, all, one)
	case "active":
		one(s.players[s.active])
	case "most-health", "least-health":
		first(who == "most-health", health)
	case "most-cards":
		first(true, func(p *player) int { return p.hand })
	case "most-genes", "fewest-genes":
		s.Do(func() { first(who == "most-genes", (*player).genes) })
		s.askMarkers(all, true)
	default:
		one(p)
	}
}

// askMarkers asks for the genetic markers that nobody has entered, of the cards in the gene
// pools of some players and perhaps of those in play.
func (s *state) askMarkers(list []*player, inPlay bool) {
	for _, p := range list {
		for _, c := range p.pool {
			s.askUnknown(c, FieldMarkers)
		}
		for _, c := range p.play {
			if inPlay {
				s.askUnknown(c, FieldMarkers)
			}
		}
	}
}

func (s *state) fighterFor(p *player) *fighter {
	if s.battle == nil {
		return nil
	}
	for _, f := range s.battle.fighters {
		if f.p == p {
			return f
		}
	}
	return nil
}

// gainHealth gives a player n health, as far as the die shows it (004 "Débuter", 3).
func (s *state) gainHealth(p *player, n int) {
	if gained := min(n, startHealth-p.health); gained > 0 {
		p.health += gained
		s.Tell("gains-health", p.seat, gained)
	}
}

// affected returns the characters of a player that an effect may heal, wound, tire or destroy.
// Only a wounded character can be healed, and only one that is not wounded can be wounded. "This
// character" on a graft is the one above it.
func (p *player) affected(c *card, step Step) []*card {
	return slices.DeleteFunc(slices.Clone(p.play), func(o *card) bool {
		switch {
		case step.Which == "this" && o != c && o != c.host, step.Which == "wounded" && !o.wounded:
			return true
		case step.Do == Heal:
			return !o.wounded
		case step.Do == Wound:
			return o.wounded
		}
		return step.Do == Tire && o.tired
	})
}

// affect heals, wounds, tires or destroys characters of a player.
func (s *state) affect(p *player, c *card, step Step) {
	list := p.affected(c, step)
	if step.Which != "some" && step.Which != "wounded" {
		for _, o := range list {
			s.alter(p, o, step.Do)
		}
		return
	}
	s.choose(p, string(step.Do), nil, list, func(o *card) {
		if step.N--; step.N > 0 {
			s.Do(func() { s.affect(p, c, step) })
		}
		s.alter(p, o, step.Do)
	})
}

// alter changes a character: FAQ "Que veut dire soigner ?" and 004 "Combattre", 8.
func (s *state) alter(p *player, c *card, do Effect) {
	switch do {
	case Heal:
		c.wounded = false
		s.tellOf("healed", p, c)
	case Wound:
		s.wound(p, c)
	case Tire:
		c.tired = true
		s.tellOf("tires", p, c)
	case Destroy:
		s.leave("destroyed", p.seat, c, inDiscard)
	}
}

// bringBack lets a player bring n characters of the gene pool into play.
func (s *state) bringBack(p *player, n int) {
	s.choose(p, "from-pool", nil, p.pool, func(c *card) {
		if n > 1 {
			s.Do(func() { s.bringBack(p, n-1) })
		}
		s.enter("returns", p, c)
	})
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
