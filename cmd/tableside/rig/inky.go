package rig

import (
	"tableside/cmd/tableside/config"
	"tableside/drivers/epaper"
)

// Inky reads the EEPROM of an Inky, which names the board. An error does not mean that the
// board is wrong. It means that the board is unknown, for example because the EEPROM does not
// answer.
func (p *Parts) Inky(c *config.Panel) (epaper.InkyBoard, error) {
	bus, err := p.Ports.I2C(c.EEPROM)
	if err != nil {
		return epaper.InkyBoard{}, err
	}
	return epaper.ReadInky(bus)
}

// checkInky checks that an Inky panel is the model in the configuration. If the EEPROM names
// another model, checkInky returns an error. If the EEPROM does not answer, checkInky trusts
// the configuration.
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
