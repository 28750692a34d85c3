package tape

import (
	"bytes"
	"fmt"
	"time"
)

// A question is a transfer that the driver asks for. The bytes in w go out, and the answer is
// stored in r.
type question struct {
	verb Verb
	w, r []byte
}

// String returns the question in the notation of a tape.
func (q *question) String() string {
	b := appendBytes(append([]byte(q.verb.String()), ' '), q.w)
	if len(q.r) > 0 {
		b = fmt.Appendf(b, " > %d bytes", len(q.r))
	}
	return string(b)
}

// matches reports whether the tape's line l is the same transfer as this question. The answer
// on the tape must have the length that the driver asks for.
func (q *question) matches(l *Line) bool { return q.matchesWrite(l) && len(l.R) == len(q.r) }

// matchesWrite reports whether the tape's line l is the same transfer as this question. The
// answer on the tape may have any length.
func (q *question) matchesWrite(l *Line) bool {
	return l != nil && l.Verb == q.verb && bytes.Equal(l.W, q.w)
}

// isRead reports whether the question is a read over I2C that writes nothing. The first byte
// of such a read from a PN532 says whether the chip has anything to send.
func (q *question) isRead() bool { return q.verb == I2C && len(q.w) == 0 }

// A lookahead describes the lines of the tape that the player has not played yet. They begin at
// the index p.next.
type lookahead struct {
	notReady   *Line // the same question, answered "not ready": the last that is due, else the first
	muxFailure *Line // the first error of the multiplexer before the goal: no access to the chip
	goal       *Line // the first line that must be played, nil at the end of the call
	goalIndex  int
	ready      bool // the goal may be played now
}

// exchange plays a transfer of the kind v. The bytes in w go out, and the answer on the tape
// goes into r. If the driver does something that the tape does not have, the error is
// errDiffers. Otherwise it is the error on the tape, or nil.
func (p *Player) exchange(v Verb, w, r []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := &question{v, w, r}
	if p.difference != nil {
		return errDiffers
	}
	if p.call == nil {
		return p.recordMismatch(q.String())
	}
	a := p.lookahead(q)
	reads := q.isRead() && q.matchesWrite(a.goal) && len(a.goal.R) > 1
	switch {
	case v == I2C && a.muxFailure != nil && !(q.matches(a.goal) && p.isDue(a.goal.At)): // nothing gets through
		return a.muxFailure.err()
	case reads && len(r) == 1 && a.ready:
		r[0] = a.goal.R[0]
		return a.goal.err()
	case q.matches(a.goal) && (a.notReady == nil || a.ready):
		for p.next < a.goalIndex {
			p.pass()
		}
		return p.take().copyAnswer(r)
	case reads && len(r) > 1 && a.ready: // the tape has a shorter read
	case a.notReady != nil:
		p.looks++
		p.played++
		return a.notReady.copyAnswer(r)
	case v == Mux: // another part has changed the channel since
		return nil
	case q.isRead() && len(r) == 1:
		r[0] = 0 // not ready, so nothing is lost
		return nil
	}
	p.next = a.goalIndex
	return p.recordMismatch(q.String())
}

// lookahead describes the lines of the tape from the next one on. The goal is the first line
// that the driver may not skip. All lines before the goal are inputs (isInput), such as
// questions answered "not ready". The driver may skip them, whatever it asks. The goal does
// not depend on the driver's question, q, but the fields notReady and ready of the result
// do.
func (p *Player) lookahead(q *question) lookahead {
	a := lookahead{goalIndex: p.next}
	for ; a.goalIndex < len(p.lines) && p.lines[a.goalIndex].isInput(); a.goalIndex++ {
		l := &p.lines[a.goalIndex]
		if l.repeatable && (q.matches(l) || q.matchesWrite(l) && q.verb == I2C) && (a.notReady == nil || p.isDue(l.At)) {
			a.notReady = l
		}
		if l.Verb == Mux && l.Err != "" && a.muxFailure == nil {
			a.muxFailure = l
		}
	}
	if a.goalIndex < len(p.lines) {
		a.goal = &p.lines[a.goalIndex]
		found := p.readyTime(a.goalIndex)
		a.ready = p.isDue(found) || p.isLate(found) || p.askedEnough(a.goalIndex, func(l *Line) bool {
			return q.matchesWrite(l) && !l.saysReady()
		})
	}
	return a
}

// saysReady reports whether the line is a read over I2C of a single byte, in which a PN532
// says that it is ready.
func (l *Line) saysReady() bool {
	return l.repeatable && l.Verb == I2C && len(l.R) == 1 && l.R[0] == 0x01 && l.Err == ""
}

// readyTime returns the time on the tape at which the driver found the chip ready for the line
// with the index goal.
func (p *Player) readyTime(goal int) time.Duration {
	for i := p.next; i < goal; i++ {
		if p.lines[i].saysReady() {
			return p.lines[i].At
		}
	}
	return p.lines[goal].At
}

// askedEnough reports whether the driver has found the chip not ready as often as on the tape,
// or more often. If so, a longer time on the tape comes from a slow computer, not from the
// chip. The lines before the index end are counted with their repeats, if they may be repeated
// and the callback returns true for them.
func (p *Player) askedEnough(end int, match func(*Line) bool) bool {
	looks := 0
	for i := p.next; i < end; i++ {
		if l := &p.lines[i]; l.repeatable && match(l) {
			looks += 1 + l.RepeatCount
		}
	}
	return p.looks >= looks
}
