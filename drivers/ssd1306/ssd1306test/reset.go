package ssd1306test

import (
	"time"

	"periph.io/x/conn/v3/gpio"
)

// Reset returns the host's pin on the line RES#. The line is high until the host makes it low.
func (c *Chip) Reset() gpio.PinIO { return &c.reset }

// NeedsReset takes away the reset circuit of the module. Modules of 2.42 inches have no such
// circuit (olikraus/u8g2 issues 825 and 2194). After power-up, a module without the circuit
// acknowledges but shows nothing. It needs a reset by the host through RES#.
func (c *Chip) NeedsReset() { c.do(func() { c.needsReset = true }) }

func (c *Chip) awake() bool { return c.reset.level == gpio.High && (c.wasReset || !c.needsReset) }

// minResetPulse is the length of the shortest pulse that resets the chip (table 13-1).
const minResetPulse = 3 * time.Microsecond

type resetPin struct {
	gpio.PinIO // no other method works
	chip       *Chip
	level      gpio.Level
	since      time.Time // of the level
}

func (p *resetPin) String() string { return p.Name() }
func (p *resetPin) Name() string   { return "RES" }

// Low reports whether the line is low.
func (p *resetPin) Low() bool {
	low := false
	p.chip.do(func() { low = p.level == gpio.Low })
	return low
}

// Out implements gpio.PinOut. A low pulse resets the chip if it lasts at least as long as the
// constant minResetPulse.
func (p *resetPin) Out(l gpio.Level) error {
	p.chip.do(func() {
		if l == gpio.High && p.level == gpio.Low && time.Since(p.since) >= minResetPulse && !p.chip.off {
			p.chip.regs, p.chip.parser, p.chip.wasReset = p.chip.model.reset, parser{}, true
		}
		if l != p.level {
			p.level, p.since = l, time.Now()
		}
	})
	return nil
}
