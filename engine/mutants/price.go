package mutants

import "slices"

// only is a step without its condition, "may" and price.
func (s Step) only() Step {
	s.If, s.May, s.Price, s.Else = Test{}, false, nil, nil
	return s
}

// spread lists what is left of a part once its condition, "may" and price are
// dealt with, and what follows it.
func (s Step) spread(rest []Step) []Step { return slices.Concat(s.only().group(), rest) }

// buy resolves a part that has a price: EN "to gain", FR "pour gagner". It is
// paid in full, or nothing happens and nothing is asked. To decline it, where
// it is optional, declines only what it buys.
func (s *state) buy(src source, steps []Step) {
	step, rest := &steps[0], steps[1:]
	then := func() { s.resolve(src, rest) }
	if !s.payable(src, step.Price) || !s.worthPaying(src, step) {
		s.do(then)
		s.cannot(src)
		return
	}
	pay := func() {
		list := make([]func(), 0, len(step.Price)+1)
		for i := range step.Price {
			list = append(list, func() { s.perform(src, &step.Price[i]) })
		}
		s.do(append(list, func() { s.resolve(src, step.spread(rest)) })...)
	}
	if !step.May {
		pay()
		return
	}
	s.ask(question{player: src.p, key: "may-pay", card: src.card, fixed: yesNo,
		chosen: func(a answer) {
			if a.word == "yes" {
				s.do(pay)
			} else {
				s.do(then)
			}
		},
		again: func() { s.resolve(src, steps) },
	})
}

// payable reports whether a price can be paid in full. The table counts the
// cards of a hand, and need not see them.
func (s *state) payable(src source, price []Step) bool {
	p := src.p
	hand, power, points := p.hand, s.power.space(p.index)-1, s.score.space(p.index)
	for i := range price {
		step := &price[i]
		n := max(1, s.amount(src, step))
		switch {
		case step.Per != (Count{}) && s.amount(src, step) == 0:
			continue
		case step.Do == Discard || step.What == FromHand:
			hand -= n
		case step.Do == LosePower:
			power -= n
		case step.Do == LosePoints:
			points -= n
		case s.reach(src, step) < n:
			return false
		}
		if !s.possible(src, step) {
			return false
		}
	}
	return hand >= 0 && power >= 0 && points >= 0
}

// worthPaying reports whether what a price buys could resolve once it is paid:
// nothing is paid for nothing.
func (s *state) worthPaying(src source, step *Step) bool {
	bought := step.only()
	for _, effect := range bought.group() {
		if s.mayBecomePossible(src, step.Price, &effect) {
			return true
		}
		if s.rules.stopsAtFailure {
			break
		}
	}
	return false
}

// mayBecomePossible reports whether an effect is possible, or could be by what
// paying changes: cards come into the discard pile or another zone, a marker
// moves.
func (s *state) mayBecomePossible(src source, price []Step, effect *Step) bool {
	if effect.Do == Choose {
		return slices.ContainsFunc(effect.Or, func(option Step) bool {
			return s.mayBecomePossible(src, price, &option)
		})
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
			if paid.puts()&(InDiscard|InDeck) != 0 {
				return true
			}
		case FlipUp:
			if paid.Do == KnockDown {
				return true
			}
		case GainCard:
			if effect.To == InIncubator && paid.What == Incubated && src.p.pooled() > 0 {
				return true
			}
		default:
			if paid.puts()&zonesOf(effect) != 0 || paid.What == Incubated && effect.To == InIncubator && effect.Do == Take {
				return true
			}
		}
	}
	return false
}

// puts is where an effect that is a price puts a card.
func (s *Step) puts() Zone {
	switch s.Do {
	case Discard:
		return InDiscard
	case Take:
		return s.To
	}
	return 0
}
