package mutants

import (
	"slices"

	"tableside/engine"
)

// copyAbility: "Copy". The ability of another mutant resolves as if it stood
// on this one.
func (s *state) copyAbility(src source, step *Step) {
	list := s.copyable(src, step)
	zones := s.zonesOf(step)
	if zones&InHand == 0 && len(list) == 1 && !slices.Contains(s.candidates(src, step), nil) {
		s.copyFrom(src, step, list[0])
		return
	}
	s.ask(question{player: src.p, key: "copy-card", card: src.card, zones: zones,
		fits: func(c *card) error {
			if !s.mayCopy(src, step, c) {
				return engine.Refuse("refusal.no-copy", "card", engine.CardWord(c.kind.ID))
			}
			return nil
		},
		tap: func(c *card) { s.copyFrom(src, step, c) },
	})
}

// copyFrom takes the one ability that may be copied, or asks which.
func (s *state) copyFrom(src source, step *Step, c *card) {
	src.chain = append(slices.Clone(src.chain), src.card, c)
	copied := func(a *Ability, when string) {
		s.emit(engine.Event{Name: "copies", Seat: src.p.seat, Card: c.id(), Word: "ability." + when})
		s.do(func() { s.resolveAbility(src, a, when) })
	}
	deploy := step.Copies&OnDeploy != 0 && canCopy(&c.kind.Deploy)
	leave := step.Copies&OnLeave != 0 && canCopy(&c.kind.Leave)
	switch {
	case deploy && leave:
		s.ask(question{player: src.p, key: "deploy-or-leave", card: c, fixed: timings, chosen: func(a answer) {
			if a.word == "deploy" {
				copied(&c.kind.Deploy, "deploy")
			} else {
				copied(&c.kind.Leave, "leave")
			}
		}})
	case deploy:
		copied(&c.kind.Deploy, "deploy")
	case leave:
		copied(&c.kind.Leave, "leave")
	}
}

var timings = []answer{
	{verb: engine.Choose, word: "deploy", label: "ability-deploy"},
	{verb: engine.Choose, word: "leave", label: "ability-leave"},
}

// canCopy: there is an ability, and it is no Transform. Ongoing and Block
// abilities are never asked for.
func canCopy(a *Ability) bool {
	if a.Unknown {
		return true
	}
	return len(a.Steps) > 0 && !slices.ContainsFunc(a.Steps, func(step Step) bool { return step.Do == Transform })
}

// copyable are the known cards whose ability may be copied.
func (s *state) copyable(src source, step *Step) []*card {
	var list []*card
	for _, c := range s.candidates(src, step) {
		if c != nil && s.mayCopy(src, step, c) {
			list = append(list, c)
		}
	}
	return list
}

// mayCopy: another mutant, face-up where it lies in the arena, that has an
// ability of the kind and is not being copied already: two mutants that copy
// each other would never end.
func (s *state) mayCopy(src source, step *Step, c *card) bool {
	if c == src.card || slices.Contains(src.chain, c) {
		return false
	}
	if c.where&inArena != 0 && !src.p.slots[slotOf(c.where)].up() {
		return false
	}
	if c.where&inPool != 0 && src.p.buried(c) {
		return false
	}
	return step.Copies&OnDeploy != 0 && canCopy(&c.kind.Deploy) || step.Copies&OnLeave != 0 && canCopy(&c.kind.Leave)
}

// copiesHidden reports whether a copy may take hold of cards that the table
// does not see.
func (s *state) copiesHidden(p *player, step *Step) bool {
	zones := s.zonesOf(step)
	return zones&InHand != 0 && p.hand > 0 || zones&InDiscard != 0 && slices.Contains(p.discard, nil)
}
