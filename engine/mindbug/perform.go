package mindbug

import (
	"slices"

	"tableside/engine"
)

// perform resolves one step: what it does to life and energy, to hidden and
// discarded cards, or to creatures.
func (s *state) perform(src source, step *Step) {
	p, o := src.p, s.other(src.p)
	switch step.Do {
	case GainLife:
		s.gainLife(p, step.N)
	case LoseLife:
		s.loseLife(p, step.N)
	case OpponentLoses:
		s.loseLife(o, step.N)
	case OpponentKeeps:
		s.loseLife(o, o.life-step.N)
	case LifePerMindbug:
		s.loseLife(o, step.N*o.mindbugs)
	case LifeAsOpponent:
		p.life = o.life
		s.tell("life-becomes", p, p.life)
	case GainEnergy:
		s.gainEnergy(p, step.N)
	case EnergyPerEnemy:
		s.gainEnergy(p, step.N*len(o.play))
	case TakeEnergyCard:
		s.takeEnergyCard(src)
	case TakeTopEnergy:
		s.takeTopEnergy(src)
	case ThisTurn:
		s.lasting, s.stale = append(s.lasting, force{&step.Gift, p, src.card}), true
		s.Emit(engine.Event{Name: "this-turn", Seat: p.seat, Card: src.card.Name})
	default:
		s.performWithCards(src, step)
	}
}

func (s *state) performWithCards(src source, step *Step) {
	p, o := src.p, s.other(src.p)
	switch step.Do {
	case OpponentDiscards:
		s.discardCards(o, step.N)
	case DiscardPerEnemy:
		s.discardCards(o, step.N*len(o.play))
	case DiscardDeck:
		s.discardAll(o, o.of(inDeck))
	case DiscardAll:
		s.discardAll(o, o.of(inHand), o.of(inDeck))
	case DiscardRandom:
		s.discardRandom(p)
	case DiscardToDefeat:
		s.discardToDefeat(src, step.N, 0)
	case PutRandom:
		s.revealRandom(src)
	case Steal:
		s.steal(p, step.N)
	case DrawDiscard:
		for len(p.discard) > 0 {
			s.move("takes-back", p.seat, p.discard[0], p.of(inHand))
		}
		s.shift("takes-rest", p, p.of(inHeap), p.of(inHand))
	case PlayCard, DrawCard:
		s.takeFrom(src, step, step.N)
	case PlayGiven:
		s.give(src, func(c *card) { s.enter(p, c) })
	case PlayOrKeep:
		s.playOrKeep(src)
	case PlayThis:
		if src.card.Where == p.of(inDiscard) {
			s.enter(p, src.card)
		}
	case Boost:
		s.boost(boosting{source: src, of: &step.What, n: step.N})
	case TakeBoost:
		s.takeBoost(src)
	default:
		s.performOnCreatures(src, step)
	}
}

func (s *state) performOnCreatures(src source, step *Step) {
	p, o := src.p, s.other(src.p)
	each := func(key string, do func(*card)) {
		s.choose(src, step, key, nil, func(list []*card) {
			for _, c := range list {
				do(c)
			}
		})
	}
	switch step.Do {
	case Defeat:
		s.choose(src, step, "defeat", nil, s.defeat)
	case DefeatNamed:
		s.defeatNamed(src)
	case TakeControl:
		each("control", func(c *card) { s.control(p, c) })
	case GiveControl:
		each("give-control", func(c *card) { s.control(o, c) })
	case Return:
		each("return", func(c *card) { s.move("returns", p.seat, c, p.of(inHand)) })
	case ReturnTheirs:
		each("return-theirs", func(c *card) { s.move("returns", o.seat, c, o.of(inHand)) })
	case StopBlock:
		each("stop-block", func(c *card) {
			c.noBlock = true
			s.Emit(engine.Event{Name: "stop-block", Seat: p.seat, Card: c.Name})
		})
	case Outlast:
		each("outlast", func(c *card) {
			c.lasts = true
			s.Emit(engine.Event{Name: "outlasts", Seat: p.seat, Card: c.Name})
		})
	case TriggerPlay:
		s.pick(src, "trigger-play", plays, func() []*card { return s.targets(src, step) }, s.triggerPlay)
	case CopyPlay:
		s.pick(src, "copy-play", plays, func() []*card { return s.copied(src, step) }, func(c *card) { s.copyPlay(src, c) })
	case ForceAttack:
		attack := func(c *card) { s.attackWith(o, c) }
		s.pick(src, "force-attack", plays, func() []*card { return s.targets(src, step) }, attack)
	case Evolve:
		if s.mayEvolve(src.card, step.Into) {
			s.evolve("evolves", src.card, s.rules.kinds[step.Into])
		}
	}
}

// control: 001 lexicon, "Prendre le contrôle d'une créature". It keeps its
// state, and nothing is triggered.
func (s *state) control(p *player, c *card) {
	if c.Where != p.of(inPlay) {
		s.move("takes-control", p.seat, c, p.of(inPlay))
	}
}

// triggerPlay triggers the Play effect of a creature once more.
func (s *state) triggerPlay(c *card) {
	if p := s.controller(c); !s.silenced(p) {
		s.trigger(p, c, "play")
	}
}

// copied are the creatures of which one Play effect is copied: any of them,
// where all are of one kind.
func (s *state) copied(src source, step *Step) []*card {
	list := s.targets(src, step)
	if s.rules.revised && len(list) > 0 && !slices.ContainsFunc(list, func(c *card) bool { return c.kind != list[0].kind }) {
		return list[:1]
	}
	return list
}

// copyPlay resolves the Play effect of one creature as that of another.
func (s *state) copyPlay(src source, of *card) {
	s.Emit(engine.Event{Name: "copies", Seat: src.p.seat, Card: of.Name, Word: "card." + src.card.kind.ID})
	s.carryOut(src, &of.kind.Play)
}

// defeatNamed: a keyword is named, and all enemies that have it are defeated.
func (s *state) defeatNamed(src source) {
	q := question{Seat: src.p.seat, Key: "name-keyword", About: src.card}
	for _, f := range keywordForms {
		q.Fixed = append(q.Fixed, answer{Verb: engine.Choose, Word: f.Words, Label: "keyword", About: engine.Word("keyword." + f.Words)})
	}
	q.Chosen = func(a answer) {
		list := s.candidates(src, &Creatures{Side: Enemy, Keywords: keywordOf(a.Word)})
		s.Emit(engine.Event{Name: "names", Seat: src.p.seat, Word: "keyword." + a.Word})
		s.defeat(list)
	}
	s.Ask(q)
}
