package nfc

import (
	"context"
	"time"
)

// A Clock makes the pauses of a driver with one timer, which it uses again and again. The zero
// Clock is ready. Only one goroutine at a time may use it.
type Clock struct{ timer *time.Timer }

// slack is how late Linux may wake a thread, so that it can wake several at once (prctl(2),
// PR_SET_TIMERSLACK).
const slack = 50 * time.Microsecond

// Sleep waits for at least d, or not at all if d is 0 or less. It returns the error of the
// context if the context ends first, or has ended before.
//
// It rounds d up to whole milliseconds and adds the slack. Go's scheduler asks the kernel for
// whole milliseconds (runtime/netpoll_epoll.go): for a fraction it would wake twice, once
// before the end and once after it. The pause would take as long and cost half as much again.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	d = (d + time.Millisecond - 1).Truncate(time.Millisecond) + slack
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
