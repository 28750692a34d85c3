package engine

import "slices"

// An Agenda holds the steps that the rules carry out before the next question to a player. The
// zero value is an empty Agenda. See docs/decisions/0001 for the reasons.
//
// A step carries out its part of the rules. A step may put more steps before the pending
// steps. A step may also ask a question. Then no further step runs until the player has
// answered.
type Agenda struct {
	After func() // called after each step; may be nil

	steps    []func() // the last one is the next to run
	lastStep func()   // nil before the first
}

// Do puts steps on the agenda, to run in this order before all pending ones.
func (a *Agenda) Do(steps ...func()) {
	for _, step := range slices.Backward(steps) {
		a.steps = append(a.steps, step)
	}
}

// Again puts the step that ran last back on the agenda, before all pending steps. If that step
// asked a question and the match changed before the answer, call Again.
func (a *Agenda) Again() { a.Do(a.lastStep) }

// Skip removes the next step. There must be one.
func (a *Agenda) Skip() { a.steps = a.steps[:len(a.steps)-1] }

// Clear removes all steps.
func (a *Agenda) Clear() { a.steps = a.steps[:0] }

// maxSteps is the greatest number of steps that one Run carries out. The effects of any
// answer need far fewer steps. Without this limit, the effects of an owner's cards could
// trigger each other without end.
const maxSteps = 10_000

// Run runs steps until no step is left or the callback returns true. The callback reports
// whether the match waits for an answer or is over. Run calls the callback before each step.
// If a step is still left after maxSteps steps, Run returns a *Refusal.
func (a *Agenda) Run(waits func() bool) error {
	for n := 0; len(a.steps) > 0 && !waits(); n++ {
		if n == maxSteps {
			return Refuse("refusal.endless")
		}
		last := len(a.steps) - 1
		a.lastStep = a.steps[last]
		a.steps = a.steps[:last]
		a.lastStep()
		if a.After != nil {
			a.After()
		}
	}
	return nil
}
