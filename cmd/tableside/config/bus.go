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

// On returns where a part is connected: for each kind of part that embeds a Bus.
func (b *Bus) On() *Bus { return b }

// BusOf returns where a part is connected, or nil for a part that is on no bus.
func BusOf(p Part) *Bus {
	if on, ok := p.(interface{ On() *Bus }); ok {
		return on.On()
	}
	return nil
}

// Buses returns the bus of every part that is on one.
func (w *Wiring) Buses() []Bus {
	var all []Bus
	for _, p := range w.Parts() {
		if b := BusOf(p); b != nil {
			all = append(all, *b)
		}
	}
	return all
}

// check checks that the chip is on exactly one bus, that the chip may be on a bus of this
// kind, and that the settings of the bus are valid. The slice buses lists the kinds of bus
// that the chip supports. Errors begin with the name of the part.
func (b *Bus) check(f *Errors, part string, buses ...string) {
	var on []string
	for _, bus := range []struct{ name, value string }{{"spi", b.SPI}, {"i2c", b.I2C}, {"serial", b.Serial}} {
		if bus.value == "" {
			continue
		}
		on = append(on, bus.name)
		if bus.name != "spi" {
			f.wrong(!strings.HasPrefix(bus.value, "/dev/"), part+": "+bus.name, `as "/dev/i2c-1" or "/dev/serial0"`,
				"%q is not a device", bus.value)
		} else if _, _, ok := ParseSPI(bus.value); !ok {
			f.wrong(true, part+": spi", `bus and chip select, such as "SPI0.0"`, "%q is not an SPI port", bus.value)
		}
	}
	switch {
	case len(on) == 0:
		f.wrong(true, part, `as spi = "SPI0.0"`, "on no bus; must be on %s", strings.Join(buses, " or "))
	case len(on) > 1:
		f.wrong(true, part, "", "got %s, want only one bus", strings.Join(on, " and "))
	case !slices.Contains(buses, on[0]):
		f.wrong(true, part, "", "cannot be on %s, only on %s", on[0], strings.Join(buses, " or "))
	case b.I2C == "":
		f.wrong(b.Address != 0 || b.Mux != 0 || b.Channel != 0 || b.MuxReset != "", part, "",
			"address, mux and channel are for i2c, but it is on %s", on[0])
	default:
		f.wrong(b.Address != 0 && (b.Address < 0x08 || b.Address > 0x77), part+": address", "",
			"got %#x, want an I2C address from 0x08 to 0x77", b.Address)
		f.wrong(b.Mux != 0 && (b.Mux < 0x70 || b.Mux > 0x77), part+": mux", "",
			"got %#x, want an address of a TCA9548A, 0x70 to 0x77", b.Mux)
		f.wrong(b.Channel < 0 || b.Channel > 7 || b.Channel != 0 && b.Mux == 0, part+": channel", "",
			"%d: a multiplexer (mux) has channels 0 to 7", b.Channel)
		f.wrong(b.MuxReset != "" && b.Mux == 0, part+": mux_reset", "", "set without mux")
		f.pins(part, pin{"mux_reset", b.MuxReset, false})
	}
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

// A pin is a pin that a part drives or reads itself: its use, which is also the key of the
// configuration, and its name. If it is required, the configuration must name it.
type pin struct {
	use, line string
	required  bool
}

// pins checks the names of pins. The valid names are "GPIO0" to "GPIO27", because only
// these lines of the processor are on the header. Errors begin with the name of the part that
// has the pins.
func (e *Errors) pins(part string, pins ...pin) {
	for _, p := range pins {
		switch upper := strings.ToUpper(p.line); {
		case p.line == "":
			e.wrong(p.required, part+": "+p.use, `as "GPIO17"`, "missing; must be a pin")
		case isPin(upper):
			e.wrong(p.line != upper, part+": "+p.use, "did you mean "+upper+"?", "%q is not a pin", p.line)
		default:
			e.wrong(true, part+": "+p.use, `"GPIO0" to "GPIO27", by the numbers of the chip and not of the header`,
				"%q is not a pin", p.line)
		}
	}
}

func isPin(name string) bool {
	number, err := strconv.Atoi(strings.TrimPrefix(name, "GPIO"))
	return err == nil && number >= 0 && number <= 27 && name == fmt.Sprintf("GPIO%d", number)
}
