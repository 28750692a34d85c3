package mutants

import (
	"slices"
	"strconv"

	"tableside/engine"
)

// chooseEffect resolves one of several effects, the choice of whom they
// concern. What cannot resolve is not offered.
func (s *state) chooseEffect(src source, steps []Step) {
	step, rest := &steps[0], steps[1:]
	take := func(option *Step) { s.resolve(src, slices.Concat(option.group(), rest)) }
	q := question{player: src.p, key: "choose-effect", card: src.card,
		chosen: func(a answer) { s.do(func() { take(a.step) }) },
		again:  func() { s.resolve(src, steps) },
	}
	for i := range step.Or {
		if option := &step.Or[i]; s.feasible(src, option) {
			q.fixed = append(q.fixed, answer{verb: engine.Choose, word: strconv.Itoa(i + 1), label: "effect", step: option})
		}
	}
	switch len(q.fixed) {
	case 0: // a correction by hand has taken it away
	case 1:
		take(q.fixed[0].step)
	default:
		s.ask(q)
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
		s.do(func() { then(list[0], list[0].where) }, more)
		return
	}
	q := s.whichCard(src, step, key, list)
	q.n = left
	q.tap = func(c *card) { s.do(func() { then(c, c.where) }, more) }
	q.again = func() { s.chooseSome(src, step, left, key, then) }
	if step.UpTo {
		q.fixed, q.chosen = enough, func(answer) {}
	}
	s.ask(q)
}

var enough = []answer{{verb: engine.Key, word: "no", label: "enough"}}
