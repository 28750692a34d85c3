//go:build linux

package keys

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"time"

	"github.com/warthog618/go-gpiocdev"
	"github.com/warthog618/go-gpiocdev/uapi"
	"golang.org/x/sys/unix"
)

// GPIOChip is a GPIO chip of the kernel. It is looked for by its label whenever
// lines are requested: its number differs between models and kernels (the pins
// of a Pi 5 were gpiochip4, then gpiochip0), the label only in its end.
type GPIOChip struct {
	Label    string // with wildcards as in path.Match; "" is "pinctrl-*", the header of every Raspberry Pi
	Consumer string // what others read who find the line taken; "" is "keys"
}

// eventSize is the size of struct gpio_v2_line_event, eventQueue how many of
// them the kernel keeps for us at most (linux/gpio.h: event_buffer_size is cut
// to GPIO_V2_LINES_MAX*16).
const (
	eventSize  = 48
	eventQueue = maxLines * 16
)

func (c *GPIOChip) label() string {
	if c.Label == "" {
		return "pinctrl-*"
	}
	return c.Label
}

// String is the label.
func (c *GPIOChip) String() string { return c.label() }

// Request implements Chip.
func (c *GPIOChip) Request(_ context.Context, lines []int) (Lines, error) {
	chip, err := c.find()
	if err != nil {
		return nil, err
	}
	defer chip.Close()
	for _, line := range lines {
		if line >= chip.Lines() {
			return nil, fmt.Errorf("no line %d: %s (%s) has %d", line, chip.Label, chip.Name, chip.Lines())
		}
	}
	fd, err := c.take(chip.Name, lines)
	if errors.Is(err, unix.EBUSY) {
		return nil, blame(chip, lines)
	}
	if err != nil {
		return nil, fmt.Errorf("take lines of %s (%s): %w", chip.Label, chip.Name, err)
	}
	l := &gpioLines{
		fd:   fd,
		file: os.NewFile(uintptr(fd), chip.Name+" lines"),
		mask: uapi.LineValues{Mask: uapi.NewLineBitMask(len(lines))},
	}
	if err := l.file.SetReadDeadline(time.Time{}); err != nil {
		l.file.Close()
		return nil, fmt.Errorf("wait for edges: %w", err)
	}
	return l, nil
}

// find opens the first chip with the label.
func (c *GPIOChip) find() (*gpiocdev.Chip, error) {
	var failed error
	var others []string
	for _, name := range gpiocdev.Chips() {
		chip, err := gpiocdev.NewChip(name, gpiocdev.WithABIVersion(2))
		if errors.Is(err, gpiocdev.ErrNotCharacterDevice) {
			continue // a link, as Pi OS makes for old programs
		}
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		if match, _ := path.Match(c.label(), chip.Label); match {
			return chip, nil
		}
		others = append(others, chip.Label)
		chip.Close()
	}
	if failed != nil {
		return nil, fmt.Errorf("no GPIO chip %s: %w", c.label(), failed)
	}
	if len(others) > 0 {
		return nil, fmt.Errorf("no GPIO chip %s, but %s: %w", c.label(), strings.Join(others, ", "), unix.ENODEV)
	}
	return nil, fmt.Errorf("no GPIO chip: %w", unix.ENODEV)
}

// take requests the lines and returns the file of their edges.
func (c *GPIOChip) take(name string, lines []int) (int, error) {
	f, err := os.OpenFile("/dev/"+name, os.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	defer f.Close()
	request := uapi.LineRequest{
		Lines:           uint32(len(lines)),
		EventBufferSize: eventQueue,
		Config: uapi.LineConfig{
			Flags: uapi.LineFlagV2Input | uapi.LineFlagV2BiasPullUp | uapi.LineFlagV2EdgeBoth,
		},
	}
	for i, line := range lines {
		request.Offsets[i] = uint32(line)
	}
	consumer := c.Consumer
	if consumer == "" {
		consumer = "keys"
	}
	copy(request.Consumer[:len(request.Consumer)-1], consumer)
	if err := uapi.GetLine(f.Fd(), &request); err != nil {
		return -1, err
	}
	fd := int(request.Fd)
	unix.CloseOnExec(fd)
	if err := unix.SetNonblock(fd, true); err != nil {
		unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

// blame finds who has the line that could not be had.
func blame(chip *gpiocdev.Chip, lines []int) error {
	for _, line := range lines {
		if info, err := chip.LineInfo(line); err == nil && info.Used {
			return &BusyError{Line: line, Consumer: info.Consumer}
		}
	}
	return fmt.Errorf("lines of %s: %w", chip.Label, unix.EBUSY)
}

// gpioLines is a request. Reading waits in Go's poller: poll(2) would hold the
// only processor of a Pi Zero, as Go counts them, for up to 10 ms at a time, and
// every timer of the program with it.
type gpioLines struct {
	fd   int // of file, for what does not wait
	file *os.File
	mask uapi.LineValues
	buf  [maxLines * eventSize]byte

	ctx    context.Context // whose end ends a wait
	ignore func() bool
}

// Next implements Lines.
func (l *gpioLines) Next(ctx context.Context, edges []Edge, wait time.Duration) (int, error) {
	l.heed(ctx)
	if err := l.file.SetReadDeadline(time.Now().Add(wait)); err != nil {
		return 0, fmt.Errorf("wait for edges: %w", err)
	}
	if err := ctx.Err(); err != nil { // now, or its end finds the deadline set
		return 0, err
	}
	buf := l.buf[:min(len(l.buf), len(edges)*eventSize)]
	n, err := l.file.Read(buf)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		// The poller may find both at once, edges and the time being up.
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

// heed makes the end of ctx end a wait.
func (l *gpioLines) heed(ctx context.Context) {
	if ctx == l.ctx {
		return
	}
	if l.ctx != nil {
		l.ignore()
	}
	l.ctx = ctx
	l.ignore = context.AfterFunc(ctx, func() { _ = l.file.SetReadDeadline(time.Unix(1, 0)) })
}

// Close implements Lines.
func (l *gpioLines) Close() error {
	if l.ctx != nil {
		l.ignore()
	}
	if err := l.file.Close(); err != nil {
		return fmt.Errorf("give lines back: %w", err)
	}
	return nil
}
