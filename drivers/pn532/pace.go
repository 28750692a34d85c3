package pn532

import (
	"context"
	"time"

	"tableside/drivers/nfc"
)

// step is the pause after the first time that a chip was asked whether it is ready. Each
// further pause is twice as long, up to maxStep.
const (
	step     = 500 * time.Microsecond
	maxStep  = 4 * time.Millisecond
	maxLearn = 2 * time.Millisecond  // most that one wait adds to a pace: this machine may be slow
	maxFirst = 40 * time.Millisecond // the longest pace
)

// A pace estimates how long the chip takes for something, from how long it took before. The
// driver waits that long before it first asks whether the chip is ready, because each question
// costs bytes on the bus. The estimate sometimes becomes a little shorter, and so follows a
// chip that has become faster.
type pace struct{ first time.Duration }

// learn corrects the estimate after a wait that took this long. If first is true, the chip was
// ready when it was first asked: the estimate becomes a little shorter. Otherwise it becomes
// longer.
func (p *pace) learn(took time.Duration, first bool) {
	if first {
		p.first = max(p.first-step/32, 0)
		return
	}
	p.first = min(p.first+min(max(took-p.first, step/2), maxLearn), maxFirst)
}

// A wait is one wait for the chip. A look asks the chip whether it is ready.
type wait struct {
	clock *nfc.Clock
	pace  *pace
	least time.Duration // pause before each look, whatever the pace is
	until time.Time
	begun time.Time
	step  time.Duration
	looks int  // failed looks
	found bool // the chip was ready
}

// minLooks is the least number of looks before the chip counts as silent. The
// time may be over because this machine was busy, not the chip.
const minLooks = 4

func (w *wait) start(p *pace, least time.Duration, until time.Time) {
	w.pace, w.least, w.until = p, least, until
}

// begin starts the wait and sleeps until the first look: as long as the pace says, but at least
// w.least and not beyond w.until.
func (w *wait) begin(ctx context.Context) error {
	w.begun, w.step, w.looks, w.found = time.Now(), step, 0, false
	return w.clock.Sleep(ctx, max(w.least, min(w.pace.first, time.Until(w.until))))
}

// again waits until it is worth asking once more. The error is errTimeout when the time is
// over and at least minLooks looks have failed.
func (w *wait) again(ctx context.Context) error {
	w.looks++
	left := time.Until(w.until)
	if left <= 0 && w.looks >= minLooks {
		return errTimeout
	}
	err := w.clock.Sleep(ctx, max(w.least, min(w.step, max(left, step))))
	w.step = min(w.step*2, maxStep)
	return err
}

// rest gives the chip its pause between two transactions.
func (w *wait) rest(ctx context.Context) error { return w.clock.Sleep(ctx, w.least) }

// done records that the chip was ready when it was asked. Only the first call
// of a wait counts.
func (w *wait) done() {
	if !w.found {
		w.found = true
		w.pace.learn(time.Since(w.begun), w.looks == 0)
	}
}
