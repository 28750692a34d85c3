package keys

import "time"

// quarters maps the levels of an encoder's two lines, A and B, to a place in the encoder's
// cycle. A place is a number from 0 to 3. The index is B<<1 | A, where a high line is a 1, and
// a low line is a 0. When the knob turns clockwise, A closes, then B closes, A opens, and B
// opens.
var quarters = [4]int8{
	0b11: 0, // both are open
	0b10: 1, // A is closed
	0b00: 2, // both are closed
	0b01: 3, // B is closed
}

// An encoder follows the two contacts of one knob. It computes its place in the cycle from the
// levels of the lines. A bouncing contact moves the encoder to and fro between two
// neighbouring places, and these moves cancel out.
//
// If edges were lost, the next edge corrects the place, but the number of missed turns stays
// unknown.
type encoder struct {
	name      string
	perDetent int8 // quarters from one detent to the next

	levels    uint8 // B<<1 | A, 1 is high
	quarter   int8  // the place in the cycle, 0 to 3
	turned    int8  // quarters since the last detent, clockwise
	direction int8  // of the last quarter: 1 is clockwise, -1 is back
}

// begin records the levels before the first edge. It assumes that the knob rests in a detent.
func (e *encoder) begin(a, b bool) {
	e.levels = 0
	e.set(0, a)
	e.set(1, b)
	e.quarter = quarters[e.levels]
	e.turned = 0
	e.direction = 1
}

func (e *encoder) set(line int, high bool) {
	e.levels &^= 1 << line
	if high {
		e.levels |= 1 << line
	}
}

// edge records that line 0, which is A, or line 1, which is B, has moved. The line has had the
// level in high since then.
func (e *encoder) edge(at time.Duration, line int, high bool, emit func(Event)) {
	e.set(line, high)
	e.turn(at, emit)
}

// turn moves the encoder to the place that the levels of the lines give. It emits Left or
// Right for each detent that the knob has passed. A move is usually one quarter of the cycle.
// If the levels show a move of two quarters, one quarter was missed. Then turn assumes that
// the knob still turns in the direction of the previous move.
func (e *encoder) turn(at time.Duration, emit func(Event)) {
	now := quarters[e.levels]
	switch (now - e.quarter) & 3 {
	case 0:
		return
	case 1:
		e.direction = 1
		e.turned++
	case 2:
		e.turned += 2 * e.direction
	case 3:
		e.direction = -1
		e.turned--
	}
	e.quarter = now
	for e.turned >= e.turnThreshold() {
		e.turned -= e.perDetent
		emit(Event{e.name, Right, at})
	}
	for e.turned <= -e.turnThreshold() {
		e.turned += e.perDetent
		emit(Event{e.name, Left, at})
	}
}

// turnThreshold returns how many quarters the knob must turn to reach the next detent. If a
// detent has four quarters, three are enough, because many encoders rest very close to the
// point at which a contact changes. They may rest on either side of this point. To take a
// detent back, the knob has to go back by two quarters, which no bounce does.
func (e *encoder) turnThreshold() int8 {
	if e.perDetent == 4 {
		return 3
	}
	return e.perDetent
}
