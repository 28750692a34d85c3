package rig

import (
	"tableside/cmd/tableside/config"
	"tableside/drivers/epaper"
)

// Inky reads the EEPROM that names the board of an Inky. An error means only that the board is
// unknown, as when the EEPROM does not answer.
func (p *Parts) Inky(c *config.Panel) (epaper.InkyBoard, error) {
	bus, err := p.Ports.I2C(c.EEPROM)
	if err != nil {
		return epaper.InkyBoard{}, err
	}
	return epaper.ReadInky(bus)
}

// checkInky returns an error for an Inky whose EEPROM names another model than the
// configuration. Where the EEPROM does not answer, it trusts the configuration.
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
