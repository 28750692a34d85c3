package pn532test

import (
	"errors"

	"periph.io/x/conn/v3/gpio"
)

// Reset returns the chip's RSTPDN line: low holds the chip in reset.
func (c *Chip) Reset() gpio.PinIO { return &resetPin{PinIO: gpio.INVALID, c: c} }

// A resetPin is the line to the chip's reset input. The methods that this file does not define
// are those of gpio.INVALID, which fail.
type resetPin struct {
	gpio.PinIO
	c *Chip
}

func (p *resetPin) String() string { return "RSTPDN" }
func (p *resetPin) Name() string   { return "RSTPDN" }
func (p *resetPin) Halt() error    { return nil }

func (p *resetPin) Out(l gpio.Level) error {
	p.c.fault(func() {
		switch {
		case l == gpio.Low:
			p.c.inReset = true
			p.c.field.SetPower(false)
		case p.c.inReset:
			p.c.inReset = false
			p.c.powerOn()
		}
	})
	return nil
}

// Read returns the level of the line; the board pulls the line up.
func (p *resetPin) Read() gpio.Level {
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	return gpio.Level(!p.c.inReset)
}

func (p *resetPin) In(gpio.Pull, gpio.Edge) error {
	return errors.New("pn532test: the host drives this line")
}
