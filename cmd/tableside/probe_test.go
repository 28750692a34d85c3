package main

import (
	"bytes"
	"context"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
)

func diagnose(t *testing.T, c *chips, try bool) []finding {
	t.Helper()
	var errs bytes.Buffer
	d := &doctor{program: &program{err: &errs}, ports: c.bench, root: t.TempDir(), try: try}
	d.hardware(t.Context(), &config{wiring: *c.wiring}, false)
	return d.findings
}

func said(findings []finding, check string) finding {
	i := slices.IndexFunc(findings, func(f finding) bool { return f.Check == check })
	if i < 0 {
		return finding{}
	}
	return findings[i]
}

func TestDoctorAsksReaders(t *testing.T) {
	c, err := newChips([]engine.Seat{"red", "blue"})
	if err != nil {
		t.Fatal(err)
	}
	c.bench.chips["blue"].Kill()
	got := diagnose(t, c, false)
	for check, want := range map[string]string{"reader table": "PN532 1.6, 0 tags", "reader red": "MFRC522 2.0, 0 tags", "lights": "24 LEDs"} {
		if f := said(got, check); !f.OK || !strings.Contains(f.Text, want) {
			t.Errorf("%s: %+v", check, f)
		}
	}
	if f := said(got, "reader blue"); f.OK || f.Text == "" || f.Fix == "" {
		t.Errorf("a dead reader: %+v", f)
	}
}

func TestDoctorTries(t *testing.T) {
	c, err := newChips([]engine.Seat{"red"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	pressing := start(ctx, "fingers", func(ctx context.Context) error {
		for ctx.Err() == nil { // until the doctor listens, and has heard them all
			for key, finger := range c.hands.fingers {
				if key.key == "undo" && key.seat == "red" {
					continue // one that is broken
				}
				if err := finger.Press(ctx, hold); err != nil {
					return nil
				}
			}
			for _, knob := range c.hands.knobs {
				_ = knob.Turn(ctx, 1)
			}
		}
		return nil
	})
	got := diagnose(t, c, true)
	stop()
	_ = pressing.stop()
	if f := said(got, "keys"); f.OK || !strings.Contains(f.Text, "1 of 18 were not pressed: key red undo on GPIO") {
		t.Errorf("keys: %+v", f)
	}
	if f := said(got, "panel"); !f.OK {
		t.Errorf("panel: %+v", f)
	}
	glass := c.bench.glass.Glass()
	for _, p := range []struct {
		x, y int
		want color.Color
	}{{5, 5, color.Black}, {0, 60, color.Black}, {249, 60, color.Black}, {60, 10, color.White}, {125, 61, color.Black}, {240, 10, color.White}} {
		if glass.At(p.x, p.y) != p.want {
			t.Errorf("the test picture is %v at %d,%d", glass.At(p.x, p.y), p.x, p.y)
		}
	}
	if f := said(got, "lights"); !f.OK || !strings.Contains(f.Text, "rainbow") || c.bench.strip.Wire().Transactions < 20 {
		t.Errorf("lights: %+v, %+v", f, c.bench.strip.Wire())
	}
}

// TestMissing: on a computer without buses, every part is named with the line
// that switches its bus on.
func TestMissing(t *testing.T) {
	c, err := load(wholeTable)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	pi := &raspberry{root: root}
	var got []string
	for _, f := range pi.missing(&c.wiring) {
		got = append(got, f.Error()+"; "+f.hint)
	}
	for _, want := range []string{
		"reader red: /dev/spidev0.0 does not exist; add the line dtparam=spi=on to /boot/firmware/config.txt and reboot",
		"reader blue: /dev/i2c-1 does not exist; add the line dtparam=i2c_arm=on",
		"lights: /dev/spidev1.0 does not exist; add the line dtoverlay=spi1-3cs",
		"pins: this computer has no GPIO chip",
	} {
		if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("%q is not told:\n%s", want, strings.Join(got, "\n"))
		}
	}
	if err := os.Mkdir(filepath.Join(root, "dev"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"spidev0.0", "spidev0.1", "spidev1.0", "i2c-1", "gpiochip0"} {
		if err := os.WriteFile(filepath.Join(root, "dev", name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if faults := pi.missing(&c.wiring); len(faults) != 0 {
		t.Errorf("%v, though all is there", faults[0])
	}
}
