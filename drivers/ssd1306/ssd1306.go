// Package ssd1306 shows pictures on small OLEDs on I2C: modules of 128×64 or
// 128×32 pixels with a Solomon Systech SSD1306 (data sheet revision 1.1), of
// 128×64 with its sibling SSD1309 (revision 1.1) or with a Sino Wealth SH1106
// (V2.3). References without a name are to the SSD1306's data sheet.
//
// All three are driven in page addressing, the only mode that an SH1106 has: page
// and column are set, then the changed part of a row of 8 pixels follows.
//
// # Why not periph's driver
//
// devices/ssd1306 v3.7.4 drives the first of the three, and only at 0x3C, though
// modules are sold with 0x3D, too. It takes no context; after an error it assumes
// that a picture is shown that was not sent; and it sets horizontal addressing, and
// then uses commands that the data sheet allows only in page addressing (10.1.1,
// 10.1.2, 10.1.13). With two more chips, more of it would be worked around than
// used.
//
// # What a screen does not report
//
// A module that has lost its power for a moment answers as before and shows
// nothing. So everything is sent again from time to time.
//
// A transfer takes 3 ms at 400 kHz and cannot be interrupted, so the driver first
// checks that there is still time for it. The kernel's own time limit, a second on
// a Raspberry Pi, ends a transfer that hangs.
package ssd1306

import (
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

	// Reset is the line RES#, which modules of 2.42 inches have; nil if it is not wired.
	Reset gpio.PinOut
}

// DefaultOpts are the options for the most common module.
var DefaultOpts = Opts{Chip: SSD1306, Addr: 0x3c, Height: 64}

const width = 128

const (
	// patience is how long a call may take. A whole picture takes a second at
	// 10 kHz, the clock of some buses for the sake of other chips.
	patience = 3 * time.Second

	// fresh is how long the screen is assumed to hold everything that was sent.
	fresh = 4 * time.Second

	// The chip needs 3 µs of reset (table 13-1). No document says how long the voltages of a
	// module need after that. U8g2 allows 100 ms for each.
	resetLow  = 10 * time.Millisecond
	resetRest = 100 * time.Millisecond
)

// Commands (data sheet, table 9-1), and the control bytes that precede commands and
// data (8.1.5.2).
const (
	commands   = 0x00
	data       = 0x40
	setMode    = 0x20
	byPage     = 0x02
	displayOff = 0xae
	displayOn  = 0xaf
	doNothing  = 0xe3
)

// A Dev is a screen. One goroutine uses it.
type Dev struct {
	name    string
	opts    Opts
	chip    *chip
	bus     i2c.Bus
	started bool      // it has had its reset, and no error since
	lit     bool      // the display is on, as far as is known
	known   bool      // shown is what the memory holds
	sent    time.Time // when everything was last sent
	picture *image1bit.VerticalLSB
	shown   []byte
	wire    [1 + width]byte
}

// New returns a screen on a bus, or an error for options that no module has. It sends nothing
// yet.
func New(b i2c.Bus, o *Opts) (*Dev, error) {
	opts := *o
	if opts.Chip == "" {
		opts.Chip = DefaultOpts.Chip
	}
	if opts.Addr == 0 {
		opts.Addr = DefaultOpts.Addr
	}
	if opts.Height == 0 {
		opts.Height = DefaultOpts.Height
	}
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

// Bounds returns a rectangle that begins at 0, 0.
func (d *Dev) Bounds() image.Rectangle { return d.picture.Rect }

// ColorModel returns a model of two colours: black, which is dark, and white.
func (d *Dev) ColorModel() color.Model { return image1bit.BitModel }

// Update shows a whole picture, with its top left corner at the screen's, and wakes the
// screen. Pixels that the picture does not cover are dark. Nothing is sent if no
// pixel has changed, unless full asks for everything or everything is due again.
// After an error the next Update sends everything.
func (d *Dev) Update(ctx context.Context, img image.Image, full bool) error {
	return d.within(ctx, "update", func(ctx context.Context) error {
		clear(d.picture.Pix)
		draw.Draw(d.picture, d.picture.Rect, img, img.Bounds().Min, draw.Src)
		if full || time.Since(d.sent) >= fresh {
			d.known = false
		}
		if d.known {
			return d.rows(ctx)
		}
		if err := d.reset(ctx); err != nil {
			return err
		}
		if err := d.command(ctx, d.chip.begin(d.opts.Height, d.opts.Rotated, d.lit)...); err != nil {
			return err
		}
		if err := d.rows(ctx); err != nil {
			return err
		}
		if err := d.command(ctx, displayOn); err != nil {
			return err
		}
		d.known, d.lit, d.sent = true, true, time.Now()
		return nil
	})
}

// reset makes the reset line low for a moment and waits until the chip is ready. It does
// nothing if the line is not wired, or if there was no error since the last reset.
func (d *Dev) reset(ctx context.Context) error {
	if d.opts.Reset == nil || d.started {
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
	d.started = waited == nil
	return waited
}

// sleep waits. If the context ends first, sleep returns the context's error.
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

// rows sends the part of each row of 8 pixels that the memory does not hold yet.
func (d *Dev) rows(ctx context.Context) error {
	for page := range d.opts.Height / 8 {
		want := d.picture.Pix[page*width:][:width]
		holds := d.shown[page*width:][:width]
		first, end := 0, width
		if d.known {
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
		to := d.chip.to(page, first)
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
	return d.within(ctx, "check", func(ctx context.Context) error { return d.command(ctx, doNothing) })
}

// Sleep turns the display off; the next Update wakes it.
func (d *Dev) Sleep(ctx context.Context) error {
	return d.within(ctx, "sleep", func(ctx context.Context) error {
		d.known, d.lit = false, false
		return d.command(ctx, displayOff)
	})
}

// Halt implements conn.Resource: it turns the display off.
func (d *Dev) Halt() error { return d.Sleep(context.Background()) }

// within calls the function do, with a context that ends after patience. After an error of do,
// the state of the screen counts as unknown. The string in what names the call in the error.
func (d *Dev) within(ctx context.Context, what string, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errPatience)
	defer cancel()
	if err := do(ctx); err != nil {
		d.started, d.known, d.lit = false, false, false
		return fmt.Errorf("%s: %s: %w", d.opts.Chip, what, err)
	}
	return nil
}

var errPatience = fmt.Errorf("not done within %s: %w", patience, context.DeadlineExceeded)

func (d *Dev) command(ctx context.Context, c ...byte) error { return d.send(ctx, commands, c) }

// send sends one transfer, if there is still time.
func (d *Dev) send(ctx context.Context, control byte, b []byte) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	w := append(append(d.wire[:0], control), b...)
	return d.bus.Tx(d.opts.Addr, w, nil)
}

var _ conn.Resource = (*Dev)(nil)
