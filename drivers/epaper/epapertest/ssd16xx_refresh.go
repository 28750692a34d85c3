package epapertest

import "time"

// Bits of 22h. The data sheet lists values only (SSD1680 p. 26); they are sums
// of these.
const (
	doClock    = 0x80
	doAnalog   = 0x40
	doSense    = 0x20
	doLoad     = 0x10
	doMode2    = 0x08
	doDisplay  = 0x04
	doAnaloff  = 0x02
	doClockoff = 0x01
)

// activate runs the sequence that 22h chose (SSD1680 pp. 25-26).
func (c *ssd16xx) activate() {
	var before, behind time.Duration
	u := c.update2
	if u&doClock != 0 && !c.clock {
		c.clock = true
		before += ssdSwitch
	}
	if u&doAnalog != 0 && !c.analog {
		c.analog = true
		before += ssdAnalog
	}
	if u&doSense != 0 {
		before += ssdLoad
	}
	if u&doLoad != 0 {
		before += ssdLoad
		c.lutSource = lutMode1
		if u&doMode2 != 0 {
			c.lutSource = lutMode2
		}
	}
	if u&doAnaloff != 0 {
		behind += ssdAnaloff
	}
	on := c.clock && c.analog
	off := func() {
		c.analog = c.analog && u&doAnaloff == 0
		c.clock = c.clock && u&doClockoff == 0
	}
	if u&doDisplay == 0 {
		c.p.begin(false, step{at: before + behind + ssdSwitch, do: off})
		return
	}
	w, why := c.waveform()
	if !on {
		why = "20h: a refresh with the analog part or the clock off"
	}
	if why != "" {
		c.p.violate("%s", why)
		c.p.begin(false, step{at: before + behind + ssdSwitch, do: off})
		return
	}
	c.p.refresh(w, before, behind, c.codes, func() {
		off()
		swap := c.pingPong || c.otpPingPong && c.lutSource == lutMode2
		if u&doMode2 != 0 && swap {
			c.ram[0], c.ram[1] = c.ram[1], c.ram[0]
		}
	})
}

func (c *ssd16xx) waveform() (w waveform, why string) {
	m := c.p.model
	switch c.lutSource {
	case lutMode1:
		w = storedFull(m)
		if m.lut == lut227 { // SSD1683 p. 29: mode 1 is for three colours, and this glass has two
			w.newColours[2], w.newColours[3] = [2]byte{}, [2]byte{}
		}
	case lutMode2:
		w = storedPartial(m)
	case lutWritten:
		if !m.lut.decoded {
			return w, "32h: this controller's own format is not emulated"
		}
		w = m.lut.decode(c.lut)
	default:
		return w, "20h: a refresh without a waveform"
	}
	return w, ""
}

// fillSourceBits fills the slice with one bit of a memory for each pixel in line y of the
// glass. If no output drives a pixel, fillSourceBits writes undrivenCode instead of the bit.
func (c *ssd16xx) fillSourceBits(ram []byte, y int, line []byte) {
	m := &c.p.model
	gate, stride := y, m.sources/8
	if c.flip {
		gate = c.mux - 1 - y
	}
	from, to, column := 0, len(line), m.firstSource
	if m.outputMode && c.update1[1]&0x80 != 0 { // 21h B[7]: S8 to S167
		from, to = max(0, 8-column), max(0, min(to, 168-column))
		column -= 8
	}
	if y >= c.mux || gate < 0 {
		from, to = 0, 0
	}
	for x := range line[:from] {
		line[x] = undrivenCode
	}
	for x := range line[to:] {
		line[to+x] = undrivenCode
	}
	if from >= to {
		return
	}
	bits := ram[gate*stride:][:stride]
	for x := from; x < to; x++ {
		line[x] = bits[(column+x)/8] >> (7 - (column+x)%8) & 1
	}
}

// applyOption returns a bit of a memory as a refresh sees the bit. The refresh sees the bit
// unchanged, as zero, or inverted. The lower four bits of mode choose among these three cases.
// mode is one half of 21h A.
func applyOption(bit, mode byte) byte {
	switch mode & 0xf {
	case 4:
		return 0
	case 8:
		return 1 - bit
	}
	return bit
}

// codes fills the slice with a pair of bits for each pixel of line y. The pair is the old and
// the new bit of the pixel, as the refresh sees them (SSD1680 §6.5, table 6-5).
func (c *ssd16xx) codes(y int, line []byte) {
	var pairs [2][2]byte // by the bits of the old and the new memory
	for old := range byte(2) {
		for fresh := range byte(2) {
			pairs[old][fresh] = applyOption(old, c.update1[0]>>4)<<1 | applyOption(fresh, c.update1[0])
		}
	}
	old := make([]byte, len(line))
	c.fillSourceBits(c.ram[1], y, old)
	c.fillSourceBits(c.ram[0], y, line)
	for x, fresh := range line {
		if fresh != undrivenCode {
			line[x] = pairs[old[x]][fresh]
		}
	}
}

func (c *ssd16xx) memory(old bool, y int, line []byte) {
	ram := c.ram[0]
	if old {
		ram = c.ram[1]
	}
	c.fillSourceBits(ram, y, line)
	for x, bit := range line {
		if bit == undrivenCode {
			line[x] = black
		}
	}
}
