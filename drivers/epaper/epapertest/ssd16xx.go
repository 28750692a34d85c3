package epapertest

import (
	"time"

	"periph.io/x/conn/v3/gpio"
)

// Commands of the SSD16xx family (SSD1680 §7, pp. 20-33), with the number of
// data bytes they take. What is not interpreted is taken and kept to itself.
var ssdTakes = map[byte]int{
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

// ssd1675Takes are commands of the SSD1675 that the later chips lost.
var ssd1675Takes = map[byte]int{0x3a: 1, 0x3b: 1, 0x74: 1, 0x7e: 1}

// Times. SSD1680 §9.1 (p. 39) has the host wait 10 ms after power on and
// after a reset; 0Ch at reset is 40 + 40 + 10 ms of soft start (p. 22). The
// others are not in the data sheet and are small beside a refresh.
const (
	ssdReset   = 10 * time.Millisecond
	ssdAnalog  = 90 * time.Millisecond
	ssdLoad    = 5 * time.Millisecond
	ssdSwitch  = time.Millisecond
	ssdAnaloff = 50 * time.Millisecond
)

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

// Where the waveform register was filled from.
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
	lutFrom    int
	pingPong   bool
	clock      bool
	analog     bool
	sleeping   bool
	ramDropped bool

	otpPingPong bool
}

func newSSD16xx(p *Panel) *ssd16xx {
	c := &ssd16xx{p: p, lut: make([]byte, p.model.lut.length)}
	for i := range c.ram {
		c.ram[i] = make([]byte, p.model.sources/8*p.model.gates)
	}
	return c
}

// PingPong says whether the waveforms that the maker stored switch the two
// memories round after each partial refresh (SSD1680 37h F[6], p. 30). Which
// makers do is not published, so drivers must bear both.
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

// lose fills the memories with what they come up with.
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
	c.defaults()
	c.p.begin(false, step{at: ssdReset})
}

// defaults are the registers' reset values (SSD1680 §7; SSD1683 §7 for the
// larger window). 12h leaves deep sleep and the memories alone (p. 24).
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
	c.lutFrom = lutEmpty
	c.pingPong = false
	c.clock, c.analog = false, false
}

func (c *ssd16xx) command(cmd byte) {
	c.cmd, c.n = int(cmd), 0
	_, known := ssdTakes[cmd]
	if _, older := ssd1675Takes[cmd]; !known && !(older && c.p.model.lut == lut70) {
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
		c.lutFrom = lutWritten
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
		takes, ok := ssdTakes[byte(c.cmd)]
		if !ok {
			takes = ssd1675Takes[byte(c.cmd)]
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

// set takes the n-th byte of data of a command.
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

// sleep is 10h (SSD1680 p. 23): 01 keeps the memories, 11 does not.
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

// windowFault says why nothing can be written through the window as it is
// (11h, 44h, 45h, 4Eh, 4Fh: SSD1680 §8.3 to §8.5, pp. 37-38).
func (c *ssd16xx) windowFault() string {
	m := c.p.model
	if max(c.xs, c.xe) >= m.sources/8 || max(c.ys, c.ye) >= m.gates {
		return "the window is outside the memory"
	}
	up := func(on bool, s, e int) bool { return on && s <= e || !on && s >= e }
	if !up(c.entry&1 != 0, c.xs, c.xe) || !up(c.entry&2 != 0, c.ys, c.ye) {
		return "the window is the other way round than the data entry mode"
	}
	if c.x < min(c.xs, c.xe) || c.x > max(c.xs, c.xe) || c.y < min(c.ys, c.ye) || c.y > max(c.ys, c.ye) {
		return "the address counter is outside the window"
	}
	return ""
}

// write puts bytes where the address counters point, and moves them.
func (c *ssd16xx) write(ram, b []byte) {
	stride := c.p.model.sources / 8
	for _, v := range b {
		ram[c.y*stride+c.x] = v
		if c.entry&4 == 0 {
			if advance(&c.x, c.xs, c.xe, c.entry&1 != 0) {
				advance(&c.y, c.ys, c.ye, c.entry&2 != 0)
			}
		} else if advance(&c.y, c.ys, c.ye, c.entry&2 != 0) {
			advance(&c.x, c.xs, c.xe, c.entry&1 != 0)
		}
	}
}

// advance moves a counter one on and reports whether it went round.
func advance(at *int, start, end int, up bool) bool {
	switch {
	case *at == end:
		*at = start
		return true
	case up:
		*at++
	default:
		*at--
	}
	return false
}

// activate runs what 22h chose (SSD1680 pp. 25-26).
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
		c.lutFrom = lutMode1
		if u&doMode2 != 0 {
			c.lutFrom = lutMode2
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
	c.p.refresh(w, before, behind, c.bits(), func() {
		off()
		swap := c.pingPong || c.otpPingPong && c.lutFrom == lutMode2
		if u&doMode2 != 0 && swap {
			c.ram[0], c.ram[1] = c.ram[1], c.ram[0]
		}
	})
}

func (c *ssd16xx) waveform() (w waveform, why string) {
	m := c.p.model
	switch c.lutFrom {
	case lutMode1:
		w = storedFull(m)
		if m.lut == lut227 { // SSD1683 p. 29: mode 1 is for three colours, and this glass has two
			w.to[2], w.to[3] = [2]byte{}, [2]byte{}
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

// source returns a memory's bit that drives a pixel of the glass, or false
// where no output does.
func (c *ssd16xx) source(ram []byte, x, y int) (bit byte, driven bool) {
	m := c.p.model
	column := m.first + x
	if m.outputMode && c.update1[1]&0x80 != 0 { // 21h B[7]: S8 to S167
		if column < 8 || column > 167 {
			return 0, false
		}
		column -= 8
	}
	line := y
	if c.flip {
		line = c.mux - 1 - y
	}
	if y >= c.mux || line < 0 {
		return 0, false
	}
	return ram[line*(m.sources/8)+column/8] >> (7 - column%8) & 1, true
}

// option applies 21h A: a memory as it is, as zero, or inverted.
func option(bit, how byte) byte {
	switch how & 0xf {
	case 4:
		return 0
	case 8:
		return 1 - bit
	}
	return bit
}

// bits are the memories as the refresh sees them (SSD1680 §6.5, table 6-5).
func (c *ssd16xx) bits() func(x, y int) int {
	return func(x, y int) int {
		fresh, driven := c.source(c.ram[0], x, y)
		old, _ := c.source(c.ram[1], x, y)
		if !driven {
			return -1
		}
		return int(option(old, c.update1[0]>>4))<<1 | int(option(fresh, c.update1[0]))
	}
}

func (c *ssd16xx) memory(old bool) func(x, y int) byte {
	ram := c.ram[0]
	if old {
		ram = c.ram[1]
	}
	return func(x, y int) byte {
		bit, _ := c.source(ram, x, y)
		return bit
	}
}
