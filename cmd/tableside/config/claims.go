package config

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
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

// conflicts adds a mistake for each thing that two parts claim and cannot share.
func (e *Errors) conflicts(claims []Claim) {
	first := map[string]Claim{}
	for _, c := range claims {
		before, taken := first[c.Resource]
		if !taken {
			first[c.Resource] = c
			continue
		}
		e.wrong(c.shareGroup == "" || c.shareGroup != before.shareGroup, c.Resource, "give one of them another",
			"used by both %s and %s", before, c)
	}
}

// Claims lists the pins, ports and addresses that every part uses.
func (w *Wiring) Claims() []Claim {
	var all []Claim
	for _, p := range w.Parts() {
		all = append(all, p.claims(w)...)
		for _, pin := range p.pins() {
			if pin.line != "" {
				all = append(all, Claim{Resource: pin.line, Part: p.Who(), Use: strings.TrimPrefix(pin.use, "pin"), Line: true})
			}
		}
	}
	return all
}

// DefaultAddress holds the default I2C address of each chip.
var DefaultAddress = map[string]int{"pn532": 0x24, "ssd1306": 0x3c, "ssd1309": 0x3c, "sh1106": 0x3c}

// These maps list the pins that each bus has on the header. While a bus is enabled, the kernel
// uses these pins. See the Raspberry Pi documentation, "Raspberry Pi hardware", GPIO,
// alternative functions. The chip selects are the defaults of the overlays spi0-2cs, spi1-3cs
// and spi2-2cs to spi6-2cs.
var (
	spiBuses = map[int]spiBus{
		0: {spiLines("GPIO9", "GPIO10", "GPIO11"), []string{"GPIO8", "GPIO7"}},
		1: {spiLines("GPIO19", "GPIO20", "GPIO21"), []string{"GPIO18", "GPIO17", "GPIO16"}},
		3: {spiLines("GPIO1", "GPIO2", "GPIO3"), []string{"GPIO0", "GPIO24"}}, // buses 3 to 6: on a Pi 4; bus 5: on a Pi 5, too
		4: {spiLines("GPIO5", "GPIO6", "GPIO7"), []string{"GPIO4", "GPIO25"}},
		5: {spiLines("GPIO13", "GPIO14", "GPIO15"), []string{"GPIO12", "GPIO26"}},
		6: {spiLines("GPIO19", "GPIO20", "GPIO21"), []string{"GPIO18", "GPIO27"}},
	}
	// spiBusesPi5 holds the buses that have other pins on a Pi 5 than on a Pi 4.
	spiBusesPi5 = map[int]spiBus{2: spiBuses[3], 3: spiBuses[4]}

	i2cPins = map[string]map[string]string{"/dev/i2c-0": {"data": "GPIO0", "clock": "GPIO1"},
		"/dev/i2c-1": {"data": "GPIO2", "clock": "GPIO3"}}
	uartPins = map[string]string{"transmit": "GPIO14", "receive": "GPIO15"}
)

// A spiBus holds the pins of an SPI bus.
type spiBus struct {
	lines   map[string]string
	selects []string
}

func spiLines(miso, mosi, clock string) map[string]string {
	return map[string]string{"MISO": miso, "MOSI": mosi, "clock": clock}
}

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
func (w *Wiring) busClaims(b *Bus, who string, usual int) (all []Claim) {
	add := func(resource, use, shareGroup string) {
		all = append(all, Claim{Resource: resource, Part: who, Use: use, shareGroup: shareGroup})
	}
	lines := func(bus string, pins map[string]string) {
		for _, line := range slices.Sorted(maps.Keys(pins)) {
			add(pins[line], bus+" "+line, bus)
		}
	}
	switch address := fmt.Sprintf("address %#x", cmp.Or(b.Address, usual)); {
	case b.SPI != "":
		number, chip, _ := ParseSPI(b.SPI)
		name, bus := fmt.Sprintf("SPI%d", number), w.spiPins(number)
		add(b.SPI, "", "")
		add(name, "", "bus")
		if chip < len(bus.selects) {
			add(bus.selects[chip], "chip select of "+b.SPI, "")
		}
		lines(name, bus.lines)
	case b.I2C != "" && b.Mux == 0:
		add(b.I2C+", "+address, "on the bus itself", "") // the chip also answers while any channel of a multiplexer is open
		lines("I2C "+b.I2C, i2cPins[b.I2C])
	case b.I2C != "":
		mux := fmt.Sprintf("multiplexer %#x", b.Mux)
		add(fmt.Sprintf("%s, address %#x", b.I2C, b.Mux), mux, mux)
		add(b.I2C+", "+address, "behind a multiplexer", "channels")
		add(fmt.Sprintf("%s, %s, channel %d, %s", b.I2C, mux, b.Channel, address), "", "")
		if b.MuxReset != "" { // one pin resets all multiplexers of a bus
			add(b.MuxReset, "mux_reset", "mux_reset of "+b.I2C)
			all[len(all)-1].Line = true
			add(b.I2C+", mux_reset", b.MuxReset, b.MuxReset)
		}
		lines("I2C "+b.I2C, i2cPins[b.I2C])
	case b.Serial != "":
		add(b.Serial, "", "")
		lines(b.Serial, w.serialPins(b.Serial))
	}
	return all
}
