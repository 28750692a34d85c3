//go:build linux

package keys

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/warthog618/go-gpiocdev/uapi"
	"golang.org/x/sys/unix"

	"tableside/drivers/gpiochip"
)

// GPIOChip is a GPIO chip of the kernel whose lines are keys.
type GPIOChip gpiochip.Chip

// eventSize is the size of struct gpio_v2_line_event in bytes. eventQueue is the largest
// number of such events that the kernel queues. In linux/gpio.h, event_buffer_size is cut to
// GPIO_V2_LINES_MAX*16.
const (
	eventSize  = 48
	eventQueue = maxLines * 16
)

// String returns the label.
func (c *GPIOChip) String() string { return (*gpiochip.Chip)(c).String() }

// Request implements Chip.
func (c *GPIOChip) Request(_ context.Context, lines []int) (Lines, error) {
	fd, err := (*gpiochip.Chip)(c).Request(lines, &uapi.LineConfig{
		Flags: uapi.LineFlagV2Input | uapi.LineFlagV2BiasPullUp | uapi.LineFlagV2EdgeBoth,
	}, eventQueue)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("wait for edges: %w", err)
	}
	l := &gpioLines{
		fd:   fd,
		file: os.NewFile(uintptr(fd), c.String()+" lines"),
		mask: uapi.LineValues{Mask: uapi.NewLineBitMask(len(lines))},
	}
	if err := l.file.SetReadDeadline(time.Time{}); err != nil {
		l.file.Close()
		return nil, fmt.Errorf("wait for edges: %w", err)
	}
	return l, nil
}

// gpioLines holds the lines of one request. Its method Next waits in Go's poller, because
// poll(2) would hold a processor. On a Pi Zero, Go has only one processor (GOMAXPROCS). There
// poll(2) would delay every timer of the program for up to 10 ms at a time.
type gpioLines struct {
	fd   int // of file, for calls that do not wait
	file *os.File
	mask uapi.LineValues
	buf  [maxLines * eventSize]byte

	ctx           context.Context // its end interrupts a wait
	stopInterrupt func() bool     // makes the end of ctx interrupt nothing any more
}

// Next implements Lines.
func (l *gpioLines) Next(ctx context.Context, edges []Edge, wait time.Duration) (int, error) {
	l.interruptible(ctx)
	if err := l.file.SetReadDeadline(time.Now().Add(wait)); err != nil {
		return 0, fmt.Errorf("wait for edges: %w", err)
	}
	// SetReadDeadline may have replaced the deadline that the end of ctx set.
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	buf := l.buf[:min(len(l.buf), len(edges)*eventSize)]
	n, err := l.file.Read(buf)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		// Edges may arrive just as the time is up.
		n, err = unix.Read(l.fd, buf)
		if err == unix.EAGAIN || err == unix.EINTR {
			return 0, nil
		}
	}
	if err != nil {
		return 0, fmt.Errorf("read edges: %w", err)
	}
	for i := range n / eventSize {
		// struct gpio_v2_line_event (linux/gpio.h): timestamp_ns, id, offset, seqno.
		e := buf[i*eventSize:]
		edges[i] = Edge{
			At:   time.Duration(binary.NativeEndian.Uint64(e)),
			High: binary.NativeEndian.Uint32(e[8:]) == uint32(uapi.LineEventRisingEdge),
			Line: int(binary.NativeEndian.Uint32(e[12:])),
			Seq:  binary.NativeEndian.Uint32(e[16:]),
		}
	}
	return n / eventSize, nil
}

// Levels implements Lines.
func (l *gpioLines) Levels(ctx context.Context, high []bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	values := l.mask
	if err := uapi.GetLineValuesV2(uintptr(l.fd), &values); err != nil {
		return fmt.Errorf("read levels: %w", err)
	}
	for i := range high {
		high[i] = values.Get(i) == 1
	}
	return nil
}

// Now implements Lines: the kernel stamps edges with CLOCK_MONOTONIC.
func (l *gpioLines) Now() time.Duration {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) // cannot fail with this clock
	return time.Duration(ts.Nano())
}

// interruptible makes Next return when ctx ends, even while Next waits for edges.
func (l *gpioLines) interruptible(ctx context.Context) {
	if ctx == l.ctx {
		return
	}
	if l.ctx != nil {
		l.stopInterrupt()
	}
	l.ctx = ctx
	l.stopInterrupt = context.AfterFunc(ctx, func() { _ = l.file.SetReadDeadline(time.Unix(1, 0)) })
}

// Close implements Lines.
func (l *gpioLines) Close() error {
	if l.ctx != nil {
		l.stopInterrupt()
	}
	if err := l.file.Close(); err != nil {
		return fmt.Errorf("give lines back: %w", err)
	}
	return nil
}
