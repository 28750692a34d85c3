package mutants

import "slices"

// A track is a row of spaces with one marker for each seat. Markers that
// stand on the same space are stacked: who landed last is on top.
type track struct {
	markers []marker
	landed  int // counts landings
}

type marker struct {
	space int
	level int // when it landed: the greater one is higher up
}

func newTrack(seats int) track { return track{markers: make([]marker, seats)} }

// land puts a marker on a space, on top of those that stand there.
func (t *track) land(seat, space int) {
	t.landed++
	t.markers[seat] = marker{space, t.landed}
}

func (t *track) placed(seat int) bool { return t.markers[seat].level > 0 }

func (t *track) space(seat int) int { return t.markers[seat].space }

// ahead reports whether a stands before b, or on top of it.
func (t *track) ahead(a, b int) bool {
	x, y := t.markers[a], t.markers[b]
	return x.space > y.space || x.space == y.space && x.level > y.level
}

// ranking lists the seats from the foremost to the last.
func (t *track) ranking() []int {
	seats := make([]int, len(t.markers))
	for i := range seats {
		seats[i] = i
	}
	slices.SortFunc(seats, func(a, b int) int {
		if t.ahead(a, b) {
			return -1
		}
		return 1
	})
	return seats
}
