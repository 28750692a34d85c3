// Package keys reads push buttons and rotary encoders on GPIO lines.
//
// The package talks to the kernel's GPIO character device (/dev/gpiochipN, version 2 of its
// interface). It does not use periph's pins, for these reasons:
//
//   - periph drops the kernel's time stamps. Without time stamps, a debouncer measures how
//     busy the machine is.
//   - periph queues 16 edges for each line, and silently loses further edges. The kernel
//     numbers the edges, so that a gap is noticed.
//   - In periph's gpioioctl v3.8.5, WaitForEdge confuses "poll" and "for ever"
//     (github.com/periph/host, issue 78).
//
// The package uses github.com/warthog618/go-gpiocdev for the definitions of the interface, and
// to find chips and lines. It does not use the watcher of go-gpiocdev. When a chip goes away,
// that watcher spins on the dead file and reports no error.
//
// # Debouncing
//
// The kernel can debounce too, but this package debounces by itself. The kernel counts in
// ticks, which are 4 ms on a Pi. Its time stamps then give the moment of its decision, not the
// moment at which the finger moved. Besides, its debouncing could be tested only on a kernel.
//
// A contact that was quiet for Settle has settled. A spike shorter than Settle never counts. The result depends only on the time stamps, so a slow machine reaches the same
// result later.
//
// The package treats the kernel's reports of edges with care. The level in a report is the
// level a moment after the edge. The kernel merges edges that come faster than its interrupt
// threads. The edges of two lines can change places. Therefore levels may repeat, numbers may
// be missing, and each batch is sorted first.
package keys

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tableside/drivers/gpiochip"
)

const (
	// Settle is how long a contact must be quiet to have settled.
	Settle = 5 * time.Millisecond
	// DefaultStuck is the default of Opts.Stuck.
	DefaultStuck = 10 * time.Second
	// DefaultLong is a good value for Button.Long.
	DefaultLong = 600 * time.Millisecond
)

// maxLines is the largest number of lines that the kernel grants in one request
// (GPIO_V2_LINES_MAX in linux/gpio.h). A Dev makes only one request, so that all its edges are
// in one queue.
const maxLines = 64

// Opts describes what is wired to the lines of a chip.
type Opts struct {
	Buttons  []Button
	Encoders []Encoder

	Stuck time.Duration // a button that is held or bounces this long is stuck; 0 is DefaultStuck
}

// A Button is a push button that connects its line to ground while it is pressed. While the
// button is not pressed, the pull-up of the line keeps the line high.
type Button struct {
	Name string // comes back in events
	Line int    // on a Raspberry Pi the BCM number
	// Long is the time after which a press becomes a Long event instead of a Press. If
	// Long is 0, there is no Long event, and Press comes as soon as the button goes down.
	Long time.Duration
}

// An Encoder has two contacts that close their lines to ground. One contact closes a quarter
// of a cycle after the other. If the knob is turned clockwise, A closes first. If left and
// right are swapped, exchange A and B.
type Encoder struct {
	Name      string
	A, B      int
	PerDetent int // changes of A or B from one detent to the next: 4, 2 or 1; 0 is 4
}

// A Kind is a kind of event.
type Kind uint8

const (
	Press Kind = iota + 1 // a button went down and, if Button.Long is set, up again in less time
	Long                  // a button has been held for Button.Long and is still held; no Press follows
	Left                  // an encoder was turned by one detent, counter-clockwise
	Right                 // an encoder was turned by one detent, clockwise
	Stuck                 // a button is held, or does not stop bouncing, for Opts.Stuck: jammed, shorted or worn out
	Freed                 // a stuck button works again
)

var kindNames = [...]string{Press: "press", Long: "long", Left: "left", Right: "right", Stuck: "stuck", Freed: "freed"}

// String returns the kind's name in lower case.
func (k Kind) String() string { return kindNames[k] }

