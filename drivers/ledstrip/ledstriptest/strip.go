// Package ledstriptest has emulated LED strips. They hang on an emulated SPI
// controller, read the bits on its wires as pulses in time, hold them against
// the data sheet, and tell what colours the LEDs show.
//
// A transfer takes as long as its bits. Everything is safe for concurrent use.
package ledstriptest

import (
	"image/color"
	"sync"
	"time"

	"periph.io/x/conn/v3/spi"

	"tableside/drivers/ledstrip"
)

// A Strip is an emulated strip.
type Strip struct {
	mu         sync.Mutex
	chip       ledstrip.Chip
	host       Host
	leds       []led // what is shown
	decoder    decoder
	violations Violations
	counts     Counts
	busy       time.Time // until when a transfer is on the wire
	told       time.Time // what the wire did until then is decoded
	cut        bool      // the data line
	off        bool      // the power
	fail       error
}

// An led is what one LED shows: red, green, blue and white, and the brightness
// of all of them.
type led struct {
	rgbw       [4]byte
	brightness byte // of 31
}

// A decoder reads the wires.
type decoder interface {
	// bits are clocked out, each so long, with a low of so many clocks after
	// each byte.
	bits(data []byte, each span, gap int)
	// idle is the level of the data line between transfers.
	idle(high bool, long span)
	// mode says at which edges data is valid.
	mode(spi.Mode)
}

// Violations count what the data sheet forbids.
type Violations struct {
	High  int // pulses of a length that is neither a 0 nor a 1
	Low   int // pauses between two pulses of a length that is none
	Torn  int // colours that a reset has cut off
	Start int // data that no start frame precedes, or an LED frame without its mark
	End   int // frames after which there are too few clocks for the last LED
	Mode  int // transfers whose data changes while it is read
}

// Counts are what went over the wires.
type Counts struct {
	Transactions int
	Written      int // bytes
	Read         int // bytes; a strip never answers
}

// SK9822 is a chip that is sold as APA102. It shows a frame when it sees the
// zeros after it.
const SK9822 ledstrip.Chip = "sk9822"

// New returns a strip that was just plugged in, dark.
func New(chip ledstrip.Chip, leds int) *Strip {
	s := &Strip{chip: chip, leds: make([]led, leds), told: time.Now()}
	s.power()
	return s
}

// power does what a supply that comes up does.
func (s *Strip) power() {
	clear(s.leds)
	switch s.chip {
	case ledstrip.APA102, SK9822:
		s.decoder = newClocked(s, s.chip == SK9822)
	default:
		s.decoder = newPulsed(s, sheets[s.chip])
	}
}

// Colours returns what the LEDs show at this moment. White light counts as
// red, green and blue.
func (s *Strip) Colours() []color.NRGBA {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(time.Now())
	all := make([]color.NRGBA, len(s.leds))
	for i, l := range s.leds {
		c := l.rgbw
		part := func(v byte) byte {
			return byte(min((int(v)*int(l.brightness)+15)/31+int(c[3]), 255))
		}
		all[i] = color.NRGBA{R: part(c[0]), G: part(c[1]), B: part(c[2]), A: 255}
	}
	return all
}

// Levels returns what the LEDs show at this moment, each colour times its
// brightness of 0 to 31: red, green, blue and white.
func (s *Strip) Levels() [][4]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(time.Now())
	all := make([][4]int, len(s.leds))
	for i, l := range s.leds {
		for k, v := range l.rgbw {
			all[i][k] = int(v) * int(l.brightness)
		}
	}
	return all
}

// Violations returns those since the beginning.
func (s *Strip) Violations() Violations {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(time.Now())
	return s.violations
}

// Wire counts what was sent, whether or not it arrived.
func (s *Strip) Wire() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

// Kill cuts the data line: nothing arrives any more, and the LEDs go on
// showing what they show.
func (s *Strip) Kill() { s.do(func() { s.cut = true }) }

// Revive mends the data line.
func (s *Strip) Revive() { s.do(func() { s.cut = false }) }

// Unplug takes the strip off, power and data.
func (s *Strip) Unplug() { s.do(func() { s.off = true; clear(s.leds) }) }

// Plug puts it back: it is dark until a frame arrives.
func (s *Strip) Plug() { s.do(func() { s.off = false; s.power() }) }

// BrownOut takes the power away for a moment.
func (s *Strip) BrownOut() { s.do(s.power) }

// Fail makes every transfer fail from now on, or none when err is nil.
func (s *Strip) Fail(err error) { s.do(func() { s.fail = err }) }

func (s *Strip) do(what func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(time.Now())
	what()
}

// settle decodes the rest of the line until a moment.
func (s *Strip) settle(until time.Time) {
	if long := until.Sub(s.told); long > 0 {
		if !s.deaf() {
			s.decoder.idle(s.host.IdleHigh, span(long)*ns)
		}
		s.told = until
	}
}

func (s *Strip) deaf() bool { return s.cut || s.off }
