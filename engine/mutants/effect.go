package mutants

import (
	"slices"

	"tableside/engine"
)

// A source is the mutant whose ability resolves, and for whom.
type source struct {
	p      *player // resolves it, and makes its choices
	card   *card
	slot   Zone     // of the arena, in which the mutant is, or was when it left
	copies *copying // what is being copied: none of it twice
	noted  *note    // what a part took hold of, and who attacked; nil where nothing asks
}

// resolveAbility begins an ability that is printed on a card: on that of the
// source, or on one that it copies. One that nobody has entered yet is
// resolved by hand.
func (s *state) resolveAbility(src source, of *card, when string) {
	a := of.kind.ability(when)
	if a.Unknown {
		s.byHandUntilDone(src.p, of, when)
		return
	}
	var set cause
	if src.noted != nil {
		set.by = src.noted.by
	}
	src.noted = a.notes(set)
	s.resolve(src, a.Steps)
}

func (k *Kind) ability(when string) *Ability {
	switch when {
	case "leave":
		return &k.Leave
	case "block":
		return &k.Block
	}
	return &k.Deploy
}

// resolve takes the steps of an ability in order: "Icons effects & special
// rules". EN: it stops at the first that cannot be resolved. FR: as much as
// possible. To decline what a step says one may do ends the ability: what
// follows depends on it.
func (s *state) resolve(src source, steps []Step) {
	if len(steps) == 0 {
		return
	}
	step, rest := &steps[0], steps[1:]
	then := func() { s.resolve(src, rest) }
	switch {
	case len(step.If.Clauses) > 0 && !s.meets(src, &step.If):
		if step.Else == nil {
			then()
		} else {
			s.resolve(src, slices.Concat(step.Else, rest))
		}
	case step.Price != nil:
		s.buy(src, steps)
	case !s.feasible(src, step):
		s.Do(then)
		if !step.UpTo { // none is as many as "up to" asks for
			s.cannot(src)
		}
	case step.May:
		s.Ask(question{Seat: src.p.seat, Key: mayKey(step), About: src.card, N: s.amount(src, step), Fixed: yesNo,
			Chosen: func(a answer) {
				switch {
				case a.Word != "yes":
				case step.Do == Choose || step.And != nil:
					s.Do(func() { s.resolve(src, step.spread(rest)) })
				default:
					s.Do(func() { s.perform(src, step) }, then)
				}
			},
			Again: func() { s.resolve(src, steps) },
		})
	case step.Do == Choose:
		s.chooseEffect(src, steps)
	case step.And != nil:
		s.resolve(src, step.spread(rest))
	default:
		s.Do(func() { s.perform(src, step) }, then)
	}
}

// feasible reports whether anything of a step can be resolved now; EN its
// first effect, without which the others are not.
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

// cannot is called when a step turns out to be impossible, and what follows
// it in the ability is next on the agenda.
func (s *state) cannot(src source) {
	if s.rules.stopsAtFailure {
		s.Skip()
		s.Emit(engine.Event{Name: "cannot", Seat: src.p.seat, Card: src.card.id()})
	}
}

func mayKey(step *Step) string {
	if step.Do == Freeze && step.What == This {
		return "may-freeze-this"
	}
	if step.Do == Choose {
		return "may-choose"
	}
	if step.Do == Take && step.What != FromDiscard {
		return "may-move"
	}
	return "may-" + verbPhrases.Key(step.Do)
}

// possible reports whether a step can be resolved: EN all of it, FR some of
// it.
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
		return p.in(InLeft) != nil || p.in(InRight) != nil
	case Copy:
		return len(s.copyable(src, step)) > 0 || s.unseen(src.p, step)
	case Attack:
		return len(s.targets(src, step)) > 0
	}
	return true
}

