package pn532

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tableside/drivers/nfc"
)

// A Serial is a serial port. The package go.bug.st/serial can open one. The port has 115200
// baud, 8 data bits, no parity and 1 stop bit (UM0701-02, 6.2.3).
type Serial interface {
	// Read returns 0 and no error after the time-out.
	Read(p []byte) (int, error)
	Write(p []byte) (int, error)
	SetReadTimeout(t time.Duration) error
}

// wakeUp holds the bytes that wake a sleeping chip. The chip wakes at the fifth rising edge on
// the line (UM0701-02, 7.2.11), and one byte 55h has five. The second byte 55h is for a chip
// that misses the first. The zeros fill the time until the chip listens. A chip that is awake
// takes the zeros for padding.
var wakeUp = []byte{0x55, 0x55, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

const (
	// readSlice is how long one read may last before the driver checks its context again.
	readSlice = 20 * time.Millisecond

	// silence is how long the line must be quiet before the driver takes the chip to have sent
	// everything: the time of 35 bytes at 115200 baud.
	silence = 3 * time.Millisecond
)

// uartLink is the link over a serial line. The chip sends answers without being asked for
// them.
type uartLink struct {
	name string
	port Serial
	buf  [2 * maxFrame]byte
	n    int // bytes in buf
	used int // bytes of buf that the last frame took

	heard bool // a byte came since listen
}

// NewUART returns a chip on the serial port p. The method String of the Dev shows name as the
// name of the port. The Dev does not close the port, so the caller must close it.
func NewUART(name string, p Serial, opts *Opts) (*Dev, error) {
	return newDev(&uartLink{name: name, port: p}, opts), nil
}

func (l *uartLink) String() string { return l.name }

func (l *uartLink) wake(bool) error { return l.send(wakeUp) }

func (l *uartLink) send(frame []byte) error {
	n, err := l.port.Write(frame)
	if err == nil && n != len(frame) {
		err = fmt.Errorf("%d of %d bytes written", n, len(frame))
	}
	return err
}

// guess returns the length of the longest frame. Over a serial line the host need not say how
// much to read, because the chip sends the whole frame.
func (l *uartLink) guess() int { return maxFrame }

func (l *uartLink) receive(ctx context.Context, w *wait, _ int) ([]byte, error) {
	l.n = copy(l.buf[:], l.buf[l.used:l.n])
	l.used = 0
	for reads := 0; ; reads++ {
		l.trim()
		_, _, used, err := parse(l.buf[:l.n])
		if !errors.Is(err, errShort) {
			l.used = min(used, l.n)
			return l.buf[:l.used], nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		left := time.Until(w.deadline)
		if left <= 0 && l.n <= 1 && reads >= minLooks {
			return nil, errTimeout
		}
		before := l.n
		if err := l.read(max(min(left, readSlice), silence)); err != nil {
			return nil, err
		}
		if l.n == before && l.n > 1 {
			l.used = l.n // the rest was lost
			return l.buf[:l.n], nil
		}
	}
}

// trim removes the padding before a frame, but keeps the one zero that belongs to the frame's
// start code.
func (l *uartLink) trim() {
	zeros := 0
	for zeros < l.n && l.buf[zeros] == 0 {
		zeros++
	}
	if zeros > 1 {
		l.n = copy(l.buf[:], l.buf[zeros-1:l.n])
	}
}

// read reads once from the port and adds the bytes to the buffer. It waits for at most d.
func (l *uartLink) read(d time.Duration) error {
	if err := l.port.SetReadTimeout(d); err != nil {
		return err
	}
	n, err := l.port.Read(l.buf[l.n:])
	l.n += max(n, 0)
	l.heard = l.heard || n > 0
	return err
}

// drop discards all bytes that have arrived. It reads until the line is silent, but at most 16
// times.
func (l *uartLink) drop(ctx context.Context, _ *nfc.Clock, _ time.Duration) error {
	for range 16 {
		l.n, l.used = 0, 0
		if err := l.read(silence); err != nil {
			return err
		}
		if l.n == 0 || ctx.Err() != nil {
			break
		}
	}
	l.n, l.used = 0, 0
	return ctx.Err()
}

func (l *uartLink) listen() { l.heard = false }

func (l *uartLink) explain(err error) error {
	if l.heard || !errors.Is(err, errTimeout) {
		return err
	}
	return fmt.Errorf("not a byte comes over the serial line: %w", ErrNotUART)
}
