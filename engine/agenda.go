package engine

import "slices"

// An Agenda holds the steps of the rules that come before the next question to
// a player. docs/decisions/0001 says why. The zero value is empty.
//
// A step carries out its part of the rules and may put more steps before the
// pending ones. It may also ask a question: then no step runs until the answer.
type Agenda struct {
	After func() // called after each step; may be nil

	steps []func() // the last one is the next to run
	taken func()   // the step that ran last; nil before the first
}

// enoughSteps is the initial capacity of an Agenda. In most matches, the number of pending
// steps never exceeds it.
const enoughSteps = 16

// Do puts steps on the agenda, to run in this order before all pending ones.
func (a *Agenda) Do(steps ...func()) {
	if a.steps == nil {
		a.steps = make([]func(), 0, enoughSteps)
	}
	for _, step := range slices.Backward(steps) {
		a.steps = append(a.steps, step)
	}
}

// Again puts the step that ran last back on the agenda, before all pending ones. Call it if
// that step asked a question and the match changed before the answer.
func (a *Agenda) Again() { a.Do(a.taken) }

// Skip removes the next step. There must be one.
func (a *Agenda) Skip() { a.steps = a.steps[:len(a.steps)-1] }

// Clear removes all steps.
func (a *Agenda) Clear() { a.steps = a.steps[:0] }

// mostSteps is the greatest number of steps that one Run carries out, far more than the
// effects of any answer need. Without this limit, effects of an owner's cards that trigger
// each other could run endlessly.
const mostSteps = 10_000

// Run runs steps until none is left, or until waits() returns true because the match waits for
// an answer or is over. It calls waits() before each step. It returns a *Refusal if more than
// mostSteps steps would be needed.
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
