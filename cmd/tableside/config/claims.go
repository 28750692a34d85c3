package config

import (
	"fmt"
	"strings"
)

// Claim names a pin, port or address that a part uses.
type Claim struct {
	Resource   string // "GPIO25", "SPI0.1", "/dev/i2c-1, address 0x24"
	Part       string // "reader red"
	Use        string // "reset"; "" where that is obvious
	shareGroup string // claims with equal non-empty values do not conflict, such as two chips on a bus
	Line       bool   // a pin that the part drives or reads itself, not through a bus
}

func (c Claim) String() string {
	if c.Use == "" {
		return c.Part
	}
	return fmt.Sprintf("%s (%s)", c.Part, c.Use)
}

// checkConflicts returns an error if two parts claim the same thing and cannot share it.
func checkConflicts(claims []Claim) error {
	first := map[string]Claim{}
	for _, c := range claims {
		before, taken := first[c.Resource]
		if !taken {
			first[c.Resource] = c
			continue
		}
		if c.shareGroup == "" || c.shareGroup != before.shareGroup {
			return Errorf(c.Resource, "give one of them another", "used by both %s and %s", before, c)
		}
	}
	return nil
}

// Who returns the name that errors, findings and the page use for the reader.
func (r *Reader) Who() string { return "reader " + r.Name }

// Who returns the name that errors and findings use for the key.
func (k *Key) Who() string { return strings.TrimSpace("key "+k.Seat) + " " + k.Key }

// Who returns the name that errors and findings use for the encoder.
func (e *Encoder) Who() string { return strings.TrimSpace("encoder " + e.Seat) }

// Who returns the name that errors and findings use for the screen.
func (s *Screen) Who() string { return "screen " + s.Seat }

