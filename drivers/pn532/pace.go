package pn532

import (
	"context"
	"time"
)

// step is how often a chip is asked whether it is ready, once it should be.
const (
	step     = 500 * time.Microsecond
	maxStep  = 4 * time.Millisecond
	maxFirst = 40 * time.Millisecond
)

// A pace learns how long the chip takes for something, so that it is not asked
// in vain: each question is bytes on the bus. It errs a little to the short
// side now and then, and so follows a chip that has become faster.
type pace struct{ first time.Duration }

func (p *pace) early() { p.first = min(p.first+step, maxFirst) }
func (p *pace) ready() { p.first = max(p.first-step/32, 0) }

// A wait is one wait for the chip: learned pace, end, and what to call it.
type wait struct {
	pace  *pace
	until time.Time
	clock *clock
	step  time.Duration
}

// begin waits until it is worth asking the first time.
func (w *wait) begin(ctx context.Context) error {
	w.step = step
	if w.pace.first == 0 {
		return ctx.Err()
	}
	return w.clock.sleep(ctx, min(w.pace.first, time.Until(w.until)))
}

// again waits until it is worth asking once more. The error is errTimeout
// when the time is over.
func (w *wait) again(ctx context.Context) error {
	if w.step == step {
		w.pace.early()
	}
	left := time.Until(w.until)
	if left <= 0 {
		return errTimeout
	}
	err := w.clock.sleep(ctx, min(w.step, left))
	w.step = min(w.step*2, maxStep)
	return err
}

// done says that the chip was ready when it was asked.
func (w *wait) done() {
	if w.step == step {
		w.pace.ready()
	}
}

// A clock sleeps with one timer that is used again and again.
type clock struct{ timer *time.Timer }

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	if c.timer == nil {
		c.timer = time.NewTimer(d)
	} else {
		c.timer.Reset(d)
	}
	select {
	case <-c.timer.C:
		return nil
	case <-ctx.Done():
		c.timer.Stop()
		return ctx.Err()
	}
}
