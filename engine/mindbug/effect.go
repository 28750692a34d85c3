package mindbug

import (
	"cmp"
	"slices"

	"tableside/engine"
)

// source is the card whose ability resolves, and the player who resolves it.
type source struct {
	p    *player // the player who resolves it and makes its choices
	card *card
}

// trigger is an ability that waits to be resolved.
type trigger struct {
	source
	name    string   // one of triggers
	ability *Ability // of the level that the creature had when it was triggered
}

// trigger adds an effect of a card to the effects that wait to be resolved (001
// "Déclencheurs"). The given name, such as "play", says which effect of the card it is. If the
// card has no such effect, nothing happens. The effect is for the player p. This is the player
// who has the card, or who had the creature until it was defeated.
func (s *state) trigger(p *player, c *card, name string) {
	if a := c.kind.ability(name); !a.isNone() {
		s.pending = append(s.pending, trigger{source{p, c}, name, a})
	}
}

// settle resolves all effects that have been triggered (001 "Effets simultanés"). Each effect
// is finished before the next. If the order matters, the active player chooses the next
// effect.
//
// A card that has meanwhile gone to a hand cannot be tapped. The question therefore has a
// separate answer for the effect of such a card.
func (s *state) settle() {
	if len(s.pending) == 0 {
		return
	}
	if s.anyOrder() {
		s.resolveTrigger(0)
		return
	}
	find := func(name string) int {
		return slices.IndexFunc(s.pending, func(t trigger) bool { return t.card.Name == name })
	}
	q := question{Seat: s.players[s.active].seat, Key: "order", N: len(s.pending), In: ^(hidden | inEnergyDeck),
		Label:  "resolve",
		Tap:    func(c *card) { s.resolveTrigger(find(c.Name)) },
		Chosen: func(a answer) { s.resolveTrigger(find(a.Word)) },
		Again:  s.settle,
	}
	for i, t := range s.pending {
		q.Cards = append(q.Cards, t.card)
		if !t.card.Open && find(t.card.Name) == i {
			q.Fixed = append(q.Fixed, answer{Verb: engine.Choose, Word: t.card.Name, Label: "resolve-gone",
				About: engine.CardWord(t.card.kind.ID), Seat: t.p.seat})
		}
	}
	s.Ask(q)
}

// anyOrder reports whether the order of the waiting effects does not matter. The order does
// not matter in any of these cases:
//
//   - There is only one effect.
//   - All effects come from one card.
//   - All effects only give life or energy.
//   - No effect does anything.
//   - All effects are equal, belong to one player and come from cards out of play.
//
// Under rules before 2, the order matters as soon as there are two effects.
func (s *state) anyOrder() bool {
	first := s.pending[0]
	if len(s.pending) == 1 || !s.rules.revised {
		return len(s.pending) == 1
	}
	all := func(is func(trigger) bool) bool {
		return !slices.ContainsFunc(s.pending, func(t trigger) bool { return !is(t) })
	}
	alike := func(t trigger) bool {
		return t.card == first.card || t.p == first.p && t.ability == first.ability &&
			(t.card.Where|first.card.Where)&plays == 0
	}
	gives := func(t trigger) bool { return t.ability.gives() }
	idle := func(t trigger) bool { return !t.ability.Unknown && !s.doesAnything(t.source, t.ability.Steps) }
	return all(alike) || all(gives) || all(idle)
}

// gives reports whether an ability does nothing but give life or energy. Every step must do so
// without a condition and without a choice.
func (a *Ability) gives() bool {
	more := func(step Step) bool {
		gift := step.Do == GainLife || step.Do == GainEnergy || step.Do == EnergyPerEnemy
		return !gift || step.If != Always || step.May || step.Or != nil
	}
	return !a.Unknown && !slices.ContainsFunc(a.Steps, more)
}

