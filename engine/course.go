package engine

// A Course holds the values of a counter over a match, for charts.
type Course struct {
	Counter string
	Inputs  int // in force
	Lines   []CourseLine
}

// A CourseLine holds the value of a seat at the beginning, and its value after each change,
// oldest first.
type CourseLine struct {
	Seat   Seat
	Values []CourseValue
}

// A CourseValue is the value of the counter after the Nth input in force. N is 0 at the
// beginning.
type CourseValue struct{ N, Value int }

// mostCourse is the greatest number of inputs of a match for which Course follows a counter:
// it makes an outline after each input, and the table waits until it has made all of them.
const mostCourse = 5000

// Course follows the counter that players look at: the one that a track shows for all seats,
// or else the one that the game shows first. The Course has no lines if the match has more
// than mostCourse inputs or no such counter. It returns an error if the match no longer folds.
func (m *Match) Course() (Course, error) {
	c := Course{Inputs: len(m.done)}
	if len(m.done) > mostCourse {
		return c, nil
	}
	first, moments, err := retrace(m.game, m, func(v *View) string {
		c.Counter = trackedCounter(v)
		return c.Counter
	})
	if err != nil || c.Counter == "" {
		return c, err
	}
	seats := make([]Seat, 0, len(m.setup.Seats)+1)
	for _, p := range m.setup.Seats {
		seats = append(seats, p.Seat)
	}
	for _, seat := range append(seats, Table) {
		value, has := first.values[seat]
		if !has {
			continue
		}
		line := CourseLine{Seat: seat, Values: []CourseValue{{0, value}}}
		for i, now := range moments {
			if now.values[seat] != value {
				value = now.values[seat]
				line.Values = append(line.Values, CourseValue{i + 1, value})
			}
		}
		c.Lines = append(c.Lines, line)
	}
	return c, nil
}

// FinalCourse returns the course of a match that is over, for a frame. It returns nil for any
// other match, and for one that no longer folds: displays then draw no chart.
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

// trackedCounter returns the ID of the first track that is named like a counter of all seats,
// or else the counter from counterOf.
func trackedCounter(v *View) string {
	for _, t := range v.Tracks {
		all := len(v.Seats) > 0
		for _, s := range v.Seats {
			_, has := s.Counters.Get(t.ID)
			all = all && has
		}
		if all {
			return t.ID
		}
	}
	return counterOf(v)
}
