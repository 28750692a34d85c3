// Package ledstriptest emulates LED strips on an SPI controller. A strip reads the bits on the
// controller's wires as pulses in time, and compares the pulses with the data sheet. It
// returns the colours that the LEDs show.
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
	mu           sync.Mutex
	chip         ledstrip.Chip
	host         Host
	leds         []led // what is shown
	decoder      decoder
	violations   Violations
	counts       Counts
	busyUntil    time.Time // when the last transfer ends
	decodedUntil time.Time // what came over the data line
	cut          bool      // the data line is cut
	off          bool      // the power is off
	failure      error
}

// An led holds the four colours of one LED, which are red, green, blue and white. It also
// holds the brightness of all these colours.
type led struct {
	rgbw       [4]byte
	brightness byte // of 31
}

// A decoder reads the wires.
type decoder interface {
	// bits decodes data. each is the duration of one bit; after every byte the line is low for
	// gap clocks.
	bits(data []byte, each span, gap int)
	// idle decodes a time between two transfers: the level of the data line, and how long it
	// lasts.
	idle(high bool, long span)
	// mode checks the SPI mode, which says at which clock edges data is valid.
	mode(spi.Mode)
}

// Violations counts violations of the data sheet.
type Violations struct {
	High  int // pulses of a length that is neither a 0 nor a 1
	Low   int // pauses of a wrong length between two pulses
	Torn  int // colours that a reset has cut off
	Start int // data that no start frame precedes, or an LED frame without its mark
	End   int // frames after which there are too few clocks for the last LED
	Mode  int // transfers whose data changes while it is read
}

// Counts holds the transfers and bytes on the wires.
type Counts struct {
	Transactions int
	Written      int // bytes
	Read         int // bytes; a strip never answers
}

// SK9822 is a chip that is sold as APA102. Each frame is followed by zeros, and the SK9822
// shows the frame only when these zeros arrive.
const SK9822 ledstrip.Chip = "sk9822"

// New returns a strip that was just plugged in, dark.
func New(chip ledstrip.Chip, leds int) *Strip {
	s := &Strip{chip: chip, leds: make([]led, leds), decodedUntil: time.Now()}
	s.power()
	return s
}

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

// Levels returns the light that each LED shows at this moment. The four numbers of an LED are
// red, green, blue and white, each multiplied by the LED's brightness of 0 to 31.
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

// Violations returns the violations since New.
func (s *Strip) Violations() Violations {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(time.Now())
	return s.violations
}

// Wire returns the counts of everything sent, whether or not it arrived.
func (s *Strip) Wire() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

// Kill cuts the data line: nothing arrives any more, and the LEDs keep their
// colours.
func (s *Strip) Kill() { s.do(func() { s.cut = true }) }

// Revive repairs the data line.
func (s *Strip) Revive() { s.do(func() { s.cut = false }) }

// Unplug disconnects the strip's power and data; the LEDs go dark.
func (s *Strip) Unplug() { s.do(func() { s.off = true; clear(s.leds) }) }

// Plug connects the strip again: it is dark until a frame arrives.
func (s *Strip) Plug() { s.do(func() { s.off = false; s.power() }) }

// BrownOut interrupts the power for a moment.
func (s *Strip) BrownOut() { s.do(s.power) }

// Fail makes every transfer fail with err from now on. Fail(nil) ends that.
func (s *Strip) Fail(err error) { s.do(func() { s.failure = err }) }

func (s *Strip) do(what func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(time.Now())
	what()
}

// settle decodes the time from the last decoding until t. The line was idle in that time.
func (s *Strip) settle(t time.Time) {
	if long := t.Sub(s.decodedUntil); long > 0 {
		if !s.deaf() {
			s.decoder.idle(s.host.IdleHigh, span(long)*ns)
		}
		s.decodedUntil = t
	}
}

func (s *Strip) deaf() bool { return s.cut || s.off }
