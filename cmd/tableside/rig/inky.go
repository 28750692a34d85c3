package rig

import (
	"tableside/cmd/tableside/config"
	"tableside/drivers/epaper"
)

// Inky reads which board an Inky is. Nobody may answer: then it is not known.
func (p *Parts) Inky(c *config.Panel) (epaper.InkyBoard, error) {
	bus, err := p.Ports.I2C(c.EEPROM)
	if err != nil {
		return epaper.InkyBoard{}, err
	}
	return epaper.ReadInky(bus)
}

// checkInky refuses an Inky whose EEPROM says that it is another than the
// configuration has. Where it says nothing, the configuration is right.
func (p *Parts) checkInky(c *config.Panel) error {
	if !epaper.IsInky(c.Model) {
		return nil
	}
	board, err := p.Inky(c)
	if err != nil {
		return nil
	}
	return board.Fits(c.Model)
}