// zonesOf is where the cards lie that a step takes hold of.
func zonesOf(step *Step) Zone {
	switch step.What {
	case AMutant, AllMutants, AnotherInArena, SameSlot:
		return inArena
	case FromHand:
		return InHand
	case FromDiscard:
		return InDiscard
	case FromPool:
		return inPool
	case AnotherAnywhere:
		return inArena | InHand | InDiscard | inPool
	case InActiveSlot:
		return InActive
	case InLeftSlot:
		return InLeft
	case InRightSlot:
		return InRight
	case Incubated:
		return InIncubator
	case DeckTop:
		return InDeck
	}
	return 0
}

// reach counts the cards that a step could take hold of, one after the other.
func (s *state) reach(src source, step *Step) int {
	zones := zonesOf(step)
	if zones&inPool != 0 {
		return src.p.pooled()
	}
	n := len(s.candidates(src, step))
	if zones&InHand != 0 {
		n += src.p.hand
	}
	if zones&InDeck != 0 && s.unseen(src.p, step) {
		n++
	}
	return n
}

// candidates are the known cards that a step could take hold of; nil stands
// for a discarded one that nobody has named. Cards of the hand are never
// among them: only their owner sees those.
func (s *state) candidates(src source, step *Step) []*card {
	p := src.p
	flip := step.Do == FlipUp
	if step.What == This {
		if c := src.card; c.up() && !flip || c.down && flip || c.where == InLeaving && (step.Do == Freeze || step.Do == Take) {
			return []*card{c}
		}
		return nil
	}
	var found []*card
	zones := zonesOf(step)
	for _, c := range p.arena {
		if zones&c.where != 0 && c.down == flip && (step.What != SameSlot || c.where == src.slot) && (step.What != AnotherInArena || c != src.card) {
			found = append(found, c)
		}
	}
	if zones&InIncubator != 0 && p.incubator != nil {
		found = append(found, p.incubator)
	}
	if zones&InDiscard != 0 {
		found = append(found, p.discard...)
	}
	if zones&inPool != 0 {
		for _, pile := range p.piles {
			if pile.top != nil {
				found = append(found, pile.top)
			}
		}
	}
	return found
}

// unseen reports whether a step could take hold of a card that the table does
// not see now: in the hand, unnamed in the discard pile, or the top of a gene
// pool pile that was not revealed yet.
func (s *state) unseen(p *player, step *Step) bool {
	zones := zonesOf(step)
	return zones&InHand != 0 && p.hand > 0 ||
		zones&InDeck != 0 && p.hasHand() && p.deck+len(p.discard) > 0 ||
		zones&InDiscard != 0 && slices.Contains(p.discard, nil) ||
		zones&inPool != 0 && p.owed() > 0
}

// perform resolves one step.
func (s *state) perform(src source, step *Step) {
	if step.Per != (Count{}) {
		s.performCounted(src, step)
		return
	}
	p := src.p
	if src.noted != nil && holdsCards(step) {
		src.noted.n = 0
	}
	switch step.Do {
	case GainPower:
		s.gainPower(p, step.N)
	case LosePower:
		s.losePower(p, step.N)
	case GainPoints:
		s.gainPoints(p, step.N)
	case LosePoints:
		s.losePoints(p, step.N)
	case Draw:
		s.drawSome(src, step)
	case Discard:
		if step.UpTo || step.Random || src.noted != nil {
			s.discardSome(src, step, step.N)
		} else {
			s.discardCards(p, step.N)
		}
	case Cycle:
		if s.awaited(EachCycle) {
			s.Do(func() { s.triggered(p, EachCycle) })
		}
		s.drawCards(p, step.N, func(drawn int) { s.discardCards(p, drawn) })
	case Freeze:
		s.choose(src, step, "freeze-card", src.noting(s.freezeCard))
	case KnockDown:
		s.eachOrOne(src, step, "knock-down-card", src.noting(s.knockDown))
	case FlipUp:
		s.eachOrOne(src, step, "flip-up-card", src.noting(s.flipUp))
	case GainCard:
		gain := Step{Do: GainCard, What: FromPool, N: step.N, UpTo: step.UpTo}
		s.choose(src, &gain, "gain-card", src.noting(func(c *card, from Zone) { s.gainCard(c, from, step.To) }))
	case Take:
		s.choose(src, step, takeKey(step), src.noting(func(c *card, from Zone) { s.moveCard(c, from, step.To) }))
	case Swap:
		s.swap(p)
	case Deploy:
		s.choose(src, step, "deploy-card", s.deploy)
	case Transform:
		s.transform(src)
	case Copy:
		s.copyAbility(src, step)
	case Attack:
		s.attack(src, step)
	case Heal:
		s.gainHealth(step.N)
	}
}

