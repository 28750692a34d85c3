package engine

import "slices"

// A Copier is a State that can be copied: a later change to the State does not change its
// copy, nor does a change to the copy change the State. With copies, an undo or a refusal need
// not fold all inputs of a long match again. docs/decisions/0009 says why only the States of
// some games are Copiers.
type Copier interface {
	State
	Copy() Copier
}

// checkpointEvery is the number of inputs from one copy to the next.
const checkpointEvery = 256

// A checkpoint holds the state after the first n inputs in force.
type checkpoint struct {
	n       int
	state   Copier
	players []Player
}

// keepCheckpoint is called after each input in force; n is the number of inputs in force so
// far. If the state is a Copier and n is a multiple of checkpointEvery, it keeps a copy of the
// state.
func (m *Match) keepCheckpoint(n int) {
	if n%checkpointEvery != 0 {
		return
	}
	if c, ok := m.state.(Copier); ok {
		m.points = append(m.points, checkpoint{n, c.Copy(), slices.Clone(m.players)})
	}
}

// fromCheckpoint returns a copy of the match at its newest checkpoint whose inputs are all
// still in force, or at its beginning if there is none. n is the number of inputs that the
// copy includes. err is not nil if the match cannot begin again.
func (m *Match) fromCheckpoint() (at *Match, n int, err error) {
	at = new(Match)
	*at = *m
	for i, p := range slices.Backward(m.points) {
		if p.n <= len(m.done) {
			at.state, at.players, at.points = p.state.Copy(), slices.Clone(p.players), m.points[:i+1]
			return at, p.n, nil
		}
	}
	at.state, err = m.begin()
	at.players, at.points = slices.Clone(m.setup.Seats), nil
	return at, 0, err
}
