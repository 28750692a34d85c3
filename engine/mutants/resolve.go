package mutants

import (
	"slices"

	"tableside/engine"
)

// A source says which mutant's ability resolves, and for whom.
type source struct {
	p       *player // resolves it, and makes its choices
	card    *card
	slot    Zone     // the slot of the arena that the mutant is in, or was in when it left
	copying *copying // the abilities being copied, none of them twice
	note    *note    // the cards of a part, and the attacker; nil if nothing refers to them
}

// resolveAbility begins an ability of a card. The card is the source's own card, or a card
// that the source copies. If nobody has entered the ability yet, the players resolve it by
// hand.
func (s *state) resolveAbility(src source, of *card, when string) {
	a := of.kind.ability(when)
	if a.Unknown {
		s.askFirst(src.p, of, when, a.noRow, func() {
			s.byHandUntilDone(src.p, of, when, func() { s.resolveAbility(src, of, when) })
		})
		return
	}
	var set cause
	if src.note != nil {
		set.attacker = src.note.attacker
	}
	src.note = a.notes(set)
	s.resolve(src, a.Steps)
}

// askFirst asks whether a player is ready to resolve by hand what rules before 4 could read, and
// then calls the callback. By later rules, and for what nobody ever entered, it asks nothing.
func (s *state) askFirst(p *player, c *card, what string, noRow bool, then func()) {
	if !noRow || s.rules.revision >= rules4 {
		then()
		return
	}
	printed := c.kind.Printed
	if what != "weakness" {
		printed = c.kind.printed(what)
	}
	s.AskFirst(question{Seat: p.seat, Key: "by-hand-" + what, About: c, Printed: printed}, then)
}

// askUnread asks about what a card would do by itself under rules before 4, and does not do today.
func (s *state) askUnread(c *card) {
	ask := func(what string, noRow bool) {
		s.Do(func() { s.askFirst(c.player, c, what, noRow, func() {}) })
	}
	ask("ongoing", c.kind.Ongoing.noRow)
	ask("block", c.kind.Block.noRow)
	ask("weakness", c.kind.Action != nil && c.kind.Action.Weakness.noRow)
}

func (k *Kind) ability(when string) *Ability {
	switch when {
	case "leave":
		return &k.Leave
	case "block":
		return &k.Block
	case "ongoing":
		return &k.Ongoing
	}
	return &k.Deploy
}

// resolve resolves the steps of an ability in order ("Icons effects & special rules"). In EN
// it stops at the first step that cannot be resolved. In FR it skips such a step and resolves
// as much as possible. If the player declines an optional step, the steps up to the next sentence
// are left out, because they depend on that step.
func (s *state) resolve(src source, steps []Step) {
	if len(steps) == 0 {
		return
	}
	step, rest := &steps[0], steps[1:]
	switch {
	case len(step.If.Clauses) > 0 && !s.meets(src, &step.If):
		if step.Else == nil {
			s.resolve(src, rest)
		} else {
			s.resolve(src, slices.Concat(step.Else, rest))
		}
	case step.Price != nil:
		s.buy(src, steps)
	case !s.feasible(src, step):
		s.Do(func() { s.resolve(src, rest) })
		if !step.UpTo { // "up to" allows none
			s.stopAbility(src)
		}
	case step.May:
		s.askMay(src, mayKey(step), s.amount(src, step),
			func() {
				if step.Do == Choose || step.And != nil {
					s.resolve(src, step.spread(rest))
				} else {
					s.Do(func() { s.perform(src, step) }, func() { s.resolve(src, rest) })
				}
			},
			func() { s.resolve(src, s.nextSentence(rest)) },
			func() { s.resolve(src, steps) })
	case step.Do == Choose:
		s.chooseEffect(src, steps)
	case step.And != nil:
		s.resolve(src, step.spread(rest))
	default:
		s.Do(func() { s.perform(src, step) }, func() { s.resolve(src, rest) })
	}
}

func (s *state) nextSentence(steps []Step) []Step {
	i := slices.IndexFunc(steps, func(s Step) bool { return s.Also })
	if i < 0 || s.rules.revision < rules4 {
		return nil
	}
	return steps[i:]
}

// feasible reports whether any effect of a step can be resolved now. In the English rulebook
// (EN), only the first effect matters, because the others are not resolved without it.
func (s *state) feasible(src source, step *Step) bool {
	switch {
	case step.Do == Choose:
		return slices.ContainsFunc(step.Or, func(option Step) bool { return s.feasible(src, &option) })
	case s.possible(src, step):
		return true
	case s.rules.stopsAtFailure:
		return false
	}
	return slices.ContainsFunc(step.And, func(effect Step) bool { return s.possible(src, &effect) })
}

// stopAbility ends an ability in EN because a step has turned out to be impossible. It emits
// an event and removes the next step of the agenda, which must be the rest of the ability. In
// FR nothing happens, and the rest of the ability is resolved.
func (s *state) stopAbility(src source) {
	if s.rules.stopsAtFailure {
		s.Skip()
		s.Emit(engine.Event{Name: "cannot", Seat: src.p.seat, Card: src.card.id()})
	}
}

