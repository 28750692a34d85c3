package ledstrip

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"periph.io/x/conn/v3/physic"
)

// A Chip is the name of the controller in the LEDs. Configurations use the same names.
type Chip string

const (
	WS2812 Chip = "ws2812" // Worldsemi WS2812B: red, green, blue
	SK6812 Chip = "sk6812" // Opsco SK6812RGBW: red, green, blue and white
	APA102 Chip = "apa102" // APA Electronic APA102C, and SK9822: with a clock line
)

// A chip holds the differences between controllers.
type chip struct {
	currents   []int  // mA of each colour at full: red, green, blue and white
	idle       int    // mA of each LED while it is dark
	wireOrder  string // the order of the colours on the wire
	clock      physic.Frequency
	size       func(leds int) int // of a frame, in bytes
	newEncoder func(c *chip, wire []byte, order []int) encoder
}

// An encoder writes frames and returns the drain of each frame (see milliamp). For each
// colour, it computes colour × scale + round, and cuts the fraction off.
type encoder interface {
	encode(pixels []byte, scale, round uint32) (drain int64)
}

// Values for the arguments scale and round of encode. They are fixed-point numbers with 16
// bits after the point. With the scale 1<<16, colours stay as they are.
const (
	one  = 1 << 16
	half = one / 2
)

// Units of the drain. The drain is the current of the lit LEDs beyond their idle current. Its
// unit is 1 mA / (255 steps of colour × 31 steps of brightness).
const (
	brightnessSteps = 31
	milliamp        = 255 * brightnessSteps
)

// chips holds the controllers with the currents of their LEDs. Where revisions differ, the
// greatest current counts, because the limit protects a supply.
//
//   - WS2812B-V5 has 12 mA for each colour and 0.6 mA idle (Worldsemi, WS2812B-V5 V1.0,
//     electrical parameters). The WS2812B of 2013 was measured at 20 mA and 1 mA idle.
//   - SK6812RGBW has 20 mA and 1 mA idle (Shenzhen LED Color, SPC/SK6812 rev. 01, electrical
//     and LED parameters).
//   - APA102C has 20 mA at brightness 31 (Shenzhen LED Color, APA102C, LED performance) and
//     1 mA idle.
var chips = map[Chip]*chip{
	WS2812: {currents: []int{20, 20, 20}, idle: 1, wireOrder: "GRB", clock: nrzClock,
		size: nrzSize(3), newEncoder: newNRZ},
	SK6812: {currents: []int{20, 20, 20, 20}, idle: 1, wireOrder: "GRB", clock: nrzClock,
		size: nrzSize(4), newEncoder: newNRZ},
	APA102: {currents: []int{20, 20, 20}, idle: 1, wireOrder: "BGR", clock: apaClock, size: apaSize, newEncoder: newAPA},
}

func (c *chip) channels() int { return len(c.currents) }

func (c *chip) maxCurrent() int {
	sum := c.idle
	for _, mA := range c.currents {
		sum += mA
	}
	return sum
}

// order returns the channels in their order on the wire, with white last. The argument gives
// that order with the letters R, G and B, such as "GRB". If the argument is "", the chip's own
// order is used.
func (c *chip) order(letters string) ([]int, error) {
	letters = strings.ToUpper(cmp.Or(letters, c.wireOrder))
	var order []int
	for i, letter := range letters {
		channel := strings.IndexRune("RGB", letter)
		if channel < 0 || strings.LastIndexByte(letters, letters[i]) != i {
			break
		}
		order = append(order, channel)
	}
	if len(order) != 3 || len(letters) != 3 {
		return nil, fmt.Errorf("ledstrip: order %q: the letters R, G and B are needed, in the order of the strip", letters)
	}
	if c.channels() == 4 {
		order = append(order, 3)
	}
	return order, nil
}

// These constants describe the wire of WS2812B and SK6812; doc.go has the reasons.
const (
	nrzClock = 3070 * physic.KiloHertz
	// resetBytes is the length of a reset. The bytes take at least 302 us, because no SPI
	// clock is faster than the requested one. WS2812B-V5 needs more than 280 us (data sheet
	// V1.0, data transfer time).
	resetBytes = 116
	bitZero    = 0b1000
	bitOne     = 0b1100
)

func nrzSize(channels int) func(int) int {
	return func(leds int) int { return resetBytes + 4*channels*leds + resetBytes }
}

// An nrz encodes frames for chips with one wire.
type nrz struct {
	wire     []byte // the frame between its two resets
	order    []int
	currents []int
	bits     [256]uint32 // what each byte becomes on the wire
}

func newNRZ(c *chip, wire []byte, order []int) encoder {
	e := &nrz{wire: wire[resetBytes : len(wire)-resetBytes], order: order, currents: c.currents}
	for v := range e.bits {
		for bit := 7; bit >= 0; bit-- {
			e.bits[v] = e.bits[v]<<4 | bitZero
			if v>>bit&1 == 1 {
				e.bits[v] |= bitOne
			}
		}
	}
	return e
}

func (e *nrz) encode(pixels []byte, scale, round uint32) (drain int64) {
	wire := e.wire
	for led := range slices.Chunk(pixels, len(e.order)) {
		for _, channel := range e.order {
			v := (uint32(led[channel])*scale + round) / one
			drain += int64(v) * int64(e.currents[channel])
			binary.BigEndian.PutUint32(wire, e.bits[v])
			wire = wire[4:]
		}
	}
	return drain * brightnessSteps
}

// These constants describe the wire of APA102. The chips accept a clock of up to 20 MHz. A
// clock of 4 MHz shows 60 LEDs in half a millisecond and leaves room for long wires.
const (
	apaClock = 4 * physic.MegaHertz
	apaStart = 4 // bytes
	apaMark  = 0b111 << 5
)

// apaSize returns the number of bytes in a frame. After the data of the LEDs, a frame has 32
// zeros for SK9822 and half a clock for each LED (cpldcpu, "Understanding the APA102
// superled").
func apaSize(leds int) int { return apaStart + 4*leds + 4 + (leds+15)/16 }

// An apa encodes frames for chips with a clock.
type apa struct {
	wire     []byte // the frame after its start
	order    []int
	currents []int
}

func newAPA(c *chip, wire []byte, order []int) encoder {
	return &apa{wire: wire[apaStart:], order: order, currents: c.currents}
}

// encode writes the data of each LED to the wire and returns the drain. If no colour of an LED
// is above 1/31 of full, the LED gets brightness 1 and colours 31 times as large. All other
// LEDs get full brightness, because a lower brightness flickers at 580 Hz. Colours flicker at
// 19 kHz, which a camera does not see.
func (e *apa) encode(pixels []byte, scale, round uint32) (drain int64) {
	for i := 0; i+3 <= len(pixels); i += 3 {
		led, wire := pixels[i:i+3], e.wire[i/3*4:]
		brightness, times := uint32(brightnessSteps), uint32(1)
		if uint32(max(led[0], led[1], led[2]))*brightnessSteps*scale <= 255*one {
			brightness, times = 1, brightnessSteps
		}
		wire[0] = byte(apaMark | brightness)
		for pos, channel := range e.order {
			v := (uint32(led[channel])*times*scale + round) / one
			drain += int64(v*brightness) * int64(e.currents[channel])
			wire[1+pos] = byte(v)
		}
	}
	return drain
}
