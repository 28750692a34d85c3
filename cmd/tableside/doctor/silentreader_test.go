package doctor

import (
	"strings"
	"testing"

	"tableside/cmd/tableside/bench"
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
	for name, want := range silent {
		f := findingOf(got, "reader "+name)
		if f.OK || !strings.Contains(f.Text, want[0]) || !strings.Contains(f.Text, want[1]) {
			t.Errorf("reader %s: %+v, want %q", name, f, want)
		}
	}
}
