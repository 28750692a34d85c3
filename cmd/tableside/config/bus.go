package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Bus says where a chip is connected. Exactly one of SPI, I2C and Serial is set.
type Bus struct {
	SPI     string `toml:"spi"`     // "SPI0.0": bus and chip select
	I2C     string `toml:"i2c"`     // "/dev/i2c-1"
	Address int    `toml:"address"` // on I2C; 0 is the chip's usual one
	Mux     int    `toml:"mux"`     // address of the multiplexer before the chip; 0 is none
	Channel int    `toml:"channel"` // of the multiplexer
	// MuxReset is the pin that resets the multiplexer. Several chips behind one multiplexer
	// may name the same pin.
	MuxReset string `toml:"mux_reset"`
	Serial   string `toml:"serial"` // "/dev/serial0"
}

// Port returns the bus or device of the chip, as the configuration names it. If the
// configuration names none, Port returns "".
func (b *Bus) Port() string { return cmp.Or(b.SPI, b.I2C, b.Serial) }

// Buses returns the bus of every reader, screen, panel and strip.
func (w *Wiring) Buses() []Bus {
	var all []Bus
	for _, r := range w.Readers {
		all = append(all, r.Bus)
	}
	for _, s := range w.Screens {
		all = append(all, s.Bus)
	}
	if w.Panel != nil {
		all = append(all, w.Panel.Bus)
	}
	if w.Lights != nil {
		all = append(all, w.Lights.Bus)
	}
	return all
}

// check checks that the chip is on exactly one bus, that the chip may be on a bus of this
// kind, and that the settings of the bus are valid. The slice buses lists the kinds of bus
// that the chip supports. Errors begin with the name of the part, which is the first argument.
func (b *Bus) check(part string, buses ...string) error {
	var on []string
	for _, bus := range []struct{ name, value string }{{"spi", b.SPI}, {"i2c", b.I2C}, {"serial", b.Serial}} {
		if bus.value != "" {
			on = append(on, bus.name)
		}
	}
	switch {
	case len(on) == 0:
		return Errorf(part, `as spi = "SPI0.0"`, "on no bus; must be on %s", strings.Join(buses, " or "))
	case len(on) > 1:
		return Errorf(part, "", "got %s, want only one bus", strings.Join(on, " and "))
	case !slices.Contains(buses, on[0]):
		return Errorf(part, "", "cannot be on %s, only on %s", on[0], strings.Join(buses, " or "))
	}
	if b.SPI != "" {
		if _, _, ok := ParseSPI(b.SPI); !ok {
			return Errorf(part+": spi", `bus and chip select, such as "SPI0.0"`, "%q is not an SPI port", b.SPI)
		}
	}
	for _, path := range []struct{ name, value string }{{"i2c", b.I2C}, {"serial", b.Serial}} {
		if path.value != "" && !strings.HasPrefix(path.value, "/dev/") {
			return Errorf(part+": "+path.name, `as "/dev/i2c-1" or "/dev/serial0"`, "%q is not a device", path.value)
		}
	}
	if b.I2C == "" && (b.Address != 0 || b.Mux != 0 || b.Channel != 0 || b.MuxReset != "") {
		return Errorf(part, "", "address, mux and channel are for i2c, but it is on %s", on[0])
	}
	switch {
	case b.Address != 0 && (b.Address < 0x08 || b.Address > 0x77):
		return Errorf(part+": address", "", "got %#x, want an I2C address from 0x08 to 0x77", b.Address)
	case b.Mux != 0 && (b.Mux < 0x70 || b.Mux > 0x77):
		return Errorf(part+": mux", "", "got %#x, want an address of a TCA9548A, 0x70 to 0x77", b.Mux)
	case b.Channel < 0 || b.Channel > 7 || b.Channel != 0 && b.Mux == 0:
		return Errorf(part+": channel", "", "%d: a multiplexer (mux) has channels 0 to 7", b.Channel)
	case b.MuxReset != "" && b.Mux == 0:
		return Errorf(part+": mux_reset", "", "set without mux")
	}
	return checkPins(part, optionalPin{"mux_reset", &b.MuxReset})
}

// ParseSPI parses the name of an SPI port, such as "SPI0.1". If s is no such name, ok is
// false.
func ParseSPI(s string) (bus, chip int, ok bool) {
	s, ok = strings.CutPrefix(s, "SPI")
	first, second, dotted := strings.Cut(s, ".")
	bus, err := strconv.Atoi(first)
	chip, err2 := strconv.Atoi(second)
	ok = ok && dotted && err == nil && err2 == nil && 0 <= bus && bus < 10 && 0 <= chip && chip < 10 &&
		s == fmt.Sprintf("%d.%d", bus, chip)
	return bus, chip, ok
}

// A requiredPin holds a pin that the configuration must name. An optionalPin holds a pin that
// the configuration may name.
type (
	requiredPin struct {
		name string
		pin  *string
	}
	optionalPin requiredPin
)

// checkPins checks the names of pins. Each pin is given as a requiredPin or an optionalPin.
// The valid names are "GPIO0" to "GPIO27", because only these lines of the processor are on
// the header. Errors begin with the name of the part that has the pins.
func checkPins(part string, pins ...any) error {
	for _, p := range pins {
		var n requiredPin
		switch p := p.(type) {
		case requiredPin:
			n = p
		case optionalPin:
			if n = requiredPin(p); *n.pin == "" {
				continue
			}
		}
		if *n.pin == "" {
			return Errorf(part+": "+n.name, `as "GPIO17"`, "missing; must be a pin")
		}
		number, err := strconv.Atoi(strings.TrimPrefix(*n.pin, "GPIO"))
		if err != nil || number < 0 || number > 27 || *n.pin != fmt.Sprintf("GPIO%d", number) {
			hint := `"GPIO0" to "GPIO27", by the numbers of the chip and not of the header`
			if name := strings.ToUpper(*n.pin); name != *n.pin && checkPins(part, requiredPin{n.name, &name}) == nil {
				hint = "did you mean " + name + "?"
			}
			return Errorf(part+": "+n.name, hint, "%q is not a pin", *n.pin)
		}
	}
	return nil
}
