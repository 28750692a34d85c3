package ledstriptest

import (
	"slices"

	"periph.io/x/conn/v3/spi"
)

// A clockedDecoder reads the wires of APA102 and SK9822. After 32 zeros, each LED takes the
// first frame that begins with a 1. The LED passes on the bits that follow, half a clock late
// (APA102C data sheet, "cascading data structure"; cpldcpu, "Understanding the APA102
// superled" and "SK9822 – a clone of the APA102?").
type clockedDecoder struct {
	strip        *Strip
	waits        bool // for SK9822: a frame is shown at the next 32 zeros
	clocks       int64
	zeros        int // in a row
	begun        bool
	startMissing bool // ones came before a frame had begun
	word         uint32
	n            int // bits of word so far
	next         int // the LED that takes the next frame
	taken        []led
	events       []event
}

// An event is a change of one LED. Either the LED takes a frame, or it shows the frame that it
// took before.
type event struct {
	at    int64 // the clock at which it happens
	i     int   // the LED
	frame led   // that the LED takes, unless shows is set
	shows bool
}

func newClocked(s *Strip, waits bool) *clockedDecoder {
	return &clockedDecoder{strip: s, waits: waits, taken: make([]led, len(s.leds))}
}

func (c *clockedDecoder) idle(bool, span) {} // without a clock the level means nothing

func (c *clockedDecoder) mode(m spi.Mode) {
	if m &= spi.Mode3; m == spi.Mode1 || m == spi.Mode2 { // data is read at the rising edge
		c.strip.violations.Mode++
	}
}

func (c *clockedDecoder) bits(data []byte, _ span, _ int) {
	for _, b := range data {
		for bit := 7; bit >= 0; bit-- {
			c.bit(b>>bit&1 == 1)
		}
	}
	c.arrive()
	if len(c.events) > 0 {
		c.strip.violations.End++
	}
}

func (c *clockedDecoder) bit(one bool) {
	c.clocks++
	if one {
		c.zeros = 0
	} else if c.zeros++; c.zeros == 32 {
		c.n = 0
		c.start()
		return
	}
	switch {
	case c.n > 0:
		c.word <<= 1
		if one {
			c.word |= 1
		}
		if c.n++; c.n == 32 {
			c.take()
		}
	case one && c.begun:
		c.word, c.n = 1, 1
	case one && !c.startMissing:
		c.startMissing = true
		c.strip.violations.Start++
	}
}

// start handles a start frame. An SK9822 shows its previous frame when the start frame comes.
func (c *clockedDecoder) start() {
	if c.waits {
		for i := range min(c.next, len(c.taken)) {
			c.events = append(c.events, event{at: c.arrivalOf(i), i: i, shows: true})
		}
	}
	c.begun, c.startMissing, c.next = true, false, 0
}

// take handles a complete frame, which is for the next LED.
func (c *clockedDecoder) take() {
	c.n = 0
	i := c.next
	c.next++
	switch {
	case c.word>>29 != 0b111:
		c.strip.violations.Start++
	case i < len(c.taken):
		l := led{rgbw: [4]byte{byte(c.word), byte(c.word >> 8), byte(c.word >> 16)}, brightness: byte(c.word >> 24 & 31)}
		c.events = append(c.events, event{at: c.arrivalOf(i), i: i, frame: l})
	}
}

func (c *clockedDecoder) arrivalOf(i int) int64 { return c.clocks + int64(i+1)/2 }

// arrive handles the events that are due by the present clock pulse.
func (c *clockedDecoder) arrive() {
	c.events = slices.DeleteFunc(c.events, func(e event) bool {
		switch {
		case e.at > c.clocks:
			return false
		case e.shows:
			c.strip.leds[e.i] = c.taken[e.i]
		default:
			c.taken[e.i] = e.frame
			if !c.waits {
				c.strip.leds[e.i] = e.frame
			}
		}
		return true
	})
}
