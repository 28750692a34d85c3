package ledstriptest

import (
	"math/bits"

	"periph.io/x/conn/v3/spi"

	"tableside/drivers/ledstrip"
)

// A sheet holds a data sheet's limits for the pulses of a chip with one wire.
type sheet struct {
	channels  []int // the order of the bytes on the wire
	high, low [2]timeRange
	threshold span // a longer pulse is a 1
	reset     span // the low that makes the LEDs show what they received
}

// timeRange is a range of allowed times, including both ends.
type timeRange struct{ min, max span }

func (r timeRange) holds(s span) bool { return r.min <= s && s <= r.max }

// sheets holds the data sheet's limits for each chip. The limits of WS2812B are those that
// both Worldsemi's WS2812B of 2013 and WS2812B-V5 V1.0 allow, with one exception. After a 1,
// only a low of 580 to 600 ns suits both. A longer low does no harm to the old part, so V5's
// limits are used. cpldcpu measured the threshold between a 0 and a 1 ("Understanding the
// WS2812").
//
// The limits of SK6812RGBW are from SPC/SK6812 rev. 01, data transfer time.
var sheets = map[ledstrip.Chip]sheet{
	ledstrip.WS2812: {
		channels:  []int{1, 0, 2},
		high:      [2]timeRange{{250 * ns, 380 * ns}, {650 * ns, 950 * ns}},
		low:       [2]timeRange{{700 * ns, 1000 * ns}, {580 * ns, 1000 * ns}},
		threshold: 500 * ns,
		reset:     280_000 * ns,
	},
	ledstrip.SK6812: {
		channels:  []int{1, 0, 2, 3},
		high:      [2]timeRange{{150 * ns, 450 * ns}, {450 * ns, 750 * ns}},
		low:       [2]timeRange{{750 * ns, 1050 * ns}, {450 * ns, 750 * ns}},
		threshold: 450 * ns,
		reset:     80_000 * ns,
	},
}

// pulsed reads the wire of WS2812B and SK6812.
type pulsed struct {
	strip *Strip
	sheet

	level     bool
	duration  span // how long the level has lasted so far
	lastBit   int  // the bit whose low this is; -1 for none
	resetSeen bool // this low was long enough for a reset

	word    [4]byte
	n       int   // bits of word so far
	newLEDs []led // received since the reset
}

func newPulsed(s *Strip, sheet sheet) *pulsed {
	return &pulsed{strip: s, sheet: sheet, lastBit: -1, newLEDs: make([]led, 0, len(s.leds))}
}

func (p *pulsed) mode(spi.Mode) {} // there is no clock

func (p *pulsed) idle(high bool, long span) { p.setLevel(high, long) }

func (p *pulsed) bits(data []byte, each span, gap int) {
	for _, b := range data {
		for left := 8; left > 0; { // equal bits are one level
			high, run := b&0x80 != 0, bits.LeadingZeros8(b)
			if high {
				run = bits.LeadingZeros8(^b)
			}
			run = min(run, left)
			p.setLevel(high, span(run)*each)
			b <<= run
			left -= run
		}
		if gap > 0 {
			p.setLevel(false, span(gap)*each)
		}
	}
}

// setLevel handles a span of time in which the line was at one level.
func (p *pulsed) setLevel(high bool, long span) {
	if high != p.level {
		if p.level {
			p.pulse()
		} else {
			p.pause()
		}
		p.level, p.duration = high, 0
	}
	p.duration = min(p.duration+long, 1e9*ns) // longer makes no difference
	if !p.level && p.duration >= p.reset && !p.resetSeen {
		p.resetSeen = true
		p.show()
	}
}

// pulse handles the end of a high level. Its length gives one bit.
func (p *pulsed) pulse() {
	p.lastBit = 0
	if p.duration > p.threshold {
		p.lastBit = 1
	}
	if !p.high[p.lastBit].holds(p.duration) {
		p.strip.violations.High++
	}
	p.word[p.n/8] = p.word[p.n/8]<<1 | byte(p.lastBit)
	if p.n++; p.n < 8*len(p.channels) {
		return
	}
	p.n = 0
	if len(p.newLEDs) < cap(p.newLEDs) { // further bytes go past the last LED
		l := led{brightness: 31}
		for i, channel := range p.channels {
			l.rgbw[channel] = p.word[i]
		}
		p.newLEDs = append(p.newLEDs, l)
	}
}

func (p *pulsed) pause() {
	if p.lastBit >= 0 && !p.resetSeen && !p.low[p.lastBit].holds(p.duration) {
		p.strip.violations.Low++
	}
	p.lastBit, p.resetSeen = -1, false
}

// show handles a reset: the LEDs show the colours that have come since the previous reset.
func (p *pulsed) show() {
	if p.n > 0 {
		p.strip.violations.Torn++
		p.n = 0
	}
	copy(p.strip.leds, p.newLEDs)
	p.newLEDs = p.newLEDs[:0]
}
