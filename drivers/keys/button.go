package keys

import "time"

// A button is the state machine of one contact. It has no clock and no goroutine: its caller
// tells it of edges and of the passing of time.
//
// A burst is a run of edges, such as a bouncing contact makes. Each edge of a burst follows
// the previous edge in less than the settling time, which the field settle holds. When a burst
// is over, the state of the line is the state of the contact. The button then assumes that the
// contact has had this state since the first edge of the burst.
type button struct {
	name                string
	settle, long, stuck time.Duration

	now    time.Duration // the latest moment it has seen
	closed bool          // the state of the line
	burst  bool          // a burst is under way
	first  time.Duration // the first edge of the burst
	last   time.Duration // the latest edge of the burst

	down     bool          // the state of the finger
	since    time.Duration // when the latest press began
	said     bool          // this press needs no Press or Long any more
	troubled bool          // Stuck was reported, and Freed not yet
}

// begin sets the state that the button has before any edge. If the button is already down, it
// emits no Press or Long until it has been released.
func (b *button) begin(at time.Duration, closed bool) {
	b.now, b.since = at, at
	b.closed, b.down = closed, closed
	b.burst, b.troubled = false, false
	b.said = true
}

// edge records the time at which the contact moved, and whether it has been closed since.
func (b *button) edge(at time.Duration, closed bool, emit func(Event)) {
	b.pass(at, emit)
	b.setContact(at, closed)
	if b.now-b.first >= b.stuck && !b.troubled {
		b.troubled = true
		emit(Event{b.name, Stuck, b.first + b.stuck})
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
		if b.now-b.last < b.settle {
			return
		}
		b.burst = false
		b.endBurst(emit)
	}
	if !b.down {
		return
	}
	if !b.said && b.now-b.since >= b.long {
		b.said = true
		emit(Event{b.name, Long, b.since + b.long})
	}
	if !b.troubled && b.now-b.since >= b.stuck {
		b.troubled = true
		emit(Event{b.name, Stuck, b.since + b.stuck})
	}
}

// endBurst ends a burst. It takes the state of the contact as the new state of the finger, and
// emits the events that follow from this state.
func (b *button) endBurst(emit func(Event)) {
	wasDown := b.down
	b.down = b.closed
	if b.troubled && !(wasDown && b.down) {
		b.troubled = false
		b.first = b.last // while the button was stuck, no edge showed when a finger moved
		emit(Event{b.name, Freed, b.last})
	}
	switch {
	case b.down && !wasDown:
		b.since = b.first
		b.said = b.long == 0
		if b.said {
			emit(Event{b.name, Press, b.first})
		}
	case wasDown && !b.down:
		if !b.said {
			emit(Event{b.name, Press, b.first})
		}
		b.said = true
	}
}

// deadline returns the time at which pass has to be called if no edge comes first. If there is
// no such time, the second result is false.
func (b *button) deadline() (at time.Duration, some bool) {
	switch {
	case b.burst:
		return b.last + b.settle, true
	case b.down && !b.said:
		return b.since + b.long, true
	case b.down && !b.troubled:
		return b.since + b.stuck, true
	}
	return 0, false
}
