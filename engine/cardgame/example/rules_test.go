// Package example is a whole card game, Wrackline, as small as possible: its
// rules are in rules.md, and docs/writing-a-card-game.md walks through it. Only
// tests use it.
package example

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

type question = cardgame.Question[*card]

// beginTurn: rules.md "A turn", unless it is "The end".
func (s *state) beginTurn(i int) {
	if s.sea == 0 || slices.ContainsFunc(s.players, func(p *player) bool { return len(p.basket) >= 7 }) {
		s.finish()
		return
	}
	if i != s.turn {
		s.turn = i
		s.Tell("turn", s.players[i].seat, 0)
	}
	s.Do(s.act, func() { s.beginTurn((i + 1) % len(s.players)) })
}

// act: rules.md "A turn".
func (s *state) act() {
	p := s.players[s.turn]
	s.Ask(question{Seat: p.seat, Key: "turn", In: p.of(inHand), Hidden: "lay",
		Tap: func(c *card) {
			if c.kind != "gull" {
				s.Move("lays", p.seat, c, p.of(inBasket))
				return
			}
			s.Move("sends", p.seat, c, isAway)
			s.Do(func() { s.rob(p) })
		},
		Fixed: []cardgame.Answer{cardgame.Key("next", "dig")},
		Chosen: func(cardgame.Answer) {
			s.Shift(engine.Event{Name: "digs", Seat: p.seat}, inSea, p.of(inHand), min(2, s.sea))
		},
	})
}

// rob: rules.md "Send a gull". With a single find there is no choice.
func (s *state) rob(p *player) {
	var others cardgame.Place
	var finds []*card
	for _, o := range s.players {
		if o != p {
			others |= o.of(inBasket)
			finds = append(finds, o.basket...)
		}
	}
	switch len(finds) {
	case 0:
		s.Tell("for-nothing", p.seat, 0)
	case 1:
		s.shoo(p, finds[0])
	default:
		s.Ask(question{Seat: p.seat, Key: "rob", In: others, Label: "rob", Tap: func(c *card) { s.shoo(p, c) }})
	}
}

// shoo: rules.md "Shoo!" Every player with cards is asked, because nobody knows
// who has a gull.
func (s *state) shoo(robber *player, find *card) {
	p := s.players[s.SeatOf(find.Where)]
	take := func(cardgame.Answer) { s.Move("robs", robber.seat, find, robber.of(inHand)) }
	if p.hand == 0 {
		take(cardgame.Answer{})
		return
	}
	s.Ask(question{Seat: p.seat, Key: "shoo", About: find, In: p.of(inHand), Hidden: "shoo",
		Fits: func(c *card) cardgame.Unfit[*card] {
			return cardgame.Unfit[*card]{Key: "refusal.only-gulls"}.If(c.kind != "gull")
		},
		Tap:   func(c *card) { s.Move("shoos", p.seat, c, isAway) },
		Fixed: []cardgame.Answer{cardgame.Key("no", "let-go")}, Chosen: take,
	})
}

func (s *state) finish() {
	for _, p := range s.players {
		if !slices.ContainsFunc(s.players, func(o *player) bool { return o.points() > p.points() }) {
			s.Winners = append(s.Winners, p.seat)
			s.Tell("wins", p.seat, p.points())
		}
	}
}

func (p *player) points() int {
	n := map[string]int{}
	for _, c := range p.basket {
		n[c.kind]++
	}
	return n["pebble"] + n["shell"]*n["shell"] + 4*n["amber"]
}
