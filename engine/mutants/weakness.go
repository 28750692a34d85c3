package mutants

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
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
		s.askNumber(weaknessHealth, c, 1, mostWeakness, func(n int) {
			w.N = n
			s.learnWeakness(c)
			s.Do(func() { s.exploit(c) })
		})
		s.Question.Again = func() { s.exploit(c) }
		return
	}
	s.Emit(engine.Event{Name: "weakness", Seat: s.boss.seat, Card: c.id()})
	s.loseHealth(w.N)
	s.move("out-of-game", c, c.where, InBox)
}

// weaknessHealth is the prompt that nothing interrupts: a weakness is being
// exploited already.
const weaknessHealth = "weakness-health"

func (s *state) learnWeakness(c *card) {
	s.learn("action " + c.kind.ID + " weakness " + c.kind.Action.Weakness.String())
}

// watchWeaknesses looks for those that wait for a condition: "immédiatement",
// so whatever is asked waits for them.
func (s *state) watchWeaknesses() {
	if s.Question.Key == weaknessHealth {
		return
	}
	var steps []func()
	for _, c := range s.boss.arena {
		if when := c.kind.Action.Weakness.When; c.up() && when.If != Always && s.holds(s.hero(), when.If) {
			steps = append(steps, func() { s.exploit(c) })
		}
	}
	if len(steps) > 0 {
		s.interrupt(steps...)
	}
}

// interrupt takes steps before what is asked now, which is asked again
// afterwards.
func (s *state) interrupt(steps ...func()) {
	asked := s.Question
	s.Question = question{}
	if asked.Key != "" {
		steps = append(steps, func() {
			if asked.Again != nil {
				asked.Again()
			} else {
				s.Question = asked
			}
		})
	}
	s.Do(steps...)
}

// weakTo finds weaknesses that something the hero does exploits.
func (s *state) weakTo(p *player, t Trigger) {
	if s.boss == nil || p == s.boss {
		return
	}
	for _, c := range slices.Backward(s.boss.arena) {
		if c.up() && c.kind.Action.Weakness.When.Trigger == t {
			s.Do(func() { s.exploit(c) })
		}
	}
}

// weakDown is for a card of the boss that was knocked down: FR "Faiblesses",
// IMPORTANT. Whether that is its weakness the players may know better; their
// answer is kept.
func (s *state) weakDown(c *card) {
	w := &c.kind.Action.Weakness
	switch {
	case c.where&inArena == 0:
	case w.When.Down:
		s.exploit(c)
	case w.When.Unknown:
		s.Ask(question{Seat: s.boss.seat, Key: "weakness-down", About: c, Fixed: weakDownAnswers, Chosen: func(a answer) {
			switch a.Word {
			case "yes":
				w.When = When{Down: true}
			case "no":
				w.When = When{Other: true}
			default:
				*w = Weakness{}
			}
			if !w.When.Down || w.N > 0 { // else with the number
				s.learnWeakness(c)
			}
			s.Do(func() { s.weakDown(c) })
		}, Again: func() { s.weakDown(c) }})
	}
}

var weakDownAnswers = slices.Concat(yesNo, []answer{cardgame.Choose("none", "no-weakness")})

// claimable are the boss's cards whose weakness the players may say was
// exploited: where only they know when, and beside an ability that they
// resolve themselves.
func (s *state) claimable() []*card {
	if s.Question.Key == weaknessHealth {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.boss.arena), func(c *card) bool {
		when := c.kind.Action.Weakness.When
		return !c.weak() || !s.resolvesByHand() && (c.down || !when.Unknown && !when.Other)
	})
}

// weak reports whether the card has a weakness, as far as anybody knows.
func (c *card) weak() bool { return c.kind.Action.Weakness != Weakness{} }

// exploitByHand is a weakness that the players say was exploited: of any card
// of the boss in the arena, for the table is right.
func (s *state) exploitByHand(name string) error {
	for _, c := range s.boss.arena {
		if c.name == name && c.weak() && s.Question.Key != weaknessHealth {
			s.interrupt(func() { s.exploit(c) })
			return nil
		}
	}
	return engine.Refuse("refusal.no-weakness")
}