// holdsCards reports whether a step takes hold of cards, so that a part behind
// it may speak of them.
func holdsCards(step *Step) bool {
	switch step.Do {
	case Discard, Freeze, KnockDown, FlipUp, GainCard, Take:
		return true
	}
	return false
}

// choose takes the only card there is, or asks for one.
func (s *state) choose(src source, step *Step, key string, then func(c *card, from Zone)) {
	switch {
	case step.N > 1 || step.UpTo:
		s.chooseSome(src, step, max(1, step.N), key, then)
		return
	case step.What == DeckTop:
		s.takeTop(src.p, topKeys[step.Do], then)
		return
	}
	list := s.candidates(src, step)
	hidden := s.unseen(src.p, step)
	switch {
	case len(list) == 0 && !hidden:
		return // a correction by hand has taken it away
	case len(list) == 1 && !hidden:
		then(list[0], list[0].where)
		return
	}
	q := s.whichCard(src, step, key, list)
	q.Tap = func(c *card) { then(c, c.where) }
	q.Again = func() { s.choose(src, step, key, then) }
	s.Ask(q)
}

// whichCard asks for a card that a step takes hold of: one of the list, or one
// that the table does not see.
func (s *state) whichCard(src source, step *Step, key string, list []*card) question {
	return question{Seat: src.p.seat, Key: key, About: src.card, In: zonesOf(step),
		Fits: func(c *card) unfit {
			if c.where&(InHand|InDiscard) == 0 && !slices.Contains(list, c) && !c.player.tops(c) {
				return unfit{Key: "refusal.not-this-one", Card: c}
			}
			return unfit{}
		},
	}
}

// eachOrOne is choose for steps that may mean every mutant in the arena.
func (s *state) eachOrOne(src source, step *Step, key string, then func(c *card, slot Zone)) {
	if step.What != AllMutants {
		s.choose(src, step, key, then)
		return
	}
	for _, c := range s.candidates(src, step) {
		then(c, c.where)
	}
}

// freezeCard: "Freeze". The card goes into its owner's freeze zone. A boss has
// none: its card is out of the game.
func (s *state) freezeCard(c *card, from Zone) {
	if c.player == s.boss {
		s.move("out-of-game", c, from, InBox)
		return
	}
	s.move("freezes", c, from, InFreeze)
	s.triggeredBy(c.player, EachFreeze, cause{card: c})
	if s.boss != nil {
		s.Do(func() { s.strikeFrozen(c) })
	}
}

// knockDown: "Knock Down", "K.O." The mutant stays in its slot, face-down.
func (s *state) knockDown(c *card, _ Zone) {
	c.down = true
	s.Emit(engine.Event{Name: "knocked-down", Seat: c.player.seat, Card: c.id()})
	if c.player == s.boss {
		s.Do(func() { s.weakDown(c) })
	}
}

// flipUp is the only way a knocked-down mutant comes back.
func (s *state) flipUp(c *card, _ Zone) {
	c.down = false
	s.Emit(engine.Event{Name: "flipped-up", Seat: c.player.seat, Card: c.id()})
}

// gainCard: "Gain". A face-up mutant of the gene pool goes where the ability
// says.
func (s *state) gainCard(c *card, from, to Zone) {
	if s.awaited(EachGain) {
		s.Do(func() { s.triggeredBy(c.player, EachGain, cause{card: c}) })
	}
	if to == InFreeze {
		s.freezeCard(c, from)
		return
	}
	s.move("gains-card", c, from, to)
}
