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
	line  bool   // a pin that the part drives or listens to by itself
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
			all = append(all, claim{what: pin, who: who, as: as, line: true})
		}
	}
	for _, r := range w.Readers {
		all = append(all, w.on(&r.busConfig, r.who(), usualAddress[r.Chip])...)
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
		all = append(all, w.on(&s.busConfig, s.who(), usualAddress[s.Chip])...)
		pin(s.who(), "reset", s.Reset)
	}
	if p := w.Panel; p != nil {
		all = append(all, w.on(&p.busConfig, "panel", 0)...)
		pin("panel", "dc", p.DC)
		pin("panel", "busy", p.Busy)
		pin("panel", "reset", p.Reset)
		pin("panel", "power", p.Power)
	}
	if l := w.Lights; l != nil {
		all = append(all, w.strip(l)...)
	}
	if b := w.Buzzer; b != nil {
		pin("buzzer", "", b.Pin)
	}
	return all
}

// usualAddress is where a chip is on I2C when nobody says otherwise.
var usualAddress = map[string]int{"pn532": 0x24, "ssd1306": 0x3c, "ssd1309": 0x3c, "sh1106": 0x3c}

// at is the chip's address on I2C.
func (b *busConfig) at(usual int) int {
	if b.Address != 0 {
		return b.Address
	}
	return usual
}

// Pins of the buses on the header, which the kernel holds while a bus is on.
// Raspberry Pi documentation, "Raspberry Pi hardware", GPIO, alternative
// functions; the chip selects are those of the overlays spi0-2cs, spi1-3cs and
// spi2-2cs to spi6-2cs when they are given no others.
var (
	spiBuses = map[int]spiBus{
		0: {"GPIO9", "GPIO10", "GPIO11", []string{"GPIO8", "GPIO7"}},
		1: {"GPIO19", "GPIO20", "GPIO21", []string{"GPIO18", "GPIO17", "GPIO16"}},
		3: {"GPIO1", "GPIO2", "GPIO3", []string{"GPIO0", "GPIO24"}}, // 3 to 6: Pi 4; 5: Pi 5 too
		4: {"GPIO5", "GPIO6", "GPIO7", []string{"GPIO4", "GPIO25"}},
		5: {"GPIO13", "GPIO14", "GPIO15", []string{"GPIO12", "GPIO26"}},
		6: {"GPIO19", "GPIO20", "GPIO21", []string{"GPIO18", "GPIO27"}},
	}
	// spiBusesPi5 are those that a Pi 5 has elsewhere.
	spiBusesPi5 = map[int]spiBus{2: spiBuses[3], 3: spiBuses[4]}

	i2cPins     = map[string]map[string]string{"/dev/i2c-0": {"data": "GPIO0", "clock": "GPIO1"}, "/dev/i2c-1": {"data": "GPIO2", "clock": "GPIO3"}}
	uartPins    = map[string]string{"transmit": "GPIO14", "receive": "GPIO15"}
	sharedLines = []string{"MISO", "MOSI", "clock", "data", "transmit", "receive"}
)

// A spiBus has these pins.
type spiBus struct {
	miso, mosi, clock string
	selects           []string
}

// spi is the bus of a number on this computer. One that is nowhere on the
// header has no pins.
func (w *wiring) spi(bus int) spiBus {
	if there, elsewhere := spiBusesPi5[bus]; elsewhere && w.pi5 {
		return there
	}
	return spiBuses[bus]
}

// serialPins are the pins of a serial port: GPIO14 and GPIO15 for the header's,
// which is /dev/ttyAMA0 alone on a Pi 5, and none for others.
func (w *wiring) serialPins(path string) map[string]string {
	if path == "/dev/ttyAMA0" || !w.pi5 && (path == "/dev/serial0" || path == "/dev/ttyS0") {
		return uartPins
	}
	return nil
}

// on is what a chip claims on its bus: its chip select or address, and the
// bus's pins together with the other chips of the bus.
func (w *wiring) on(b *busConfig, who string, usual int) []claim {
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
		number, chip, _ := parseSPI(b.SPI)
		name, bus := fmt.Sprintf("SPI%d", number), w.spi(number)
		all = append(all, claim{what: b.SPI, who: who}, claim{what: name, who: who, share: "bus"})
		if chip < len(bus.selects) {
			all = append(all, claim{what: bus.selects[chip], who: who, as: "chip select of " + b.SPI})
		}
		lines(name, map[string]string{"MISO": bus.miso, "MOSI": bus.mosi, "clock": bus.clock})
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
		if b.MuxReset != "" { // one pin resets all of a bus
			all = append(all, claim{what: b.MuxReset, who: who, as: "mux_reset", share: "mux_reset of " + b.I2C, line: true},
				claim{what: b.I2C + ", mux_reset", who: who, as: b.MuxReset, share: b.MuxReset})
		}
		lines("I2C "+b.I2C, i2cPins[b.I2C])
	case b.Serial != "":
		all = append(all, claim{what: b.Serial, who: who})
		lines(b.Serial, w.serialPins(b.Serial))
	}
	return all
}

// strip is what a strip claims: it has no chip select and would show what is
// said to others, so it has its bus for itself.
func (w *wiring) strip(l *lightsConfig) []claim {
	if l.Chip == "wled" {
		return []claim{{what: "WLED " + l.Host, who: "lights"}}
	}
	all := w.on(&l.busConfig, "lights", 0)
	for i := range all {
		if all[i].share == "bus" {
			all[i].share, all[i].as = "", "a strip has no chip select and shows all that is said on its bus"
		}
	}
	return all
}
