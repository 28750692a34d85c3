package tally

import (
	"reflect"
	"testing"
	"time"

	"tableside/engine"
)

// TestCourse checks that the course of a match has every change of the counter, without
// what was undone.
func TestCourse(t *testing.T) {
	setup := engine.Setup{Game: "tally/score", First: "red", Begin: time.Unix(1e9, 0),
		Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}}}
	m, err := engine.NewMatch(Games()[0], setup)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"red choose +5", "red choose +9", "table undo", "red key next", "blue choose -3",
		"blue key next"} {
		in, err := engine.ParseInput(line)
		if err == nil {
			_, err = m.Apply(in)
		}
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	got, err := m.Course()
	want := engine.Course{Counter: "score", Inputs: 4, Lines: []engine.CourseLine{
		{Seat: "red", Values: []engine.CourseValue{{N: 0, Value: 0}, {N: 1, Value: 5}}},
		{Seat: "blue", Values: []engine.CourseValue{{N: 0, Value: 0}, {N: 3, Value: -3}}},
	}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

// TestCourseOfALongMatch checks that a match is followed up to a bound, beyond which a table
// would wait too long.
func TestCourseOfALongMatch(t *testing.T) {
	setup := engine.Setup{Game: "tally/score", Begin: time.Unix(1e9, 0), Seats: []engine.Player{{Seat: "red"}}}
	m, err := engine.NewMatch(Games()[0], setup)
	if err != nil {
		t.Fatal(err)
	}
	in := engine.Input{Seat: "red", Verb: engine.Key, Args: []string{"plus"}}
	for n := 1; n <= 5001; n++ {
		if _, err := m.Apply(in); err != nil {
			t.Fatal(err)
		}
		if n < 5000 {
			continue
		}
		got, err := m.Course()
		if want := n == 5000; err != nil || got.Inputs != n || (len(got.Lines) == 1) != want {
			t.Errorf("after %d inputs: %d of them, %d lines, %v", n, got.Inputs, len(got.Lines), err)
		} else if want && len(got.Lines[0].Values) != n+1 {
			t.Errorf("%d values, want %d", len(got.Lines[0].Values), n+1)
		}
	}
}
