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
