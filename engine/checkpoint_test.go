package engine

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// A copyPen is a pen whose states can be copied. It counts calls.
type copyPen struct {
	pen
	applied *int
}

func (p copyPen) New(Setup) (State, error) {
	return &copyPenState{penState{pen: p.pen}, p.applied}, nil
}

type copyPenState struct {
	penState
	applied *int
}

func (s *copyPenState) Apply(in Input) ([]Event, error) {
	*s.applied++
	return s.penState.Apply(in)
}

func (s *copyPenState) Copy() Copier {
	again := *s
	return &again
}

// TestCheckpoints compares a match that goes back to copies of its state with
// one that folds from its beginning, through refusals, undo and redo.
func TestCheckpoints(t *testing.T) {
	setup := Setup{Seats: []Player{{"red", "Alice"}, {"blue", ""}}}
	applied := 0
	plain, err := NewMatch(pen{}, setup)
	if err != nil {
		t.Fatal(err)
	}
	copies, err := NewMatch(copyPen{applied: &applied}, setup)
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(1, 2))
	do := func(in Input) {
		t.Helper()
		a, errA := plain.Apply(in)
		b, errB := copies.Apply(in)
		if !reflect.DeepEqual(a, b) || fmt.Sprint(errA) != fmt.Sprint(errB) {
			t.Fatalf("%s: %v %v and %v %v", in.Command(), a, errA, b, errB)
		}
		if a, b := plain.View(), copies.View(); !reflect.DeepEqual(a, b) {
			t.Fatalf("%s leads to\n%+v\nand\n%+v", in.Command(), a, b)
		}
	}
	press := func(key string) Input { return Input{Seat: "red", Verb: Key, Args: []string{key}} }
	for range 1500 {
		switch chance.IntN(8) {
		case 0:
			do(press([]string{"minus", "left", "right"}[chance.IntN(3)]))
		case 1:
			verb := []Verb{Undo, Redo}[chance.IntN(2)]
			for range chance.IntN(12) {
				do(Input{Seat: Table, Verb: verb})
			}
		case 2:
			do(Input{Seat: "blue", Verb: Set, Args: []string{"name", fmt.Sprint("Max", chance.IntN(9))}})
		default:
			do(press("plus"))
		}
	}
	if len(copies.Inputs()) < 2*checkpointInterval {
		t.Fatalf("only %d inputs are in force", len(copies.Inputs()))
	}
	before := applied
	do(press("minus"))
	if n := applied - before; n > checkpointInterval {
		t.Errorf("a refusal folds %d inputs", n)
	}
	for len(copies.Inputs()) > 0 { // past every checkpoint
		before = applied
		do(Input{Seat: Table, Verb: Undo})
		if n := applied - before; n > checkpointInterval {
			t.Fatalf("an undo folds %d inputs", n)
		}
	}
	for range 2 * checkpointInterval {
		do(Input{Seat: Table, Verb: Redo})
	}
}
