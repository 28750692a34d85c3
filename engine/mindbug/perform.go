package mindbug

import (
	"slices"

	"tableside/engine"
)

// effect reports whether a step would change anything, and returns a function that resolves
// the step without its alternative.
func (s *state) effect(src source, step *Step) (can bool, resolve func()) {
	if can, resolve = s.onLife(src, step); resolve == nil {
		if can, resolve = s.onCards(src, step); resolve == nil {
			can, resolve = s.onCreatures(src, step)
		}
	}
	return can, resolve
}

// onLife does the part of s.effect that is about life, energy and rules of this turn. For any
// other step, the returned function is nil.
func (s *state) onLife(src source, step *Step) (can bool, resolve func()) {
	p, o := src.p, s.opponentOf(src.p)
	switch step.Do {
	case GainLife:
		return true, func() { s.gainLife(p, step.N) }
	case LoseLife:
		return true, func() { s.loseLife(p, step.N) }
	case OpponentLoses:
		return true, func() { s.loseLife(o, step.N) }
	case OpponentKeeps:
		return o.life > step.N, func() { s.loseLife(o, o.life-step.N) }
	case LifePerMindbug:
		return o.mindbugs > 0, func() { s.loseLife(o, step.N*o.mindbugs) }
	case LifeAsOpponent:
		return o.life != p.life, func() {
			p.life = o.life
			s.Tell("life-becomes", p.seat, p.life)
		}
	case GainEnergy:
		return true, func() { s.gainEnergy(p, step.N) }
	case EnergyPerEnemy:
		return len(o.play) > 0, func() { s.gainEnergy(p, step.N*len(o.play)) }
	case TakeEnergyCard:
		return len(s.energyRow) > 0, func() { s.takeEnergyCard(src) }
	case TakeTopEnergy:
		return s.energyDeck > 0, func() { s.takeTopEnergy(src) }
	case ThisTurn:
		return true, func() {
			s.turnRules = append(s.turnRules, activeRule{&step.Gift, p, src.card})
			s.Emit(engine.Event{Name: "this-turn", Seat: p.seat, Card: src.card.Name})
		}
	}
	return false, nil
}

// onCards does the part of s.effect that is about hidden and discarded cards. For any other
// step, the returned function is nil.
func (s *state) onCards(src source, step *Step) (can bool, resolve func()) {
	p, o := src.p, s.opponentOf(src.p)
	switch step.Do {
	case OpponentDiscards:
		return o.hand > 0, func() { s.discardCards(o, step.N) }
	case DiscardPerEnemy:
		return o.hand > 0 && len(o.play) > 0, func() { s.discardCards(o, step.N*len(o.play)) }
	case DiscardDeck:
		return o.deck > 0, func() { s.discardAll(o, o.placeOf(inDeck)) }
	case DiscardAll:
		return o.hand+o.deck > 0, func() { s.discardAll(o, o.placeOf(inHand), o.placeOf(inDeck)) }
	case DiscardRandom:
		return p.hand > 0, func() { s.discardRandom(p) }
	case DiscardToDefeat:
		return p.hand > 0, func() { s.discardToDefeat(src, step.N, 0) }
	case PutRandom:
		return o.hand > 0, func() { s.revealRandom(src) }
	case Steal:
		return o.hand > 0, func() { s.steal(p, step.N) }
	case DrawDiscard:
		return len(p.discard)+p.heap > 0, func() { s.drawDiscard(p) }
	case PlayCard, DrawCard:
		can := len(s.drawn(p, step)) > 0 || s.unnamedHeaps(p, step.From) != 0 || step.From == OwnHand && p.hand > 0
		return can, func() { s.takeFrom(src, step, step.N) }
	case DrawUnused: // 002 lexicon, "Pile inutilisée": the top card, unnamed
		return s.unused > 0, func() {
			s.Shift(engine.Event{Name: "draws-unused", Seat: p.seat}, inUnused, p.placeOf(inHand), 1)
		}
	case PlayGiven:
		return o.hand > 0, func() { s.give(src, func(c *card) { s.enter(p, c) }) }
	case PlayOrKeep:
		return o.hand > 0, func() { s.playOrKeep(src) }
	case PlayThis:
		discarded := src.card.Where == p.placeOf(inDiscard)
		return discarded, func() {
			if discarded {
				s.enter(p, src.card)
			}
		}
	case Boost:
		return s.anyDiscards() && len(s.candidates(src, &step.Creatures)) > 0,
			func() { s.boost(boosting{source: src, creatures: &step.Creatures, n: step.N}) }
	case TakeBoost:
		return len(s.boosted()) > 0, func() {
			s.pick(src, "take-boost", boosts, s.boosted, func(c *card) { s.move("takes-boost", p.seat, c, p.placeOf(inHand)) })
		}
	}
	return false, nil
}

