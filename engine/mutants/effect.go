package mutants

import (
	"slices"

	"tableside/engine"
)

// A source is the mutant whose ability resolves, and for whom.
type source struct {
	p      *player // resolves it, and makes its choices
	card   *card
	slot   Zone       // of the arena, in which the mutant is, or was when it left
	copies []borrowed // what is being copied: none of it twice
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
	case !s.holds(src.p, step.If):
		then()
	case !s.possible(src, step):
		s.do(then)
		s.cannot(src)
	case step.May:
		s.ask(question{player: src.p, key: mayKey(step), card: src.card, n: step.N, fixed: yesNo,
			chosen: func(a answer) {
				if a.word == "yes" {
					s.do(func() { s.perform(src, step) }, then)
				}
			},
			again: func() { s.resolve(src, steps) },
		})
	default:
		s.do(func() { s.perform(src, step) }, then)
	}
}

// cannot is called when a step turns out to be impossible, and what follows
// it in the ability is next on the agenda.
func (s *state) cannot(src source) {
	if s.rules.stopsAtFailure {
		s.agenda.Skip()
		s.emit(engine.Event{Name: "cannot", Seat: src.p.seat, Card: src.card.id()})
	}
}

func mayKey(step *Step) string {
	if step.Do == Freeze && step.What == This {
		return "may-freeze-this"
	}
	return "may-" + effectNames[step.Do]
}

var effectNames = map[Effect]string{
	GainPower: "gain-power", LosePower: "lose-power", Draw: "draw", Discard: "discard", Cycle: "cycle",
	Freeze: "freeze", KnockDown: "knock-down", FlipUp: "flip-up", GainCard: "gain-card", Take: "take",
	Deploy: "deploy", Transform: "transform", Copy: "copy", Attack: "attack", Heal: "heal",
}

// possible reports whether a step can be resolved: EN all of it, FR some of
// it.
func (s *state) possible(src source, step *Step) bool {
	p := src.p
	switch step.Do {
	case Draw, Cycle:
		return p.hasHand() && p.deck+len(p.discard) > 0
	case Discard:
		if s.rules.stopsAtFailure {
			return p.hand >= step.N
		}
		return p.hand > 0
	case Freeze, Take, Deploy, KnockDown, FlipUp:
		return len(s.candidates(src, step)) > 0 || s.unseen(src.p, step)
	case GainCard:
		return p.pooled() > 0 && (step.To != InIncubator || p.incubator == nil)
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
	}
	return 0
}

// candidates are the known cards that a step could take hold of; nil stands
// for a discarded one that nobody has named. Cards of the hand are never
// among them: only their owner sees those.
func (s *state) candidates(src source, step *Step) []*card {
	p := src.p
	flip := step.Do == FlipUp
	if step.What == This {
		if c := src.card; c.up() && !flip || c.down && flip || c.where == InLeaving && step.Do == Freeze {
			return []*card{c}
		}
		return nil
	}
	var found []*card
	zones := zonesOf(step)
	for _, c := range p.arena {
		if zones&c.where != 0 && c.down == flip && (step.What != SameSlot || c.where == src.slot) {
			found = append(found, c)
		}
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
		zones&InDiscard != 0 && slices.Contains(p.discard, nil) ||
		zones&inPool != 0 && p.owed() > 0
}

// perform resolves one step.
func (s *state) perform(src source, step *Step) {
	p := src.p
	switch step.Do {
	case GainPower:
		s.gainPower(p, step.N)
	case LosePower:
		s.losePower(p, step.N)
	case Draw:
		s.drawCards(p, step.N, nil)
	case Discard:
		s.discardCards(p, step.N)
	case Cycle:
		s.drawCards(p, step.N, func(drawn int) { s.discardCards(p, drawn) })
	case Freeze:
		s.choose(src, step, "freeze-card", s.freezeCard)
	case KnockDown:
		s.eachOrOne(src, step, "knock-down-card", s.knockDown)
	case FlipUp:
		s.eachOrOne(src, step, "flip-up-card", s.flipUp)
	case GainCard:
		gain := Step{Do: GainCard, What: FromPool}
		s.choose(src, &gain, "gain-card", func(c *card, from Zone) { s.gainCard(c, from, step.To) })
	case Take:
		s.choose(src, step, "take-card", func(c *card, from Zone) { s.move("takes", c, from, step.To) })
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

// choose takes the only card there is, or asks for one.
func (s *state) choose(src source, step *Step, key string, then func(c *card, from Zone)) {
	list := s.candidates(src, step)
	hidden := s.unseen(src.p, step)
	switch {
	case len(list) == 0 && !hidden:
		return // a correction by hand has taken it away
	case len(list) == 1 && !hidden:
		then(list[0], list[0].where)
		return
	}
	zones := zonesOf(step)
	s.ask(question{player: src.p, key: key, card: src.card, zones: zones,
		fits: func(c *card) error {
			if c.where&(InHand|InDiscard) == 0 && !slices.Contains(list, c) && !c.player.tops(c) {
				return engine.Refuse("refusal.not-this-one", "card", engine.CardWord(c.kind.ID))
			}
			return nil
		},
		tap:   func(c *card) { then(c, c.where) },
		again: func() { s.choose(src, step, key, then) },
	})
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
	s.triggered(c.player, EachFreeze)
	if s.boss != nil {
		s.do(func() { s.strikeFrozen(c) })
	}
}

// knockDown: "Knock Down", "K.O." The mutant stays in its slot, face-down.
func (s *state) knockDown(c *card, _ Zone) {
	c.down = true
	s.emit(engine.Event{Name: "knocked-down", Seat: c.player.seat, Card: c.id()})
	if c.player == s.boss {
		s.do(func() { s.weakDown(c) })
	}
}

// flipUp is the only way a knocked-down mutant comes back.
func (s *state) flipUp(c *card, _ Zone) {
	c.down = false
	s.emit(engine.Event{Name: "flipped-up", Seat: c.player.seat, Card: c.id()})
}

// gainCard: "Gain". A face-up mutant of the gene pool goes where the ability
// says.
func (s *state) gainCard(c *card, from, to Zone) {
	if to == InFreeze {
		s.freezeCard(c, from)
		return
	}
	s.move("gains-card", c, from, to)
}
