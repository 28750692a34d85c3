package rig

import (
	"errors"
	"testing"

	"tableside/cmd/tableside/config"
)

// TestWriteWithoutReader tests the error of a write after the reader was unplugged.
func TestWriteWithoutReader(t *testing.T) {
	c := &chip{config: &config.Reader{Bus: config.Bus{Serial: "/dev/ttyUSB0"}}}
	if err := c.Write(t.Context(), "04000000000001", "tableside:key/undo"); !errors.Is(err, errReaderGone) {
		t.Errorf("%v", err)
	}
}