// An Event is something that happened to a button or an encoder.
type Event struct {
	Name string // of the Button or Encoder
	Kind Kind
	// At is a time on the chip's clock. For Press, At is the time of the first edge of the
	// press, or of the release if Button.Long is set. For Left and Right, it is the time
	// of the edge of the turn.
	//
	// For Long and Stuck, it is the time at which Button.Long or Opts.Stuck was reached.
	// For Freed, it is the time of the button's last edge.
	At time.Duration
}

// Dev is a set of buttons and encoders on one chip.
type Dev struct {
	chip  Chip
	opts  Opts
	lines []int    // in the order in which they are requested
	names []string // the button or encoder of each line
}

// New returns a Dev for the buttons and encoders in opts. It returns an error if the options
// contradict each other, or if they ask for a negative line, no line, or more than 64 lines.
// No line is touched before Run.
func New(chip Chip, opts *Opts) (*Dev, error) {
	d := &Dev{chip: chip, opts: *opts}
	d.opts.Buttons = slices.Clone(opts.Buttons)
	d.opts.Encoders = slices.Clone(opts.Encoders)
	if d.opts.Stuck = cmp.Or(opts.Stuck, DefaultStuck); d.opts.Stuck < Settle {
		return nil, fmt.Errorf("keys: a contact that settles in %v cannot be stuck after %v", Settle, d.opts.Stuck)
	}
	for _, b := range d.opts.Buttons {
		if b.Long < 0 || b.Long >= d.opts.Stuck {
			return nil, fmt.Errorf("keys: %s: long press after %v, but stuck after %v", b.Name, b.Long, d.opts.Stuck)
		}
		if err := d.add(b.Name, b.Line); err != nil {
			return nil, err
		}
	}
	for i, e := range d.opts.Encoders {
		if e.PerDetent == 0 {
			d.opts.Encoders[i].PerDetent = 4
		} else if e.PerDetent != 1 && e.PerDetent != 2 && e.PerDetent != 4 {
			return nil, fmt.Errorf("keys: %s: got %d changes a detent, want 1, 2 or 4", e.Name, e.PerDetent)
		}
		if err := errors.Join(d.add(e.Name, e.A), d.add(e.Name, e.B)); err != nil {
			return nil, err
		}
	}
	if len(d.lines) == 0 || len(d.lines) > maxLines {
		return nil, fmt.Errorf("keys: got %d lines, want 1 to %d", len(d.lines), maxLines)
	}
	return d, nil
}

// add adds a line to the request. If the line is negative, or if a button or encoder already
// has the line, add returns an error.
func (d *Dev) add(name string, line int) error {
	if line < 0 {
		return fmt.Errorf("keys: %s: no line %d", name, line)
	}
	if i := slices.Index(d.lines, line); i >= 0 {
		return fmt.Errorf("keys: %s and %s are both on line %d", d.names[i], name, line)
	}
	d.lines = append(d.lines, line)
	d.names = append(d.names, name)
	return nil
}

// Halt does nothing: Run owns the lines and gives them back when it returns.
func (d *Dev) Halt() error { return nil }

// String returns the chip, and how many buttons and encoders there are.
func (d *Dev) String() string {
	return fmt.Sprintf("keys{%s: %d buttons, %d encoders}", d.chip, len(d.opts.Buttons), len(d.opts.Encoders))
}

// Run takes the lines and passes every event to emit until the context ends. Then Run returns
// nil.
//
// If somebody holds a line, the error wraps a *gpiochip.BusyError. Run also returns an error
// if the chip was removed. The next Run looks for the chip again. If a button is down when Run
// begins, the button counts only after it has been released.
//
// Run itself calls emit, so emit must not block.
func (d *Dev) Run(ctx context.Context, emit func(Event)) error {
	lines, err := d.chip.Request(ctx, d.lines)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		if busy, ok := errors.AsType[*gpiochip.BusyError](err); ok {
			if i := slices.Index(d.lines, busy.Line); i >= 0 {
				return fmt.Errorf("keys: %s: %w", d.names[i], err)
			}
		}
		return fmt.Errorf("keys: %w", err)
	}
	defer lines.Close()
	w := newWatch(d, lines, emit)
	for err = w.begin(ctx); err == nil; {
		err = w.step(ctx)
	}
	if ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("keys: %w", err)
}
