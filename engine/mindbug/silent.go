package mindbug

import "slices"

// The option silent-no: who is asked for a Mindbug and taps a card for the next
// turn instead has said no. Both are one input, so that one undo takes both
// back.

// A declined Mindbug is a tap for the turn that follows.
type declined struct {
	question question
	card     *card
}

// silently adds these taps to the question for a Mindbug. They are offered
// where nothing is asked between the two.
func (s *state) silently(q question) question {
	o := s.at(q.Seat)
	no, places := q.Chosen, o.of(inHand)|o.of(inPlay)
	if s.rules.energy {
		places |= inEnergyRow
	}
	q.Unlisted = places
	if s.silenced(s.other(o)) || q.About.kind.Play.quiet() {
		q.In, q.Hidden = places, "no-and-play"
	}
	q.Labels = func(c *card) string {
		d, _ := s.deedOf(o, c, nil)
		if d.do == nil || c.Where == inEnergyRow && c.kind.Price > o.energy {
			return ""
		}
		return "no-and-" + d.label
	}
	q.Tap = func(c *card) {
		s.declined = &declined{q, c}
		no(yesNo[1])
	}
	return q
}

// tapNext takes the tap for the turn that begins. Where it does not begin at
// once, the question is still to be answered: a tap must not lose a match or
// answer for what nobody has seen yet.
func (s *state) tapNext() error {
	asked, c := s.declined.question, s.declined.card
	s.declined = nil
	next := s.Question
	if next.Seat != asked.Seat || s.phase() != "turn" || next.Places()&c.Where == 0 {
		s.Question = asked
		return s.NotAsked()
	}
	c.Where &= next.Places()
	if why := next.Why(c); why.Key != "" {
		return s.Still(why.Refusal())
	}
	s.Question = question{}
	next.Tap(c)
	return s.Run(s)
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
