package mutants

import "tableside/engine"

// targets are the opponents whom an attack reaches, in turn order beginning
// with the active player. An opponent without anything that the attack could
// take hold of is not attacked (FR "Attaque"), so nothing is blocked.
func (s *state) targets(src source, step *Step) []*player {
	var list []*player
	for _, o := range s.opponents(src.p) {
		if s.aimedAt(src.p, o, step.Targets) && s.vulnerable(o, src, step.Attack) {
			list = append(list, o)
		}
	}
	return list
}

func (s *state) aimedAt(p, o *player, t Targets) bool {
	switch t {
	case Dominating:
		return s.power.ahead(o.index, p.index)
	case Dominated:
		return s.power.ahead(p.index, o.index)
	case InRedZone:
		return s.inRedZone(o)
	}
	return true
}

func (s *state) vulnerable(o *player, src source, steps []Step) bool {
	suffers := source{o, src.card, src.slot, nil}
	for i := range steps {
		step := &steps[i]
		if s.possible(suffers, step) {
			return true
		}
	}
	return false
}

// attack: "Attack". Who is attacked is found first; then each in turn
// suffers it, or blocks it.
func (s *state) attack(src source, step *Step) {
	targets := s.targets(src, step)
	if step.Targets == ChosenOpponent && len(targets) > 1 {
		s.askSeat(src.p, "choose-target", targets, func(o *player) { s.attackEach(src, []*player{o}, step.Attack) })
		return
	}
	s.attackEach(src, targets, step.Attack)
}

func (s *state) attackEach(src source, targets []*player, effect []Step) {
	var steps []func()
	for _, o := range targets {
		steps = append(steps, func() { s.attacked(src, o, effect) }, func() { s.triggered(o, EachAttacked) })
	}
	s.do(steps...)
}

// attacked: instead of the effect a face-up mutant with a Block ability must
// block, the attacked player's choice where there are several.
func (s *state) attacked(src source, o *player, effect []Step) {
	s.emit(engine.Event{Name: "attacks", Seat: src.p.seat, Other: o.seat, Card: src.card.id()})
	var blockers []*card
	unknown := false
	for _, m := range o.slots {
		if m.up() && len(m.kind.Block.Steps) > 0 {
			blockers = append(blockers, m.card)
		}
		unknown = unknown || m.up() && m.kind.Block.Unknown
	}
	suffer := func() { s.resolve(source{o, src.card, src.slot, nil}, effect) }
	switch {
	case len(blockers) == 1 && !unknown:
		s.do(func() { s.block(o, blockers[0]) })
	case len(blockers) > 0:
		s.ask(question{player: o, key: "choose-block", zones: inArena,
			fits: func(c *card) error {
				if m := o.slots[slotOf(c.where)]; !m.up() || len(c.kind.Block.Steps) == 0 && !c.kind.Block.Unknown {
					return engine.Refuse("refusal.no-block", "card", engine.CardWord(c.kind.ID))
				}
				return nil
			},
			tap: func(c *card) { s.block(o, c) },
		})
	case unknown:
		s.ask(question{player: o, key: "block-unknown", card: src.card, fixed: yesNo, chosen: func(a answer) {
			if a.word == "yes" {
				s.byHandUntilDone(o, src.card, "block")
			} else {
				s.do(suffer)
			}
		}})
	default:
		s.do(suffer)
	}
}

// block: "Block". The Block ability resolves instead of the attack.
func (s *state) block(o *player, c *card) {
	s.emit(engine.Event{Name: "blocks", Seat: o.seat, Card: c.id()})
	sl := slotOf(c.where)
	s.do(
		func() { s.resolveAbility(source{o, c, sl, nil}, &c.kind.Block, "block") },
		func() { s.triggered(o, EachBlock) },
	)
}
