package mutants

import (
	"fmt"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// askNumber asks for something that a board or a card prints. Nobody in
// particular has to answer.
func (s *state) askNumber(key string, about *card, low, high int, then func(int)) {
	q := question{Key: key, About: about, N: s.round, Fixed: numbers(low, high), Chosen: func(a answer) { then(a.N) }}
	s.Ask(q)
}

func numbers(low, high int) []answer {
	var list []answer
	for n := low; n <= high; n++ {
		list = append(list, cardgame.ChooseNumber(n))
	}
	return list
}

// askFreezeValue asks for what is printed top right on a card: a number, or
// the gene of which each one counts.
func (s *state) askFreezeValue(c *card, then func()) {
	q := question{Key: "freeze-value", About: c, Fixed: numbers(0, 12)}
	for g := range geneCount {
		q.Fixed = append(q.Fixed, answer{Verb: engine.Choose, Word: g.String(), Label: "per-gene", About: g})
	}
	q.Chosen = func(a answer) {
		value := Value{N: a.N}
		if a.Label == "per-gene" {
			value = Value{N: 1, Per: true, Gene: a.About.(Gene)}
		}
		s.learned[c.kind.ID] = value
		s.learn(fmt.Sprintf("card %s freeze %s", c.kind.ID, value))
		s.Do(then)
	}
	s.Ask(q)
}

// askSeat asks for one of the players.
func (s *state) askSeat(seat engine.Seat, key string, of []*player, then func(*player)) {
	q := question{Seat: seat, Key: key, Chosen: func(a answer) { then(s.at(a.Seat)) }}
	for _, o := range of {
		q.Fixed = append(q.Fixed, cardgame.ChooseSeat(o.seat, "seat"))
	}
	s.Ask(q)
}
