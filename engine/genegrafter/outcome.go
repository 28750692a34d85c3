package genegrafter

import (
	"slices"

	"tableside/engine"
)

// compare: 004 "Combattre", 7: the greatest total wins, ties are thrown
// again. Where neither has a die there is nothing to throw, and no loser.
func (s *state) compare() {
	if !s.fighting() {
		return
	}
	b := s.battle
	var total [2]int
	for _, d := range s.dice {
		total[d.side] += d.pips
	}
	for i := range b.sides {
		s.Emit(engine.Event{Name: "total", Seat: b.sides[i].p.seat, Card: b.sides[i].c.Name, N: total[i]})
	}
	winner, loser := &b.sides[attacks], &b.sides[defends]
	switch {
	case total[attacks] > total[defends]:
	case total[attacks] < total[defends] || s.rules.defenderWinsTies:
		winner, loser = loser, winner
	case len(s.dice) == 0:
		s.Emit(engine.Event{Name: "no-dice"})
		return
	default:
		s.Emit(engine.Event{Name: "tie"})
		s.Do(s.learnNumbers, s.throwDice)
		return
	}
	b.decided = true
	s.beat(winner.p, loser.p, loser.c)
}

// beat: 004 "Combattre", 8: a character is wounded, and captured by who hits
// it once more. 004 "Pouvoir", Régénération: it goes back into the deck.
func (s *state) beat(winner, p *player, c *card) {
	switch {
	case !c.wounded && !s.rules.capturesAtOnce:
		c.wounded = true
		s.Emit(engine.Event{Name: "wounded", Seat: p.seat, Card: c.Name})
	case s.powers(c)&Regeneration != 0:
		s.leave("regenerates", p.seat, c, inDeck)
		s.Emit(engine.Event{Name: engine.EventShuffle, N: s.deck, From: s.PlaceName(inDeck), To: s.PlaceName(inDeck)})
	default:
		s.leave("captured", winner.seat, c, winner.of(inPool))
	}
}

// healAfter: 004 "Heal Minor Wound": after all damage.
func (s *state) healAfter() {
	if s.battle == nil {
		return
	}
	for i := range s.battle.sides {
		side := &s.battle.sides[i]
		if side.heals == 0 || side.p.out {
			continue
		}
		side.heals--
		s.Do(func() { s.healOne(side.p) }, s.healAfter)
		return
	}
}

// healOne: FAQ "Que veut dire soigner ?".
func (s *state) healOne(p *player) {
	var list []*card
	for _, c := range p.play {
		if c.wounded {
			list = append(list, c)
		}
	}
	heal := func(c *card) {
		c.wounded = false
		s.Emit(engine.Event{Name: "healed", Seat: p.seat, Card: c.Name})
	}
	switch len(list) {
	case 0:
	case 1:
		heal(list[0])
	default:
		s.askCharacter(p, "heal", nil, list, heal)
	}
}

// hurt: 004 "Remportez la partie": at 0 health a player is out. Those who are
// hurt together are out together.
func (s *state) hurt(n int, list ...*player) {
	for _, p := range list {
		if lost := min(n, p.health); lost > 0 {
			p.health -= lost
			s.tell("loses-health", p, lost)
		}
	}
	s.bury()
}

// bury takes those out who have no health. The last one standing has won; if
// none is left, those who fell last compare what they have. What the others
// have still to do goes on, and steps of who is out do nothing.
func (s *state) bury() {
	var fallen, left []*player
	for _, p := range s.from(s.players[0]) {
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
		s.win(left[0])
	}
}

// eliminate discards all that a player has.
func (s *state) eliminate(p *player) {
	p.out = true
	s.tell("eliminated", p, 0)
	s.waiting = slices.DeleteFunc(s.waiting, func(r readied) bool { return r.p == p })
	s.clear(p)
	s.thrownAway(p)
	for len(p.play) > 0 {
		s.leave("given-up", p.seat, p.play[0], inDiscard)
	}
	for len(p.pool) > 0 {
		s.move("given-up", p.seat, p.pool[0], inDiscard)
	}
	p.tokens = [2]int{}
}

// finish: 004 "Remportez la partie".
func (s *state) finish() {
	s.finished = true
	s.compareGenes(s.from(s.players[s.active]))
}

// compareGenes asks for the markers that nobody has entered, and settles.
func (s *state) compareGenes(list []*player) {
	s.endBattle()
	s.Clear()
	s.Do(func() { s.settle(list) })
	for _, p := range list {
		for _, c := range slices.Concat(p.pool, p.play) {
			s.known(c, FieldMarkers)
		}
	}
}

// settle: the most genetic markers win, then the most health, then a die.
func (s *state) settle(list []*player) {
	s.Clear()
	for _, p := range list {
		s.tell("counts-genes", p, p.genes())
	}
	list = highest(list, (*player).genes)
	list = highest(list, func(p *player) int { return p.health })
	if len(list) == 1 {
		s.win(list[0])
		return
	}
	s.rollOff("tie-break", list, s.win)
}

// genes counts the markers of a gene pool and of the characters in play. A
// character that was grafted upon counts for itself alone, and for what the
// special die has given it.
func (p *player) genes() int {
	n := 0
	for _, c := range p.pool {
		n += c.kind.markers()
	}
	for _, c := range p.play {
		n += c.genes()
	}
	return n
}

func (c *card) genes() int {
	n := c.kind.markers()
	for _, g := range c.grafts {
		if g.given {
			n += g.kind.markers()
		}
	}
	return n
}

func (s *state) win(p *player) {
	s.Winners = []engine.Seat{p.seat}
	s.tell("wins", p, p.genes())
}
