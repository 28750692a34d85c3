package doctor

import (
	"strings"
	"testing"

	"tableside/cmd/tableside/bench"
	"tableside/cmd/tableside/rig"
	"tableside/drivers/epaper"
	"tableside/drivers/epaper/epapertest"
	"tableside/engine"
)

// withInky returns a bench with an Inky in place of its panel, whose EEPROM names a
// board of this variant.
func withInky(t *testing.T, model string, variant byte) (*bench.Chips, *epapertest.EEPROM) {
	t.Helper()
	c, err := bench.NewChips([]engine.Seat{"red"})
	if err != nil {
		t.Fatal(err)
	}
	c.Wiring.Panel.Model, c.Wiring.Panel.EEPROM = model, bench.I2CBus
	e := epapertest.NewEEPROM(epapertest.Inky(250, 122, 7, 12, variant))
	c.Bench.Wires.Put(epaper.InkyAddress, e)
	if err := c.Bench.PutPanel(c.Wiring.Panel); err != nil {
		t.Fatal(err)
	}
	return c, e
}

// TestInky tests that doctor names the board of the EEPROM, and refuses a
// configuration that does not fit, with the model that does.
func TestInky(t *testing.T) {
	for _, test := range []struct {
		model      string
		variant    byte
		gone       bool
		ok         bool
		says, fix  string
		openFailed string
	}{
		{"inky-phat", 10, false, true, "the EEPROM says Inky pHAT of 250x122, black", "", ""},
		{"inky-phat-4colour", 23, false, true, "the EEPROM says Inky pHAT of 250x122, red and yellow (JD79661)", "", ""},
		{"inky-phat", 23, false, false, "red and yellow (JD79661)", `model = "inky-phat-4colour" in [panel]`,
			`model = "inky-phat-4colour" does`},
		{"inky-phat-4colour", 11, false, false, "red (SSD1608)", `model = "inky-phat" in [panel]`,
			`model = "inky-phat" does`},
		{"inky-phat", 4, false, false, "212x104, black, variant 4, board 1.2, which is not supported", "docs/hardware.md",
			"nor does any other panel"},
		{"inky-phat", 99, false, true, "an Inky that is not known here", "", ""},
		{"inky-phat", 23, true, true, "cannot see which Inky it is", "", ""},
	} {
		c, e := withInky(t, test.model, test.variant)
		if test.gone {
			e.Remove()
		}
		f := findingOf(diagnose(t, c, false), "panel")
		if f.OK != test.ok || !strings.Contains(f.Text, test.says) || !strings.Contains(f.Fix, test.fix) {
			t.Errorf("%s, variant %d: %+v", test.model, test.variant, f)
		}
		_, err := rig.NewParts(c.Bench, c.Wiring).OpenPanel(c.Wiring.Panel)
		if (err != nil) != (test.openFailed != "") || err != nil && !strings.Contains(err.Error(), test.openFailed) {
			t.Errorf("%s, variant %d: %v, want %q", test.model, test.variant, err, test.openFailed)
		}
		if words := e.Violations(); len(words) > 0 {
			t.Error(words)
		}
	}
}

// TestInkyWithoutBus tests that a missing bus of the EEPROM does not fail the panel.
func TestInkyWithoutBus(t *testing.T) {
	c, _ := withInky(t, "inky-phat", 23)
	c.Wiring.Panel.EEPROM = "/dev/i2c-7"
	if f := findingOf(diagnose(t, c, false), "panel"); !f.OK || !strings.Contains(f.Text, "cannot see") ||
		!strings.Contains(f.How, "/dev/i2c-7") {
		t.Errorf("%+v", f)
	}
	if _, err := rig.NewParts(c.Bench, c.Wiring).OpenPanel(c.Wiring.Panel); err != nil {
		t.Error(err)
	}
}
