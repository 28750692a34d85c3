package main

import (
	"fmt"
	"slices"
	"strings"
)

// A wiring holds the sections of a configuration that the drawing needs.
type wiring struct {
	Readers  []struct{ Name, Seat, Chip, SPI, Reset string }
	Keys     []struct{ Pin, Seat, Key, Long string }
	Encoders []struct{ A, B, Button, Key, Long string }
	Panel    *struct{ Model, SPI, DC, Busy, Reset string }
	Lights   *struct {
		Chip, SPI string
		Count     int
	}
}

// A role is the purpose of a wire. All drawings show the wires of one role in the same colour.
type role string

const (
	v5         role = "5 V"
	v33        role = "3.3 V"
	ground     role = "ground"
	clock      role = "clock (SCLK)"
	mosi       role = "data to chips (MOSI)"
	miso       role = "data from chips (MISO)"
	chipSelect role = "chip select"
	reset      role = "reset"
	dc         role = "data or command (D/C)"
	busy       role = "busy"
	key        role = "key, knob"
	taken      role = "taken by the kernel, not wired"
)

// A part is a box in the drawing.
type part struct {
	title, subtitle string
	icon            string
	seat            string
	rows            []row
}

// A row is a connector of a part: its printed label and its net.
type row struct {
	label   string
	net     string // "GPIO21", "GND", or "5V supply"
	role    role
	shifted bool // through a level shifter
}

// A bus describes an SPI bus. It holds the pins for the clock and the data, and the pins that
// the kernel takes as chip selects. See the Raspberry Pi documentation, alternative functions
// of the GPIO, and the overlays spi1-3cs and spi5-1cs.
type bus struct {
	clock, mosi, miso string
	selects           []string
}

var busPins = map[string]bus{
	"SPI0": {"GPIO11", "GPIO10", "GPIO9", []string{"GPIO8", "GPIO7"}},
	"SPI1": {"GPIO21", "GPIO20", "GPIO19", []string{"GPIO18", "GPIO17", "GPIO16"}},
	"SPI5": {"GPIO15", "GPIO14", "GPIO13", []string{"GPIO12"}},
}

// port returns the pins of the bus and the chip select of an SPI port with a name such as
// "SPI1.2".
func port(spi string) (b bus, selected string, err error) {
	name, chip, _ := strings.Cut(spi, ".")
	b, known := busPins[name]
	var n int
	if _, bad := fmt.Sscanf(chip, "%d", &n); !known || bad != nil || n < 0 || n >= len(b.selects) {
		return b, "", fmt.Errorf("%q is no port that can be drawn", spi)
	}
	return b, b.selects[n], nil
}

// part makes the box of the part with this name, such as "reader red", "keys blue" or "panel".
func (w *wiring) part(name string, d *drawing) (part, error) {
	kind, which, _ := strings.Cut(name, " ")
	switch kind {
	case "reader":
		return w.reader(which, d)
	case "keys":
		return w.keys(which), nil
	case "knob":
		return w.knob(), nil
	case "panel":
		return w.panel()
	case "lights":
		return w.lights(d)
	case "supply":
		return part{title: "5 V supply", subtitle: "for the strip alone", icon: "supply", rows: []row{
			{"5 V", "5V supply", v5, false}, {"GND", "GND", ground, false},
		}}, nil
	case "regulator":
		return part{title: "3.3 V regulator", subtitle: "for the readers", icon: "supply", rows: []row{
			{"IN", "5V", v5, false}, {"OUT", "3V3 regulator", v33, false}, {"GND", "GND", ground, false},
		}}, nil
	}
	return part{}, fmt.Errorf("there is no part %q", name)
}

