package nfc

import (
	"context"
	"time"
)

// A Clock makes the pauses of a driver with one timer, which is used again for each pause. The
// zero Clock is ready for use. Only one goroutine at a time may use a Clock.
type Clock struct{ timer *time.Timer }

// slack is the longest delay with which Linux wakes a thread. The delay lets Linux wake
// several threads at once (prctl(2), PR_SET_TIMERSLACK).
const slack = 50 * time.Microsecond

// Sleep waits for at least the duration d. If d is 0 or less, Sleep does not wait. If the
// context ends first, or has ended before, Sleep returns the context's error.
//
// Sleep rounds d up to whole milliseconds and adds the constant slack. Go's scheduler asks the
// kernel for whole milliseconds (runtime/netpoll_epoll.go). For a fraction, the scheduler
// would wake twice, once before the end and once after it. The pause would be no shorter, and
// it would cost one and a half times as much.
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
