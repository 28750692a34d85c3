package mutants

import (
	"slices"

	"tableside/engine"
)

// targets lists the opponents whom an attack reaches, in turn order beginning with the active
// player. An opponent on whom the attack would have no effect is not attacked (FR "Attaque"),
// and therefore cannot block it.
func (s *state) targets(src source, step *Step) []*player {
	var list []*player
	for _, o := range s.opponents(src.p) {
		if s.aimedAt(src, o, step.Targets&^OneOf) && s.vulnerable(o, src, step.Attack) {
			list = append(list, o)
		}
	}
	return list
}

func (s *state) aimedAt(src source, o *player, t Targets) bool {
	p := src.p
	switch t {
	case Dominating:
		return s.power.isAhead(o.index, p.index)
	case Dominated:
		return s.power.isAhead(p.index, o.index)
	case InRedZone:
		return s.inRedZone(o)
	case OnTop:
		return s.onTop(o)
	case Leader:
		return s.power.ranking()[0] == o.index
	case Attacker:
		return src.note != nil && o == src.note.attacker
	}
	return true
}

// vulnerable reports whether a player can resolve any part of an attack. In EN only the first
// part counts, because the other parts are not resolved without it.
func (s *state) vulnerable(o *player, src source, steps []Step) bool {
	suffers := source{p: o, card: src.card, slot: src.slot}
	for i := range steps {
		if s.feasible(suffers, &steps[i]) {
			return true
		}
		if s.rules.stopsAtFailure {
			break
		}
	}
	return false
}

// attack resolves an attack ("Attack"). If the attack is aimed at only one of several
// opponents, the attacker chooses that opponent. Then each attacked opponent in turn suffers
// or blocks the attack.
func (s *state) attack(src source, step *Step) {
	targets := s.targets(src, step)
	if (step.Targets == ChosenOpponent || step.Targets&OneOf != 0) && len(targets) > 1 {
		s.askSeat(src.p.seat, "choose-target", targets, func(o *player) { s.attackEach(src, []*player{o}, step.Attack) })
		return
	}
	s.attackEach(src, targets, step.Attack)
	if step.Targets == EachPlayer {
		s.Do(func() { s.resolve(src.suffering(src.p), step.Attack) })
	}
}

// suffering returns the source of an attack's effects on a player.
func (src source) suffering(o *player) source {
	suffers := source{p: o, card: src.card, slot: src.slot}
	if src.note != nil {
		suffers.note = &note{card: src.note.card}
	}
	return suffers
}

func (s *state) attackEach(src source, targets []*player, effect []Step) {
	var steps []func()
	for _, o := range targets {
		steps = append(steps, func() {
			s.Emit(engine.Event{Name: "attacks", Seat: src.p.seat, Other: o.seat, Card: src.card.id()})
			s.defend(src, o, effect)
		}, func() { s.triggeredBy(o, EachAttacked, cause{attacker: src.p}) })
	}
	if len(targets) > 0 {
		s.triggersLater(src.p, EachAttack, cause{})
	}
	s.Do(steps...)
}

// defend lets an opponent suffer or block an attack ("Block", FR "Parade"). A player who has a
// face-up mutant with a Block ability must block with it instead of suffering the effect. If
// several mutants can block, the player chooses one. A mutant that is still answering another
// attack cannot block.
//
// If the data does not say whether a mutant has a Block, the player of the mutant is asked. If
// the argument effect is nil, an opponent who does not block resolves the attack by hand.
func (s *state) defend(src source, o *player, effect []Step) {
	var blockers []*card
	certain := false
	for _, c := range o.arena {
		if c.down || c.answering || !c.kind.Block.Unknown && len(c.kind.Block.Steps) == 0 {
			continue
		}
		blockers = append(blockers, c)
		certain = certain || !c.kind.Block.Unknown
	}
	if len(blockers) == 1 && certain {
		s.block(blockers[0], src.p)
		return
	}
	suffer := func() {
		if effect == nil { // not entered yet
			s.byHandUntilDone(o, src.card, "attack", nil)
			return
		}
		s.resolve(src.suffering(o), effect)
	}
	if len(blockers) == 0 {
		suffer()
		return
	}
	q := question{Seat: o.seat, Key: "choose-block", In: inArena,
		Fits: func(c *card) unfit {
			return unfit{Key: "refusal.no-block", Card: c}.If(!slices.Contains(blockers, c))
		},
		Tap:   func(c *card) { s.block(c, src.p) },
		Again: func() { s.defend(src, o, effect) },
	}
	if !certain {
		q.Key, q.About = "block-unknown", src.card
		q.Fixed, q.Chosen = noOne, func(answer) { s.Do(suffer) }
	}
	s.Ask(q)
}

// block resolves the Block ability instead of the attack.
func (s *state) block(c *card, attacker *player) {
	s.Emit(engine.Event{Name: "blocks", Seat: c.player.seat, Card: c.id()})
	s.Do(
		func() {
			s.answerAttack(c, func() {
				s.resolveAbility(source{p: c.player, card: c, slot: c.zone, note: &note{attacker: attacker}}, c, "block")
			})
		},
		func() { s.triggeredBy(c.player, EachBlock, cause{attacker: attacker}) },
	)
}
