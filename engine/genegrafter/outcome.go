package genegrafter

import (
	"slices"

	"tableside/engine"
)

// compare finds the loser of a battle (004 "Combattre", 7). The greatest total wins. Ties are
// thrown again. In the first edition, the defender wins ties. If there are no dice to throw a
// tie again, nobody loses.
func (s *state) compare() {
	b := s.battle
	var total [2]int
	for _, d := range s.dice {
		total[d.f.side] += d.pips + d.bonus
	}
	for i, f := range b.fighters {
		s.Emit(engine.Event{Name: "total", Seat: f.p.seat, Card: f.c.Name, N: total[i]})
	}
	loser := b.fighters[defenceSide]
	switch {
	case total[attackSide] > total[defenceSide]:
	case total[attackSide] < total[defenceSide] || s.rules.defenderWinsTies:
		loser = b.fighters[attackSide]
	case len(s.dice) == 0:
		s.Emit(engine.Event{Name: "no-dice"})
		return
	default:
		s.Emit(engine.Event{Name: "tie"})
		s.fightOn(s.learnNumbers, s.throwDice)
		return
	}
	b.decided = true
	s.beat(b.opponentOf(loser).p, loser)
}

// beat wounds a beaten character, or captures a character that is wounded already (004
// "Combattre", 8). In the first edition, every beaten character is captured. A safe character
// stays in play instead of being captured. A character with Régénération goes back into the
// deck instead (004 "Pouvoir").
func (s *state) beat(winner *player, loser *fighter) {
	p, c := loser.p, loser.c
	switch {
	case !c.wounded && !s.rules.capturesAtOnce:
		s.wound(p, c)
	case loser.safe || slices.ContainsFunc(c.gear, func(g *card) bool { return g.kind.hasEffect(BearerSafe) }):
		s.tellOf("not-captured", p, c)
	case c.powers()&Regeneration != 0:
		s.leave("regenerates", p.seat, c, inDeck)
		s.Emit(engine.Event{Name: engine.EventShuffle, N: s.deck, From: s.PlaceName(inDeck), To: s.PlaceName(inDeck)})
	default:
		s.leave("captured", winner.seat, c, winner.placeOf(inPool))
		s.happen("captured", p, c)
	}
	s.happen("wins", winner, s.battle.opponentOf(loser).c)
}

func (s *state) wound(p *player, c *card) {
	c.wounded = true
	s.tellOf("wounded", p, c)
	s.happen("wounded", p, c)
}

// healAfter lets players heal characters after a battle, once all damage is done (004 "Heal
// Minor Wound"). The effects of the battle say which characters. A player who is out heals
// nobody.
func (s *state) healAfter() {
	if s.battle == nil {
		return
	}
	for _, f := range s.battle.fighters {
		if len(f.afterwards) > 0 && !f.p.out {
			f.damaged = true
			heal := f.afterwards[0]
			f.afterwards = f.afterwards[1:]
			s.Do(heal, s.healAfter)
			return
		}
	}
}

// hurt takes n health from each player of a list. A player without health is out (004
// "Remportez la partie"). Players who are hurt together are out together.
func (s *state) hurt(n int, list ...*player) {
	for _, p := range list {
		if lost := min(n, p.health); lost > 0 {
			p.health -= lost
			s.Tell("loses-health", p.seat, lost)
		}
	}
	s.bury()
}

// bury eliminates players without health. The last remaining player wins. If nobody remains,
// the players who fell last compare their genes. Pending steps stay on the agenda, but the
// steps of an eliminated player do nothing.
func (s *state) bury() {
	var fallen, left []*player
	for _, p := range s.playersFrom(s.players[0]) {
		if p.health == 0 {
			fallen = append(fallen, p)
		} else {
			left = append(left, p)
		}
	}
	if len(left) == 0 {
		s.compareGenes(fallen)
		return
	}
	for _, p := range fallen {
		s.eliminate(p)
	}
	if len(left) == 1 {
		s.Winners = []engine.Seat{left[0].seat}
		s.Tell("last-left", left[0].seat, 0)
	}
}

// eliminate puts a player out of the match, and discards all that the player has.
func (s *state) eliminate(p *player) {
	p.out = true
	s.Tell("eliminated", p.seat, 0)
	s.carriedOver = slices.DeleteFunc(s.carriedOver, func(r readyAbility) bool { return r.p == p })
	s.clear(p)
	s.throwAway(p)
	for len(p.play) > 0 {
		s.leave("given-up", p.seat, p.play[0], inDiscard)
	}
	for len(p.pool) > 0 {
		s.move("given-up", p.seat, p.pool[0], inDiscard)
	}
	p.tokens = [2]int{}
}

// finish ends the match and finds the winner by the genetic markers: 004 "Remportez la
// partie".
func (s *state) finish() {
	s.finished = true
	s.compareGenes(s.playersFrom(s.players[s.active]))
}

func (s *state) compareGenes(list []*player) {
	s.endBattle()
	s.Clear()
	s.Do(func() { s.settle(list) })
	for _, p := range list {
		for _, c := range slices.Concat(p.pool, p.play) {
			s.askUnknown(c, FieldMarkers)
		}
	}
}

// settle finds the winner among the players of a list. The player with the most genetic
// markers wins. If players tie, the player with the most health wins. If they still tie, a die
// decides.
func (s *state) settle(list []*player) {
	s.Clear()
	for _, p := range list {
		s.Tell("counts-genes", p.seat, p.genes())
	}
	list = highest(list, (*player).genes)
	list = highest(list, func(p *player) int { return p.health })
	if len(list) == 1 {
		s.win(list[0])
		return
	}
	s.rollOff("tie-break", list, s.win)
}

func (s *state) win(p *player) {
	s.Winners = []engine.Seat{p.seat}
	s.Tell("wins", p.seat, p.genes())
}
