package main

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/cmd/tableside/rig"
	"tableside/device"
	"tableside/drivers/epaper"
	"tableside/drivers/epaper/epapertest"
	"tableside/engine"
)

// withInky is a bench with an Inky on it in place of its panel, and the EEPROM
// of a board of some variant.
func withInky(t *testing.T, model string, variant byte) (*chips, *epapertest.EEPROM) {
	t.Helper()
	c, err := newChips([]engine.Seat{"red"})
	if err != nil {
		t.Fatal(err)
	}
	if c.bench.glass, err = epapertest.New(model); err != nil {
		t.Fatal(err)
	}
	pins := c.bench.glass.Pins()
	c.bench.pins["DC"], c.bench.pins["BUSY"], c.bench.pins["RST"] = pins.DC, pins.Busy, pins.Reset
	c.Wiring.Panel.Model, c.Wiring.Panel.EEPROM = model, benchI2C
	c.bench.buses[c.Wiring.Panel.SPI] = c.bench.glass.SPI()
	e := epapertest.NewEEPROM(epapertest.Inky(250, 122, 7, 12, variant))
	c.bench.wires.Put(epaper.InkyAddress, e)
	return c, e
}

// The EEPROM names the board: doctor says so, and a configuration that does not
// fit is refused with the model that does.
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
		{"inky-phat", 23, false, false, "red and yellow (JD79661)", `model = "inky-phat-4colour" in [panel]`, `model = "inky-phat-4colour" does`},
		{"inky-phat-4colour", 11, false, false, "red (SSD1608)", `model = "inky-phat" in [panel]`, `model = "inky-phat" does`},
		{"inky-phat", 4, false, false, "212x104, black, variant 4, board 1.2, which is not driven", "docs/hardware.md", "nor does any other panel"},
		{"inky-phat", 99, false, true, "an Inky that is not known here", "", ""},
		{"inky-phat", 23, true, true, "cannot see which Inky it is", "", ""},
	} {
		c, e := withInky(t, test.model, test.variant)
		if test.gone {
			e.Remove()
		}
		f := said(diagnose(t, c, false), "panel")
		if f.OK != test.ok || !strings.Contains(f.Text, test.says) || !strings.Contains(f.Fix, test.fix) {
			t.Errorf("%s, variant %d: %+v", test.model, test.variant, f)
		}
		_, err := rig.NewParts(c.bench, c.Wiring).OpenPanel(c.Wiring.Panel)
		if (err != nil) != (test.openFailed != "") || err != nil && !strings.Contains(err.Error(), test.openFailed) {
			t.Errorf("%s, variant %d: %v, want %q", test.model, test.variant, err, test.openFailed)
		}
		if words := e.Violations(); len(words) > 0 {
			t.Error(words)
		}
	}
}

// A bus that is not there is no fault of the panel.
func TestInkyWithoutBus(t *testing.T) {
	c, _ := withInky(t, "inky-phat", 23)
	c.Wiring.Panel.EEPROM = "/dev/i2c-7"
	if f := said(diagnose(t, c, false), "panel"); !f.OK || !strings.Contains(f.Text, "cannot see") || !strings.Contains(f.How, "/dev/i2c-7") {
		t.Errorf("%+v", f)
	}
	if _, err := rig.NewParts(c.bench, c.Wiring).OpenPanel(c.Wiring.Panel); err != nil {
		t.Error(err)
	}
}

// A slow panel that is stopped in the middle of its refresh ends it, and rests
// with its power off.
func TestSlowPanelIsPutAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := withInky(t, "inky-phat-4colour", 23)
		if err := c.Configure(&device.Config{Dir: t.TempDir()}); err != nil {
			t.Fatal(err)
		}
		part := slices.IndexFunc(c.Parts.All, func(p device.Part) bool { return p.Name == "panel" })
		output := c.Parts.All[part].Output
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
		defer stop()
		if err := output.Show(ctx, engine.Frame{Lang: engine.English}); err == nil {
			t.Fatal("shown within five seconds")
		}
		began := time.Now()
		if err := c.Halt(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took < 15*time.Second || took > 20*time.Second {
			t.Error("put away after", took)
		}
		if n := c.bench.glass.Interrupted(); n > 0 {
			t.Error("the refresh was interrupted")
		}
		if words, n := c.bench.glass.Violations(); n > 0 { // sleep with the power on is one
			t.Error(words)
		}
	})
}
