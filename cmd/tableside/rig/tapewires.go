package rig

import (
	"slices"

	"tableside/cmd/tableside/config"
	"tableside/drivers/tape"
)

// tapeWires maps the buses, addresses and pins of a wiring to the parts that use them, because
// a tape has one track for each part.
type tapeWires struct {
	chips  map[string]tape.Chip // by part
	spi    map[string]string    // parts, by bus
	serial map[string]string    // parts, by path
	i2c    map[i2cPlace]string
	muxes  map[string][]uint16 // addresses, by bus
	pins   map[string]tapePin
}

// An i2cPlace is the location of a chip on an I2C bus.
type i2cPlace struct {
	bus     string
	mux     int // 0 is none
	channel int
	address uint16
}

// A tapePin holds the part that uses a pin, and the name of the use, such as "reset".
type tapePin struct{ part, name string }

// These are the names of the parts that a table has at most once.
const (
	panelPart  = "panel"
	lightsPart = "lights"
	keysPart   = "keys"
)

func readerPart(name string) string { return "reader-" + name }
func screenPart(seat string) string { return "screen-" + seat }

func newTapeWires(w *config.Wiring) *tapeWires {
	t := &tapeWires{chips: map[string]tape.Chip{}, spi: map[string]string{}, serial: map[string]string{},
		i2c: map[i2cPlace]string{}, muxes: map[string][]uint16{}, pins: map[string]tapePin{}}
	for i := range w.Readers {
		r := &w.Readers[i]
		if r.Chip == config.PCSC {
			continue // its bytes pass between pcscd and the reader
		}
		part, chip := readerPart(r.Name), tape.PN532
		if r.Chip == "mfrc522" {
			chip = tape.MFRC522
		}
		t.add(part, chip, &r.Bus, r.AddressOr(config.DefaultAddress[r.Chip]))
		t.pin(part, "reset", r.Reset)
	}
	for i := range w.Screens {
		s := &w.Screens[i]
		t.add(screenPart(s.Seat), tape.Other, &s.Bus, s.AddressOr(config.DefaultAddress[s.Chip]))
		t.pin(screenPart(s.Seat), "reset", s.Reset)
	}
	if p := w.Panel; p != nil {
		t.add(panelPart, tape.Other, &p.Bus, 0)
		t.pin(panelPart, "dc", p.DC)
		t.pin(panelPart, tape.Busy, p.Busy)
		t.pin(panelPart, "reset", p.Reset)
		t.pin(panelPart, "power", p.Power)
	}
	if l := w.Lights; l != nil {
		t.add(lightsPart, tape.Other, &l.Bus, 0)
	}
	return t
}

// add records which bus and, on I2C, which address a part uses.
func (t *tapeWires) add(part string, chip tape.Chip, b *config.Bus, address int) {
	t.chips[part] = chip
	switch {
	case b.SPI != "":
		t.spi[b.SPI] = part
	case b.Serial != "":
		t.serial[b.Serial] = part
	case b.I2C != "":
		t.i2c[i2cPlace{b.I2C, b.Mux, b.Channel, uint16(address)}] = part
		if mux := uint16(b.Mux); mux != 0 && !slices.Contains(t.muxes[b.I2C], mux) {
			t.muxes[b.I2C] = append(t.muxes[b.I2C], mux)
		}
	}
}

func (t *tapeWires) pin(part, name, pin string) {
	if pin != "" {
		t.pins[pin] = tapePin{part, name}
	}
}

// partBehind returns the part on a channel of a multiplexer. The channel is given by the byte
// that opens it. If the channel has no part, partBehind returns "". If the channel has several
// parts, partBehind always returns the same part.
func (t *tapeWires) partBehind(bus string, mux uint16, mask byte) string {
	first := ""
	for place, part := range t.i2c {
		if place.bus == bus && place.mux == int(mux) && mask == 1<<place.channel && (first == "" || part < first) {
			first = part
		}
	}
	return first
}

// An i2cState maps the address of each multiplexer on a bus to the mask of its open channels.
type i2cState map[uint16]byte

// partAt returns the part that answers at an address of a bus. The argument state says which
// channels of the multiplexers are open. If no such part is known, partAt returns "".
func (t *tapeWires) partAt(bus string, state i2cState, address uint16) string {
	if part := t.i2c[i2cPlace{bus: bus, address: address}]; part != "" {
		return part
	}
	for mux, mask := range state {
		for channel := range 8 {
			if mask == 1<<channel {
				if part := t.i2c[i2cPlace{bus, int(mux), channel, address}]; part != "" {
					return part
				}
			}
		}
	}
	return ""
}
