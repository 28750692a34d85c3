package evdev

import (
	"cmp"
	"time"
)

const (
	// tornAfter is the longest pause within a line. A reader types a key every few
	// milliseconds; a key that comes later begins another line, and the unfinished line before
	// it is dropped.
	tornAfter = 100 * time.Millisecond
	// maxLine is in bytes. The codes that cards carry are shorter.
	maxLine = 256
	// floodRate is the most presses or lines that count as real in a second: no hand or
	// reader makes more.
	floodRate = 100
)

// A typist turns the events of a device into presses or lines. The result depends only on the
// time stamps of the events, so a busy machine reads the same lines as an idle one.
type typist struct {
	typesLines bool
	emit       func(Event)

	last    time.Duration // time of the newest key
	dropped bool          // events are missing; all others until the next report are ignored
	hat     [2]int32      // positions of a pad's two axes

	text        []byte // of the line so far
	skip        bool   // the line is too long, or a part of it is missing: its end is dropped, too
	torn        bool   // Torn was emitted for the line
	shift, ctrl int    // keys that are down; bit 0 is left, bit 1 right

	secondStart time.Duration // of the second that is counted
	count       int           // of presses or lines in that second
	flooding    bool
}

// event handles an event of the kernel. If the event completes a key press or a typed line,
// event emits that press or line.
func (t *typist) event(e rawEvent) {
	switch {
	case e.kind == evSyn && e.key == synDropped:
		t.dropped = true
		t.shift, t.ctrl, t.hat = 0, 0, [2]int32{}
		t.drop()
		t.skip, t.last = true, e.at
	case e.kind == evSyn && e.key == synReport:
		t.dropped = false
	case t.dropped:
	case e.kind == evKey && (e.value == 0 || e.value == 1): // 2 is the kernel's own repetition
		t.key(e.at, e.key, e.value == 1)
	case e.kind == evAbs && (e.key == absHat0X || e.key == absHat0Y):
		axis := e.key - absHat0X
		before := t.hat[axis]
		if t.hat[axis] = e.value; e.value != 0 && cmp.Compare(before, 0) != cmp.Compare(e.value, 0) {
			t.key(e.at, hatKeys[axis][(cmp.Compare(e.value, 0)+1)/2], true)
		}
	}
}

// hatKeys are the keys of a pad that the kernel reports as a hat. The first pair holds the
// keys "left" and "right", and the second pair holds "up" and "down".
var hatKeys = [2][2]uint16{{btnDpadLeft, btnDpadRight}, {btnDpadUp, btnDpadDown}}

func (t *typist) key(at time.Duration, code uint16, down bool) {
	gap := at - t.last
	t.last = at
	if t.flooding && gap >= quietTime {
		t.calm(at)
	}
	switch {
	case t.typesLines:
		t.typed(at, gap, code, down)
	case down:
		if name, known := names[code]; known {
			t.emitInput(Press, name, at)
		}
	}
}

// typed handles a key of a device that types lines. gap is the time since the previous key.
func (t *typist) typed(at, gap time.Duration, code uint16, down bool) {
	switch code {
	case keyLeftShift, keyRightShift:
		setModifier(&t.shift, code == keyRightShift, down)
		return
	case keyLeftCtrl, keyRightCtrl:
		setModifier(&t.ctrl, code == keyRightCtrl, down)
		return
	}
	if !down || t.ctrl != 0 { // some readers type Ctrl+J after Enter
		return
	}
	if gap > tornAfter || gap < 0 {
		t.drop()
	}
	switch code {
	case keyEnter, keyKPEnter, keyTab:
		if len(t.text) > 0 && !t.skip {
			t.emitInput(Line, string(t.text), at)
		}
		t.drop()
		return
	}
	c := characters[code]
	switch {
	case c[0] == 0 || t.skip:
	case len(t.text) == maxLine:
		t.skip, t.torn = true, true
		t.emit(Event{Torn, string(t.text), at})
	case t.shift != 0:
		t.text = append(t.text, c[1])
	default:
		t.text = append(t.text, c[0])
	}
}

func setModifier(keys *int, isRight, down bool) {
	bit := 1
	if isRight {
		bit = 2
	}
	if *keys &^= bit; down {
		*keys |= bit
	}
}

func (t *typist) drop() { t.text, t.skip, t.torn = t.text[:0], false, false }

// emitInput emits a press or a line. If there are too many of them, emitInput emits Flood
// once, and then nothing until the flood is over.
func (t *typist) emitInput(kind Kind, text string, at time.Duration) {
	if at-t.secondStart >= time.Second || at < t.secondStart {
		t.secondStart, t.count = at, 0
	}
	t.count++
	switch {
	case t.flooding:
	case t.count > floodRate:
		t.flooding = true
		t.emit(Event{Kind: Flood, At: at})
	default:
		t.emit(Event{kind, text, at})
	}
}

func (t *typist) calm(at time.Duration) {
	t.flooding, t.count, t.secondStart = false, 0, at
	t.emit(Event{Kind: Calm, At: at})
}

// isWaiting reports whether the typist waits for the end of a flood or the end of a line. If
// it waits, handleSilence must be called when no event has come for quietTime.
func (t *typist) isWaiting() bool { return t.flooding || len(t.text) > 0 && !t.torn }

// handleSilence ends a flood, and emits Torn for an unfinished line. It is called when no
// event has come for quietTime. handleSilence keeps the unfinished line, because the machine
// may only have been busy. In that case, the end of the line is still to come.
func (t *typist) handleSilence() {
	if t.flooding {
		t.calm(t.last + quietTime)
	}
	if len(t.text) > 0 && !t.torn {
		t.torn = true
		t.emit(Event{Torn, string(t.text), t.last})
	}
}
