package mutants

import (
	"slices"

	"tableside/engine"
)

// objectZones holds the zones in which each object lies.
var objectZones = [...]Zone{
	AMutant: inArena, AllMutants: inArena, AllOthers: inArena, AnotherInArena: inArena, SameSlot: inArena,
	InActiveSlot: InActive, InLeftSlot: InLeft, InRightSlot: InRight,
	FromHand: InHand, FromDiscard: InDiscard, FromPool: inPool, Incubated: InIncubator, DeckTop: InDeck,
	AnotherAnywhere: inArena | InHand | InDiscard | inPool,
}

func zonesOf(step *Step) Zone { return objectZones[step.Object] }

// reach returns how many cards a step could apply to if it took them one after the other.
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

// candidates lists the known cards that a step could apply to. An unnamed card of the discard
// pile is listed as nil. Cards of the hand are never listed, because only their owner sees
// them.
func (s *state) candidates(src source, step *Step) []*card {
	p := src.p
	flip := step.Do == FlipUp
	if step.Object == This {
		if c := src.card; c.isUp() && !flip || c.down && flip ||
			c.zone == InLeaving && (step.Do == Freeze || step.Do == Take) {
			return []*card{c}
		}
		return nil
	}
	var found []*card
	zones := zonesOf(step)
	for _, c := range p.arena {
		if zones&c.zone != 0 && c.down == flip && (step.Object != SameSlot || c.zone == src.slot) &&
			(step.Object != AnotherInArena && step.Object != AllOthers || c != src.card) {
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

// unseen reports whether a step could apply to a card that the table does not see now. Such a
// card lies in the hand or in the deck, is unnamed in the discard pile, or is a pile top that
// was not revealed yet. The cards in the deck of a boss do not count.
func (s *state) unseen(p *player, step *Step) bool {
	zones := zonesOf(step)
	return zones&InHand != 0 && p.hand > 0 ||
		zones&InDeck != 0 && p.hasHand() && p.deck+len(p.discard) > 0 ||
		zones&InDiscard != 0 && slices.Contains(p.discard, nil) ||
		zones&inPool != 0 && p.owed() > 0
}

// perform resolves the first effect of a step. It ignores the condition, the "may" and the
// price of the step.
func (s *state) perform(src source, step *Step) {
	if step.Per != (Count{}) {
		s.performCounted(src, step)
		return
	}
	p := src.p
	if src.note != nil && slices.Contains(notedEffects, step.Do) {
		src.note.n = 0
	}
	switch step.Do {
	case GainPower:
		s.gainPower(p, step.N)
	case LosePower:
		s.losePower(p, step.N)
	case GainPoints:
		s.tell("gains-points", p, step.N)
		s.scores(p, step.N)
	case LosePoints:
		s.losePoints(p, step.N)
	case Draw:
		if step.UpTo {
			s.drawUpTo(src, step, step.N)
		} else {
			s.drawCards(p, step.N, nil)
		}
	case Discard:
		s.discardSome(p, src.note, step, step.N)
	case Cycle:
		s.triggersLater(p, EachCycle, cause{})
		s.drawCards(p, step.N, func(drawn int) { s.discardSome(p, nil, &plainDiscard, drawn) })
	case Freeze:
		s.choose(src, step, "freeze-card", src.noteCards(s.freezeCard))
	case KnockDown:
		s.eachOrOne(src, step, "knock-down-card", src.noteCards(s.knockDown))
	case FlipUp:
		s.eachOrOne(src, step, "flip-up-card", src.noteCards(s.flipUp))
	case GainCard:
		gain := Step{Do: GainCard, Object: FromPool, N: step.N, UpTo: step.UpTo}
		s.choose(src, &gain, "gain-card", src.noteCards(func(c *card, from Zone) { s.gainCard(c, from, step.To) }))
	case Take:
		key := "move-card"
		if step.Object == FromDiscard {
			key = "take-card"
		}
		s.choose(src, step, key, src.noteCards(func(c *card, from Zone) { s.moveCard(c, from, step.To) }))
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
	case DiscardHand:
		if src.note != nil {
			src.note.n = p.hand
		}
		s.discardHand(p)
	case Shuffle:
		s.shuffleDiscard(p)
	}
}

// notedEffects lists certain effects on cards. A later part of the ability may refer to the cards
// of such an effect.
var notedEffects = []Effect{Discard, Freeze, KnockDown, FlipUp, GainCard, Take}

// choose passes the card or cards of a step to the callback. If there is a choice, the player
// is asked. If there is no card, nothing happens.
func (s *state) choose(src source, step *Step, key string, then func(c *card, from Zone)) {
	switch {
	case step.N > 1 || step.UpTo:
		s.chooseSome(src, step, max(1, step.N), key, then)
		return
	case step.Object == DeckTop:
		s.takeTop(src.p, topKeys[step.Do], then)
		return
	}
	list := s.candidates(src, step)
	hidden := s.unseen(src.p, step)
	switch {
	case len(list) == 0 && !hidden:
		return // a correction by hand has taken the card away
	case len(list) == 1 && !hidden:
		then(list[0], list[0].zone)
		return
	}
	q := s.whichCard(src, step, key, list)
	q.Tap = func(c *card) { then(c, c.zone) }
	q.Again = func() { s.choose(src, step, key, then) }
	s.Ask(q)
}

// whichCard returns the question for a card that a step applies to. The answer is a card of
// the list, or a card that the table does not see.
func (s *state) whichCard(src source, step *Step, key string, list []*card) question {
	return question{Seat: src.p.seat, Key: key, About: src.card, In: zonesOf(step),
		Fits: func(c *card) unfit {
			if c.zone&(InHand|InDiscard) == 0 && !slices.Contains(list, c) && !c.player.tops(c) {
				return unfit{Key: "refusal.not-this-one", Card: c}
			}
			return unfit{}
		},
	}
}

func (s *state) eachOrOne(src source, step *Step, key string, then func(c *card, slot Zone)) {
	if step.Object != AllMutants && step.Object != AllOthers {
		s.choose(src, step, key, then)
		return
	}
	for _, c := range s.candidates(src, step) {
		then(c, c.zone)
	}
}

// freezeCard freezes a card ("Freeze"). The card goes into the freeze zone of its owner. A
// boss has no freeze zone, so the card of a boss is out of the game.
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

// knockDown carries out the rule "Knock Down", "K.O.": the mutant stays in its slot,
// face-down.
func (s *state) knockDown(c *card, _ Zone) {
	c.down = true
	s.Emit(engine.Event{Name: "knocked-down", Seat: c.player.seat, Card: c.id()})
	s.triggeredBy(c.player, EachDown, cause{card: c})
	if c.player == s.boss {
		s.Do(func() { s.weakDown(c) })
	}
}

func (s *state) flipUp(c *card, _ Zone) {
	c.down = false
	s.Emit(engine.Event{Name: "flipped-up", Seat: c.player.seat, Card: c.id()})
}

// gainCard carries out the rule "Gain": a face-up mutant of the gene pool goes where the
// ability says.
func (s *state) gainCard(c *card, from, to Zone) {
	s.triggersLater(c.player, EachGain, cause{card: c})
	if to == InFreeze {
		s.freezeCard(c, from)
		return
	}
	s.move("gains-card", c, from, to)
}

// moveCard puts a card into another zone of its owner. The rule "Whenever a mutant leaves"
// applies only to a card that goes from the arena to the discard pile.
func (s *state) moveCard(c *card, from, to Zone) {
	switch {
	case from == InDiscard:
		s.move("takes", c, from, to)
	case from&inArena != 0 && to == InDiscard:
		s.removeMutant(c)
	case from != to:
		s.move("puts", c, from, to)
	}
}

// swap exchanges the cards in the left and the right slot, each face-up or
// face-down as before.
func (s *state) swap(p *player) {
	left, right := p.mutantIn(InLeft), p.mutantIn(InRight)
	s.moveAcross(left, InRight)
	s.moveAcross(right, InLeft)
}

// moveAcross moves a card, unless it is nil, to another slot. Moving does not turn the card
// over.
func (s *state) moveAcross(c *card, to Zone) {
	if c == nil {
		return
	}
	down := c.down
	s.move("moves", c, c.zone, to)
	c.down = down
}
