package main

import (
	"fmt"
	"strings"
)

// A claim is something on the computer that one part wants for itself.
type claim struct {
	what  string // "GPIO25", "SPI0.1", "/dev/i2c-1, address 0x24"
	who   string // "reader red"
	as    string // "reset"; "" where that is plain
	share string // claims of one word may stand together: two devices of one bus
}

func (c claim) String() string {
	if c.as == "" {
		return c.who
	}
	return fmt.Sprintf("%s (%s)", c.who, c.as)
}

// clash is a fault where two parts want the same.
func clash(claims []claim) error {
	first := map[string]claim{}
	for _, c := range claims {
		before, taken := first[c.what]
		if !taken {
			first[c.what] = c
			continue
		}
		if c.share == "" || c.share != before.share {
			return faulty(c.what, "give one of them another", "%s and %s both want it", before, c)
		}
	}
	return nil
}

func (r *readerConfig) who() string  { return "reader " + r.Name }
func (k *keyConfig) who() string     { return strings.TrimSpace("key "+k.Seat) + " " + k.Key }
func (e *encoderConfig) who() string { return strings.TrimSpace("encoder " + e.Seat) }
func (s *screenConfig) who() string  { return "screen " + s.Seat }

// claims lists what every part wants.
func (w *wiring) claims() []claim {
	var all []claim
	pin := func(who, as, pin string) {
		if pin != "" {
			all = append(all, claim{what: pin, who: who, as: as})
		}
	}
	for _, r := range w.Readers {
		all = append(all, r.busConfig.claims(r.who(), usualAddress[r.Chip])...)
		pin(r.who(), "reset", r.Reset)
	}
	for _, k := range w.Keys {
		pin(k.who(), "", k.Pin)
	}
	for _, e := range w.Encoders {
		pin(e.who(), "a", e.A)
		pin(e.who(), "b", e.B)
		pin(e.who(), "button", e.Button)
	}
	for _, s := range w.Screens {
		all = append(all, s.busConfig.claims(s.who(), usualAddress[s.Chip])...)
	}
	if p := w.Panel; p != nil {
		all = append(all, p.busConfig.claims("panel", 0)...)
		pin("panel", "dc", p.DC)
		pin("panel", "busy", p.Busy)
		pin("panel", "reset", p.Reset)
	}
	if l := w.Lights; l != nil {
		all = append(all, l.claims()...)
	}
	if b := w.Buzzer; b != nil {
		pin("buzzer", "", b.Pin)
	}
	return all
}

// usualAddress is where a chip is on I2C when nobody says otherwise.
var usualAddress = map[string]int{"pn532": 0x24, "ssd1306": 0x3c}

// at is the chip's address on I2C.
func (b *busConfig) at(usual int) int {
	if b.Address != 0 {
		return b.Address
	}
	return usual
}

// Pins of the buses on the header of every Raspberry Pi, which the kernel
// holds while a bus is on. Raspberry Pi documentation, "Raspberry Pi
// hardware", GPIO, alternative functions; the chip selects of SPI1 are those
// of its overlays spi1-1cs to spi1-3cs.
var (
	spiPins = map[int]map[string]string{
		0: {"MISO": "GPIO9", "MOSI": "GPIO10", "clock": "GPIO11"},
		1: {"MISO": "GPIO19", "MOSI": "GPIO20", "clock": "GPIO21"},
	}
	spiSelects  = map[string]string{"SPI0.0": "GPIO8", "SPI0.1": "GPIO7", "SPI1.0": "GPIO18", "SPI1.1": "GPIO17", "SPI1.2": "GPIO16"}
	i2cPins     = map[string]map[string]string{"/dev/i2c-1": {"data": "GPIO2", "clock": "GPIO3"}}
	serialPins  = map[string]map[string]string{"/dev/serial0": uartPins, "/dev/ttyAMA0": uartPins, "/dev/ttyS0": uartPins}
	uartPins    = map[string]string{"transmit": "GPIO14", "receive": "GPIO15"}
	sharedLines = []string{"MISO", "MOSI", "clock", "data", "transmit", "receive"}
)

// claims of a chip on its bus: its chip select or address, and the bus's pins
// together with the other chips of the bus.
func (b *busConfig) claims(who string, usual int) []claim {
	var all []claim
	lines := func(bus string, pins map[string]string) {
		for _, line := range sharedLines {
			if pins[line] != "" {
				all = append(all, claim{what: pins[line], who: who, as: bus + " " + line, share: bus})
			}
		}
	}
	switch {
	case b.SPI != "":
		bus, _, _ := parseSPI(b.SPI)
		all = append(all, claim{what: b.SPI, who: who}, claim{what: fmt.Sprintf("SPI%d", bus), who: who, share: "bus"})
		if select_ := spiSelects[b.SPI]; select_ != "" {
			all = append(all, claim{what: select_, who: who, as: "chip select of " + b.SPI})
		}
		lines(fmt.Sprintf("SPI%d", bus), spiPins[bus])
	case b.I2C != "":
		address := fmt.Sprintf("%s, address %#x", b.I2C, b.at(usual))
		if b.Mux == 0 {
			// Alone on the bus, and seen on every channel of a multiplexer too.
			all = append(all, claim{what: address, who: who, as: "on the bus itself"})
		} else {
			mux := fmt.Sprintf("%s, address %#x", b.I2C, b.Mux)
			behind := fmt.Sprintf("multiplexer %#x", b.Mux)
			all = append(all, claim{what: mux, who: who, as: behind, share: behind},
				claim{what: address, who: who, as: "behind a multiplexer", share: "channels"},
				claim{what: fmt.Sprintf("%s, %s, channel %d, address %#x", b.I2C, behind, b.Channel, b.at(usual)), who: who})
		}
		if b.MuxReset != "" { // one pin may reset all of a bus
			all = append(all, claim{what: b.MuxReset, who: who, as: "mux_reset", share: "mux_reset of " + b.I2C})
		}
		lines("I2C "+b.I2C, i2cPins[b.I2C])
	case b.Serial != "":
		all = append(all, claim{what: b.Serial, who: who})
		lines(b.Serial, serialPins[b.Serial])
	}
	return all
}

// claims of a strip: it has no chip select and would show what is said to
// others, so it has its bus for itself.
func (l *lightsConfig) claims() []claim {
	all := l.busConfig.claims("lights", 0)
	for i := range all {
		if all[i].share == "bus" {
			all[i].share, all[i].as = "", "a strip has no chip select and shows all that is said on its bus"
		}
	}
	return all
}
