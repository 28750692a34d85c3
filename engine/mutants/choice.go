package mutants

import (
	"slices"
	"strconv"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// chooseEffect lets the affected player choose one of several effects, and resolves it. The
// first step lists the effects. Only those that can resolve may be chosen. If only one can
// resolve, the player is not asked. The other steps are resolved after that.
func (s *state) chooseEffect(src source, steps []Step) {
	step, rest := &steps[0], steps[1:]
	take := func(option *Step) { s.resolve(src, slices.Concat(option.splitGroup(), rest)) }
	q := question{Seat: src.p.seat, Key: "choose-effect", About: src.card,
		Chosen: func(a answer) { s.Do(func() { take(a.About.(*Step)) }) },
		Again:  func() { s.resolve(src, steps) },
	}
	for i := range step.Or {
		if option := &step.Or[i]; s.feasible(src, option) {
			q.Fixed = append(q.Fixed, answer{Verb: engine.Choose, Word: strconv.Itoa(i + 1), Label: "effect", About: option})
		}
	}
	switch len(q.Fixed) {
	case 0: // a correction by hand has left no effect that can resolve
	case 1:
		take(q.Fixed[0].About.(*Step))
	default:
		s.Ask(q)
	}
}

// chooseSome lets a player choose several cards for a step, one card after the other. It
// passes each card to the callback. If all candidates have to be taken, the player is not
// asked. There are n cards still to be taken. The question has the given key.
func (s *state) chooseSome(src source, step *Step, n int, key string, then func(c *card, from Zone)) {
	list := s.candidates(src, step)
	hidden := s.unseen(src.p, step)
	more := func() { s.chooseSome(src, step, n-1, key, then) }
	switch {
	case n == 0 || len(list) == 0 && !hidden:
		return
	case !step.UpTo && !hidden && len(list) <= n:
		s.Do(func() { then(list[0], list[0].zone) }, more)
		return
	}
	q := s.whichCard(src, step, key, list)
	q.N = n
	q.Tap = func(c *card) { s.Do(func() { then(c, c.zone) }, more) }
	q.Again = func() { s.chooseSome(src, step, n, key, then) }
	if step.UpTo {
		q.Fixed, q.Chosen = enough, func(answer) {}
	}
	s.Ask(q)
}

var enough = []answer{cardgame.Key("no", "enough")}

// effectOnly strips a step of its condition, its "may", its price and its "otherwise", and
// returns the rest.
func (s Step) effectOnly() Step {
	s.If, s.May, s.Price, s.Else = Test{}, false, nil, nil
	return s
}

// spread lists the effects of a part without its condition, its "may" and its price. The
// steps in following come after these effects.
func (s Step) spread(following []Step) []Step {
	return slices.Concat(s.effectOnly().splitGroup(), following)
}

// buy resolves a part that has a price (EN "to gain", FR "pour gagner"). The part is the first
// step, and the other steps are resolved after it. If the price cannot be paid in full, or if
// nothing that it buys could resolve, the player is not asked and pays nothing. In this case
// the next part follows in FR, but in EN the ability ends.
//
// If the player declines an optional part, only that part is left out.
func (s *state) buy(src source, steps []Step) {
	step, rest := &steps[0], steps[1:]
	then := func() { s.resolve(src, rest) }
	if !s.payable(src, step.Price) || !s.worthPaying(src, step) {
		s.Do(then)
		s.stopAbility(src)
		return
	}
	pay := func() {
		list := make([]func(), 0, len(step.Price)+1)
		for i := range step.Price {
			list = append(list, func() { s.perform(src, &step.Price[i]) })
		}
		s.Do(append(list, func() { s.resolve(src, step.spread(rest)) })...)
	}
	if !step.May {
		pay()
		return
	}
	s.askMay(src, "may-pay", 0, pay, then, func() { s.resolve(src, steps) })
}

// askMay asks a player whether to do something optional. If the player answers yes, onYes is
// called. If the player answers no, onNo is called, unless it is nil. After a correction, the
// function repeat asks the question again. The question has the given key and mentions the
// number n.
func (s *state) askMay(src source, key string, n int, onYes, onNo, repeat func()) {
	s.Ask(question{Seat: src.p.seat, Key: key, About: src.card, N: n, Fixed: yesNo,
		Chosen: func(a answer) {
			if a.Word == "yes" {
				s.Do(onYes)
			} else if onNo != nil {
				s.Do(onNo)
			}
		},
		Again: repeat,
	})
}

// payable reports whether a price can be paid in full. The table counts the cards of a hand
// without seeing them. No card can pay for two parts of a price.
func (s *state) payable(src source, price []Step) bool {
	p := src.p
	power, points := s.power.space(p.index)-1, s.score.space(p.index)
	for i := range price {
		step := &price[i]
		n := s.costOf(src, step)
		switch {
		case n == 0:
			continue
		case step.Do == LosePower:
			power -= n
		case step.Do == LosePoints:
			points -= n
		case step.sourceZone() == InHand || step.sourceZone() == InDiscard:
			if s.cardsLeft(src, price[:i], step.sourceZone()) < n {
				return false
			}
		case s.reach(src, step) < n:
			return false
		}
		if !s.possible(src, step) {
			return false
		}
	}
	return power >= 0 && points >= 0
}

// minCards returns the smallest number of cards with which an effect resolves. If the effect
// says "for each", the number is 0. In EN, an effect that does not say "up to" needs all cards
// that it names. In any other case, the number is 1.
func (s *state) minCards(effect *Step) int {
	switch {
	case effect.Per != (Count{}):
		return 0
	case s.rules.stopsAtFailure && !effect.UpTo:
		return max(1, effect.N)
	}
	return 1
}

func (s *state) costOf(src source, step *Step) int {
	if step.Per != (Count{}) {
		return s.amount(src, step)
	}
	return max(1, step.N)
}

// cardsLeft returns how many cards a zone will have after a price is paid. The zone is the
// hand or the discard pile.
func (s *state) cardsLeft(src source, price []Step, zone Zone) int {
	n := src.p.hand
	if zone == InDiscard {
		n = len(src.p.discard)
	}
	for i := range price {
		paid := &price[i]
		if paid.sourceZone() == zone {
			n -= s.costOf(src, paid)
		}
		if paid.destination() == zone {
			n += s.costOf(src, paid)
		}
	}
	return n
}

func (s *Step) sourceZone() Zone {
	if s.Do == Discard {
		return InHand
	}
	return zonesOf(s)
}

// worthPaying reports whether at least one effect of a step could resolve after the price of
// the step is paid. In EN only the first effect matters.
func (s *state) worthPaying(src source, step *Step) bool {
	bought := step.effectOnly()
	for _, effect := range bought.splitGroup() {
		if s.mayBecomePossible(src, step.Price, &effect) {
			return true
		}
		if s.rules.stopsAtFailure {
			break
		}
	}
	return false
}

// mayBecomePossible reports whether an effect could be possible after its price is paid. The
// payment may make an effect possible, because it puts cards into the discard pile or another
// zone, or moves a marker. It may also prevent an effect, because it may take the last card of
// the hand.
func (s *state) mayBecomePossible(src source, price []Step, effect *Step) bool {
	if effect.Do == Choose {
		return slices.ContainsFunc(effect.Or, func(option Step) bool {
			return s.mayBecomePossible(src, price, &option)
		})
	}
	zone := effect.sourceZone()
	if (zone == InHand || zone == InDiscard) && s.cardsLeft(src, price, zone) < s.minCards(effect) {
		return false
	}
	if s.possible(src, effect) {
		return true
	}
	for i := range price {
		paid := &price[i]
		switch effect.Do {
		case Attack:
			if paid.Do == LosePower {
				return true
			}
		case Draw, Cycle:
			if paid.destination()&(InDiscard|InDeck) != 0 {
				return true
			}
		case FlipUp:
			if paid.Do == KnockDown {
				return true
			}
		case GainCard:
			if effect.To == InIncubator && paid.Object == Incubated && src.p.pooled() > 0 {
				return true
			}
		default:
			if paid.destination()&effect.sourceZone() != 0 ||
				paid.Object == Incubated && effect.To == InIncubator && effect.Do == Take {
				return true
			}
		}
	}
	return false
}

func (s *Step) destination() Zone {
	switch s.Do {
	case Discard:
		return InDiscard
	case Take:
		return s.To
	}
	return 0
}
