// Package ssd1306 shows pictures on small OLEDs with a Solomon Systech SSD1306
// (data sheet revision 1.1) on I2C, of 128×64 or 128×32 pixels.
//
// Setting up and drawing is periph's driver, which sends only what has
// changed. It is wrapped for what it lacks:
//
//   - any address: it insists on 0x3C, and modules are sold with 0x3D;
//   - an end: none of its calls takes a context. A transfer takes 3 ms at
//     400 kHz, so each of them asks first whether there is still time. One that
//     hangs is ended by the kernel's own time limit, a second on a Raspberry
//     Pi;
//   - a way back: it takes a picture for shown before it is sent, so that after
//     an error only another picture would be. Here the next one begins anew;
//   - what it does not see: a module that has lost its power for a moment
//     answers as before and shows nothing. Everything is sent again when it
//     has not been for a while;
//   - it sets horizontal addressing, and then uses the commands that the data
//     sheet allows in page addressing alone (10.1.1, 10.1.2, 10.1.13). Chips
//     take them, but their mode is set right here.
package ssd1306

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/devices/v3/ssd1306"
	"periph.io/x/devices/v3/ssd1306/image1bit"
)

// Opts are the options of a screen.
type Opts struct {
	Addr    uint16 // 0 is 0x3C
	Height  int    // 64 or 32; 0 is 64
	Rotated bool   // by half a turn
}

// DefaultOpts are those of the most common module.
var DefaultOpts = Opts{Addr: 0x3c, Height: 64}

const width = 128

const (
	// patience is how long a call may take: a whole picture takes a second at
	// 10 kHz, at which some buses run for the sake of other chips.
	patience = 3 * time.Second

	// fresh is how long everything that was sent is taken to be there.
	fresh = 4 * time.Second
)

// Commands (data sheet, table 9-1).
const (
	commands    = 0x00 // the control byte before commands (8.1.5.2)
	addressing  = 0x20
	byPage      = 0x02
	displayOff  = 0xae
	doNothing   = 0xe3
	initLongest = 64 // bytes of periph's longest transfer of commands, and more
)

// A Dev is a screen. One goroutine uses it.
type Dev struct {
	name    string
	opts    ssd1306.Opts
	bus     bus
	chip    *ssd1306.Dev // nil when it has to be set up
	lit     bool         // the display is on, as far as is known
	sent    time.Time    // everything, the last time
	picture *image1bit.VerticalLSB
}

// New is a screen on a bus. It sends nothing yet.
func New(b i2c.Bus, o *Opts) (*Dev, error) {
	addr, height := o.Addr, o.Height
	if addr == 0 {
		addr = DefaultOpts.Addr
	}
	if height == 0 {
		height = DefaultOpts.Height
	}
	if addr > 0x7f {
		return nil, fmt.Errorf("ssd1306: address %#x is none of 7 bits", addr)
	}
	if height != 64 && height != 32 {
		return nil, fmt.Errorf("ssd1306: height %d: there are screens of 64 and 32 pixels", height)
	}
	return &Dev{
		name: fmt.Sprintf("ssd1306{%s, %#x, %dx%d}", b, addr, width, height),
		opts: ssd1306.Opts{
			W: width, H: height,
			MirrorVertical: o.Rotated, MirrorHorizontal: o.Rotated,
			Sequential: height == 32, // how makers wire the rows of these (10.1.18)
		},
		bus:     bus{Bus: b, addr: addr},
		picture: image1bit.NewVerticalLSB(image.Rect(0, 0, width, height)),
	}, nil
}

func (d *Dev) String() string { return d.name }

// Bounds begin at 0, 0.
func (d *Dev) Bounds() image.Rectangle { return d.picture.Rect }

// ColorModel is black, which is dark, and white.
func (d *Dev) ColorModel() color.Model { return image1bit.BitModel }

// Update shows a whole picture, its top left at the screen's; around it the
// screen is dark. Where no pixel has changed nothing is sent, unless full asks
// for everything or it is time for that again. It wakes the screen. After an
// error the next Update begins anew.
func (d *Dev) Update(ctx context.Context, img image.Image, full bool) error {
	return d.within(ctx, "update", func() error {
		clear(d.picture.Pix)
		draw.Draw(d.picture, d.picture.Rect, img, img.Bounds().Min, draw.Src)
		if full || d.chip == nil || time.Since(d.sent) >= fresh {
			if err := d.setUp(); err != nil {
				return err
			}
		}
		return d.chip.Draw(d.picture.Rect, d.picture, image.Point{})
	})
}

// Check asks whether the screen is there, and changes nothing. One that is
// asleep stays so.
func (d *Dev) Check(ctx context.Context) error {
	return d.within(ctx, "check", func() error { return d.command(doNothing) })
}

// Sleep turns the display off; the next Update wakes it.
func (d *Dev) Sleep(ctx context.Context) error {
	return d.within(ctx, "sleep", func() error {
		d.chip, d.lit = nil, false
		return d.command(displayOff)
	})
}

// Halt implements conn.Resource.
func (d *Dev) Halt() error { return d.Sleep(context.Background()) }

// within does something in the time there is for it.
func (d *Dev) within(ctx context.Context, what string, do func() error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errPatience)
	defer cancel()
	d.bus.ctx = ctx
	if err := do(); err != nil {
		d.chip, d.lit = nil, false
		return fmt.Errorf("ssd1306: %s: %w", what, err)
	}
	return nil
}

var errPatience = fmt.Errorf("not done within %s: %w", patience, context.DeadlineExceeded)

// setUp makes the next drawing a whole one.
func (d *Dev) setUp() error {
	d.chip = nil
	d.bus.calm = d.lit
	chip, err := ssd1306.NewI2C(&d.bus, &d.opts)
	d.bus.calm = false
	if err != nil {
		return err
	}
	if err := d.command(addressing, byPage); err != nil {
		return err
	}
	d.chip, d.lit, d.sent = chip, true, time.Now()
	return nil
}

func (d *Dev) command(c ...byte) error {
	return d.bus.Tx(0, append([]byte{commands}, c...), nil)
}

// A bus is what periph's driver is given: it knows the address and how long to
// go on. The context is here because periph's calls cannot carry it.
type bus struct {
	i2c.Bus
	addr uint16
	ctx  context.Context
	calm bool // the display is not turned off to be set up
	buf  [initLongest]byte
}

// Tx sends to the screen, whatever address periph thinks it has.
func (b *bus) Tx(_ uint16, w, r []byte) error {
	if b.ctx.Err() != nil {
		return context.Cause(b.ctx)
	}
	// periph sets up a display that is off, which is how it comes out of
	// reset (data sheet, 8.9); one that is on would wink.
	if b.calm && len(w) > 2 && len(w) <= len(b.buf) && w[0] == commands && w[1] == displayOff {
		w = b.buf[:copy(b.buf[:], w)]
		w[1] = doNothing
	}
	return b.Bus.Tx(b.addr, w, r)
}

var _ conn.Resource = (*Dev)(nil)
