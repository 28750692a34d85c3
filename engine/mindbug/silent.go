package mindbug

import "slices"

// The option silent-no: who is asked for a Mindbug and taps a card for the next
// turn instead has said no. Both are one input, so that one undo takes both
// back.

// silently adds these taps to the question for a Mindbug. They are offered
// where nothing is asked between the two.
func (s *state) silently(q question) question {
	o := q.player
	q.silent = true
	q.places = o.of(inHand) | o.of(inPlay)
	if s.rules.energy {
		q.places |= inEnergyRow
	}
	q.hidden = "no-and-play"
	q.opens = func(c *card) string { return "no-and-" + s.actionOf(c, false) }
	quiet := s.silenced(s.other(o)) || q.card.kind.Play.quiet()
	if !quiet {
		q.shut = o.of(inHand)
	}
	q.fits = func(c *card) reason {
		if !quiet || c.where == inEnergyRow && c.kind.Price > o.energy || c.where&plays != 0 && !s.canAttack(c) && !s.canUse(c) {
			return reason{key: "refusal.not-this-one", card: c.kind}
		}
		return reason{}
	}
	return q
}

// tapNext says no, and then takes the tap for the turn that begins. Where it
// does not begin at once, the question is still to be answered: a tap must not
// lose a match or answer for what nobody has seen yet.
func (s *state) tapNext(q question, c *card) error {
	s.question = question{}
	q.chosen(key("no", ""))
	if err := s.run(); err != nil {
		return err
	}
	next := s.question
	if next.player != q.player || s.phase() != "turn" || next.places&c.where == 0 {
		return q.first()
	}
	c.where &= next.places
	if why := next.refuses(c); why.key != "" {
		return next.still(why.refusal())
	}
	s.question = question{}
	next.tap(c)
	return nil
}

// quiet reports whether an ability asks nobody anything.
func (a *Ability) quiet() bool {
	asks := func(step Step) bool {
		switch step.Do {
		case GainLife, LoseLife, OpponentLoses, OpponentKeeps, LifePerMindbug, LifeAsOpponent, Steal, DrawDiscard, GainEnergy, EnergyPerEnemy, ThisTurn:
			return step.May || step.Or != nil
		}
		return true
	}
	return !a.Unknown && !slices.ContainsFunc(a.Steps, asks)
}
