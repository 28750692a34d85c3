package engine

import "slices"

// A Copier is a State that can be copied: what happens to the copy leaves the
// state alone, and the other way round. Where matches may go on for ever, this
// keeps an undo and a refusal from folding them from their beginning.
// docs/decisions/0009 tells why only some games are.
type Copier interface {
	State
	Copy() State
}

// checkpointEvery so many inputs the match keeps a copy of its state.
const checkpointEvery = 256

// A checkpoint is the state after the first n inputs in force.
type checkpoint struct {
	n       int
	state   Copier
	players []Player
}

// keepCheckpoint is called behind each input in force.
func (m *Match) keepCheckpoint(n int) {
	if n%checkpointEvery != 0 {
		return
	}
	if c, ok := m.state.(Copier); ok {
		if again, ok := c.Copy().(Copier); ok {
			m.points = append(m.points, checkpoint{n, again, slices.Clone(m.players)})
		}
	}
}

// fromCheckpoint is the match at its newest checkpoint of which all inputs are
// still in force, or at its beginning, and the number of these inputs.
func (m *Match) fromCheckpoint() (at *Match, n int, err error) {
	at = new(Match)
	*at = *m
	for i, p := range slices.Backward(m.points) {
		if p.n <= len(m.done) {
			at.state, at.players, at.points = p.state.Copy(), slices.Clone(p.players), m.points[:i+1]
			return at, p.n, nil
		}
	}
	at.state, err = m.game.New(m.setup)
	at.players, at.points = slices.Clone(m.setup.Seats), nil
	return at, 0, err
}
