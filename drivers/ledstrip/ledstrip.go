package ledstrip

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"sync/atomic"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/display"
	"periph.io/x/conn/v3/spi"
)

// Opts are the options of a strip.
type Opts struct {
	Chip           Chip
	Count          int     // LEDs
	Brightness     float64 // of full light, above 0 to 1; 0 means 1
	LimitMilliamps int     // a frame that would take more is dimmed as a whole; 0 is no limit
	// Order is the order of the colours on the wire, such as "RGB". If Order is "", the
	// chip's own order is used. White is always last.
	Order string
}

// DefaultOpts are the options for a metre of the most common strip, on a supply of 2 A.
var DefaultOpts = Opts{Chip: WS2812, Count: 60, Brightness: 1, LimitMilliamps: 1500}

// maxLEDs is the largest number of LEDs in one strip. A frame for so many WS2812B takes 125 ms
// on the wire.
const maxLEDs = 4000

// A Dev is a strip. Its picture is a row of Count×1 pixels. Its colours are linear, so half
// the value gives half the light.
//
// Only one goroutine may use a Dev, except for the method Current. A call takes as long as the
// bits on the wire, which is 31 us for each WS2812B. No call can tell whether a strip is
// there, because strips send nothing back.
type Dev struct {
	name       string
	conn       spi.Conn
	chip       *chip
	count      int
	brightness uint32 // share of full light; 1<<16 is all of it
	maxDrain   int64  // see milliamp

	pixels  []byte // for each LED its channels as they were drawn: red, green, blue and white
	wire    []byte // the whole frame
	encoder encoder
	current atomic.Int64
}

// New returns a strip on a port, and connects the port. Nothing else may be wired to the port.
// New sends nothing yet. If the options cannot work, or if a frame does not fit into one
// transfer, New returns an error.
func New(p spi.Port, o *Opts) (*Dev, error) {
	chip, order, err := o.check()
	if err != nil {
		return nil, err
	}
	if err := checkSize(p, chip, o); err != nil {
		return nil, err
	}
	c, err := p.Connect(chip.clock, spi.Mode0, 8)
	if err != nil {
		return nil, fmt.Errorf("ledstrip: connect to %s: %w", p, err)
	}
	if err := checkSize(c, chip, o); err != nil {
		return nil, err
	}
	d := &Dev{
		name:       fmt.Sprintf("%s{%s, %d LEDs}", o.Chip, c, o.Count),
		conn:       c,
		chip:       chip,
		count:      o.Count,
		brightness: one,
		maxDrain:   math.MaxInt64,
		pixels:     make([]byte, o.Count*chip.channels()),
		wire:       make([]byte, chip.size(o.Count)),
	}
	if o.Brightness > 0 {
		d.brightness = uint32(math.Round(o.Brightness * one))
	}
	if o.LimitMilliamps > 0 && o.LimitMilliamps < o.Count*chip.maxCurrent() {
		d.maxDrain = int64(o.LimitMilliamps-o.Count*chip.idle) * milliamp
	}
	d.encoder = chip.newEncoder(chip, d.wire, order)
	return d, nil
}

// check returns the chip and its order on the wire. If the options cannot work on any port,
// check returns an error.
func (o *Opts) check() (*chip, []int, error) {
	chip, ok := chips[o.Chip]
	if !ok {
		return nil, nil, fmt.Errorf("ledstrip: got chip %q, want %s, %s or %s", o.Chip, WS2812, SK6812, APA102)
	}
	if o.Count < 1 || o.Count > maxLEDs {
		return nil, nil, fmt.Errorf("ledstrip: got %d LEDs, want 1 to %d", o.Count, maxLEDs)
	}
	if !(o.Brightness >= 0 && o.Brightness <= 1) { // NaN is neither
		return nil, nil, fmt.Errorf("ledstrip: got brightness %v, want 0 to 1", o.Brightness)
	}
	if dark := o.Count * chip.idle; o.LimitMilliamps < 0 || o.LimitMilliamps > 0 && o.LimitMilliamps < dark {
		return nil, nil, fmt.Errorf("ledstrip: limit of %d mA: %d LEDs take %d mA while they are dark", o.LimitMilliamps,
			o.Count, dark)
	}
	order, err := chip.order(o.Order)
	return chip, order, err
}

