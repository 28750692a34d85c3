package engine_test

import (
	"strings"
	"testing"

	"tableside/engine"
)

// TestAgenda checks that a new step runs before all pending ones, and that a
// game that waits for an answer goes on where it stopped.
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
			t.Errorf("got steps %q, want %q", got, want)
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

// TestEndlessAgenda checks that steps that trigger each other endlessly are
// refused, so that no card can stop the table.
func TestEndlessAgenda(t *testing.T) {
	var a engine.Agenda
	var step func()
	step = func() { a.Do(step, step) }
	a.Do(step)
	err := a.Run(func() bool { return false })
	r, refused := engine.AsRefusal(err)
	if !refused || !engine.CoreWords().Has(r.Text.Key) {
		t.Errorf("got %v, want a refusal that has words", err)
	}
}
