package pn532test

import (
	"errors"
	"io"
	"time"
)

// fifoSize is the largest number of bytes that one read returns. The controller of a Raspberry Pi
// has the same limit, so frames come in pieces.
const fifoSize = 8

var errUnplugged = errors.New("pn532test: input/output error")

// A UART is the chip's serial interface in memory. Tests use it in place of a port of
// go.bug.st/serial. Its bytes take no time.
type UART struct {
	c       *Chip
	timeout time.Duration // negative: no limit
	timer   *time.Timer
	line    []byte // sent by the chip, not yet read
	closed  bool
}

// UART returns the chip's serial interface. One goroutine may read it while
// another writes.
func (c *Chip) UART() *UART {
	return &UART{c: c, timeout: -1, line: make([]byte, 0, 4*maxFrame)}
}

// SetReadTimeout sets how long Read waits for the first byte; a negative time means
// forever.
func (u *UART) SetReadTimeout(t time.Duration) error {
	u.c.mu.Lock()
	defer u.c.mu.Unlock()
	u.timeout = t
	return nil
}

// Close makes Read and Write fail.
func (u *UART) Close() error {
	u.c.fault(func() { u.closed = true })
	return nil
}

// Write sends bytes to the chip. Corrupt counts the bytes of each call as one frame. If the
// chip is fussy, it loses bytes that come within 1 ms of its own last bytes.
func (u *UART) Write(p []byte) (int, error) {
	c := u.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if u.closed {
		return 0, io.ErrClosedPipe
	}
	if c.unplugged {
		return 0, errUnplugged
	}
	c.count(len(p), 0)
	if !c.isPresent() || time.Now().Before(c.awakeAt) {
		return len(p), nil
	}
	var buf [2 * maxFrame]byte
	b := buf[:copy(buf[:], p)]
	c.damage(b)
	if b = c.wokenBy(b); c.written() {
		c.hear(b, false)
	}
	return len(p), nil
}

// wokenBy returns the bytes of b that the chip receives while it is awake. The chip loses the
// bytes that come while it sleeps. wokenBy counts the rising edges in these bytes. The fifth
// edge wakes the chip (UM0701-02, 7.2.11).
func (c *Chip) wokenBy(b []byte) []byte {
	for i, v := range b {
		if !c.asleep {
			return b[i:]
		}
		level := byte(0) // the start bit
		for bit := range 9 {
			next := byte(1) // the stop bit
			if bit < 8 {
				next = v >> bit & 1
			}
			if next > level {
				c.edges++
			}
			level = next
		}
		if c.edges >= 5 {
			c.asleep = false
			if c.trait == Sleepy {
				c.awakeAt = time.Now().Add(sleepyBoot)
				return nil
			}
		}
	}
	return nil
}

// Read waits until the chip has sent bytes, and returns at most eight bytes. If the read
// timeout is over first, Read returns 0 and no error.
func (u *UART) Read(p []byte) (int, error) {
	c := u.c
	c.mu.Lock()
	defer c.mu.Unlock()
	var deadline time.Time
	if u.timeout >= 0 {
		deadline = time.Now().Add(u.timeout)
	}
	for {
		if u.closed {
			return 0, io.ErrClosedPipe
		}
		if c.unplugged {
			return 0, errUnplugged
		}
		if len(u.line) == 0 {
			u.pull()
		}
		if len(u.line) > 0 {
			n := copy(p[:min(len(p), fifoSize)], u.line)
			u.line = append(u.line[:0], u.line[n:]...)
			c.count(0, n)
			return n, nil
		}
		if !deadline.IsZero() && !time.Now().Before(deadline) {
			return 0, nil
		}
		u.wait(deadline)
	}
}

// pull moves the frames that are ready from the chip's queue to u.line.
func (u *UART) pull() {
	c := u.c
	for c.listening() {
		o := c.nextOutput()
		if o == nil {
			return
		}
		frame := o.b[:o.n]
		at, hit := c.damage(frame)
		if hit && c.frames/c.corruptEvery%2 == 0 {
			frame = append(frame[:at], frame[at+1:]...)
		}
		u.line = append(u.line, frame...)
		c.readAt = time.Now()
		c.removeFirst()
	}
}

// wait unlocks the chip and waits until something may have changed or the deadline has passed.
// A zero deadline never passes.
func (u *UART) wait(deadline time.Time) {
	c := u.c
	until := deadline
	sooner := func(t time.Time) {
		if until.IsZero() || t.Before(until) {
			until = t
		}
	}
	if c.listening() && len(c.queue) > 0 {
		sooner(c.queue[0].at)
	}
	if c.listening() && c.pending && !c.mute {
		sooner(c.retry)
	}
	c.mu.Unlock()
	defer c.mu.Lock()
	if until.IsZero() {
		<-c.changed
		return
	}
	if u.timer == nil {
		u.timer = time.NewTimer(time.Until(until))
	} else {
		u.timer.Reset(time.Until(until))
	}
	select {
	case <-u.timer.C:
	case <-c.changed:
	}
}
