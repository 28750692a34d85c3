package mindbug

import (
	"slices"

	"tableside/engine"
)

// A source is the creature whose ability resolves, and for whom.
type source struct {
	p    *player // resolves it, and makes its choices
	card *card
}

// A trigger waits to be resolved.
type trigger struct {
	source
	on string
}

// trigger: 001 "Déclencheurs". The effect is for who controls the creature,
// or did when it was defeated.
func (s *state) trigger(p *player, c *card, on string) {
	if !c.kind.ability(on).none() {
		s.pending = append(s.pending, trigger{source{p, c}, on})
	}
}

// settle resolves all that has been triggered: 001 "Effets simultanés". One
// effect is finished before the next; of several that wait the player whose
// turn it is chooses the next.
func (s *state) settle() {
	switch len(s.pending) {
	case 0:
		return
	case 1:
		s.resolveTrigger(0)
		return
	}
	find := func(c *card) int {
		return slices.IndexFunc(s.pending, func(t trigger) bool { return t.card == c })
	}
	s.ask(question{player: s.players[s.active], key: "order", n: len(s.pending), places: ^(hidden | inEnergyDeck), open: "resolve",
		fits: func(c *card) error {
			if find(c) < 0 {
				return engine.Refuse("refusal.not-this-one", "card", engine.CardWord(c.kind.ID))
			}
			return nil
		},
		tap:   func(c *card) { s.resolveTrigger(find(c)) },
		again: s.settle,
	})
}

func (s *state) resolveTrigger(i int) {
	t := s.pending[i]
	s.pending = slices.Delete(s.pending, i, i+1)
	s.emit(engine.Event{Name: "triggers", Seat: t.p.seat, Card: t.card.name, Word: "trigger." + t.on})
	a := t.card.kind.ability(t.on)
	if a.Unknown {
		s.do(func() { s.byHand(t) }, s.settle)
		return
	}
	s.do(func() { s.resolve(t.source, a.Steps) }, s.settle)
}

// byHand waits while the players do what a card says that nobody has entered.
func (s *state) byHand(t trigger) {
	s.ask(question{player: t.p, key: "by-hand", card: t.card, fixed: byHandAnswers, chosen: func(a answer) {
		switch a.word {
		case "plus":
			s.gainLife(t.p, 1)
		case "minus":
			s.loseLife(t.p, 1)
		default:
			return
		}
		s.byHand(t)
	}})
}

var byHandAnswers = []answer{key("plus", "gain-one"), key("minus", "lose-one"), key("yes", "done")}

