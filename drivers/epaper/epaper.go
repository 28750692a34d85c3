// Package epaper drives e-paper panels in black and white, including panels with more colours.
// One driver serves all the panels that Panels lists.
//
// The library periph has drivers of its own, which are not used here. They wait for BUSY
// without a limit and take no context. In addition, waveshare2in13v3 refreshes twice for every
// picture, waveshare2in13v4 does not set the memory window, and inky sends nothing to today's
// pHAT.
//
// # How a picture gets to the glass
//
// The glass is the visible part of a panel. A controller of black and white glass keeps two
// pictures: the new picture, and the old picture, with which a partial refresh compares the
// new one. The driver keeps a copy of the picture on the glass. So the driver sends only the box
// around what has changed, and keeps both memories right. A controller of more colours keeps one picture,
// and can only show it with a full refresh.
//
// # What cannot be seen
//
// The data line back from the panel is not wired on these boards. The driver can therefore not
// read any status. It can only read the line BUSY. From BUSY the driver learns of these
// faults:
//
//   - Nothing answers: BUSY does not rise when a refresh begins.
//   - The controller hangs: BUSY does not fall within the panel's limit.
//   - The panel's power failed between two pictures. An SSD16xx in deep sleep holds BUSY.
//     After a loss of power it is awake, and no longer holds BUSY. For other controllers, such
//     a loss does not matter, because the driver sends them everything that they need for each
//     refresh.
//   - The power failed during a refresh: the refresh ends far too early.
//
// The driver does not notice a loss of power in the milliseconds in which an SSD16xx gets its
// data, or in the last third of a refresh. The next full refresh repairs such a picture. A
// broken glass, a loose data line or a panel of another model is never noticed.
package epaper

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/spi"
)

// Opts describes the panel and how it is wired.
type Opts struct {
	Panel string // one of Panels
	DC    gpio.PinOut
	Busy  gpio.PinIn

	// Reset is the reset line of the panel, or nil if the line is not wired. Without a
	// reset line, the panel never sleeps deeply, a controller that hangs cannot be
	// revived, and a loss of power between two pictures is not noticed.
	Reset gpio.PinOut

	// Power is the pin PWR of Waveshare's driver boards from Rev 2.3 on (2023). While the
	// pin is high, the panel's supply is on. Power is nil if the board has no such pin, or
	// if the pin is wired to 3.3 V.
	Power gpio.PinOut

	// Rotate turns the picture clockwise by 0, 90, 180 or 270 degrees. At 0 the picture
	// has the orientation of the maker's pictures, which is landscape.
	Rotate int

	// FullEvery is the number of partial refreshes after which a full one is
	// due. 0 means the panel's default.
	FullEvery int

	// Speed says how many times faster an emulated panel is than a real one. 0 means a
	// real panel. If an emulated panel is faster than a real one but Speed is 0, Update
	// reports that the panel's refreshes were cut short.
	Speed float64

	// Hold waits for a few milliseconds, as exactly as it can: a reset twice as long
	// as it should be costs some panels their memories. nil waits in a busy loop,
	// which never ends in fake time (testing/synctest): set time.Sleep there.
	Hold func(time.Duration)
}

// DefaultOpts names the panel that most people have. The caller must still set the pins.
var DefaultOpts = Opts{Panel: "waveshare-2in13-v4"}

// Panels returns the names of the panels that the driver knows.
func Panels() []string {
	names := make([]string, len(panels))
	for i := range panels {
		names[i] = panels[i].name
	}
	return names
}

// Dev is a panel. Only one goroutine at a time may use it.
type Dev struct {
	panel     *panel
	chip      chip
	line      line
	mapping   mapping
	fullEvery int

	glass      []byte // what is on the glass, as the memory has it: a bit for each pixel, 1 is white
	next       []byte // what the glass should show
	glassKnown bool   // glass is right, and the chip's memories are as the next refresh needs them
	partials   int    // since the last full refresh
}

