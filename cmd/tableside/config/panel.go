package config

import (
	"cmp"
	"strings"

	"tableside/drivers/epaper"
	"tableside/engine"
)

// Panel is the e-paper.
type Panel struct {
	Model string `toml:"model"`
	Bus
	DC     string `toml:"dc"`
	Busy   string `toml:"busy"`
	Reset  string `toml:"reset"`
	Power  string `toml:"power"`  // PWR of driver boards from 2023 on; "" where there is none
	Rotate int    `toml:"rotate"` // degrees, clockwise

	FullEvery int `toml:"full_every"` // partial refreshes until a full one; 0 is the panel's default

	EEPROM string `toml:"eeprom"` // I2C bus of the EEPROM that names the model of an Inky
}

func (p *Panel) Who() string              { return "panel" }
func (p *Panel) Whose() string            { return "" }
func (p *Panel) What() string             { return p.Model }
func (p *Panel) claims(w *Wiring) []Claim { return w.busClaims(&p.Bus, p.Who(), 0) }
func (p *Panel) pins() []pin {
	return []pin{{"dc", p.DC, true}, {"busy", p.Busy, true}, {"reset", p.Reset, true}, {"power", p.Power, false}}
}

func (p *Panel) check(f *Errors, _ []engine.Seat) {
	f.oneOf("panel: model", p.Model, epaper.Panels()...)
	p.Bus.check(f, "panel", "spi")
	f.wrong(p.Rotate%90 != 0 || p.Rotate < 0 || p.Rotate > 270, "panel: rotate", "",
		"got %d degrees, want 0, 90, 180 or 270", p.Rotate)
	f.wrong(p.FullEvery < 0, "panel: full_every", "0 is the panel's default", "got %d refreshes, want 0 or more", p.FullEvery)
	switch {
	case epaper.IsInky(p.Model):
		p.EEPROM = cmp.Or(p.EEPROM, InkyBus)
		f.wrong(!strings.HasPrefix(p.EEPROM, "/dev/"), "panel: eeprom", `as "/dev/i2c-1"`, "%q is not a device", p.EEPROM)
	case p.EEPROM != "":
		f.wrong(true, "panel: eeprom", "leave it out", "only an Inky has one, a %s has not", p.Model)
	}
}

// InkyBus is the I2C bus of an Inky's EEPROM. An Inky is a HAT, and the computer's header
// connects it to this bus.
const InkyBus = "/dev/i2c-1"
