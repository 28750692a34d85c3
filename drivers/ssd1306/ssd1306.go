// Package ssd1306 shows pictures on small OLEDs on I2C. A module with a Solomon Systech
// SSD1306 (data sheet revision 1.1) has 128×64 or 128×32 pixels. A module with its sibling
// SSD1309 (revision 1.1) or with a Sino Wealth SH1106 (V2.3) has 128×64 pixels. References
// without a name are to the SSD1306's data sheet.
//
// The driver uses all three chips in page addressing, because an SH1106 has no other mode. It
// sets page and column, then sends the changed part of a row of 8 pixels.
//
// # Why not periph's driver
//
// devices/ssd1306 v3.7.4 drives only the SSD1306, and only at 0x3C, though some modules have
// the address 0x3D. It takes no context. After an error it assumes that the screen shows a
// picture that was never sent. It sets horizontal addressing, and then uses commands that the
// data sheet allows only in page addressing (10.1.1, 10.1.2, 10.1.13). With two more chips,
// more of that driver would be worked around than used.
//
// # What a screen does not report
//
// A module that has lost its power for a moment answers as before and shows nothing. So the
// driver sends everything again from time to time.
//
// A transfer takes 3 ms at 400 kHz and cannot be interrupted. So the driver first checks that
// there is still time for the transfer. The kernel's own time limit, a second on a Raspberry
// Pi, ends a transfer that hangs.
package ssd1306

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/devices/v3/ssd1306/image1bit"
)

// Opts are the options of a screen.
type Opts struct {
	Chip    Chip   // "" is SSD1306
	Addr    uint16 // 0 is 0x3C
	Height  int    // 64, or 32 with an SSD1306; 0 is 64
	Rotated bool   // by half a turn

	// Reset is the line RES#, which modules of 2.42 inches have. If the line is not wired,
	// Reset is nil.
	Reset gpio.PinOut
}

// DefaultOpts are the options for the most common module.
var DefaultOpts = Opts{Chip: SSD1306, Addr: 0x3c, Height: 64}

const width = 128

const (
	// callTimeout is how long a call may take. A whole picture takes a second at 10 kHz.
	// Some buses run as slowly as that because another chip on them needs it.
	callTimeout = 3 * time.Second

	// resendAfter is how long the driver relies on the screen to hold what was sent. After
	// that, Update sends everything again.
	resendAfter = 4 * time.Second

	// The chip needs a reset of 3 µs (table 13-1). No document says how long the voltages of a
	// module need afterwards. U8g2 waits 100 ms during the reset, and 100 ms after it.
	resetLow  = 10 * time.Millisecond
	resetRest = 100 * time.Millisecond
)

// Commands (data sheet, table 9-1), and the control bytes that precede commands and
// data (8.1.5.2).
const (
	commands   = 0x00
	data       = 0x40
	setMode    = 0x20
	pageMode   = 0x02
	displayOff = 0xae
	displayOn  = 0xaf
	nop        = 0xe3
)

// A Dev is a screen. One goroutine uses it.
type Dev struct {
	name       string
	opts       Opts
	chip       *chip
	bus        i2c.Bus
	resetDone  bool      // it has had its reset, and no error since
	lit        bool      // the display is on, as far as is known
	shownValid bool      // shown is what the memory holds
	sentAt     time.Time // when everything was last sent
	picture    *image1bit.VerticalLSB
	shown      []byte
	wire       [1 + width]byte
}

// New returns a screen on a bus. If no module has the given options, New returns an error. New
// sends nothing yet.
func New(b i2c.Bus, o *Opts) (*Dev, error) {
	opts := *o
	opts.Chip = cmp.Or(opts.Chip, DefaultOpts.Chip)
	opts.Addr = cmp.Or(opts.Addr, DefaultOpts.Addr)
	opts.Height = cmp.Or(opts.Height, DefaultOpts.Height)
	chip, err := find(opts.Chip)
	if err != nil {
		return nil, err
	}
	if opts.Addr > 0x7f {
		return nil, fmt.Errorf("%s: got address %#x, want one of 7 bits", opts.Chip, opts.Addr)
	}
	if !slices.Contains(chip.heights, opts.Height) {
		return nil, fmt.Errorf("%s: got height %d, want one of %v", opts.Chip, opts.Height, chip.heights)
	}
	picture := image1bit.NewVerticalLSB(image.Rect(0, 0, width, opts.Height))
	return &Dev{
		name:    fmt.Sprintf("%s{%s, %#x, %dx%d}", opts.Chip, b, opts.Addr, width, opts.Height),
		opts:    opts,
		chip:    chip,
		bus:     b,
		picture: picture,
		shown:   make([]byte, len(picture.Pix)),
	}, nil
}

