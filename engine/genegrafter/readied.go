package genegrafter

import (
	"slices"

	"tableside/engine"
)

// A readied ability waits for dice: 004 "Lucky shot et Roll Again".
type readied struct {
	p        *player
	card     *card
	step     Step
	declined bool // for this throw
	carried  bool // it was turned in an earlier battle
}

// isThere reports whether nobody has taken the card away.
func (r *readied) isThere() bool { return r.card.Where&(r.p.of(inBattle)|r.p.of(inPlay)) != 0 }

// takeWaiting brings what waits into a battle: it may be used on any die,
// whoever fights.
func (s *state) takeWaiting() []readied {
	list := slices.DeleteFunc(s.waiting, func(r readied) bool { return !r.isThere() })
	s.waiting = nil
	return list
}

// keepWaiting: 004 "Complément sur les cartes": an ability stays in play until
// it can be applied. One that its player did not wish to use on the dice of
// this battle is discarded with it, but not if others have fought.
func (s *state) keepWaiting() {
	b := s.battle
	if !s.rules.revised {
		return
	}
	for _, r := range b.ready {
		fights := r.p == b.sides[attacks].p || r.p == b.sides[defends].p
		if r.card.Where == r.p.of(inBattle) && !(b.everCast && fights) {
			r.carried = true
			s.waiting = append(s.waiting, r)
		}
	}
}

func (s *state) isWaiting(c *card) bool {
	return slices.ContainsFunc(s.waiting, func(r readied) bool { return r.card == c })
}

// useReadied asks, in the order in which the abilities were turned, for the
// die that each is used on. Any die on the table will do, and its new result
// stands.
func (s *state) useReadied() {
	if !s.fighting() {
		return
	}
	b := s.battle
	i := slices.IndexFunc(b.ready, func(r readied) bool { return !r.declined && r.isThere() })
	if i < 0 {
		return
	}
	r := b.ready[i]
	s.askDie(r.p, readyPrompts[r.step.Do], r.card, r.step.N, func(*die) bool { return true }, func(d *die) {
		b.ready = slices.Delete(b.ready, i, i+1)
		s.Do(s.throw, s.useReadied)
		switch r.step.Do {
		case RollAgain:
			d.least, d.pips = 0, 0
		case RollBetter:
			d.least, d.pips = d.pips, 0
		case TurnDie:
			s.turnDie(r, d, r.step.N)
		default:
			s.Do(func() { s.askFace(r, d) })
		}
	}, func() {
		b.ready[i].declined = true
		s.Do(s.useReadied)
	})
}

var readyPrompts = map[Effect]string{RollAgain: "roll-again", RollBetter: "roll-again", TurnDie: "turn-die", ChangeDie: "change-die"}

func (s *state) turnDie(r readied, d *die, n int) {
	d.pips = n
	s.Emit(engine.Event{Name: "turns-die", Seat: r.p.seat, Card: r.card.Name, N: n})
}

// askFace asks what a die shows after an ability that nobody has entered.
func (s *state) askFace(r readied, d *die) {
	if !s.fighting() {
		return
	}
	q := question{Seat: r.p.seat, Key: "new-face", About: r.card, Chosen: func(a answer) { s.turnDie(r, d, a.N) }}
	for i, face := range pipNames {
		q.Fixed = append(q.Fixed, answer{Verb: engine.Choose, Word: face, Label: "number", N: i + 1})
	}
	s.Ask(q)
}
