package epapertest

import (
	"time"

	"periph.io/x/conn/v3/gpio"
)

// jdCommands lists the commands that the makers' software and GxEPD2 send to a JD79661. For
// each command, it holds the smallest and the largest number of data bytes. -1 stands for any
// number.
var jdCommands = map[byte][2]int{
	0x00: {2, 2},  // PSR panel setting
	0x01: {2, 2},  // PWR power setting
	0x02: {1, 1},  // POF power off
	0x03: {3, 3},  // POFS power off sequence
	0x04: {0, 0},  // PON power on
	0x06: {7, 7},  // BTST booster soft start
	0x07: {1, 1},  // DSLP deep sleep
	0x10: {0, -1}, // DTM picture
	0x12: {1, 1},  // DRF display refresh
	0x30: {1, 1},  // PLL
	0x4d: {1, 1},  //
	0x50: {1, 1},  // CDI border
	0x60: {2, 2},  // TCON
	0x61: {4, 4},  // TRES resolution
	0xb4: {1, 1},  //
	0xb5: {1, 1},  //
	0xb6: {1, 1},  //
	0xe3: {1, 1},  // PWS
	0xe7: {1, 1},  //
	0xe9: {1, 1},  //
}

// jd7in3Commands lists the commands of the controllers of Waveshare's 7.3" panels, in the form
// of jdCommands. The commands are those of epd7in3g and epd7in3e. GxEPD2_730c_GDEP073E01 sends
// more bytes of 01h.
var jd7in3Commands = map[byte][2]int{
	0x00: {2, 2},  // PSR
	0x01: {1, 6},  // PWR
	0x02: {1, 1},  // POF
	0x03: {4, 4},  // POFS
	0x04: {0, 0},  // PON
	0x05: {4, 4},  // BTST1
	0x06: {4, 4},  // BTST2
	0x07: {1, 1},  // DSLP
	0x08: {4, 4},  // BTST3
	0x10: {0, -1}, // DTM
	0x12: {1, 1},  // DRF
	0x30: {1, 1},  // PLL
	0x50: {1, 1},  // CDI
	0x60: {2, 2},  // TCON
	0x61: {4, 4},  // TRES
	0x84: {1, 1},  //
	0xaa: {6, 6},  // CMDH
	0xe3: {1, 1},  // PWS
}

// Times that were measured by GxEPD2 (GxEPD2_213c_GDEY0213F51). The controller takes 32 ms
// after a reset, 157 ms to switch the power on, and 81 ms to switch the power off.
const (
	jdReset    = 32 * time.Millisecond
	jdPowerOn  = 157 * time.Millisecond
	jdPowerOff = 81 * time.Millisecond
)

// jdInks holds the colour for each number that the memory can hold. A number without a colour
// of its own is white.
var jdInks = [16]byte{0: black, 1: white, 2: yellow, 3: red, 4: white, 5: blue, 6: green,
	7: white, 8: white, 9: white, 10: white, 11: white, 12: white, 13: white, 14: white, 15: white}

// jd79661 is a JD79661 or a controller that takes the same commands. It has one memory, which
// holds the number of a colour for each pixel. The data sheet is not public, so behaviour that
// is unknown is emulated strictly: a command takes effect only with all its data.
type jd79661 struct {
	p   *Panel
	ram []byte

	cmd        int
	n          int
	args       [9]byte
	written    int // bytes written since DTM
	overflowed bool

	psr        byte
	hres, vres int
	power      bool
	sleeping   bool
}

func (c *jd79661) busy() gpio.Level  { return gpio.Low }
func (c *jd79661) asleep() bool      { return c.sleeping }
func (c *jd79661) holds() bool       { return false }
func (c *jd79661) listens(byte) bool { return false }

func (c *jd79661) powerOn() {
	m := &c.p.model
	if c.ram == nil {
		c.ram = make([]byte, m.sources*m.gates*m.depth/8)
	}
	c.p.noise.Read(c.ram)
	c.wake()
}

// reset wakes the controller. After deep sleep the memory is lost, as with the UC8179.
func (c *jd79661) reset() {
	if c.sleeping {
		c.p.noise.Read(c.ram)
	}
	c.wake()
}

func (c *jd79661) wake() {
	c.sleeping = false
	c.defaults()
	c.p.begin(false, step{at: jdReset})
}

// defaults sets the registers' reset values. There is no resolution until 61h sets
// one.
func (c *jd79661) defaults() {
	c.cmd, c.n = -1, 0
	c.psr, c.hres, c.vres = 0x0f, 0, 0
	c.power = false
}

func (c *jd79661) takes() map[byte][2]int {
	if c.p.model.commands != nil {
		return c.p.model.commands
	}
	return jdCommands
}

