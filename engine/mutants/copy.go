package mutants

import (
	"tableside/engine"
	"tableside/engine/cardgame"
)

// A copying says which ability of which card is being copied at present. The copied ability
// may itself copy another ability. In this case the field outer of the inner copying points to
// the outer copying.
type copying struct {
	card    *card
	ability string // "deploy" or "leave"
	outer   *copying
}

func (c *copying) holds(of *card, when string) bool {
	for ; c != nil; c = c.outer {
		if c.card == of && c.ability == when {
			return true
		}
	}
	return false
}

// copyAbility carries out the rule "Copy": the ability of another mutant resolves as if it
// were printed on this one.
func (s *state) copyAbility(src source, step *Step) {
	list := s.copyable(src, step)
	hidden := s.unseen(src.p, step)
	switch {
	case len(list) == 0 && !hidden:
		return // a correction by hand has taken the card away
	case len(list) == 1 && !hidden:
		s.copyFrom(src, step, list[0])
		return
	}
	q := question{Seat: src.p.seat, Key: "copy-card", About: src.card, In: zonesOf(step),
		Fits: func(c *card) unfit {
			return unfit{Key: "refusal.no-copy"}.If(len(s.abilitiesOf(src, step, c)) == 0)
		},
		Tap:   func(c *card) { s.copyFrom(src, step, c) },
		Again: func() { s.copyAbility(src, step) },
	}
	if hidden { // only its owner sees whether there is one
		q.Fixed, q.Chosen = nothingToCopy, func(answer) { s.stopAbility(src) }
	}
	s.Ask(q)
}

var nothingToCopy = []answer{cardgame.Key("no", "no-copy")}

// copyFrom copies the ability of a card. If the card has two abilities that may be copied,
// copyFrom asks which one.
func (s *state) copyFrom(src source, step *Step, c *card) {
	copied := func(when string) {
		src.copying = &copying{c, when, src.copying}
		s.Emit(engine.Event{Name: "copies", Seat: src.p.seat, Card: c.id(), Word: "ability." + when})
		s.Do(func() { s.resolveAbility(src, c, when) })
	}
	abilities := s.abilitiesOf(src, step, c)
	if len(abilities) == 1 {
		copied(abilities[0])
		return
	}
	s.Ask(question{Seat: src.p.seat, Key: "deploy-or-leave", About: c, Fixed: timings,
		Chosen: func(a answer) { copied(a.Word) }})
}

var timings = []answer{cardgame.Choose("deploy", "ability-deploy"), cardgame.Choose("leave", "ability-leave")}

func (s *state) copyable(src source, step *Step) []*card {
	var list []*card
	for _, c := range s.candidates(src, step) {
		if c != nil && len(s.abilitiesOf(src, step, c)) > 0 {
			list = append(list, c)
		}
	}
	return list
}

// abilitiesOf lists the abilities of a card that may be copied. The card must be another
// mutant. If it lies in the arena, it must be face-up. If it lies in the gene pool, it must be
// the known top card of a pile.
//
// The ability must have no Transform. Ongoing and Block abilities cannot be copied. An ability
// that is already being copied is not copied again, because mutants that copy each other would
// never end.
func (s *state) abilitiesOf(src source, step *Step, c *card) []string {
	if c == src.card || c.down || c.player.buried(c) {
		return nil
	}
	var list []string
	add := func(wanted Timing, when string) {
		a := c.kind.ability(when)
		copies := a.Unknown || len(a.Steps) > 0 && !a.transforms
		if copies && step.Copies&wanted != 0 && !src.copying.holds(c, when) {
			list = append(list, when)
		}
	}
	add(OnDeploy, "deploy")
	add(OnLeave, "leave")
	return list
}

func anyStep(steps []Step, is func(*Step) bool) bool {
	for i := range steps {
		s := &steps[i]
		if is(s) || anyStep(s.Price, is) || anyStep(s.Attack, is) || anyStep(s.Or, is) || anyStep(s.And, is) ||
			anyStep(s.Else, is) {
			return true
		}
	}
	return false
}
