package mutants

import (
	"slices"
	"strconv"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// chooseEffect resolves one of several effects, the choice of whom they
// concern. What cannot resolve is not offered.
func (s *state) chooseEffect(src source, steps []Step) {
	step, rest := &steps[0], steps[1:]
	take := func(option *Step) { s.resolve(src, slices.Concat(option.group(), rest)) }
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
	case 0: // a correction by hand has taken it away
	case 1:
		take(q.Fixed[0].About.(*Step))
	default:
		s.Ask(q)
	}
}

// chooseSome is choose for several cards, taken one by one. Where all that
// there are have to be taken nothing is asked.
func (s *state) chooseSome(src source, step *Step, left int, key string, then func(c *card, from Zone)) {
	list := s.candidates(src, step)
	hidden := s.unseen(src.p, step)
	more := func() { s.chooseSome(src, step, left-1, key, then) }
	switch {
	case left == 0 || len(list) == 0 && !hidden:
		return
	case !step.UpTo && !hidden && len(list) <= left:
		s.Do(func() { then(list[0], list[0].where) }, more)
		return
	}
	q := s.whichCard(src, step, key, list)
	q.N = left
	q.Tap = func(c *card) { s.Do(func() { then(c, c.where) }, more) }
	q.Again = func() { s.chooseSome(src, step, left, key, then) }
	if step.UpTo {
		q.Fixed, q.Chosen = enough, func(answer) {}
	}
	s.Ask(q)
}

var enough = []answer{cardgame.Key("no", "enough")}
