package doctor

import (
	"io"
	"strings"
	"testing"

	"tableside/cmd/tableside/bench"
	"tableside/cmd/tableside/config"
	"tableside/engine"
)

// TestDoctorNamesTheSwitch tests that the finding about a silent PN532 has what the
// bus reads and which switch to check.
func TestDoctorNamesTheSwitch(t *testing.T) {
	c, err := bench.NewChips([]engine.Seat{"red", "blue", "yellow"})
	if err != nil {
		t.Fatal(err)
	}
	silent := map[string][2]string{
		"table":  {"SPI reads FFh and nothing else", "switched to SPI"},
		"blue":   {"not a byte comes over the serial line", "switched to UART"},
		"yellow": {"nobody answers at address 24h", "switched to I2C"},
	}
	for name := range silent {
		c.Bench.Chips[name].Kill()
	}
	got := diagnose(t, c, false)
	if f := findingOf(got, "reader blue"); !strings.Contains(f.Fix, "another program has changed its speed") {
		t.Errorf("reader blue may have a speed of another program: %+v", f)
	}
	for name, want := range silent {
		f := findingOf(got, "reader "+name)
		if f.OK || !strings.Contains(f.Text, want[0]) || !strings.Contains(f.Text, want[1]) {
			t.Errorf("reader %s: %+v, want %q", name, f, want)
		}
	}
}

// TestDoctorNamesTheConsole tests that a serial port which is also a console of the
// kernel is named, whether the reader on it answers or not.
func TestDoctorNamesTheConsole(t *testing.T) {
	for _, silent := range []bool{false, true} {
		c, err := bench.NewChips([]engine.Seat{"red", "blue"})
		if err != nil {
			t.Fatal(err)
		}
		if silent {
			c.Bench.Chips["blue"].Kill()
		}
		d := &doctor{Config: Config{Out: io.Discard, root: t.TempDir()}, ports: c.Bench}
		writeFile(t, d.root, "dev/ttyUSB2", "")
		writeFile(t, d.root, "sys/class/tty/console/active", "tty1 ttyUSB2\n")
		d.checkHardware(t.Context(), &config.Config{Wiring: *c.Wiring}, false)
		f := findingOf(d.findings, "reader blue")
		said := f.Text + f.Fix
		if f.OK == silent || !strings.Contains(said, "/dev/ttyUSB2 is a console of the kernel: remove ") {
			t.Errorf("silent: %t: %+v", silent, f)
		}
		if f := findingOf(d.findings, "reader red"); !f.OK || strings.Contains(f.Text, "console") {
			t.Errorf("%+v", f)
		}
	}
}
