package rig

import (
	"testing"

	"tableside/cmd/tableside/config"
)

// TestUnknownChip tests that a reader with a chip that nobody drives is refused
// before its bus is opened, and not taken for another chip.
func TestUnknownChip(t *testing.T) {
	parts := NewParts(nil, &config.Wiring{})
	_, _, err := parts.OpenReader(&config.Reader{Name: "red", Chip: "rc522", Bus: config.Bus{SPI: "SPI0.0"}})
	if want := `reader red: got chip "rc522", want pn532, mfrc522 or pcsc`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