// chip is a controller, with the panel around it.
type chip interface {
	// wake makes the controller ready for commands. If trusted is false, nothing is known of
	// its state: wake waits for the end of a refresh that may still be running, and resets the
	// controller. kept is false if the memories are lost; it has a meaning only if trusted is
	// true.
	wake(ctx context.Context, trusted bool) (kept bool, err error)
	// full shows the whole picture with a full refresh.
	full(ctx context.Context, next []byte) error
	// partial changes the glass from its present picture, was, to a new picture, next. It uses
	// a partial refresh.
	partial(ctx context.Context, was, next []byte) error
	// rest puts the panel into its state between two pictures.
	rest(ctx context.Context) error
	// sleep puts the controller to its deepest sleep. Without a reset line, sleep does
	// nothing. If trusted is true, the controller is still in the state in which the
	// previous call left it.
	sleep(ctx context.Context, trusted bool) error
}

// New returns a panel, with its port connected and its pins set. New itself sends nothing to
// the panel; only the first Update does.
func New(port spi.Port, opts *Opts) (*Dev, error) {
	i := slices.IndexFunc(panels, func(p panel) bool { return p.name == opts.Panel })
	if i < 0 {
		return nil, fmt.Errorf("epaper: got panel %q, want one of %s", opts.Panel, strings.Join(Panels(), ", "))
	}
	p := &panels[i]
	switch {
	case opts.DC == nil:
		return nil, fmt.Errorf("epaper: %s: the pin DC is missing", p.name)
	case opts.Busy == nil:
		return nil, fmt.Errorf("epaper: %s: the pin BUSY is missing", p.name)
	}
	m, err := p.mappingFor(opts.Rotate)
	if err != nil {
		return nil, err
	}
	c, err := port.Connect(p.clock, spi.Mode0, 8)
	if err != nil {
		return nil, fmt.Errorf("epaper: %s on %s: %w", p.name, port, err)
	}
	d := &Dev{
		panel: p,
		line: line{panel: p, c: c, name: port.String(), dc: opts.DC, busy: opts.Busy, reset: opts.Reset, power: opts.Power,
			hold:  opts.Hold,
			speed: max(opts.Speed, 1), buf: make([]byte, transferSize(port, c))},
		mapping:   m,
		fullEvery: opts.FullEvery,
		glass:     make([]byte, p.size()),
		next:      make([]byte, p.size()),
	}
	if d.line.hold == nil {
		d.line.hold = spin
	}
	if d.fullEvery <= 0 {
		d.fullEvery = p.fullEvery
	}
	switch p.family {
	case uc8179Family:
		d.chip = &uc8179{line: &d.line, panel: p}
	case jd79661Family:
		d.chip = &jd79661{line: &d.line, panel: p}
	default:
		d.chip = &ssd16xx{line: &d.line, panel: p}
	}
	if err := d.line.open(); err != nil {
		return nil, fmt.Errorf("epaper: %s: %w", p.name, err)
	}
	return d, nil
}

// transferSize returns the longest transfer, in bytes, that the port and the connection both
// accept, but at most 4096.
func transferSize(ends ...any) int {
	size := 4096 // spidev as it is delivered
	for _, end := range ends {
		if l, ok := end.(conn.Limits); ok && l.MaxTxSize() > 0 {
			size = min(size, l.MaxTxSize())
		}
	}
	return size
}

// String returns the panel and its bus.
func (d *Dev) String() string { return d.panel.name + " on " + d.line.name }

// Bounds returns the size of the picture, turned as Opts.Rotate says.
func (d *Dev) Bounds() image.Rectangle { return d.mapping.bounds }

// Update shows a picture of the size of Bounds. A pixel is black if it is darker than half
// luminance, or if it is transparent.
//
// If full is set, Update makes a full refresh, which removes the traces of partial refreshes.
// Otherwise Update makes a partial refresh if the panel can, and a full refresh when one is
// due. A full refresh is due at first, after an error, when the memories are lost, when much
// has changed, and after Opts.FullEvery partial refreshes. If no pixel has changed, Update
// sends nothing, unless full is set and there was a partial refresh since the last full
// refresh.
//
// Update returns when the glass shows the picture. The wait has a limit that depends on the
// panel. After an error, the picture on the glass is not known. The end of the context counts
// as an error, too. The next Update resets the controller and makes a full refresh.
func (d *Dev) Update(ctx context.Context, img image.Image, full bool) error {
	if err := d.update(ctx, img, full); err != nil {
		return fmt.Errorf("epaper: %s: %w", d.panel.name, err)
	}
	return nil
}