func (s *state) resolveTrigger(i int) {
	t := s.pending[i]
	s.pending = slices.Delete(s.pending, i, i+1)
	s.Emit(engine.Event{Name: "triggers", Seat: t.p.seat, Card: t.card.Name, Word: "trigger." + t.name})
	s.Do(s.settle)
	s.carryOut(t.source, t.ability)
}

func (s *state) carryOut(src source, a *Ability) {
	switch printed := cmp.Or(a.Printed, src.card.kind.Printed); {
	case a.noRow && !s.rules.rows:
		s.askFirst(src, printed)
	case a.Unknown:
		s.askByHand(src, printed)
	default:
		s.resolve(src, a.Steps)
	}
}

// askFirst asks a player to resolve by hand what rules before 4 could read. The rest of their
// journals is refused.
func (s *state) askFirst(src source, printed string) {
	s.AskFirst(question{Seat: src.p.seat, Key: "by-hand", About: src.card, Printed: printed},
		func() { s.askByHand(src, printed) })
}

// askByHand asks the player of an unknown ability to resolve it by hand. The question stays
// open until the player is done. The keys "plus" and "minus" change that player's life by 1. The
// printed words may be "".
func (s *state) askByHand(src source, printed string) {
	s.Ask(question{Seat: src.p.seat, Key: "by-hand", About: src.card, Fixed: byHandAnswers, ByHand: true,
		Printed: printed, Chosen: func(a answer) {
			switch a.Word {
			case "plus":
				s.gainLife(src.p, 1)
			case "minus":
				s.loseLife(src.p, 1)
			default:
				return
			}
			s.askByHand(src, printed)
		}})
}

// resolve resolves the steps of an ability in order, each step as far as possible (001
// "Résoudre des effets"). If the player declines an optional step, the ability ends.
func (s *state) resolve(src source, steps []Step) {
	for i := range steps {
		step := &steps[i]
		if !s.holds(step.If, src.p) {
			continue
		}
		can, do := s.effect(src, step)
		if step.Or != nil && s.possible(src, step.Or) {
			can, do = true, func() { s.resolveEither(src, step) }
		}
		switch {
		case !can:
			continue
		case step.May:
			s.askWhether(src, steps[i:], do)
		default:
			s.resolveFirst(src, steps[i:], do)
		}
		return
	}
}

func (s *state) askWhether(src source, steps []Step, do func()) {
	s.Ask(question{Seat: src.p.seat, Key: "may", About: src.card, N: steps[0].N, Fixed: yesNo,
		Chosen: func(a answer) {
			if a.Word == "yes" {
				s.resolveFirst(src, steps, do)
			}
		},
		Again: func() { s.resolve(src, steps) },
	})
}

func (s *state) resolveFirst(src source, steps []Step, do func()) {
	if rest := steps[1:]; len(rest) > 0 {
		s.Do(func() { s.resolve(src, rest) })
	}
	do()
}

// resolveEither resolves a step or the alternative of the step, as the source's player
// chooses. If one of the two is impossible, the other is resolved without a question.
func (s *state) resolveEither(src source, step *Step) {
	can, resolve := s.effect(src, step)
	switch canOther, other := s.effect(src, step.Or); {
	case !canOther:
		resolve()
	case !can:
		other()
	default:
		s.Ask(question{Seat: src.p.seat, Key: "either", About: src.card,
			Fixed: []answer{{Verb: engine.Choose, Word: "first", Label: "either", About: step},
				{Verb: engine.Choose, Word: "second", Label: "either", About: step.Or}},
			Chosen: func(a answer) {
				if a.Word == "first" {
					resolve()
				} else {
					other()
				}
			},
			Again: func() { s.resolveEither(src, step) },
		})
	}
}

// doesAnything reports whether any step of an ability would change anything.
func (s *state) doesAnything(src source, steps []Step) bool {
	for i := range steps {
		if s.holds(steps[i].If, src.p) && s.possible(src, &steps[i]) {
			return true
		}
	}
	return false
}

func (s *state) possible(src source, step *Step) bool {
	can, _ := s.effect(src, step)
	return can || step.Or != nil && s.possible(src, step.Or)
}
