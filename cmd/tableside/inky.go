package main

import (
	"tableside/cmd/tableside/config"
	"tableside/drivers/epaper"
)

// inky reads which board an Inky is. Nobody may answer: then it is not known.
func (p *parts) inky(c *config.Panel) (epaper.InkyBoard, error) {
	bus, err := p.ports.i2c(c.EEPROM)
	if err != nil {
		return epaper.InkyBoard{}, err
	}
	return epaper.ReadInky(bus)
}

// checkInky refuses an Inky whose EEPROM says that it is another than the
// configuration has. Where it says nothing, the configuration is right.
func (p *parts) checkInky(c *config.Panel) error {
	if !epaper.IsInky(c.Model) {
		return nil
	}
	board, err := p.inky(c)
	if err != nil {
		return nil
	}
	return board.Fits(c.Model)
}

// inky tells which Inky is there, and reports whether the configuration may
// have it right.
func (d *doctor) inky(p *parts, c *config.Panel) bool {
	if !epaper.IsInky(c.Model) {
		return true
	}
	board, err := p.inky(c)
	switch {
	case err != nil:
		d.ok("panel", "cannot see which Inky it is, so it must be the "+c.Model+" of the configuration", "nobody has answered as its EEPROM: "+err.Error())
	case board.Fits(c.Model) != nil && board.Panel() != "":
		d.fail("panel", "the EEPROM says "+board.String()+", and the configuration has "+c.Model, `model = "`+board.Panel()+`" in [panel]`)
		return false
	case board.Fits(c.Model) != nil:
		d.fail("panel", "the EEPROM says "+board.String()+", which is not driven", "docs/hardware.md lists the panels that are")
		return false
	default:
		d.ok("panel", "the EEPROM says "+board.String(), "it was read on "+c.EEPROM)
	}
	return true
}
