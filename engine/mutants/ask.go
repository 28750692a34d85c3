package mutants

import (
	"fmt"
	"strconv"

	"tableside/engine"
)

// askNumber asks for something that a board or a card prints. Nobody in
// particular has to answer.
func (s *state) askNumber(key string, about *card, low, high int, then func(int)) {
	q := question{key: key, card: about, n: s.round, fixed: numbers(low, high), chosen: func(a answer) { then(a.n) }}
	s.ask(q)
}

func numbers(low, high int) []answer {
	var list []answer
	for n := low; n <= high; n++ {
		list = append(list, answer{verb: engine.Choose, word: strconv.Itoa(n), label: "number", n: n})
	}
	return list
}

// askFreezeValue asks for what is printed top right on a card: a number, or
// the gene of which each one counts.
func (s *state) askFreezeValue(c *card, then func()) {
	q := question{key: "freeze-value", card: c, fixed: numbers(0, 12)}
	for g := range geneCount {
		q.fixed = append(q.fixed, answer{verb: engine.Choose, word: g.String(), label: "per-gene", gene: g})
	}
	q.chosen = func(a answer) {
		value := Value{N: a.n}
		if a.label == "per-gene" {
			value = Value{N: 1, Per: true, Gene: a.gene}
		}
		s.learned[c.kind.ID] = value
		s.learn(fmt.Sprintf("card %s freeze %s", c.kind.ID, value))
		s.do(then)
	}
	s.ask(q)
}

// askSeat asks for one of the players.
func (s *state) askSeat(p *player, key string, of []*player, then func(*player)) {
	q := question{player: p, key: key, chosen: func(a answer) { then(s.at(a.seat)) }}
	for _, o := range of {
		q.fixed = append(q.fixed, answer{verb: engine.Choose, word: string(o.seat), label: "seat", seat: o.seat})
	}
	s.ask(q)
}
