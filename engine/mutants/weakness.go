package mutants

import (
	"slices"

	"tableside/engine"
)

// FR "Faiblesses". What is said on the card must be exploited as soon as it
// happens: the boss loses health and the card is out of the game. That is no
// leaving: a Leave ability belongs to cards that are discarded.

// exploit is one weakness.
func (s *state) exploit(c *card) {
	if c.where&inArena == 0 {
		return
	}
	w := &c.kind.Action.Weakness
	if w.N < 0 {
		s.askNumber("weakness-health", c, 1, mostWeakness, func(n int) {
			w.N = n
			s.learnWeakness(c)
			s.do(func() { s.exploit(c) })
		})
		return
	}
	s.emit(engine.Event{Name: "weakness", Seat: s.boss.seat, Card: c.id()})
	s.loseHealth(w.N)
	s.move("out-of-game", c, c.where, InBox)
}

func (s *state) learnWeakness(c *card) {
	s.learn("action " + c.kind.ID + " weakness " + c.kind.Action.Weakness.String())
}

// watchWeaknesses looks for those that wait for a condition.
func (s *state) watchWeaknesses() {
	if s.boss == nil || s.question.key != "" {
		return
	}
	for _, c := range slices.Backward(s.boss.mutants()) {
		if when := c.kind.Action.Weakness.When; c.up() && when.If != Always && s.holds(s.hero(), when.If) {
			s.do(func() { s.exploit(c) })
		}
	}
}

// weakTo finds weaknesses that something the hero does exploits.
func (s *state) weakTo(p *player, t Trigger) {
	if s.boss == nil || p == s.boss {
		return
	}
	for _, c := range slices.Backward(s.boss.mutants()) {
		if c.up() && c.kind.Action.Weakness.When.Trigger == t {
			s.do(func() { s.exploit(c) })
		}
	}
}

// weakDown is for a card of the boss that was knocked down: FR "Faiblesses",
// IMPORTANT. Whether that is its weakness the players may know better.
func (s *state) weakDown(c *card) {
	w := &c.kind.Action.Weakness
	switch {
	case w.When.Down:
		s.exploit(c)
	case w.When.Unknown:
		s.ask(question{player: s.boss, key: "weakness-down", card: c, fixed: yesNo, chosen: func(a answer) {
			if a.word == "yes" {
				w.When = When{Down: true}
				if w.N > 0 {
					s.learnWeakness(c)
				}
				s.do(func() { s.exploit(c) })
			}
		}})
	}
}

// openWeaknesses are the boss's cards whose weakness only players know.
func (s *state) openWeaknesses() []*card {
	return slices.DeleteFunc(s.boss.mutants(), func(c *card) bool { return c.down || !c.kind.Action.Weakness.When.Unknown })
}

// exploitByHand is a weakness that the players say was exploited. What was
// asked is asked again afterwards.
func (s *state) exploitByHand(name string) error {
	for _, c := range s.openWeaknesses() {
		if c.name != name {
			continue
		}
		asked := s.question
		s.question = question{}
		s.do(func() { s.exploit(c) }, func() {
			if asked.again != nil {
				asked.again()
			} else {
				s.question = asked
			}
		})
		return nil
	}
	return engine.Refuse("refusal.no-weakness")
}
