package epapertest

import (
	"errors"
	"fmt"
	"sync"

	"periph.io/x/conn/v3/physic"
)

// An EEPROM is the memory of 4 KiB that identifies a board. It implements i2c.Bus: no other
// device is on this bus. A transaction begins with an address of two bytes.
//
// The memory is protected, so any write after the address is a violation. An EEPROM is safe
// for concurrent use.
type EEPROM struct {
	mu         sync.Mutex
	content    [4096]byte
	offset     int
	missing    bool
	violations []string
}

// eepromAddress is the EEPROM's address on the bus (Pimoroni inky, eeprom.py).
const eepromAddress = 0x50

// NewEEPROM returns an EEPROM that begins with content; the rest is empty, FFh.
func NewEEPROM(content []byte) *EEPROM {
	e := &EEPROM{}
	for i := range e.content {
		e.content[i] = 0xff
	}
	copy(e.content[:], content)
	return e
}

// Inky returns the content that Pimoroni writes for a board. The content holds the size of the
// display in pixels and the number of its colour. pcb is the version of the board in tenths,
// and variant is the number of the display.
func Inky(width, height int, colour, pcb, variant byte) []byte {
	const written = "2025-08-13 10:00:00.1"
	b := []byte{byte(width), byte(width >> 8), byte(height), byte(height >> 8), colour, pcb, variant, byte(len(written))}
	return append(b, written...)
}

// Remove takes the EEPROM off the bus: its address is no longer acknowledged.
func (e *EEPROM) Remove() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.missing = true
}

// Violations returns a text for each violation so far. A violation is a write that the EEPROM
// ignored, or an address of which only one of the two bytes came.
func (e *EEPROM) Violations() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.violations...)
}

// String implements i2c.Bus.
func (e *EEPROM) String() string { return "emulated EEPROM" }

// SetSpeed implements i2c.Bus.
func (e *EEPROM) SetSpeed(f physic.Frequency) error {
	if f > physic.MegaHertz {
		return fmt.Errorf("epapertest: the EEPROM takes 1MHz at most, not %s", f)
	}
	return nil
}

// Tx implements i2c.Bus. After the EEPROM's last byte, reading continues at its first.
func (e *EEPROM) Tx(address uint16, w, r []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if address != eepromAddress || e.missing {
		return errors.New("epapertest: no device acknowledges")
	}
	switch len(w) {
	case 0:
	case 2:
		e.offset = (int(w[0])<<8 | int(w[1])) % len(e.content)
	case 1:
		e.violations = append(e.violations, "half of an address")
	default:
		e.violations = append(e.violations, fmt.Sprintf("%d bytes written", len(w)-2))
	}
	for i := range r {
		r[i] = e.content[e.offset]
		e.offset = (e.offset + 1) % len(e.content)
	}
	return nil
}
