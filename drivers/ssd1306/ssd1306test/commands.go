package ssd1306test

import "time"

// registers holds the values that commands set.
type registers struct {
	mode               byte // addressing
	column, page       int  // pointers into the RAM
	firstCol, lastCol  int  // of the window of horizontal and vertical addressing
	firstPage, endPage int
	startCol           int // of page addressing
	segmentsDown       bool
	comsDown           bool
	startLine, offset  int
	mux                int
	alternate          bool
	swapSides          bool
	contrast           byte
	on                 bool
	onSince            time.Time
	pump               bool
	inverse, allOn     bool
	scrolling          bool
	locked             bool // SSD1309: only FDh is executed
}

// Addressing modes (10.1.3).
const (
	horizontalMode = 0
	verticalMode   = 1
	pageMode       = 2
)

// A parser waits for the arguments of a command, which may come in later
// transactions.
type parser struct {
	command  byte
	argsLeft int
	args     []byte
}

func (c *Chip) command(b byte) {
	p := &c.parser
	if p.argsLeft > 0 {
		p.args = append(p.args, b)
		if p.argsLeft--; p.argsLeft == 0 {
			c.execute(p.command, p.args)
		}
		return
	}
	p.command, p.args = b, p.args[:0]
	switch n, ok := c.model.arguments[b]; {
	case ok && n > 0:
		p.argsLeft = n
	case ok, b < 0x20, b >= 0x40 && b < 0x80, b >= 0xb0 && b < 0xb8, b >= 0xc0 && b < 0xd0: // all models
		c.execute(b, nil)
	default:
		c.violations.Unknown++
	}
}

// maskArg returns the bits of arg that the chip uses, which are the bits in mask. If arg is
// above limit, maskArg counts a violation.
func (c *Chip) maskArg(arg, limit, mask byte) int {
	if arg > limit {
		c.violations.Range++
	}
	return int(arg & mask)
}

// checkMode counts a violation if ok is false. A command that does not work in every
// addressing mode calls checkMode, and passes as ok whether it works in the present mode.
func (c *Chip) checkMode(ok bool) {
	if !ok {
		c.violations.Mode++
	}
}

func (c *Chip) execute(command byte, args []byte) {
	r := &c.regs
	if r.locked && command != 0xfd {
		return
	}
	switch {
	case command < 0x20: // start column for page addressing, in halves
		c.checkMode(r.mode == pageMode)
		if command < 0x10 {
			r.startCol = r.startCol&0xf0 | int(command)
		} else {
			high := byte(c.model.columns-1) >> 4
			r.startCol = r.startCol&0x0f | c.maskArg(command&0x0f, high, c.model.highMask)<<4
		}
		r.column = r.startCol
	case command >= 0x40 && command < 0x80:
		r.startLine = int(command & 0x3f)
	case command >= 0xb0 && command < 0xb8:
		c.checkMode(r.mode == pageMode)
		r.page = int(command & 7)
	case command >= 0xc0 && command < 0xd0:
		r.comsDown = command&8 != 0
	case command >= 0x20 && command < 0x30 || command == 0xa3:
		c.address(command, args)
	default:
		c.set(command, args)
	}
}

// address executes the commands for addressing and for scrolling.
func (c *Chip) address(command byte, args []byte) {
	r := &c.regs
	switch command {
	case 0x20:
		if mode := byte(c.maskArg(args[0], pageMode, 3)); mode <= pageMode {
			r.mode = mode
		}
	case 0x21:
		c.checkMode(r.mode != pageMode)
		r.firstCol, r.lastCol = c.maskArg(args[0], width-1, 0x7f), c.maskArg(args[1], width-1, 0x7f)
		r.column = r.firstCol
	case 0x22:
		c.checkMode(r.mode != pageMode)
		r.firstPage, r.endPage = c.maskArg(args[0], 7, 7), c.maskArg(args[1], 7, 7)
		r.page = r.firstPage
	case 0x26, 0x27, 0x29, 0x2a:
		c.maskArg(args[1], 7, 7)
		c.maskArg(args[2], 7, 7)
		if c.maskArg(args[3], 7, 7) < int(args[1]&7) {
			c.violations.Range++
		}
	case 0x2e:
		r.scrolling = false
	case 0x2f:
		r.scrolling = true
	}
}

// set executes the commands that set up the display.
func (c *Chip) set(command byte, args []byte) {
	r := &c.regs
	switch command {
	case 0x81:
		r.contrast = args[0]
	case 0x8d: // application note, "command table for charge pump setting"
		r.pump = args[0]&4 != 0
		if args[0] != 0x10 && args[0] != 0x14 {
			c.violations.Range++
		}
	case 0xa0, 0xa1:
		r.segmentsDown = command&1 != 0
	case 0xa4, 0xa5:
		r.allOn = command&1 != 0
	case 0xa6, 0xa7:
		r.inverse = command&1 != 0
	case 0xa8:
		if mux := c.maskArg(args[0], 63, 63) + 1; mux >= 16 {
			r.mux = mux
		} else {
			c.violations.Range++
		}
	case 0xae:
		r.on = false
	case 0xaf:
		if !r.on {
			r.on, r.onSince = true, time.Now()
		}
	case 0xad: // of an SH1106: 8Bh is on
		r.pump = args[0]&1 != 0
		if args[0]&^1 != 0x8a {
			c.violations.Range++
		}
	case 0xfd: // of an SSD1309: 16h locks
		r.locked = args[0]&4 != 0
		if args[0]&^4 != 0x12 {
			c.violations.Range++
		}
	case 0xd3:
		r.offset = c.maskArg(args[0], 63, 63)
	case 0xd9:
		if args[0]&0x0f == 0 || args[0]>>4 == 0 { // no phase may be 0
			c.violations.Range++
		}
	case 0xda:
		r.alternate, r.swapSides = args[0]&0x10 != 0, args[0]&0x20 != 0
		if args[0]&^0x30 != 0x02 {
			c.violations.Range++
		}
	}
}

// data writes the byte b into the RAM. The byte holds eight pixels, one above the other. The
// column of the byte is mapped to a segment when the byte is written. So a later command that
// turns the segments round does not move the pixels (10.1.8). But a model with remapsShown
// maps the columns only when it shows the RAM.
func (c *Chip) data(b byte) {
	r := &c.regs
	if r.scrolling {
		c.violations.Scroll++
	}
	m := c.model
	segment := r.column
	if r.segmentsDown && !m.remapsShown {
		segment = m.columns - 1 - segment
	}
	if r.column >= m.columns {
		c.violations.Beyond++
		return
	}
	c.ram[r.page][segment] = b
	switch r.mode {
	case pageMode:
		if r.column++; r.column == m.columns && !m.stops {
			r.column = r.startCol
		}
	case horizontalMode:
		if r.column = nextPosition(r.column, r.firstCol, r.lastCol, width); r.column == r.firstCol {
			r.page = nextPosition(r.page, r.firstPage, r.endPage, 8)
		}
	case verticalMode:
		if r.page = nextPosition(r.page, r.firstPage, r.endPage, 8); r.page == r.firstPage {
			r.column = nextPosition(r.column, r.firstCol, r.lastCol, width)
		}
	}
}

// nextPosition returns the position after pos for an address pointer. The position after end
// is start, and the one after n-1 is 0.
func nextPosition(pos, start, end, n int) int {
	if pos == end {
		return start
	}
	return (pos + 1) % n
}
