package evening

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// sit returns who shall play where, as "table: players", of all tables where anybody shall.
func (e *club) sit() string {
	e.t.Helper()
	all, list := e.Seatings(), []string{}
	for _, table := range slices.Sorted(maps.Keys(all)) {
		if s := all[table]; s != nil {
			if err := s.Check(); err != nil {
				e.t.Error(err)
			}
			list = append(list, fmt.Sprintf("%s: %s %d %v %q", table, s.Evening, s.Round, s.Players, s.Game))
		}
	}
	return fmt.Sprint(len(all), list)
}

// TestSeatings follows who shall play where over all that changes it.
func TestSeatings(t *testing.T) {
	e := begun(t, Free, 2, 6)
	expect := func(when, want string) {
		t.Helper()
		if got := e.sit(); got != want {
			t.Errorf("%s: got %s, want %s", when, got, want)
		}
	}
	expect("before the first round", "3 []")
	e.change(Change{Do: "pair", Pairings: [][]string{{"p1", "p2"}, {"p3", "p4"}, {"p5"}}})
	expect("drawn", `3 [a: Friday 1 [p1 p2] "" b: Friday 1 [p3 p4] ""]`)
	e.change(Change{Do: "swap", Player: 2, Other: 3})
	e.change(Change{Do: "move", Board: 2, Name: "c"})
	expect("changed", `3 [a: Friday 1 [p1 p3] "" c: Friday 1 [p2 p4] ""]`)
	e.change(Change{Do: "result", Round: 1, Board: 1, Places: []int{1, 2}})
	expect("a result", `3 [c: Friday 1 [p2 p4] ""]`)
	e.change(Change{Do: "undo"})
	e.change(Change{Do: "rename", Player: 1, Name: "Zoé"})
	expect("undone", `3 [a: Friday 1 [Zoé p3] "" c: Friday 1 [p2 p4] ""]`)
	_, err := e.Create(Plan{Name: "Late", Format: Free, Game: "tally", Players: fields("x y"), Tables: fields("c d")})
	if err != nil {
		t.Fatal(err)
	}
	expect("another evening", `4 [a: Friday 1 [Zoé p3] "" c: Friday 1 [p2 p4] ""]`)
	first := e.id
	for id := range e.evenings {
		if id != first {
			e.id = id
		}
	}
	e.change(Change{Do: "pair", Pairings: [][]string{{"x", "y"}}})
	expect("of two the newer", `4 [a: Friday 1 [Zoé p3] "" c: Late 1 [x y] "tally"]`)
	e.change(Change{Do: "over"})
	expect("that is over", `4 [a: Friday 1 [Zoé p3] "" c: Friday 1 [p2 p4] ""]`)
}
