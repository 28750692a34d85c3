package genegrafter

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// showStrand begins a graft round (004 "Phase de Genegrafter"). With the first strand, each
// player may graft one character. With the second strand, each player may graft two, and with
// the third strand three. After the third strand, each player has one more turn. In the first
// edition, the match ends with the third strand, without grafts.
func (s *state) showStrand(p *player, c *card) {
	s.move("strand", p.seat, c, inDNA)
	n := len(s.dna)
	s.Events[len(s.Events)-1].N = n
	if n >= strandCount {
		if s.rules.endsAtOnce {
			s.Do(s.finish)
			return
		}
		s.lastTurns()
	}
	for _, o := range slices.Backward(s.playersFrom(p)) {
		s.Do(func() {
			from := o.placeOf(inHand) | o.placeOf(inPool)
			if !o.out && !s.canGraft(o, from) {
				s.Tell("no-graft", o.seat, n)
			}
			s.graft(o, n, from)
		})
	}
}

func (s *state) canGraft(p *player, sources Place) bool {
	return len(p.play) > 0 && (sources&p.placeOf(inHand) != 0 && p.hand > 0 || len(p.pool) > 0)
}

func (s *state) lastTurns() {
	if s.closing {
		return
	}
	s.closing = true
	for _, p := range s.playersFrom(s.players[s.active]) {
		p.owesTurn = true
	}
	s.Emit(engine.Event{Name: "last-turns"})
}

// graft lets a player lay up to n characters under characters in play. The sources of the
// grafts are the hand, the gene pool or both.
func (s *state) graft(p *player, n int, sources Place) {
	if n <= 0 || p.out || !s.canGraft(p, sources) {
		return
	}
	s.Ask(question{Seat: p.seat, Key: "graft", N: n, In: sources, Hidden: "graft-hidden", Label: "graft",
		Fits: func(c *card) unfit {
			return unfit{Key: "refusal.only-characters"}.If(c.kind.Type != Character && c.kind.Type != UnknownType)
		},
		Tap: func(c *card) {
			s.askUnknown(c, FieldType, func() {
				s.Do(func() { s.graftOnto(p, c, n, sources) })
				if c.kind.Type == Character {
					s.askUnknown(c, FieldPower|FieldMarkers)
				}
			})
		},
		Fixed: []answer{cardgame.Key("no", "no-graft")},
	})
}

// graftOnto lets the player choose the character that a graft lies under. The player may then
// lay n-1 more grafts. If the card turns out to be no character, or if a correction has taken
// the card away, the player may still lay n grafts.
func (s *state) graftOnto(p *player, c *card, n int, from Place) {
	next := func(n int) { s.Do(func() { s.graft(p, n, from) }) }
	switch {
	case c.Where&from == 0: // a correction by hand has taken it away
		next(n)
	case c.kind.Type != Character || len(p.play) == 0:
		next(n)
		s.tellOf("stays", p, c)
	default:
		s.choose(p, "graft-onto", c, p.play, func(host *card) {
			next(n - 1)
			s.put("grafts", p, c, host)
			c.gaveMarkers = s.rules.revised && from == p.placeOf(inPool) // 004 "Le dé Spécial": the markers, too
		})
	}
}
