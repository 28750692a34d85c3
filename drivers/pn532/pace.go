package pn532

import (
	"context"
	"time"

	"tableside/drivers/nfc"
)

// firstPause is how long the driver pauses after it has first found the chip not ready. Each
// further pause is twice as long, up to maxStep.
const (
	firstPause  = 500 * time.Microsecond
	maxStep     = 4 * time.Millisecond
	maxLearn    = 2 * time.Millisecond // most that one wait adds to a pace: this machine may be slow
	maxEstimate = 40 * time.Millisecond
)

// A pace is an estimate of how long the chip takes for one kind of task. The estimate comes
// from the times of earlier tasks. The driver waits that long before it first asks whether the
// chip is ready, because each question costs bytes on the bus.
//
// If the chip is ready at the first question, the estimate becomes a little shorter. In this
// way the estimate follows a chip that has become faster.
type pace struct{ estimate time.Duration }

// learn corrects the estimate from the duration of a wait. If first is true, the chip was
// ready at the first question, and the estimate becomes a little shorter. Otherwise the
// estimate becomes longer.
func (p *pace) learn(took time.Duration, first bool) {
	if first {
		p.estimate = max(p.estimate-firstPause/32, 0)
		return
	}
	p.estimate = min(p.estimate+min(max(took-p.estimate, firstPause/2), maxLearn), maxEstimate)
}

// A wait holds the state of one wait for the chip. During the wait, the driver asks the chip
// again and again whether it is ready. Each time is called a look.
type wait struct {
	clock     *nfc.Clock
	pace      *pace
	minPause  time.Duration // before each look, whatever the pace is
	deadline  time.Time
	begun     time.Time
	step      time.Duration
	looks     int // failed looks
	chipReady bool
}

// minLooks is the least number of failed looks before the driver decides that the chip is
// silent. In a look, the driver asks the chip whether it is ready. A deadline alone proves
// nothing, because this machine may have been busy.
const minLooks = 4

func (w *wait) start(p *pace, minPause time.Duration, deadline time.Time) {
	w.pace, w.minPause, w.deadline = p, minPause, deadline
}

// begin starts the wait and sleeps until the first look. The sleep lasts as long as the pace
// says, or only until w.deadline if that is sooner. But it never lasts less than w.minPause.
func (w *wait) begin(ctx context.Context) error {
	w.begun, w.step, w.looks, w.chipReady = time.Now(), firstPause, 0, false
	return w.clock.Sleep(ctx, max(w.minPause, min(w.pace.estimate, time.Until(w.deadline))))
}

// sleepAgain sleeps after a failed look, until the next look. If the time is over and at least
// minLooks looks have failed, the error is errTimeout.
func (w *wait) sleepAgain(ctx context.Context) error {
	w.looks++
	left := time.Until(w.deadline)
	if left <= 0 && w.looks >= minLooks {
		return errTimeout
	}
	err := w.clock.Sleep(ctx, max(w.minPause, min(w.step, max(left, firstPause))))
	w.step = min(w.step*2, maxStep)
	return err
}

// rest waits between two transactions, because the chip may need a pause.
func (w *wait) rest(ctx context.Context) error { return w.clock.Sleep(ctx, w.minPause) }

func (w *wait) done() {
	if !w.chipReady {
		w.chipReady = true
		w.pace.learn(time.Since(w.begun), w.looks == 0)
	}
}
