package epapertest

import (
	"iter"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// ucCommands lists the commands of the UC8179 with the number of their data bytes (UC8179
// command table). -1 stands for picture data of any length. A listed command that is not
// emulated is accepted and ignored. An unlisted command is a violation.
var ucCommands = map[byte]int{
	0x00: 2,                                                    // PSR panel setting
	0x01: 5,                                                    // PWR power setting
	0x02: 0,                                                    // POF power off
	0x03: 1,                                                    // PFS power off sequence
	0x04: 0,                                                    // PON power on
	0x06: 4,                                                    // BTST booster soft start
	0x07: 1,                                                    // DSLP deep sleep
	0x10: -1,                                                   // DTM1 old picture
	0x11: 0,                                                    // DSP data stop
	0x12: 0,                                                    // DRF display refresh
	0x13: -1,                                                   // DTM2 new picture
	0x15: 1,                                                    // DUSPI
	0x20: 60, 0x21: 42, 0x22: 60, 0x23: 60, 0x24: 60, 0x25: 42, // LUTC WW KW WK KK BD
	0x2a: 8, // LUTOPT
	0x30: 1, // PLL
	0x41: 1, // TSE
	0x50: 2, // CDI
	0x60: 1, // TCON
	0x61: 4, // TRES
	0x65: 4, // GSST
	0x71: 0, // FLG
	0x82: 1, // VDCS
	0x90: 9, // PTL partial window
	0x91: 0, // PTIN
	0x92: 0, // PTOUT
	0xe0: 1, // CCSET
	0xe3: 1, // PWS
	0xe5: 1, // TSSET
}

// Times that the controller takes. The times to switch the power on and off were measured on
// such panels, because the data sheet leaves them to the booster's settings. The reset takes
// less.
const (
	ucReset    = time.Millisecond
	ucPowerOn  = 130 * time.Millisecond
	ucPowerOff = 40 * time.Millisecond
)

// tsPartial is the forced temperature (E5h) under which the makers of these
// panels stored the waveform for partial refreshes.
const tsPartial = 0x6e

// uc8179 is a UC8179 in KW mode: DTM1 is the old picture, DTM2 the new one.
type uc8179 struct {
	p   *Panel
	ram [2][]byte // DTM2, DTM1: new and old, as the memories of the SSD16xx are sorted

	cmd        int
	n          int
	args       [9]byte
	written    int // bytes written since DTM1 or DTM2
	overflowed bool

	psr        byte
	cdi        byte
	ccset      byte
	tsset      byte
	hres, vres int
	lut        [5][60]byte // LUTC, WW, KW, WK, KK
	window     [4]int      // HRST, HRED, VRST, VRED
	partial    bool
	power      bool
	sleeping   bool

	storedSize bool
}

func (c *uc8179) busy() gpio.Level    { return gpio.Low } // BUSY_N
func (c *uc8179) asleep() bool        { return c.sleeping }
func (c *uc8179) holds() bool         { return false }
func (c *uc8179) listens(b byte) bool { return b == 0x71 }

func (c *uc8179) powerOn() {
	c.sleeping = false
	c.lose()
	c.defaults()
	c.p.begin(false, step{at: ucReset})
}

func (c *uc8179) lose() {
	for i := range c.ram {
		if c.ram[i] == nil {
			c.ram[i] = make([]byte, c.p.model.sources/8*c.p.model.gates)
		}
		c.p.noise.Read(c.ram[i])
	}
}

// reset wakes the controller. After deep sleep the memories are lost (DSLP R07h).
func (c *uc8179) reset() {
	if c.sleeping {
		c.lose()
	}
	c.sleeping = false
	c.defaults()
	c.p.begin(false, step{at: ucReset})
}

// defaults sets the registers' reset values.
func (c *uc8179) defaults() {
	c.cmd, c.n = -1, 0
	c.psr, c.cdi, c.ccset, c.tsset = 0x0f, 0x31, 0, 0
	c.hres, c.vres = 800, 600
	if c.storedSize {
		c.hres, c.vres = c.p.model.width, c.p.model.height
	}
	c.lut = [5][60]byte{}
	c.window = [4]int{0, c.hres - 1, 0, c.vres - 1}
	c.partial, c.power = false, false
}

func (c *uc8179) command(cmd byte) {
	c.cmd, c.n = int(cmd), 0
	if _, known := ucCommands[cmd]; !known {
		c.p.violate("unknown command %02Xh", cmd)
		c.cmd = -1
		return
	}
	switch cmd {
	case 0x02:
		c.p.begin(false, step{at: ucPowerOff, do: func() { c.power = false }})
	case 0x04:
		c.p.begin(false, step{at: ucPowerOn, do: func() { c.power = true }})
	case 0x10, 0x13:
		c.written, c.overflowed = 0, false
	case 0x12:
		c.refresh()
	case 0x91:
		c.partial = true
	case 0x92:
		c.partial = false
	}
}

func (c *uc8179) data(b []byte) {
	switch c.cmd {
	case -1:
		c.p.violate("%d bytes of data without a command", len(b))
		return
	case 0x10:
		c.write(c.ram[1], b)
		return
	case 0x13:
		c.write(c.ram[0], b)
		return
	}
	for _, v := range b {
		if c.n >= ucCommands[byte(c.cmd)] {
			c.p.violate("%02Xh takes %d bytes of data", c.cmd, ucCommands[byte(c.cmd)])
			return
		}
		c.set(byte(c.cmd), c.n, v)
		c.n++
	}
}

// set applies byte n of a command's data, counted from 0.
func (c *uc8179) set(cmd byte, n int, v byte) {
	if cmd >= 0x20 && cmd <= 0x24 {
		c.lut[cmd-0x20][n] = v
		return
	}
	if n < len(c.args) {
		c.args[n] = v
	}
	word := func(i int) int { return int(c.args[i]&3)<<8 | int(c.args[i+1]) }
	switch {
	case cmd == 0x00 && n == 0:
		c.psr = v
		if v&1 == 0 { // RST_N
			c.defaults()
		}
	case cmd == 0x07:
		if v != 0xa5 {
			c.p.violate("07h: check code %02Xh", v)
			return
		}
		c.sleeping, c.power = true, false
	case cmd == 0x50 && n == 0:
		c.cdi = v
	case cmd == 0x61 && n == 3:
		c.resolution(word(0)&^7, word(2))
	case cmd == 0x90 && n == 8:
		c.setWindow(word(0)&^7, word(2)|7, word(4), word(6))
	case cmd == 0xe0:
		c.ccset = v
	case cmd == 0xe5:
		c.tsset = v
	}
}

// resolution implements TRES R61h. A size that the memory does not have is a violation.
func (c *uc8179) resolution(h, v int) {
	if h < 8 || h > c.p.model.sources || v < 1 || v > c.p.model.gates {
		c.p.violate("61h: %dx%d", h, v)
		return
	}
	c.hres, c.vres = h, v
}

// setWindow implements PTL R90h, which sets the partial window. The arguments are the first
// and the last column, both at the edge of a byte, and then the first and the last line. A
// window outside the memory is a violation.
func (c *uc8179) setWindow(h0, h1, v0, v1 int) {
	if h0 > h1 || v0 > v1 || h1 >= c.hres || v1 >= c.vres {
		c.p.violate("90h: the window %d-%d, %d-%d is outside the memory", h0, h1, v0, v1)
		return
	}
	c.window = [4]int{h0, h1, v0, v1}
}

// area returns the area into which data goes. Between PTIN and PTOUT, the area is the partial
// window. Otherwise it is the whole memory. The results are the first and the last column, and
// then the first and the last line.
func (c *uc8179) area() (h0, h1, v0, v1 int) {
	if c.partial {
		return c.window[0], c.window[1], c.window[2], c.window[3]
	}
	return 0, c.hres - 1, 0, c.vres - 1
}

func (c *uc8179) write(ram, b []byte) {
	h0, h1, v0, v1 := c.area()
	across := (h1 + 1 - h0) / 8
	for len(b) > 0 {
		line, column := v0+c.written/across, c.written%across
		if line > v1 {
			if !c.overflowed {
				c.p.violate("%02Xh: more data than the window holds", c.cmd)
			}
			c.overflowed = true
			return
		}
		n := copy(ram[line*(c.p.model.sources/8)+h0/8+column:][:across-column], b)
		b = b[n:]
		c.written += n
	}
}

// refresh implements DRF R12h.
func (c *uc8179) refresh() {
	if !c.power {
		c.p.violate("12h: a refresh with the power off")
		return
	}
	if c.psr&0x10 == 0 {
		c.p.violate("12h: three colours (PSR KW/R) on a black and white panel")
	}
	if c.vres != c.p.model.height || c.hres != c.p.model.width {
		c.p.violate("12h: TRES is %dx%d", c.hres, c.vres)
	}
	c.p.refresh(c.waveform(), 0, 0, c.codes, func() {
		if c.cdi&0x08 != 0 { // CDI N2OCP: the new picture becomes the old one
			copy(c.ram[1], c.ram[0])
		}
	})
}

// waveform returns the waveform of a refresh. If PSR REG is set, the waveform is the one in
// the registers. If CCSET TSFIX and TSSET choose partial refreshes, the waveform is the stored
// one for partial refreshes. Otherwise it is the stored one for full refreshes.
func (c *uc8179) waveform() waveform {
	switch {
	case c.psr&0x20 != 0:
		// Bits are (old, new), 1 white: KK, KW, WK, WW.
		var luts [4]iter.Seq[phase]
		for bits, row := range [4]int{4, 2, 3, 1} {
			luts[bits] = groups(c.lut[row][:])
		}
		return build(luts)
	case c.ccset&2 != 0 && c.tsset == tsPartial:
		return storedPartial(c.p.model)
	}
	return storedFull(c.p.model)
}

// groups returns the phases of a LUT register. Each group in the register has six bytes.
//
// The first byte holds the levels of the group's four phases. The next four bytes hold the
// length of each phase in frames. The last byte is a repeat count.
func groups(lut []byte) iter.Seq[phase] {
	return func(yield func(phase) bool) {
		for ; len(lut) >= 6; lut = lut[6:] {
			for range lut[5] {
				for i := range 4 {
					if !yield(phase{int(lut[0]>>(6-2*i)) & 3, int(lut[1+i])}) {
						return
					}
				}
			}
		}
	}
}

// bits fills the slice with one bit of a memory for each pixel in line y of the glass. In the
// slice, 1 is white. CDI DDX[0] says which bit is white in the memory.
//
// The glass is wired so that UD and SHL of PSR have to be set. If one of these bits is not
// set, the picture is mirrored.
func (c *uc8179) bits(ram []byte, y int, line []byte) {
	m := &c.p.model
	at, step, invert := 0, 1, byte(0)
	if c.psr&0x04 == 0 {
		at, step = m.width-1, -1
	}
	if c.psr&0x08 == 0 {
		y = m.height - 1 - y
	}
	if c.cdi&1 == 0 {
		invert = 1
	}
	from := ram[y*(m.sources/8):][:m.sources/8]
	for x := range line {
		line[x] = from[at/8]>>(7-at%8)&1 ^ invert
		at += step
	}
}

// codes fills the slice with the codes of the pixels in line y of the glass. The code of a
// pixel is the pair of its old and new bit. The code of a pixel outside the area is
// undrivenCode.
func (c *uc8179) codes(y int, line []byte) {
	h0, h1, v0, v1 := c.area()
	old, outside := make([]byte, len(line)), y < v0 || y > v1
	c.bits(c.ram[1], y, old)
	c.bits(c.ram[0], y, line)
	single := c.cdi&2 != 0 || c.psr&0x10 == 0 // CDI DDX[1]: without the old picture
	for x, fresh := range line {
		switch {
		case outside || x < h0 || x > h1:
			line[x] = undrivenCode
		case single:
			line[x] = (1-fresh)<<1 | fresh
		default:
			line[x] = old[x]<<1 | fresh
		}
	}
}

func (c *uc8179) memory(old bool, y int, line []byte) {
	ram := c.ram[0]
	if old {
		ram = c.ram[1]
	}
	c.bits(ram, y, line)
}
