package engine

import "testing"

// A preparing game counts how often a setup is read.
type preparing struct {
	pen
	prepared, begun *int
}

func (g preparing) New(setup Setup) (func() (State, error), error) {
	*g.prepared++
	begin, err := g.pen.New(setup)
	return func() (State, error) {
		*g.begun++
		return begin()
	}, err
}

// TestPrepare checks that a setup is read once, however often its match is
// folded.
func TestPrepare(t *testing.T) {
	var prepared, begun int
	m, err := NewMatch(preparing{prepared: &prepared, begun: &begun}, Setup{Seats: []Player{{"red", ""}}})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		for _, in := range []Input{{Seat: "red", Verb: Key, Args: []string{"plus"}}, {Seat: "red", Verb: Undo}} {
			if _, err := m.Apply(in); err != nil {
				t.Fatal(err)
			}
		}
	}
	if prepared != 1 || begun != 4 {
		t.Errorf("got %d readings of the setup and %d beginnings, want 1 and 4: one to begin with, and one for each undo",
			prepared, begun)
	}
}