// resolve takes the steps of an ability in order, each as far as it goes: 001
// "Résoudre des effets". To decline what one may do ends the ability.
func (s *state) resolve(src source, steps []Step) {
	if len(steps) == 0 {
		return
	}
	step, rest := &steps[0], steps[1:]
	then := func() { s.resolve(src, rest) }
	switch {
	case !s.holds(step.If, src.p) || !s.possible(src, step):
		s.do(then)
	case step.May:
		s.ask(question{player: src.p, key: "may", card: src.card, n: step.N, fixed: yesNo,
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

// doesAnything reports whether any part of an ability would.
func (s *state) doesAnything(src source, steps []Step) bool {
	for i := range steps {
		if s.holds(steps[i].If, src.p) && s.possible(src, &steps[i]) {
			return true
		}
	}
	return false
}

// possible reports whether some of a step can be resolved.
func (s *state) possible(src source, step *Step) bool {
	o := s.other(src.p)
	switch step.Do {
	case OpponentKeeps:
		return o.life > step.N
	case LifeAsOpponent:
		return o.life != src.p.life
	case OpponentDiscards, Steal:
		return o.hand > 0
	case DrawDiscard:
		return len(src.p.discard) > 0
	case PlayCard, DrawCard:
		return len(s.drawn(src.p, step)) > 0 || step.From == OwnHand && src.p.hand > 0 || step.From == Unused && s.unused > 0
	case PlayGiven, PlayOrKeep:
		return o.hand > 0
	case PlayThis:
		return src.card.where == src.p.of(inDiscard)
	case TriggerPlay:
		return slices.ContainsFunc(s.candidates(src, &step.What), hasPlay)
	case Defeat, TakeControl, Return, StopBlock:
		return len(s.candidates(src, &step.What)) > 0
	case EnergyPerEnemy:
		return len(o.play) > 0
	case TakeEnergyCard:
		return len(s.energyRow) > 0
	case TakeTopEnergy:
		return s.energyDeck > 0
	}
	return true
}

func hasPlay(c *card) bool { return !c.kind.Play.none() }

// candidates are the creatures that an effect could take hold of, the
// opponent's first.
func (s *state) candidates(src source, of *Creatures) []*card {
	var list []*card
	for _, p := range []*player{s.other(src.p), src.p} {
		for _, c := range p.play {
			if s.sided(of.Side, src.p, src.card, c) && s.bounded(c, of) {
				list = append(list, c)
			}
		}
	}
	return list
}

// perform resolves one step.
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
	case LifeAsOpponent:
		s.gainLife(p, o.life-p.life)
		s.loseLife(p, p.life-o.life)
	case OpponentDiscards:
		s.discardCards(o, step.N)
	case Steal:
		s.steal(p, step.N)
	case DrawDiscard:
		for len(p.discard) > 0 {
			s.move("takes-back", p.seat, p.discard[0], p.of(inHand))
		}
	case PlayCard, DrawCard:
		s.takeFrom(src, step)
	case PlayGiven:
		s.playGiven(src)
	case PlayOrKeep:
		s.playOrKeep(src)
	case PlayThis:
		if src.card.where == p.of(inDiscard) {
			s.enter(p, src.card)
		}
	case StopBlock:
		s.choose(src, &step.What, "stop-block", nil, func(list []*card) {
			for _, c := range list {
				c.noBlock = true
				s.emit(engine.Event{Name: "stop-block", Seat: p.seat, Card: c.name})
			}
		})
	case Return:
		s.choose(src, &step.What, "return", nil, func(list []*card) {
			for _, c := range list {
				s.move("returns", p.seat, c, p.of(inHand))
			}
		})
	case TriggerPlay:
		s.triggerPlay(src, step)
	case GainEnergy:
		s.gainEnergy(p, step.N)
	case EnergyPerEnemy:
		s.gainEnergy(p, step.N*len(o.play))
	case TakeEnergyCard:
		s.takeEnergyCard(src)
	case TakeTopEnergy:
		s.takeTopEnergy(src)
	case ThisTurn:
		s.lasting = append(s.lasting, lasting{force{&step.Gift, p, src.card}})
		s.emit(engine.Event{Name: "this-turn", Seat: p.seat, Card: src.card.name})
	case Defeat:
		s.choose(src, &step.What, "defeat", nil, s.defeat)
	case TakeControl:
		s.choose(src, &step.What, "control", nil, func(list []*card) { s.control(p, list) })
	}
}

// choose finds the creatures of an effect: all of them, the only one there
// is, or those that the player taps. They are known before anything happens
// to any of them.
func (s *state) choose(src source, of *Creatures, key string, chosen []*card, then func([]*card)) {
	list := s.candidates(src, of)
	list = slices.DeleteFunc(list, func(c *card) bool { return slices.Contains(chosen, c) })
	most := 1
	if of.Count == UpTo {
		most = of.Most
	}
	switch {
	case of.Count == All:
		then(list)
		return
	case len(list) == 0 || len(chosen) == most:
		then(chosen)
		return
	case of.Count == One && len(list) == 1:
		then(list)
		return
	}
	q := question{player: src.p, key: key, card: src.card, n: most - len(chosen), places: plays,
		fits: func(c *card) error {
			if !slices.Contains(list, c) {
				return engine.Refuse("refusal.not-this-one", "card", engine.CardWord(c.kind.ID))
			}
			return nil
		},
		tap:   func(c *card) { s.choose(src, of, key, append(slices.Clone(chosen), c), then) },
		again: func() { s.choose(src, of, key, nil, then) },
	}
	if of.Count == UpTo {
		q.key = key + "-up-to"
		q.fixed, q.chosen = enough, func(answer) { then(chosen) }
	}
	s.ask(q)
}

var enough = []answer{key("no", "enough")}

// control: 001 lexicon, "Prendre le contrôle d'une créature". It keeps its
// state, and nothing is triggered.
func (s *state) control(p *player, list []*card) {
	for _, c := range list {
		if c.where != p.of(inPlay) {
			s.move("takes-control", p.seat, c, p.of(inPlay))
		}
	}
}

// discardCards: 001 lexicon, "Se défausser d'une carte": as many as there
// are, then the hand is drawn up.
func (s *state) discardCards(p *player, n int) {
	if n = min(n, p.hand); n == 0 {
		s.drawUp(p)
		return
	}
	s.ask(question{player: p, key: "discard", n: n, places: p.of(inHand),
		tap: func(c *card) {
			s.move("discards", p.seat, c, p.of(inDiscard))
			s.discardCards(p, n-1)
		},
		again: func() { s.discardCards(p, n) },
	})
}
