package epapertest

import (
	"time"

	"periph.io/x/conn/v3/gpio"
)

// ssdCommands lists the commands of the SSD16xx family with the number of their data bytes
// (SSD1680 §7, pp. 20-33). -1 stands for picture data of any length, and -2 for a whole
// waveform register. A listed command that is not emulated is accepted and ignored. An
// unlisted command is a violation.
var ssdCommands = map[byte]int{
	0x01: 3,  // driver output control
	0x03: 1,  // gate driving voltage
	0x04: 3,  // source driving voltage
	0x0c: 4,  // booster soft start
	0x0f: 2,  // gate scan start position (§8.2)
	0x10: 1,  // deep sleep mode
	0x11: 1,  // data entry mode
	0x12: 0,  // software reset
	0x18: 1,  // temperature sensor
	0x1a: 2,  // temperature register
	0x20: 0,  // master activation
	0x21: 2,  // display update control 1
	0x22: 1,  // display update control 2
	0x24: -1, // write memory, black and white
	0x26: -1, // write memory, red or old
	0x2c: 1,  // VCOM register
	0x32: -2, // waveform register
	0x37: 10, // display option
	0x3c: 1,  // border waveform
	0x3f: 1,  // end option
	0x44: 2,  // memory window, X
	0x45: 4,  // memory window, Y
	0x4e: 1,  // address counter, X
	0x4f: 2,  // address counter, Y
	0x7f: 0,  // NOP
}

// ssd1675Commands lists commands of the SSD1675 that later chips do not have.
var ssd1675Commands = map[byte]int{0x3a: 1, 0x3b: 1, 0x74: 1, 0x7e: 1}

// Times that the controller takes. The host waits 10 ms after power on and after a reset
// (SSD1680 §9.1, p. 39). The soft start takes 40 + 40 + 10 ms (0Ch at reset, p. 22). The other
// times are not in the data sheet and are short compared with a refresh.
const (
	ssdReset   = 10 * time.Millisecond
	ssdAnalog  = 90 * time.Millisecond
	ssdLoad    = 5 * time.Millisecond
	ssdSwitch  = time.Millisecond
	ssdAnaloff = 50 * time.Millisecond
)

// Origins of the waveform in the register.
const (
	lutEmpty = iota
	lutWritten
	lutMode1
	lutMode2
)

// ssd16xx is an SSD1680, SSD1683 or SSD1675.
type ssd16xx struct {
	p   *Panel
	ram [2][]byte // 24h, 26h

	cmd  int // the command that data belongs to; below zero: none
	n    int // how many bytes of it have come
	args [10]byte

	mux        int // gates
	flip       bool
	entry      byte
	xs, xe     int
	ys, ye     int
	x, y       int
	update1    [2]byte
	update2    byte
	lut        []byte
	lutSource  int
	pingPong   bool
	clock      bool
	analog     bool
	sleeping   bool
	ramDropped bool // deep sleep has mode 2, which loses the memories

	otpPingPong bool // as PingPong says
}

func newSSD16xx(p *Panel) *ssd16xx {
	c := &ssd16xx{p: p, lut: make([]byte, p.model.lut.length)}
	for i := range c.ram {
		c.ram[i] = make([]byte, p.model.sources/8*p.model.gates)
	}
	return c
}

// PingPong sets whether the waveforms that the maker stored swap the two memories of an
// SSD16xx. Such a swap happens after each partial refresh (SSD1680 37h F[6], p. 30). Makers do
// not publish whether their waveforms swap the memories, so drivers must work with both kinds
// of waveforms.
func (p *Panel) PingPong(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c, ok := p.chip.(*ssd16xx); ok {
		c.otpPingPong = on
	}
}

func (c *ssd16xx) busy() gpio.Level  { return gpio.High } // SSD1680 §5 (p. 8)
func (c *ssd16xx) asleep() bool      { return c.sleeping }
func (c *ssd16xx) holds() bool       { return c.sleeping } // 10h (p. 23): BUSY stays high
func (c *ssd16xx) listens(byte) bool { return false }

func (c *ssd16xx) powerOn() {
	c.lose()
	c.sleeping = false
	c.defaults()
	c.p.begin(false, step{at: ssdReset})
}

// lose fills the memories with noise, as after power-on.
func (c *ssd16xx) lose() {
	for i := range c.ram {
		c.p.noise.Read(c.ram[i])
	}
}