func (w *wiring) reader(name string, d *drawing) (part, error) {
	for _, r := range w.Readers {
		if r.Name != name {
			continue
		}
		b, selected, err := port(r.SPI)
		if err != nil {
			return part{}, err
		}
		power := "3V3"
		if d.regulator != "" {
			power = "3V3 regulator"
		}
		p := part{title: "Reader " + name, subtitle: strings.ToUpper(r.Chip) + " on " + r.SPI, icon: "reader", seat: r.Seat}
		if r.Chip == "mfrc522" { // the order on the blue RC522 boards
			p.rows = []row{
				{"SDA", selected, chipSelect, false}, {"SCK", b.clock, clock, false}, {"MOSI", b.mosi, mosi, false},
				{"MISO", b.miso, miso, false},
				{"IRQ", "", "", false}, {"GND", "GND", ground, false}, {"RST", r.Reset, reset, false}, {"3.3V", power, v33, false},
			}
			return p, nil
		}
		p.rows = []row{
			{"VCC", power, v33, false}, {"GND", "GND", ground, false}, {"SCK", b.clock, clock, false},
			{"MISO", b.miso, miso, false},
			{"MOSI", b.mosi, mosi, false}, {"SS", selected, chipSelect, false}, {"RSTPDN", r.Reset, reset, false},
		}
		return p, nil
	}
	return part{}, fmt.Errorf("there is no reader %s", name)
}

func held(press, long string) string {
	if long == "" {
		return press
	}
	return press + " · held " + long
}

func (w *wiring) keys(seat string) part {
	p := part{title: "Keys", subtitle: "for all; each to GND", icon: "keys", seat: seat}
	if seat != "" {
		p.subtitle = "for " + seat + "; each to GND"
	}
	for _, k := range w.Keys {
		if k.Seat == seat {
			p.rows = append(p.rows, row{held(k.Key, k.Long), k.Pin, key, false})
		}
	}
	p.rows = append(p.rows, row{"GND", "GND", ground, false})
	return p
}

func (w *wiring) knob() part {
	p := part{title: "Knob and key", subtitle: "for all; C and key to GND", icon: "knob"}
	for _, e := range w.Encoders {
		p.rows = append(p.rows, row{"A", e.A, key, false}, row{"B", e.B, key, false},
			row{"push " + held(e.Key, e.Long), e.Button, key, false})
	}
	for _, k := range w.Keys {
		p.rows = append(p.rows, row{held(k.Key, k.Long), k.Pin, key, false})
	}
	p.rows = append(p.rows, row{"GND", "GND", ground, false})
	return p
}

func (w *wiring) panel() (part, error) {
	b, selected, err := port(w.Panel.SPI)
	if err != nil {
		return part{}, err
	}
	model := strings.TrimPrefix(w.Panel.Model, "waveshare-")
	size, version, _ := strings.Cut(strings.ReplaceAll(model, "in", "."), "-")
	return part{title: "Panel " + size + "″ " + strings.ToUpper(version), subtitle: "on " + w.Panel.SPI, icon: "panel",
		rows: []row{
			{"VCC", "3V3", v33, false}, {"GND", "GND", ground, false}, {"DIN", b.mosi, mosi, false},
			{"CLK", b.clock, clock, false},
			{"CS", selected, chipSelect, false}, {"DC", w.Panel.DC, dc, false}, {"RST", w.Panel.Reset, reset, false},
			{"BUSY", w.Panel.Busy, busy, false},
		}}, nil
}

func (w *wiring) lights(d *drawing) (part, error) {
	b, _, err := port(w.Lights.SPI)
	if err != nil {
		return part{}, err
	}
	power := "5V"
	if d.supply != "" {
		power = "5V supply"
	}
	p := part{title: fmt.Sprintf("%d lights", w.Lights.Count),
		subtitle: strings.ToUpper(w.Lights.Chip) + " on " + w.Lights.SPI, icon: "lights"}
	p.rows = []row{{"5V", power, v5, false}, {"DIN", b.mosi, mosi, true}, {"GND", "GND", ground, false}}
	if w.Lights.Chip == "apa102" {
		p.rows = slices.Insert(p.rows, 1, row{"CI", b.clock, clock, true})
		p.rows[2].label = "DI"
	}
	return p, nil
}
