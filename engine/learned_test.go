package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What was learned follows undo and redo, and nobody who has asked for it sees it change. It is not
// gathered from all inputs: a simulated table asks after each.
func TestLearned(t *testing.T) {
	m := newPen(t, pen{})
	apply := func(in Input) {
		t.Helper()
		if _, err := m.Apply(in); err != nil {
			t.Fatal(err)
		}
	}
	var asked [][]string
	var wants []string
	for _, step := range []struct {
		in   Input
		want string
	}{
		{Input{Seat: "red", Verb: Choose, Args: []string{"a"}}, "a"},
		{Input{Seat: "red", Verb: Key, Args: []string{"plus"}}, "a"},
		{Input{Seat: "red", Verb: Choose, Args: []string{"b"}}, "a b"},
		{Input{Seat: "red", Verb: Undo}, "a"},
		{Input{Seat: "red", Verb: Redo}, "a b"},
		{Input{Seat: "red", Verb: Undo}, "a"},
		{Input{Seat: "red", Verb: Choose, Args: []string{"c"}}, "a c"},
		{Input{Seat: "red", Verb: Undo}, "a"},
		{Input{Seat: "red", Verb: Undo}, "a"},
		{Input{Seat: "red", Verb: Undo}, ""},
	} {
		apply(step.in)
		asked, wants = append(asked, m.Learned()), append(wants, step.want)
	}
	for i, got := range asked {
		if strings.Join(got, " ") != wants[i] {
			t.Errorf("after step %d: got %q, want %q", i, got, wants[i])
		}
	}
	for i := range 100 {
		apply(Input{Seat: "red", Verb: Choose, Args: []string{fmt.Sprint("w", i)}})
	}
	var last []string
	if n := testing.AllocsPerRun(10, func() { last = m.Learned() }); n > 1 {
		t.Errorf("%v allocations", n)
	}
	if !slices.Contains(last, "w99") || len(last) != 100 {
		t.Errorf("got %q", last)
	}
}