// onCreatures does the part of s.effect that is about creatures in play. For any other step,
// the returned function is nil.
func (s *state) onCreatures(src source, step *Step) (can bool, resolve func()) {
	p, o := src.p, s.opponentOf(src.p)
	each := func(key string, do func(*card)) (bool, func()) {
		return s.affects(src, step), func() {
			s.choose(src, step, key, nil, func(list []*card) {
				for _, c := range list {
					do(c)
				}
			})
		}
	}
	one := func(key string, do func(*card)) (bool, func()) {
		return s.affects(src, step), func() {
			s.pick(src, key, plays, func() []*card { return s.targets(src, step) }, do)
		}
	}
	switch step.Do {
	case Defeat:
		return s.affects(src, step), func() { s.choose(src, step, "defeat", nil, s.defeat) }
	case DefeatNamed:
		named := func(c *card) bool { return !s.rules.revised || !c.undefeatable && s.keywords(c) != noKeywords }
		return slices.ContainsFunc(o.play, named), func() { s.defeatNamed(src) }
	case TakeControl:
		return each("control", func(c *card) { s.giveControl(p, c) })
	case GiveControl:
		return each("give-control", func(c *card) { s.giveControl(o, c) })
	case Return:
		return each("return", func(c *card) { s.move("returns", p.seat, c, p.placeOf(inHand)) })
	case ReturnTheirs:
		return each("return-theirs", func(c *card) { s.move("returns", o.seat, c, o.placeOf(inHand)) })
	case StopBlock:
		return each("stop-block", func(c *card) {
			c.noBlock = true
			s.Emit(engine.Event{Name: "stop-block", Seat: p.seat, Card: c.Name})
		})
	case Outlast:
		return each("outlast", func(c *card) {
			c.undefeatable = true
			s.Emit(engine.Event{Name: "outlasts", Seat: p.seat, Card: c.Name})
		})
	case TriggerPlay:
		return one("trigger-play", s.triggerPlay)
	case CopyPlay:
		return one("copy-play", func(c *card) {
			s.Emit(engine.Event{Name: "copies", Seat: p.seat, Card: c.Name, Word: "card." + src.card.kind.ID})
			s.carryOut(src, &c.kind.Play)
		})
	case ForceAttack:
		return one("force-attack", func(c *card) { s.attackWith(o, c) })
	case Evolve:
		able := src.card.Where&plays != 0 && src.card.kind.Into == step.Into && s.rules.kinds[step.Into] != nil
		return able, func() {
			if able {
				s.evolve("evolves", src.card, s.rules.kinds[step.Into])
			}
		}
	}
	return false, nil
}

// giveControl gives a player control of a creature (001 lexicon, "Prendre le contrôle d'une
// créature"). The creature keeps its condition, and nothing is triggered.
func (s *state) giveControl(p *player, c *card) {
	if c.Where != p.placeOf(inPlay) {
		s.move("takes-control", p.seat, c, p.placeOf(inPlay))
	}
}

// triggerPlay triggers the Play effect of a creature, unless a rule silences its player's Play
// effects.
func (s *state) triggerPlay(c *card) {
	if p := s.controller(c); !s.silenced(p) {
		s.trigger(p, c, "play")
	}
}

// defeatNamed asks for a keyword and defeats all enemies that have it.
func (s *state) defeatNamed(src source) {
	q := question{Seat: src.p.seat, Key: "name-keyword", About: src.card}
	for _, name := range keywordNames {
		q.Fixed = append(q.Fixed, answer{Verb: engine.Choose, Word: name, Label: "keyword",
			About: engine.Word("keyword." + name)})
	}
	q.Chosen = func(a answer) {
		list := s.candidates(src, &Creatures{Side: Enemy, Keywords: keywordOf(a.Word)})
		s.Emit(engine.Event{Name: "names", Seat: src.p.seat, Word: "keyword." + a.Word})
		s.defeat(list)
	}
	s.Ask(q)
}
