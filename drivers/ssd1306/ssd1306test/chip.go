// Package ssd1306test emulates OLED modules on I2C. A module with a Solomon Systech SSD1306
// has 128×64 or 128×32 pixels. A module with an SSD1309 (revision 1.1) or a Sino Wealth SH1106
// (V2.3) has 128×64 pixels. Sections and tables in brackets are those of the SSD1306's data
// sheet, revision 1.1.
//
// SSD1306 and SH1106 have a charge pump. In all modules the last segment and the last row are
// at the top left. An SH1106 has 132 segments. The middle 128 segments are on the glass.
//
// The modules obey commands and data as the chips do, count violations of the data sheet, and
// return the glass as a picture. A transfer takes as long as its bits. All functions and
// methods are safe for concurrent use.
package ssd1306test

import (
	"image"
	"image/color"
	"math/rand/v2"
	"sync"
	"syscall"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
)

const (
	width      = 128 // of the glass
	maxColumns = 132 // of the memory
)

// A Chip is an emulated module.
type Chip struct {
	mu     sync.Mutex
	model  *model
	addr   uint16
	height int

	ram    [8][maxColumns]byte // by page and segment, or by column if the model remaps when it shows
	noise  *rand.Rand          // fills ram at power-up
	regs   registers
	parser parser

	speed      physic.Frequency
	busyUntil  time.Time
	counts     Counts
	violations Violations
	off        bool // no power
	reset      resetPin
	needsReset bool // the chip does nothing before a reset
	wasReset   bool // since power-up
	dead       bool
	muteAfter  int // transactions until the chip is dead; -1 is never
}

// Counts holds the number of all transactions on the bus, and the numbers of bytes in those
// that the chip acknowledged.
type Counts struct {
	Transactions int
	Written      int // bytes, without the address
	Read         int
}

// Violations holds how often the host did something that the data sheet forbids or does not
// mention.
type Violations struct {
	Control int // invalid control bytes (8.1.5.2)
	Unknown int // unknown commands (table 9-1)
	Range   int // arguments out of range
	Beyond  int // data for columns that do not exist
	// Mode counts commands that belong to an addressing mode that is not set. Chips obey such
	// commands nevertheless (10.1.1, 10.1.2, 10.1.4, 10.1.5, 10.1.13).
	Mode   int
	Scroll int // data written while the picture scrolls (10.2)
}

// New returns a module with an SSD1306. The module is 128 pixels wide and has the given height
// in pixels. It has just been plugged in and has the given address on the bus.
func New(height int, addr uint16) *Chip { return plugged(&ssd1306, height, addr) }

// NewSSD1309 returns a module of 128 by 64 pixels with an SSD1309.
func NewSSD1309(addr uint16) *Chip { return plugged(&ssd1309, 64, addr) }

// NewSH1106 returns a module of 128 by 64 pixels with an SH1106.
func NewSH1106(addr uint16) *Chip { return plugged(&sh1106, 64, addr) }

func plugged(m *model, height int, addr uint16) *Chip {
	c := &Chip{model: m, reset: resetPin{level: gpio.High}, addr: addr, height: height,
		noise: rand.New(rand.NewPCG(1306, uint64(addr))), speed: 400 * physic.KiloHertz, muteAfter: -1}
	c.reset.chip = c
	c.powerUp()
	return c
}

// powerUp puts the chip into its state after power-up. The registers have their reset values,
// and the RAM holds noise.
func (c *Chip) powerUp() {
	c.regs, c.parser, c.wasReset = c.model.reset, parser{}, false
	for page := range c.ram {
		for i := range c.ram[page] {
			c.ram[page][i] = byte(c.noise.Uint32())
		}
	}
}

// Black is the palette of the glass. Dark pixels are black and lit pixels are white.
var Black = color.Palette{color.Black, color.White}

// lights is how long the display stays dark after the command that turns it on (8.9, tAF).
const lights = 100 * time.Millisecond

// Glass returns the current picture on the glass.
func (c *Chip) Glass() *image.Paletted {
	c.mu.Lock()
	defer c.mu.Unlock()
	img := image.NewPaletted(image.Rect(0, 0, width, c.height), Black)
	if !c.lit() {
		return img
	}
	for y := range c.height {
		for x := range width {
			if c.pixel(c.model.columns-1-c.model.firstColumn-x, c.height-1-y) {
				img.SetColorIndex(x, y, 1)
			}
		}
	}
	return img
}

func (c *Chip) lit() bool {
	return !c.off && c.awake() && c.regs.on && c.regs.pump && time.Since(c.regs.onSince) >= lights
}

// pixel reports whether an LED of the glass is lit. The caller passes the LED's segment and
// row.
func (c *Chip) pixel(segment, row int) bool {
	r := &c.regs
	com := r.drives(c.pin(row))
	if com < 0 || com >= r.mux {
		return false // nothing drives this row
	}
	if r.comsDown {
		com = r.mux - 1 - com
	}
	line := (com + r.offset + r.startLine) % 64
	if c.model.remapsShown && r.segmentsDown {
		segment = c.model.columns - 1 - segment
	}
	on := c.ram[line/8][segment]>>(line%8)&1 == 1
	return on != r.inverse || r.allOn
}

// pin returns the number of the COM pin of a row of the glass. In modules of 64 rows,
// neighbouring rows are wired to opposite sides of the chip. In modules of 32 rows, all rows
// are wired to one side (10.1.18).
func (c *Chip) pin(row int) int {
	if c.height == 32 {
		return row
	}
	return row/2 + row%2*32
}

func (r *registers) drives(pin int) int {
	if r.swapSides {
		pin = (pin + 32) % 64
	}
	if !r.alternate {
		return pin
	}
	return pin%32*2 + pin/32
}

// Contrast returns the brightness of the pixels, 0 to 255.
func (c *Chip) Contrast() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return int(c.regs.contrast)
}

// On reports whether the display is on, even if it has not lit up yet.
func (c *Chip) On() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.off && c.awake() && c.regs.on && c.regs.pump
}

// Scrolling reports whether the chip scrolls its picture. Glass shows the picture unscrolled.
func (c *Chip) Scrolling() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.regs.scrolling
}

// Violations returns the numbers of violations since New.
func (c *Chip) Violations() Violations {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.violations
}

// Wire returns the numbers of transactions and bytes on the bus since New.
func (c *Chip) Wire() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts
}

// Kill makes the chip dead: it acknowledges nothing. The glass still shows its picture.
func (c *Chip) Kill() { c.do(func() { c.dead = true }) }

// Revive undoes Kill and MuteAfter.
func (c *Chip) Revive() { c.do(func() { c.dead, c.muteAfter = false, -1 }) }

// MuteAfter makes the chip acknowledge nothing more after the given number of transactions.
func (c *Chip) MuteAfter(transactions int) { c.do(func() { c.muteAfter = transactions }) }

// Unplug disconnects the module from the bus and from power.
func (c *Chip) Unplug() { c.do(func() { c.off = true }) }

// Plug connects the module to the bus and to power again. The chip starts as after power-up.
func (c *Chip) Plug() { c.do(func() { c.off = false; c.powerUp() }) }

// BrownOut interrupts the power for a moment. Afterwards the chip answers as before, but its
// display is off and its RAM holds noise.
func (c *Chip) BrownOut() { c.do(c.powerUp) }

func (c *Chip) do(what func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	what()
}

// notAcknowledged is the kernel's error for a missing chip.
const notAcknowledged = syscall.EREMOTEIO
