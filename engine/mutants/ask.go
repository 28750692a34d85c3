package mutants

import (
	"strconv"

	"tableside/engine"
)

// askNumber asks for something that a board or a card prints. Nobody in
// particular has to answer.
func (s *state) askNumber(p *player, key string, about *card, low, high int, then func(int)) {
	q := question{player: p, key: key, card: about, n: s.round, chosen: func(a answer) { then(a.n) }}
	for n := low; n <= high; n++ {
		q.fixed = append(q.fixed, answer{verb: engine.Choose, word: strconv.Itoa(n), label: "number", n: n})
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
