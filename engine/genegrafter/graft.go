package genegrafter

import (
	"slices"

	"tableside/engine"
)

// showStrand: 004 "Phase de Genegrafter": with the first strand each player
// may graft one character, with the second two, with the third three. After
// the third each has one more turn; in the first edition it is the end.
func (s *state) showStrand(p *player, c *card) {
	s.move("strand", p.seat, c, inDNA)
	n := len(s.dna)
	s.events[len(s.events)-1].N = n
	if n >= strandCount {
		if s.rules.endsAtOnce {
			s.do(s.finish)
			return
		}
		s.lastTurns()
	}
	for _, o := range slices.Backward(s.from(p)) {
		s.do(func() { s.graftRound(o, n) })
	}
}

// graftRound is a player's part of it. Who can do nothing is passed over, and
// that is said.
func (s *state) graftRound(p *player, n int) {
	from := p.of(inHand) | p.of(inPool)
	if !p.out && !s.canGraft(p, from) {
		s.tell("no-graft", p, n)
		return
	}
	s.graft(p, n, from)
}

// canGraft reports whether a player has a character that may be grafted upon,
// and a card that may be a graft.
func (s *state) canGraft(p *player, from Place) bool {
	return len(p.play) > 0 && (from&p.of(inHand) != 0 && p.hand > 0 || len(p.pool) > 0)
}

func (s *state) lastTurns() {
	if s.closing {
		return
	}
	s.closing = true
	for _, p := range s.from(s.players[s.active]) {
		p.owes = true
	}
	s.emit(engine.Event{Name: "last-turns"})
}

// graft lets a player put characters under those in play, as many as n.
func (s *state) graft(p *player, n int, from Place) {
	if n <= 0 || p.out || !s.canGraft(p, from) {
		return
	}
	s.ask(question{player: p, key: "graft", n: n, places: from, hidden: "graft-hidden", open: "graft",
		fits: func(c *card) error {
			if c.kind.Type != Character && c.kind.Type != UnknownType {
				return engine.Refuse("refusal.only-characters")
			}
			return nil
		},
		tap: func(c *card) {
			s.known(c, FieldType, func() {
				s.do(func() { s.graftOnto(p, c, n, from) })
				if c.kind.Type == Character {
					s.known(c, FieldPower|FieldMarkers)
				}
			})
		},
		fixed: []answer{key("no", "no-graft")}, chosen: func(answer) {},
	})
}

// graftOnto chooses the character that a graft lies under. What turns out to
// be no character, or is gone, is none of the n.
func (s *state) graftOnto(p *player, c *card, n int, from Place) {
	next := func(n int) { s.do(func() { s.graft(p, n, from) }) }
	put := func(host *card) {
		next(n - 1)
		s.put("grafts", p, c, host)
		c.given = s.rules.revised && from == p.of(inPool) // 004 "Le dé Spécial": the markers, too
	}
	switch {
	case c.where&from == 0: // a correction by hand has taken it away
		next(n)
	case c.kind.Type != Character || len(p.play) == 0:
		next(n)
		s.emit(engine.Event{Name: "stays", Seat: p.seat, Card: c.name})
	case len(p.play) == 1:
		put(p.play[0])
	default:
		s.askCharacter(p, "graft-onto", c, p.play, put)
	}
}
