package main

import (
	"testing"
	"time"

	"tableside/engine"
)

// TestComputer lets the table play a match of Mindbug against itself, to its end, and a rematch's first move.
func TestComputer(t *testing.T) {
	t.Parallel()
	p := startDemo(t, "--game", "mindbug/first-contact", "--option", "guide=off", "--first", "red", "--fast",
		"--computer", "red=easy", "--computer", "blue=easy")
	over := func(v engine.View) bool { return len(v.Winners) > 0 }
	wait := func(what string, done func(engine.View) bool) engine.View {
		for end := time.Now().Add(time.Minute); ; {
			v, err := p.view()
			if err != nil {
				t.Fatal(err)
			}
			if done(v) {
				return v
			}
			if time.Now().After(end) {
				t.Fatalf("%s: no, after %d inputs: %+v", what, v.Seq, v.Prompts)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	wait("the match is over", over)
	if r, err := p.input("table choose rematch"); err != nil || r.Outcome != engine.Accepted {
		t.Fatal(r, err)
	}
	wait("the rematch goes on", func(v engine.View) bool { return !over(v) && v.Seq > 4 })
}