func (c *ssd16xx) reset() {
	if c.sleeping && c.ramDropped {
		c.lose()
	}
	c.sleeping = false
	sources := c.update1[1]
	c.defaults()
	if c.p.hasTrait(KeepsSources) {
		c.update1[1] = sources
	}
	c.p.begin(false, step{at: ssdReset})
}

// defaults sets the registers to their reset values (SSD1680 §7; SSD1683 §7 for the larger
// window). Like the command 12h (p. 24), it does not change deep sleep or the memories.
func (c *ssd16xx) defaults() {
	m := c.p.model
	c.cmd, c.n = -1, 0
	c.mux, c.flip = m.gates, false
	c.entry = 3
	c.xs, c.xe = 0, m.sources/8-1
	c.ys, c.ye = 0, m.gates-1
	c.x, c.y = 0, 0
	c.update1, c.update2 = [2]byte{}, 0xff
	clear(c.lut)
	c.lutSource = lutEmpty
	c.pingPong = false
	c.clock, c.analog = false, false
}

func (c *ssd16xx) command(cmd byte) {
	c.cmd, c.n = int(cmd), 0
	_, known := ssdCommands[cmd]
	if _, older := ssd1675Commands[cmd]; !known && !(older && c.p.model.lut == lut70) {
		c.p.violate("unknown command %02Xh", cmd)
		c.cmd = -1
		return
	}
	switch cmd {
	case 0x12:
		c.defaults()
		c.p.begin(false, step{at: ssdReset})
	case 0x20:
		c.activate()
	case 0x24, 0x26:
		if why := c.windowFault(); why != "" {
			c.p.violate("%02Xh: %s", cmd, why)
			c.cmd = -1
		}
	case 0x32:
		c.lutSource = lutWritten
	}
}

func (c *ssd16xx) data(b []byte) {
	if c.cmd < 0 {
		c.p.violate("%d bytes of data without a command", len(b))
		return
	}
	switch c.cmd {
	case 0x24:
		c.write(c.ram[0], b)
	case 0x26:
		c.write(c.ram[1], b)
	case 0x32:
		k := copy(c.lut[min(c.n, len(c.lut)):], b)
		c.n += k
		if k < len(b) {
			c.p.violate("32h takes %d bytes, not %d more", len(c.lut), len(b)-k)
		}
	default:
		takes, ok := ssdCommands[byte(c.cmd)]
		if !ok {
			takes = ssd1675Commands[byte(c.cmd)]
		}
		for _, v := range b {
			if c.n >= takes {
				c.p.violate("%02Xh takes %d bytes of data", c.cmd, takes)
				return
			}
			c.args[c.n] = v
			c.n++
			c.set(byte(c.cmd), c.n, v)
		}
	}
}

// set applies the n-th byte of a command's data, counted from 1.
func (c *ssd16xx) set(cmd byte, n int, v byte) {
	m := c.p.model
	word := func(i int) int { return int(c.args[i]) | int(c.args[i+1]&1)<<8 }
	switch {
	case cmd == 0x01 && n == 2:
		c.mux = word(0) + 1
		if c.mux < 16 || c.mux > m.gates {
			c.p.violate("01h: %d gates", c.mux)
			c.mux = m.gates
		}
	case cmd == 0x01 && n == 3:
		c.flip = v&1 != 0
		if v&^1 != 0 {
			c.p.violate("01h: scan order %02Xh is not how this glass is wired", v)
		}
	case cmd == 0x10:
		c.sleep(v)
	case cmd == 0x11:
		c.entry = v & 7
	case cmd == 0x21:
		c.update1[n-1] = v
	case cmd == 0x22:
		c.update2 = v
	case cmd == 0x37 && n == 6:
		c.pingPong = v&0x40 != 0
	case cmd == 0x44 && n == 2:
		c.xs, c.xe = int(c.args[0]&0x3f), int(v&0x3f)
	case cmd == 0x45 && n == 4:
		c.ys, c.ye = word(0), word(2)
	case cmd == 0x4e:
		c.x = int(v & 0x3f)
	case cmd == 0x4f && n == 2:
		c.y = word(0)
	}
}

// sleep implements the command 10h (SSD1680 p. 23). The value 01b is mode 1, which keeps the
// memories. The value 11b is mode 2, in which the memories are lost. 00b does nothing, and 10b
// is a violation.
func (c *ssd16xx) sleep(v byte) {
	switch v & 3 {
	case 0:
	case 1, 3:
		c.sleeping, c.ramDropped = true, v&3 == 3
		c.clock, c.analog = false, false
	default:
		c.p.violate("10h: mode %02Xh", v)
	}
}