// Claims lists the pins, ports and addresses that every part uses.
func (w *Wiring) Claims() []Claim {
	var all []Claim
	pin := func(who, use, pin string) {
		if pin != "" {
			all = append(all, Claim{Resource: pin, Part: who, Use: use, Line: true})
		}
	}
	for _, r := range w.Readers {
		if r.Chip == PCSC {
			all = append(all, Claim{Resource: strings.TrimSpace("PC/SC reader " + r.Model), Part: r.Who()})
			continue
		}
		all = append(all, w.busClaims(&r.Bus, r.Who(), DefaultAddress[r.Chip])...)
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
	for _, k := range w.Keyboards {
		all = append(all, Claim{Resource: "keyboard " + k.Device, Part: k.Who()})
	}
	for _, s := range w.Screens {
		all = append(all, w.busClaims(&s.Bus, s.Who(), DefaultAddress[s.Chip])...)
		pin(s.Who(), "reset", s.Reset)
	}
	if p := w.Panel; p != nil {
		all = append(all, w.busClaims(&p.Bus, "panel", 0)...)
		pin("panel", "dc", p.DC)
		pin("panel", "busy", p.Busy)
		pin("panel", "reset", p.Reset)
		pin("panel", "power", p.Power)
	}
	if l := w.Lights; l != nil {
		all = append(all, w.stripClaims(l)...)
	}
	if b := w.Buzzer; b != nil {
		pin("buzzer", "", b.Pin)
	}
	return all
}

// DefaultAddress holds the default I2C address of each chip.
var DefaultAddress = map[string]int{"pn532": 0x24, "ssd1306": 0x3c, "ssd1309": 0x3c, "sh1106": 0x3c}

// AddressOr returns the configured I2C address of the chip. If no address is configured, it
// returns the argument, which is the usual address.
func (b *Bus) AddressOr(usual int) int {
	if b.Address != 0 {
		return b.Address
	}
	return usual
}

// These maps list the pins that each bus has on the header. While a bus is enabled, the kernel
// uses these pins. See the Raspberry Pi documentation, "Raspberry Pi hardware", GPIO,
// alternative functions. The chip selects are the defaults of the overlays spi0-2cs, spi1-3cs
// and spi2-2cs to spi6-2cs.
var (
	spiBuses = map[int]spiBus{
		0: {"GPIO9", "GPIO10", "GPIO11", []string{"GPIO8", "GPIO7"}},
		1: {"GPIO19", "GPIO20", "GPIO21", []string{"GPIO18", "GPIO17", "GPIO16"}},
		3: {"GPIO1", "GPIO2", "GPIO3", []string{"GPIO0", "GPIO24"}}, // buses 3 to 6: on a Pi 4; bus 5: on a Pi 5, too
		4: {"GPIO5", "GPIO6", "GPIO7", []string{"GPIO4", "GPIO25"}},
		5: {"GPIO13", "GPIO14", "GPIO15", []string{"GPIO12", "GPIO26"}},
		6: {"GPIO19", "GPIO20", "GPIO21", []string{"GPIO18", "GPIO27"}},
	}
	// spiBusesPi5 holds the buses that have other pins on a Pi 5 than on a Pi 4.
	spiBusesPi5 = map[int]spiBus{2: spiBuses[3], 3: spiBuses[4]}

	i2cPins = map[string]map[string]string{"/dev/i2c-0": {"data": "GPIO0", "clock": "GPIO1"},
		"/dev/i2c-1": {"data": "GPIO2", "clock": "GPIO3"}}
	uartPins    = map[string]string{"transmit": "GPIO14", "receive": "GPIO15"}
	sharedLines = []string{"MISO", "MOSI", "clock", "data", "transmit", "receive"}
)

// A spiBus holds the pins of an SPI bus.
type spiBus struct {
	miso, mosi, clock string
	selects           []string
}

// spiPins returns the pins of an SPI bus on this computer. It returns no pins if the bus is
// not on the header.
func (w *Wiring) spiPins(bus int) spiBus {
	if there, elsewhere := spiBusesPi5[bus]; elsewhere && w.Pi5 {
		return there
	}
	return spiBuses[bus]
}

// serialPins returns the pins of a serial port. If the port is on the header, the pins are
// GPIO14 and GPIO15. Otherwise there are no pins. On a Pi 5, only /dev/ttyAMA0 is on the
// header.
func (w *Wiring) serialPins(path string) map[string]string {
	if path == "/dev/ttyAMA0" || !w.Pi5 && (path == "/dev/serial0" || path == "/dev/ttyS0") {
		return uartPins
	}
	return nil
}

// busClaims returns what a chip on a bus claims. The chip claims its chip select or its
// address for itself. It claims the pins of the bus together with the other chips on the bus.
// The arguments after the bus are the name of the part and the default I2C address of the
// chip.
func (w *Wiring) busClaims(b *Bus, who string, usual int) []Claim {
	var all []Claim
	lines := func(bus string, pins map[string]string) {
		for _, line := range sharedLines {
			if pins[line] != "" {
				all = append(all, Claim{Resource: pins[line], Part: who, Use: bus + " " + line, shareGroup: bus})
			}
		}
	}
	switch {
	case b.SPI != "":
		number, chip, _ := ParseSPI(b.SPI)
		name, bus := fmt.Sprintf("SPI%d", number), w.spiPins(number)
		all = append(all, Claim{Resource: b.SPI, Part: who}, Claim{Resource: name, Part: who, shareGroup: "bus"})
		if chip < len(bus.selects) {
			all = append(all, Claim{Resource: bus.selects[chip], Part: who, Use: "chip select of " + b.SPI})
		}
		lines(name, map[string]string{"MISO": bus.miso, "MOSI": bus.mosi, "clock": bus.clock})
	case b.I2C != "":
		address := fmt.Sprintf("%s, address %#x", b.I2C, b.AddressOr(usual))
		if b.Mux == 0 {
			// The chip also answers while any channel of a multiplexer is open.
			all = append(all, Claim{Resource: address, Part: who, Use: "on the bus itself"})
		} else {
			mux := fmt.Sprintf("%s, address %#x", b.I2C, b.Mux)
			behind := fmt.Sprintf("multiplexer %#x", b.Mux)
			all = append(all, Claim{Resource: mux, Part: who, Use: behind, shareGroup: behind},
				Claim{Resource: address, Part: who, Use: "behind a multiplexer", shareGroup: "channels"},
				Claim{Resource: fmt.Sprintf("%s, %s, channel %d, address %#x", b.I2C, behind, b.Channel, b.AddressOr(usual)),
					Part: who})
		}
		if b.MuxReset != "" { // one pin resets all multiplexers of a bus
			all = append(all,
				Claim{Resource: b.MuxReset, Part: who, Use: "mux_reset", Line: true, shareGroup: "mux_reset of " + b.I2C},
				Claim{Resource: b.I2C + ", mux_reset", Part: who, Use: b.MuxReset, shareGroup: b.MuxReset})
		}
		lines("I2C "+b.I2C, i2cPins[b.I2C])
	case b.Serial != "":
		all = append(all, Claim{Resource: b.Serial, Part: who})
		lines(b.Serial, w.serialPins(b.Serial))
	}
	return all
}

// stripClaims returns the claims of an LED strip. A strip has no chip select, so it would show
// what the computer sends to other chips on its bus. Therefore a strip needs a bus of its own.
// A WLED claims only its host.
func (w *Wiring) stripClaims(l *Lights) []Claim {
	if l.Chip == "wled" {
		return []Claim{{Resource: "WLED " + l.Host, Part: "lights"}}
	}
	all := w.busClaims(&l.Bus, "lights", 0)
	for i := range all {
		if all[i].shareGroup == "bus" {
			all[i].shareGroup, all[i].Use = "", "a strip has no chip select and shows everything sent on its bus"
		}
	}
	return all
}
