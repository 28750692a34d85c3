package config

import (
	"fmt"
	"strings"
)

// Claim names something on the computer that one part wants for itself.
type Claim struct {
	What  string // "GPIO25", "SPI0.1", "/dev/i2c-1, address 0x24"
	Who   string // "reader red"
	As    string // "reset"; "" where that is plain
	share string // claims of one word may stand together: two devices of one bus
	Line  bool   // a pin that the part drives or listens to by itself
}

func (c Claim) String() string {
	if c.As == "" {
		return c.Who
	}
	return fmt.Sprintf("%s (%s)", c.Who, c.As)
}

// clash is a fault where two parts want the same.
func clash(claims []Claim) error {
	first := map[string]Claim{}
	for _, c := range claims {
		before, taken := first[c.What]
		if !taken {
			first[c.What] = c
			continue
		}
		if c.share == "" || c.share != before.share {
			return Errorf(c.What, "give one of them another", "used by both %s and %s", before, c)
		}
	}
	return nil
}

// Who names the part, as errors, findings and the page do.
func (r *Reader) Who() string { return "reader " + r.Name }

// Who names the part.
func (k *Key) Who() string { return strings.TrimSpace("key "+k.Seat) + " " + k.Key }

// Who names the part.
func (e *Encoder) Who() string { return strings.TrimSpace("encoder " + e.Seat) }

// Who names the part.
func (s *Screen) Who() string { return "screen " + s.Seat }

// Claims lists what every part wants.
func (w *Wiring) Claims() []Claim {
	var all []Claim
	pin := func(who, as, pin string) {
		if pin != "" {
			all = append(all, Claim{What: pin, Who: who, As: as, Line: true})
		}
	}
	for _, r := range w.Readers {
		all = append(all, w.on(&r.Bus, r.Who(), UsualAddress[r.Chip])...)
		pin(r.Who(), "reset", r.Reset)
	}
	for _, k := range w.Keys {
		pin(k.Who(), "", k.Pin)
	}
	for _, e := range w.Encoders {
		pin(e.Who(), "a", e.A)
		pin(e.Who(), "b", e.B)
		pin(e.Who(), "button", e.Button)
	}
	for _, s := range w.Screens {
		all = append(all, w.on(&s.Bus, s.Who(), UsualAddress[s.Chip])...)
		pin(s.Who(), "reset", s.Reset)
	}
	if p := w.Panel; p != nil {
		all = append(all, w.on(&p.Bus, "panel", 0)...)
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

// UsualAddress holds where a chip is on I2C when nobody says otherwise.
var UsualAddress = map[string]int{"pn532": 0x24, "ssd1306": 0x3c, "ssd1309": 0x3c, "sh1106": 0x3c}

// At returns the chip's address on I2C.
func (b *Bus) At(usual int) int {
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

	i2cPins = map[string]map[string]string{"/dev/i2c-0": {"data": "GPIO0", "clock": "GPIO1"},
		"/dev/i2c-1": {"data": "GPIO2", "clock": "GPIO3"}}
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
func (w *Wiring) spi(bus int) spiBus {
	if there, elsewhere := spiBusesPi5[bus]; elsewhere && w.Pi5 {
		return there
	}
	return spiBuses[bus]
}

// serialPins are the pins of a serial port: GPIO14 and GPIO15 for the header's,
// which is /dev/ttyAMA0 alone on a Pi 5, and none for others.
func (w *Wiring) serialPins(path string) map[string]string {
	if path == "/dev/ttyAMA0" || !w.Pi5 && (path == "/dev/serial0" || path == "/dev/ttyS0") {
		return uartPins
	}
	return nil
}

// on is what a chip claims on its bus: its chip select or address, and the
// bus's pins together with the other chips of the bus.
func (w *Wiring) on(b *Bus, who string, usual int) []Claim {
	var all []Claim
	lines := func(bus string, pins map[string]string) {
		for _, line := range sharedLines {
			if pins[line] != "" {
				all = append(all, Claim{What: pins[line], Who: who, As: bus + " " + line, share: bus})
			}
		}
	}
	switch {
	case b.SPI != "":
		number, chip, _ := ParseSPI(b.SPI)
		name, bus := fmt.Sprintf("SPI%d", number), w.spi(number)
		all = append(all, Claim{What: b.SPI, Who: who}, Claim{What: name, Who: who, share: "bus"})
		if chip < len(bus.selects) {
			all = append(all, Claim{What: bus.selects[chip], Who: who, As: "chip select of " + b.SPI})
		}
		lines(name, map[string]string{"MISO": bus.miso, "MOSI": bus.mosi, "clock": bus.clock})
	case b.I2C != "":
		address := fmt.Sprintf("%s, address %#x", b.I2C, b.At(usual))
		if b.Mux == 0 {
			// Alone on the bus, and seen on every channel of a multiplexer too.
			all = append(all, Claim{What: address, Who: who, As: "on the bus itself"})
		} else {
			mux := fmt.Sprintf("%s, address %#x", b.I2C, b.Mux)
			behind := fmt.Sprintf("multiplexer %#x", b.Mux)
			all = append(all, Claim{What: mux, Who: who, As: behind, share: behind},
				Claim{What: address, Who: who, As: "behind a multiplexer", share: "channels"},
				Claim{What: fmt.Sprintf("%s, %s, channel %d, address %#x", b.I2C, behind, b.Channel, b.At(usual)), Who: who})
		}
		if b.MuxReset != "" { // one pin resets all of a bus
			all = append(all, Claim{What: b.MuxReset, Who: who, As: "mux_reset", share: "mux_reset of " + b.I2C, Line: true},
				Claim{What: b.I2C + ", mux_reset", Who: who, As: b.MuxReset, share: b.MuxReset})
		}
		lines("I2C "+b.I2C, i2cPins[b.I2C])
	case b.Serial != "":
		all = append(all, Claim{What: b.Serial, Who: who})
		lines(b.Serial, w.serialPins(b.Serial))
	}
	return all
}

// strip is what a strip claims: it has no chip select and would show what is
// said to others, so it has its bus for itself.
func (w *Wiring) strip(l *Lights) []Claim {
	if l.Chip == "wled" {
		return []Claim{{What: "WLED " + l.Host, Who: "lights"}}
	}
	all := w.on(&l.Bus, "lights", 0)
	for i := range all {
		if all[i].share == "bus" {
			all[i].share, all[i].As = "", "a strip has no chip select and shows all that is said on its bus"
		}
	}
	return all
}
