package engine

import "slices"

// An Agenda is what is still to be done before the next player is asked: the
// rules of a game as steps. docs/decisions/0001 tells why. The zero value is
// empty.
//
// A step does its part of the rules and may put more steps before those that
// wait. It may also ask a question, and then nothing moves until that is
// answered.
type Agenda struct {
	After func() // is called after each step, if it is not nil

	steps []func() // the next one last
	taken func()   // the last one
}

// enoughSteps wait in most matches at once.
const enoughSteps = 16

// Do puts steps on the agenda, to be taken in this order before all that
// already waits.
func (a *Agenda) Do(steps ...func()) {
	if a.steps == nil {
		a.steps = make([]func(), 0, enoughSteps)
	}
	for _, step := range slices.Backward(steps) {
		a.steps = append(a.steps, step)
	}
}

// Again takes the last step once more, before all that waits: it has asked
// something, and things have changed before the answer.
func (a *Agenda) Again() { a.Do(a.taken) }

// Skip takes the next step off.
func (a *Agenda) Skip() { a.steps = a.steps[:len(a.steps)-1] }

// Clear takes all off: what was going on is broken off.
func (a *Agenda) Clear() { a.steps = a.steps[:0] }

// mostSteps is far more than the effects of any answer take. Those of an
// owner's cards may set each other off for ever.
const mostSteps = 10_000

// Run takes steps until the game waits, for an answer or because it is over,
// or until none is left. Steps that do not come to an end are refused.
func (a *Agenda) Run(waits func() bool) error {
	for n := 0; len(a.steps) > 0 && !waits(); n++ {
		if n == mostSteps {
			return Refuse("refusal.endless")
		}
		last := len(a.steps) - 1
		a.taken = a.steps[last]
		a.steps = a.steps[:last]
		a.taken()
		if a.After != nil {
			a.After()
		}
	}
	return nil
}
