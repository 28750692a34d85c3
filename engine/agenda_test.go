package engine_test

import (
	"strings"
	"testing"

	"tableside/engine"
)

// A step comes before all that waited when it was put there; a game that
// waits for an answer goes on where it stopped.
func TestAgenda(t *testing.T) {
	var a engine.Agenda
	var done []string
	asked := false
	say := func(words ...string) (steps []func()) {
		for _, word := range words {
			steps = append(steps, func() { done = append(done, word) })
		}
		return steps
	}
	run := func(want string) {
		t.Helper()
		done = nil
		if err := a.Run(func() bool { return asked }); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(done, " "); got != want {
			t.Errorf("the steps are %q and not %q", got, want)
		}
	}
	a.Do(say("attack")...)
	a.Do(func() {
		a.Do(say("cycle", "discard")...)
		a.Do(say("draw")...)
	}, func() {
		asked = true
		done = append(done, "ask")
	})
	run("draw cycle discard ask")
	run("")
	asked = false
	a.Again()
	run("ask")
	asked = false
	a.Do(say("skipped", "taken")...)
	a.Skip()
	a.After = func() { done = append(done, "look") }
	run("taken look attack look")
	a.Do(say("broken off")...)
	a.Clear()
	run("")
}

// Steps that set each other off for ever are refused, so that no card can
// stop the table.
func TestEndlessAgenda(t *testing.T) {
	var a engine.Agenda
	var step func()
	step = func() { a.Do(step, step) }
	a.Do(step)
	err := a.Run(func() bool { return false })
	r, refused := engine.AsRefusal(err)
	if !refused || !engine.CoreWords().Has(r.Text.Key) {
		t.Errorf("it ends with %v, and not with a refusal that everybody can read", err)
	}
}