func (d *Dev) String() string { return d.name }

// Bounds returns the rectangle of the screen, whose top left corner is at 0, 0.
func (d *Dev) Bounds() image.Rectangle { return d.picture.Rect }

// ColorModel returns a model of two colours: black, which is dark, and white.
func (d *Dev) ColorModel() color.Model { return image1bit.BitModel }

// Update shows a picture and turns the display on. The top left corner of img is shown at the
// top left of the screen. Pixels that img does not cover are dark.
//
// Update usually sends only the pixels that have changed. It sends everything if full is true,
// after an error, and after Sleep. It also sends everything if it last did so at least 4 s ago
// (resendAfter).
func (d *Dev) Update(ctx context.Context, img image.Image, full bool) error {
	return d.limitTime(ctx, "update", func(ctx context.Context) error {
		clear(d.picture.Pix)
		draw.Draw(d.picture, d.picture.Rect, img, img.Bounds().Min, draw.Src)
		if full || time.Since(d.sentAt) >= resendAfter {
			d.shownValid = false
		}
		if d.shownValid {
			return d.sendRows(ctx)
		}
		if err := d.reset(ctx); err != nil {
			return err
		}
		if err := d.command(ctx, d.chip.begin(d.opts.Height, d.opts.Rotated, d.lit)...); err != nil {
			return err
		}
		if err := d.sendRows(ctx); err != nil {
			return err
		}
		if err := d.command(ctx, displayOn); err != nil {
			return err
		}
		d.shownValid, d.lit, d.sentAt = true, true, time.Now()
		return nil
	})
}

// reset makes the reset line low for a moment and waits until the chip is ready. If the line
// is not wired, reset does nothing. If an earlier reset has succeeded and no error has come
// since, reset does nothing either.
func (d *Dev) reset(ctx context.Context) error {
	if d.opts.Reset == nil || d.resetDone {
		return nil
	}
	if err := d.opts.Reset.Out(gpio.Low); err != nil {
		return fmt.Errorf("reset line low: %w", err)
	}
	waited := sleep(ctx, resetLow)
	if err := d.opts.Reset.Out(gpio.High); err != nil {
		return fmt.Errorf("reset line high: %w", err)
	}
	if waited == nil {
		waited = sleep(ctx, resetRest)
	}
	d.resetDone = waited == nil
	return waited
}

func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// sendRows sends the picture to the screen row by row. A row is 8 pixels high. If the content
// of the chip's memory is known, sendRows sends only the part of each row that has changed.
// Otherwise it sends the whole row.
func (d *Dev) sendRows(ctx context.Context) error {
	for page := range d.opts.Height / 8 {
		want := d.picture.Pix[page*width:][:width]
		holds := d.shown[page*width:][:width]
		first, end := 0, width
		if d.shownValid {
			for first < end && want[first] == holds[first] {
				first++
			}
			for first < end && want[end-1] == holds[end-1] {
				end--
			}
			if first == end {
				continue
			}
		}
		to := d.chip.pointerCommands(page, first)
		if err := d.command(ctx, to[:]...); err != nil {
			return err
		}
		if err := d.send(ctx, data, want[first:end]); err != nil {
			return err
		}
		copy(holds, want)
	}
	return nil
}

// Check returns an error if the screen does not answer. It changes nothing: a
// sleeping screen stays asleep.
func (d *Dev) Check(ctx context.Context) error {
	return d.limitTime(ctx, "check", func(ctx context.Context) error { return d.command(ctx, nop) })
}

// Sleep turns the display off; the next Update wakes it.
func (d *Dev) Sleep(ctx context.Context) error {
	return d.limitTime(ctx, "sleep", func(ctx context.Context) error {
		d.shownValid, d.lit = false, false
		return d.command(ctx, displayOff)
	})
}

// Halt implements conn.Resource: it turns the display off.
func (d *Dev) Halt() error { return d.Sleep(context.Background()) }

func (d *Dev) limitTime(ctx context.Context, label string, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, callTimeout, errPatience)
	defer cancel()
	if err := do(ctx); err != nil {
		d.resetDone, d.shownValid, d.lit = false, false, false
		return fmt.Errorf("%s: %s: %w", d.opts.Chip, label, err)
	}
	return nil
}

var errPatience = fmt.Errorf("not done within %s: %w", callTimeout, context.DeadlineExceeded)

func (d *Dev) command(ctx context.Context, c ...byte) error { return d.send(ctx, commands, c) }

func (d *Dev) send(ctx context.Context, control byte, b []byte) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	w := append(append(d.wire[:0], control), b...)
	return d.bus.Tx(d.opts.Addr, w, nil)
}

var _ conn.Resource = (*Dev)(nil)