// checkSize returns an error if a frame does not fit into one transfer. The argument link is
// the port or the connection. If the limit of link is unknown, checkSize returns nil.
func checkSize(link fmt.Stringer, chip *chip, o *Opts) error {
	limits, ok := link.(conn.Limits)
	if !ok {
		return nil
	}
	most, size := limits.MaxTxSize(), chip.size(o.Count)
	if most <= 0 || size <= most { // 0 is unknown
		return nil
	}
	fit, enough := 0, 4096
	for chip.size(fit+1) <= most {
		fit++
	}
	for enough < size {
		enough *= 2
	}
	return fmt.Errorf("ledstrip: %d %s LEDs need %d bytes in one transfer, and %s takes %d, which is %d LEDs: "+
		"add spidev.bufsiz=%d to the kernel's command line", o.Count, o.Chip, size, link, most, fit, enough)
}

func (d *Dev) String() string { return d.name }

// ColorModel implements display.Drawer.
func (d *Dev) ColorModel() color.Model { return color.NRGBAModel }

// Bounds returns a rectangle of Count×1 pixels that begins at 0, 0.
func (d *Dev) Bounds() image.Rectangle { return image.Rect(0, 0, d.count, 1) }

// Draw implements display.Drawer. It changes the LEDs within r and sends the whole frame, even
// if the frame is the same as before. If r covers no LED, Draw sends nothing. A
// half-transparent pixel is half as bright.
//
// A strip that lost its power stays dark until the next frame, and cannot report the loss. So
// draw the picture again now and then.
func (d *Dev) Draw(r image.Rectangle, src image.Image, sp image.Point) error {
	changed := Pixels(d.count, r, src, sp, func(x int, red, green, blue uint32) {
		d.set(x, byte(red>>8), byte(green>>8), byte(blue>>8))
	})
	if !changed {
		return nil
	}
	return d.send()
}

// Halt implements conn.Resource: it turns the strip dark.
func (d *Dev) Halt() error {
	clear(d.pixels)
	return d.send()
}

// Current returns an upper bound of the current that the strip draws for the last frame, in
// milliamperes. The bound is for the frame after dimming to the limit. Before the first frame,
// Current returns 0. Any goroutine may call Current.
func (d *Dev) Current() int { return int(d.current.Load()) }

func (d *Dev) set(i int, r, g, b byte) {
	c := d.pixels[i*d.chip.channels():]
	if d.chip.channels() == 4 {
		w := min(r, g, b)
		r, g, b = r-w, g-w, b-w
		c[3] = w
	}
	c[0], c[1], c[2] = r, g, b
}

// send sends the frame to the strip. If the frame needs more current than the limit, send
// dims it.
func (d *Dev) send() error {
	drain := d.encoder.encode(d.pixels, d.brightness, half)
	if drain > d.maxDrain {
		drain = d.encoder.encode(d.pixels, d.scaleWithinLimit(), 0)
	}
	d.current.Store(int64(d.count*d.chip.idle) + (drain+milliamp-1)/milliamp)
	if err := d.conn.Tx(d.wire, nil); err != nil {
		return fmt.Errorf("ledstrip: send %d bytes: %w", len(d.wire), err)
	}
	return nil
}

func (d *Dev) scaleWithinLimit() uint32 {
	drain := int64(0)
	for i, v := range d.pixels {
		drain += int64(v) * int64(d.chip.currents[i%d.chip.channels()])
	}
	return min(d.brightness, uint32(d.maxDrain*one/(drain*brightnessSteps)))
}

var (
	_ display.Drawer = (*Dev)(nil)
	_ conn.Resource  = (*Dev)(nil)
)