func (d *Dev) update(ctx context.Context, img image.Image, full bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if got, want := img.Bounds().Size(), d.mapping.bounds.Size(); got != want {
		return fmt.Errorf("got a picture of %v, want %v", got, want)
	}
	d.mapping.draw(d.next, img)
	changed := countChanges(d.glass, d.next)
	if d.glassKnown && changed == 0 && (!full || d.partials == 0) {
		return nil
	}
	trusted := d.glassKnown
	d.glassKnown = false
	if err := d.line.switchOn(ctx); err != nil {
		return err
	}
	kept, err := d.chip.wake(ctx, trusted)
	if err != nil {
		return err
	}
	if full || !trusted || !kept || d.panel.partial == nil || d.partials >= d.fullEvery ||
		changed*100 > d.panel.maxChangedPercent*d.panel.width*d.panel.height {
		err = d.chip.full(ctx, d.next)
		d.partials = 0
	} else {
		err = d.chip.partial(ctx, d.glass, d.next)
		d.partials++
	}
	if err != nil {
		return err
	}
	if err := d.chip.rest(ctx); err != nil {
		return err
	}
	d.glassKnown = true
	d.glass, d.next = d.next, d.glass
	return nil
}

// Pause returns how long a picture should stay on the glass before an Update changes it. On a
// panel without partial refreshes, each refresh flashes for seconds. For such a panel, Pause
// returns the usual time of a full refresh, or the panel's own pause if this pause is longer.
// For other panels, Pause returns 0.
//
// Update does not wait for that time.
func (d *Dev) Pause() time.Duration {
	if d.panel.partial != nil {
		return 0
	}
	return max(d.line.usual[1].duration, time.Duration(float64(d.panel.pause)/d.line.speed))
}

// Sleep puts the panel to its deepest sleep, in which it needs next to no
// power; the picture stays. The next Update wakes the panel. Call Sleep when nothing
// will change for a while. It does nothing without a reset line or while the supply
// is off.
func (d *Dev) Sleep(ctx context.Context) error {
	if d.line.supplyOff {
		return nil
	}
	if err := d.chip.sleep(ctx, d.glassKnown); err != nil {
		d.glassKnown = false
		return fmt.Errorf("epaper: %s: sleep: %w", d.panel.name, err)
	}
	return nil
}

// Halt implements conn.Resource. It puts the panel to sleep. If Opts.Power is wired, Halt also
// switches the panel's supply off, and the next Update switches the supply on.
func (d *Dev) Halt() error {
	ctx, cancel := context.WithTimeout(context.Background(), d.panel.fullLimit)
	defer cancel()
	return errors.Join(d.Sleep(ctx), d.SwitchOff())
}

// SwitchOff switches the panel's supply off and does not put the panel to sleep first. If
// Opts.Power is not wired, SwitchOff does nothing. The next Update switches the supply on and
// makes a full refresh.
func (d *Dev) SwitchOff() error {
	if d.line.power == nil {
		return nil
	}
	d.glassKnown = false
	if err := d.line.switchOff(); err != nil {
		return fmt.Errorf("epaper: %s: %w", d.panel.name, err)
	}
	return nil
}

var _ conn.Resource = &Dev{}

// errNoAnswer reports that BUSY never rose, for example because the panel is missing.
var errNoAnswer = errors.New("the panel does not answer")

// errCutShort reports a refresh that ended too early, for example after a loss of power.
var errCutShort = errors.New("the refresh was cut short")

// stuckError reports a wait for BUSY that reached its limit.
type stuckError struct {
	pin   string
	level gpio.Level
	task  string
	limit time.Duration
}

func (s stuckError) Error() string {
	level := "low"
	if s.level {
		level = "high"
	}
	return fmt.Sprintf("BUSY (%s) still %s %v after %s", s.pin, level, s.limit, s.task)
}
