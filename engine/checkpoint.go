package engine

import "slices"

// A Copier is a State that can be copied. A later change to the State does not change the
// copy, and a change to the copy does not change the State. With copies, Match can undo or
// refuse an input without folding all inputs of a long match again. docs/decisions/0009 says
// why only the States of some games are Copiers.
type Copier interface {
	State
	Copy() Copier
}

// checkpointInterval is the number of inputs between two checkpoints.
const checkpointInterval = 256

// A checkpoint holds the state of a match after the first n of its inputs. Inputs that were
// undone do not count.
type checkpoint struct {
	n       int
	state   Copier
	players []Player
}

// keepCheckpoint keeps a copy of the state if n is a multiple of checkpointInterval. It must
// be called after each input in force (an input that is not undone). The number n says how
// many inputs are in force so far. If the state is not a Copier, keepCheckpoint does nothing.
func (m *Match) keepCheckpoint(n int) {
	if n%checkpointInterval != 0 {
		return
	}
	if c, ok := m.state.(Copier); ok {
		m.checkpoints = append(m.checkpoints, checkpoint{n, c.Copy(), slices.Clone(m.players)})
	}
}

// fromCheckpoint returns a copy of the match at its newest valid checkpoint. A checkpoint is
// valid if all of its inputs are still in force (not undone). If there is no valid checkpoint,
// the copy is at the beginning of the match. The number n says how many inputs the copy
// includes. The error is not nil if the match cannot begin again.
func (m *Match) fromCheckpoint() (at *Match, n int, err error) {
	at = new(Match)
	*at = *m
	for i, p := range slices.Backward(m.checkpoints) {
		if p.n <= len(m.done) {
			at.state, at.players, at.checkpoints = p.state.Copy(), slices.Clone(p.players), m.checkpoints[:i+1]
			return at, p.n, nil
		}
	}
	at.state, err = m.begin()
	at.players, at.checkpoints = slices.Clone(m.setup.Seats), nil
	return at, 0, err
}
