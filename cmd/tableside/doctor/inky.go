package doctor

import (
	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/drivers/epaper"
)

// inky checks which Inky panel is connected. It reports whether the doctor may drive the
// panel. If the EEPROM names another model than the configuration, inky reports false. If the
// EEPROM does not answer, or if the panel is no Inky, inky reports true.
func (d *doctor) inky(p *rig.Parts, c *config.Panel) bool {
	if !epaper.IsInky(c.Model) {
		return true
	}
	board, err := p.Inky(c)
	switch {
	case err != nil:
		d.ok("panel", "cannot see which Inky it is, so it must be the "+c.Model+" of the configuration",
			"its EEPROM did not answer: "+err.Error())
	case board.Fits(c.Model) != nil && board.Panel() != "":
		d.fail("panel", "the EEPROM says "+board.String()+", but the configuration has "+c.Model,
			`model = "`+board.Panel()+`" in [panel]`)
		return false
	case board.Fits(c.Model) != nil:
		d.fail("panel", "the EEPROM says "+board.String()+", which is not supported",
			"docs/hardware.md lists the panels that are")
		return false
	default:
		d.ok("panel", "the EEPROM says "+board.String(), "read on "+c.EEPROM)
	}
	return true
}