func (c *jd79661) command(cmd byte) {
	if c.cmd >= 0 && c.n < c.takes()[byte(c.cmd)][0] {
		c.p.violate("%02Xh: %d bytes of data, it takes %d", c.cmd, c.n, c.takes()[byte(c.cmd)][0])
	}
	c.cmd, c.n = int(cmd), 0
	if _, known := c.takes()[cmd]; !known {
		c.p.violate("unknown command %02Xh", cmd)
		c.cmd = -1
		return
	}
	switch cmd {
	case 0x04:
		if !c.power {
			c.p.begin(false, step{at: jdPowerOn, do: func() { c.power = true }})
		}
	case 0x10:
		c.written, c.overflowed = 0, false
	}
}

func (c *jd79661) data(b []byte) {
	switch c.cmd {
	case -1:
		c.p.violate("%d bytes of data without a command", len(b))
		return
	case 0x10:
		c.write(b)
		return
	}
	most := c.takes()[byte(c.cmd)][1]
	for _, v := range b {
		if c.n >= most {
			c.p.violate("%02Xh takes %d bytes of data", c.cmd, most)
			return
		}
		if c.n < len(c.args) {
			c.args[c.n] = v
		}
		c.n++
		if c.n == most {
			c.set(byte(c.cmd), v)
		}
	}
}

// set applies a command when the last byte of its data has come.
func (c *jd79661) set(cmd, last byte) {
	switch cmd {
	case 0x00:
		c.psr = c.args[0]
		if c.psr&1 == 0 { // RST_N
			c.defaults()
		}
	case 0x02:
		if c.power {
			c.p.begin(false, step{at: jdPowerOff, do: func() { c.power = false }})
		}
	case 0x07:
		c.sleep(last)
	case 0x12:
		c.refresh()
	case 0x61:
		h, v := int(c.args[0])<<8|int(c.args[1]), int(c.args[2])<<8|int(c.args[3])
		if h < 8 || h%8 != 0 || h > c.p.model.sources || v < 1 || v > c.p.model.gates {
			c.p.violate("61h: %dx%d", h, v)
			return
		}
		c.hres, c.vres = h, v
	}
}

func (c *jd79661) sleep(check byte) {
	switch {
	case check != 0xa5:
		c.p.violate("07h: check code %02Xh", check)
	case c.power:
		c.p.violate("07h: deep sleep with the power on")
	default:
		c.sleeping = true
	}
}

func (c *jd79661) write(b []byte) {
	if c.hres == 0 {
		c.p.violate("10h: a picture before its resolution (61h)")
		c.cmd = -1
		return
	}
	room := c.hres * c.vres * c.p.model.depth / 8
	k := copy(c.ram[min(c.written, room):room], b)
	c.written += k
	if k < len(b) && !c.overflowed {
		c.overflowed = true
		c.p.violate("10h: more data than the memory holds")
	}
}

// refresh does DRF: it plays the one waveform that the maker stored.
func (c *jd79661) refresh() {
	m := &c.p.model
	switch {
	case !c.power:
		c.p.violate("12h: a refresh with the power off")
		return
	case c.hres < m.width || c.hres >= m.width+8 || c.vres != m.height:
		c.p.violate("12h: TRES is %dx%d", c.hres, c.vres)
		return
	}
	w := waveform{flash: true, time: m.fullTime}
	for code := range w.newColours {
		w.newColours[code] = [2]byte{jdInks[code], jdInks[code]}
	}
	c.p.refresh(w, 0, 0, c.codes, func() {})
}

// codes fills the slice with the colour numbers of line y of the glass. The glass is wired so
// that the bits UD and SHL of PSR have to be set. If one of these bits is not set, the picture
// is mirrored.
func (c *jd79661) codes(y int, line []byte) {
	m := &c.p.model
	x, step := 0, m.depth
	if c.psr&0x04 == 0 {
		x, step = m.width-1, -m.depth
	}
	if c.psr&0x08 == 0 {
		y = m.height - 1 - y
	}
	ram, mask, shift := c.ram, byte(1<<m.depth-1), 8-m.depth
	at := (y*max(c.hres, m.width) + x) * m.depth
	for i := range line {
		line[i] = 1
		if at/8 < len(ram) {
			line[i] = ram[at/8] >> (shift - at%8) & mask
		}
		at += step
	}
}

// memory writes the colours of a line of the memory to line. The first parameter, which
// chooses the old or the new memory, is ignored, because there is only one memory.
func (c *jd79661) memory(_ bool, y int, line []byte) {
	c.codes(y, line)
	for x, code := range line {
		line[x] = jdInks[code]
	}
}