func mayKey(step *Step) string {
	if step.Do == Freeze && step.Object == This {
		return "may-freeze-this"
	}
	if step.Do == Choose {
		return "may-choose"
	}
	if step.Do == Take && step.Object != FromDiscard {
		return "may-move"
	}
	return "may-" + effectNames[step.Do]
}

// possible reports whether a step can be resolved: in EN all of it, in FR some of it. If the
// step says "up to", some of it is enough in EN, too. To draw or to cycle, one card is always
// enough.
func (s *state) possible(src source, step *Step) bool {
	p := src.p
	all := s.rules.stopsAtFailure && !step.UpTo
	switch step.Do {
	case Draw, Cycle:
		return p.hasHand() && p.deck+len(p.discard) > 0
	case Discard:
		if all {
			return p.hand >= s.amount(src, step)
		}
		return p.hand > 0
	case Take:
		if step.To == InIncubator && p.incubator != nil || step.To&(InHand|InIncubator) != 0 && !p.hasHand() {
			return false
		}
		fallthrough
	case Freeze, Deploy, KnockDown, FlipUp:
		if all && step.N > 1 {
			return s.reach(src, step) >= step.N
		}
		return len(s.candidates(src, step)) > 0 || s.unseen(src.p, step)
	case GainCard:
		if all && p.pooled() < step.N {
			return false
		}
		return p.pooled() > 0 && (step.To != InIncubator || p.incubator == nil)
	case GainPoints, LosePoints:
		return s.boss == nil || step.Do == GainPoints && p != s.boss
	case Swap:
		return p.mutantIn(InLeft) != nil || p.mutantIn(InRight) != nil
	case Copy:
		return len(s.copyable(src, step)) > 0 || s.unseen(src.p, step)
	case Attack:
		return len(s.targets(src, step)) > 0 || step.Targets == EachPlayer && s.vulnerable(src.p, src, step.Attack)
	case DiscardHand:
		return p.hand > 0
	case Shuffle:
		return len(p.discard) > 0
	}
	return true
}

func (s *state) triggersLater(p *player, t Trigger, by cause) {
	s.Do(func() { s.triggeredBy(p, t, by) })
}

func (s *state) triggered(p *player, t Trigger) { s.triggeredBy(p, t, cause{}) }

// A cause records what triggered an ability.
type cause struct {
	attacker *player
	card     *card // what was frozen or gained
}

func (s *state) triggeredBy(p *player, t Trigger, by cause) {
	if !s.ongoing {
		return
	}
	steps := s.waitingSteps(p, t, by)
	for _, o := range s.opponents(p) {
		steps = append(steps, s.waitingSteps(o, OfOpponent|t, by)...)
	}
	s.Do(steps...)
	s.weakTo(p, t)
}

// waitingSteps returns one step for each ongoing ability of a seat that waits for an event.
// The step resolves that ability. If two of these abilities are the same, both resolve (FR
// "Permanent", REMARQUE).
func (s *state) waitingSteps(p *player, t Trigger, by cause) []func() {
	var steps []func()
	for _, c := range p.permanents() {
		own := c.kind.Ongoing.Trigger&OfOther != 0 && by.card == c
		if c.down || own || c.kind.Ongoing.Trigger&^OfOther != t || c.kind.Ongoing.Unknown {
			continue
		}
		resolve := func() {
			does := &c.kind.Ongoing
			s.resolve(source{p: p, card: c, slot: c.zone, note: does.notes(by)}, does.Steps)
		}
		steps = append(steps, func() {
			switch attack := t&^OfOpponent == EachAttacked || t&^OfOpponent == EachBlock; {
			case !c.isUp() && c != p.bossCard, attack && c.answering, c.ongoing:
				return
			case attack:
				s.answerAttack(c, resolve)
			case t&^OfOpponent > EachAttacked, t&OfOpponent != 0 && c != p.bossCard:
				c.ongoing = true
				s.Do(resolve, func() { c.ongoing = false })
			default:
				s.Do(resolve)
			}
			s.Emit(engine.Event{Name: "ongoing", Seat: p.seat, Card: c.id()})
		})
	}
	return steps
}

// answerAttack resolves an ability that an attack triggered. Until the ability is resolved, no
// attack triggers it again, because attacks that answer each other would never end.
func (s *state) answerAttack(c *card, resolve func()) {
	c.answering = true
	s.Do(resolve, func() { c.answering = false })
}

func (s *state) dropAll() {
	s.Question = question{}
	s.Clear()
	s.nested = 0
	for _, p := range s.players {
		for _, c := range slices.Concat(p.permanents(), p.cards) {
			c.answering, c.ongoing = false, false
		}
	}
}

// permanents returns the cards whose ongoing abilities are active. These are the player's
// cards in the arena. If the player is a boss, the boss's own card is active, too (FR "Pouvoir
// Spécial").
func (p *player) permanents() []*card {
	if p.bossCard != nil {
		return append([]*card{p.bossCard}, p.arena...)
	}
	return p.arena
}
