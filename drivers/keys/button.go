package keys

import "time"

// A button is the state machine of one contact. It has no clock and no goroutine: its caller
// tells it of edges and of the passing of time.
//
// A burst is a run of edges, such as a bouncing contact makes. Each edge of a burst follows
// the previous edge in less than the settling time (Settle). When a burst is over, the state of
// the line is the state of the contact. The button then assumes that the contact has had this
// state since the first edge of the burst.
type button struct {
	name                string
	longTime, stuckTime time.Duration

	now    time.Duration // the latest moment it has seen
	closed bool          // the state of the line
	burst  bool          // a burst is under way
	first  time.Duration // the first edge of the burst
	last   time.Duration // the latest edge of the burst

	down          bool          // the state of the finger
	pressStart    time.Duration // of the latest press
	pressReported bool          // this press needs no Press or Long any more
	stuckReported bool          // Stuck was reported, and Freed not yet
}

// begin sets the state that the button has before any edge. If the button is already down, it
// emits no Press or Long until it has been released.
func (b *button) begin(at time.Duration, closed bool) {
	b.now, b.pressStart = at, at
	b.closed, b.down = closed, closed
	b.burst, b.stuckReported = false, false
	b.pressReported = true
}

// edge records the time at which the contact moved, and whether it has been closed since.
func (b *button) edge(at time.Duration, closed bool, emit func(Event)) {
	b.pass(at, emit)
	b.setContact(at, closed)
	if b.now-b.first >= b.stuckTime && !b.stuckReported {
		b.stuckReported = true
		emit(Event{b.name, Stuck, b.first + b.stuckTime})
	}
}

// setContact records the state that the contact has from the given time on. The method edge
// calls setContact for each edge. After a loss of edges, the watch calls setContact directly,
// because the times of the lost edges are unknown.
func (b *button) setContact(at time.Duration, closed bool) {
	b.now = max(b.now, at)
	if !b.burst {
		b.burst, b.first = true, b.now
	}
	b.last = b.now
	b.closed = closed
}

// pass tells the button that no edge came until the time t. It emits the events that are due
// by then. Time never goes back: if an older edge comes afterwards, the button takes the
// latest time seen as the time of that edge.
func (b *button) pass(t time.Duration, emit func(Event)) {
	b.now = max(b.now, t)
	if b.burst {
		if b.now-b.last < Settle {
			return
		}
		b.burst = false
		b.endBurst(emit)
	}
	if !b.down {
		return
	}
	if !b.pressReported && b.now-b.pressStart >= b.longTime {
		b.pressReported = true
		emit(Event{b.name, Long, b.pressStart + b.longTime})
	}
	if !b.stuckReported && b.now-b.pressStart >= b.stuckTime {
		b.stuckReported = true
		emit(Event{b.name, Stuck, b.pressStart + b.stuckTime})
	}
}

// endBurst ends a burst. It takes the state of the contact as the new state of the finger, and
// emits the events that follow from this state.
func (b *button) endBurst(emit func(Event)) {
	wasDown := b.down
	b.down = b.closed
	if b.stuckReported && !(wasDown && b.down) {
		b.stuckReported = false
		b.first = b.last // while the button was stuck, no edge showed when a finger moved
		emit(Event{b.name, Freed, b.last})
	}
	switch {
	case b.down && !wasDown:
		b.pressStart = b.first
		b.pressReported = b.longTime == 0
		if b.pressReported {
			emit(Event{b.name, Press, b.first})
		}
	case wasDown && !b.down:
		if !b.pressReported {
			emit(Event{b.name, Press, b.first})
		}
		b.pressReported = true
	}
}

// deadline returns the time at which pass has to be called if no edge comes first. If there is
// no such time, the second result is false.
func (b *button) deadline() (at time.Duration, some bool) {
	switch {
	case b.burst:
		return b.last + Settle, true
	case b.down && !b.pressReported:
		return b.pressStart + b.longTime, true
	case b.down && !b.stuckReported:
		return b.pressStart + b.stuckTime, true
	}
	return 0, false
}
