package engine

import "slices"

// A Course holds the values of a counter over a match, for charts.
type Course struct {
	Counter string       `json:"counter"` // "" if there is none
	Label   string       `json:"label"`   // what the counter is called; only in a Result
	Inputs  int          `json:"inputs"`  // in force
	Lines   []CourseLine `json:"lines"`
}

// A CourseLine holds the counter values of one seat, oldest first: the value at the beginning
// and the value after each change.
type CourseLine struct {
	Seat   Seat          `json:"seat"`
	Values []CourseValue `json:"values"`
}

// A CourseValue is the value of a counter after some number of inputs in force (inputs that
// are not undone). N is this number of inputs, which is 0 at the beginning.
type CourseValue struct {
	N     int `json:"n"`
	Value int `json:"value"`
}

// maxCourseInputs is the greatest number of inputs for which Course follows a counter. Course
// makes a view after each input of the match, and the table waits for all of them.
const maxCourseInputs = 5000

// Course returns the values of the main counter over the match. The main counter is the
// counter that a track shows for all seats. If there is no such track, the main counter is the
// counter that the game shows first. The Course has no lines if the match has no main counter,
// or if it has more than maxCourseInputs inputs. Course returns an error if the match no
// longer folds.
func (m *Match) Course() (Course, error) {
	if len(m.done) > maxCourseInputs {
		return Course{Inputs: len(m.done)}, nil
	}
	counter := ""
	moments, err := retrace(m, func(v *View) (string, string) {
		counter = trackedCounter(v)
		return counter, counter
	})
	if err != nil {
		return Course{}, err
	}
	return courseOf(counter, moments, m.setup.Seats), nil
}

// courseOf returns the course of the race of a match.
func courseOf(counter string, moments []moment, players []Player) Course {
	c := Course{Counter: counter, Inputs: len(moments) - 1, Lines: []CourseLine{}}
	for _, p := range append(slices.Clone(players), Player{Seat: Table}) {
		if _, has := moments[0].race[p.Seat]; !has || counter == "" {
			continue
		}
		line := CourseLine{Seat: p.Seat}
		for n, now := range moments {
			if value := now.race[p.Seat]; n == 0 || value != moments[n-1].race[p.Seat] {
				line.Values = append(line.Values, CourseValue{n, value})
			}
		}
		c.Lines = append(c.Lines, line)
	}
	return c
}

// FinalCourse returns the course of a finished match, for a frame. If the match is not over,
// or if it no longer folds, FinalCourse returns nil. Displays then draw no chart.
func (m *Match) FinalCourse() *Course {
	if !m.Over() {
		return nil
	}
	c, err := m.Course()
	if err != nil {
		return nil
	}
	return &c
}

// trackedCounter returns the name of the counter that a chart follows. It looks for the first
// track whose ID is also the name of a counter of every seat, and returns this ID. If there is
// no such track, trackedCounter returns the result of counterOf.
func trackedCounter(v *View) string {
	for _, t := range v.Tracks {
		lacks := func(s SeatView) bool { _, has := s.Counters.Get(t.ID); return !has }
		if len(v.Seats) > 0 && !slices.ContainsFunc(v.Seats, lacks) {
			return t.ID
		}
	}
	return counterOf(v)
}
