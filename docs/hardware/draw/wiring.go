package main

import (
	"cmp"
	"fmt"
	"strings"
)

// A wiring holds the sections of a configuration that the drawing needs.
type wiring struct {
	Readers  []struct{ Name, Seat, Chip, SPI, Reset string }
	Keys     []struct{ Pin, Seat, Key, Long string }
	Encoders []struct{ A, B, Button, Key, Long string }
	Panel    struct{ Model, SPI, DC, Busy, Reset string }
	Lights   struct {
		Chip, SPI string
		Count     int
	}
}

// A part is a box in the drawing. Each of its rows is a connector.
type part struct {
	Title, Whose, Subtitle, Icon, Remark string
	Seat                                 *struct{ Colour, Shape string }
	bus                                  string // of SPI, if any
	Rows                                 []*row
	Side                                 side
	X, Y, Height                         float64
}

// A row is a connector of a part: its printed label, the role of its wire, and its net, such as
// "GPIO21", "GND" or "5 V supply". A row without a net is not wired.
type row struct {
	Label, role, Net string
	Shifted          bool // through a level shifter
	Wire             *wire
	Y                float64
}

// connectors holds the labels and roles of a part's rows, in the order on its board.
var connectors = map[string]string{
	"pn532":     "VCC=3.3 V, GND=GND, SCK=clock, MISO=miso, MOSI=mosi, SS=select, RSTPDN=reset",
	"mfrc522":   "SDA=select, SCK=clock, MOSI=mosi, MISO=miso, IRQ, GND=GND, RST=reset, 3.3V=3.3 V", // the blue RC522
	"panel":     "VCC=3.3 V, GND=GND, DIN=mosi, CLK=clock, CS=select, DC=dc, RST=reset, BUSY=busy",
	"ws2812":    "5V=5 V, DIN=mosi shifted, GND=GND",
	"apa102":    "5V=5 V, CI=clock shifted, DI=mosi shifted, GND=GND",
	"supply":    "5 V=5 V, GND=GND",
	"regulator": "IN=5 V, OUT=3.3 V, GND=GND",
}

// buses holds the pins that the kernel takes for an SPI bus, by their roles, the chip selects by
// their numbers. See the Raspberry Pi documentation, alternative functions of the GPIO, and the
// overlays spi1-3cs and spi5-1cs.
var buses = map[string]map[string]string{
	"SPI0": {"clock": "GPIO11", "mosi": "GPIO10", "miso": "GPIO9", "0": "GPIO8", "1": "GPIO7"},
	"SPI1": {"clock": "GPIO21", "mosi": "GPIO20", "miso": "GPIO19", "0": "GPIO18", "1": "GPIO17", "2": "GPIO16"},
	"SPI5": {"clock": "GPIO15", "mosi": "GPIO14", "miso": "GPIO13", "0": "GPIO12"},
}

// part makes the box of the part with this name, such as "keys blue", "panel", or
// "reader red from 3.3 V regulator".
func (w *wiring) part(name string) (*part, error) {
	name, feed, _ := strings.Cut(name, " from ")
	kind, which, _ := strings.Cut(name, " ")
	p := &part{Icon: icons[kind], Seat: seats[which]}
	switch kind {
	case "reader":
		for _, r := range w.Readers {
			if r.Name == which {
				p.Title, p.Subtitle, p.Seat = "Reader "+which, strings.ToUpper(r.Chip)+" on "+r.SPI, seats[r.Seat]
				return p, p.connect(r.Chip, r.SPI, feed, map[string]string{"reset": r.Reset})
			}
		}
		return nil, fmt.Errorf("there is no reader %s", which)
	case "panel":
		size, version, _ := strings.Cut(strings.ReplaceAll(strings.TrimPrefix(w.Panel.Model, "waveshare-"), "in", "."), "-")
		p.Title, p.Subtitle = "Panel "+size+"″ "+strings.ToUpper(version), "on "+w.Panel.SPI
		return p, p.connect(kind, w.Panel.SPI, feed,
			map[string]string{"dc": w.Panel.DC, "reset": w.Panel.Reset, "busy": w.Panel.Busy})
	case "lights":
		p.Title, p.Subtitle = fmt.Sprint(w.Lights.Count, " lights"), strings.ToUpper(w.Lights.Chip)+" on "+w.Lights.SPI
		p.Remark = "▸ 74AHCT125: 3.3 V in, 5 V out."
		return p, p.connect(w.Lights.Chip, w.Lights.SPI, feed, nil)
	case "supply":
		p.Title, p.Subtitle = "5 V supply", "for the strip alone"
		return p, p.connect(kind, "", feed, nil)
	case "regulator":
		p.Title, p.Subtitle = "3.3 V regulator", "for the readers"
		return p, p.connect(kind, "", feed, nil)
	case "keys":
		p.Title, p.Whose = "Keys", "for "+cmp.Or(which, "all")
		p.Subtitle = p.Whose + "; each to GND"
	case "knob":
		p.Title, p.Subtitle = "Knob and key", "for all; C and key to GND"
		for _, e := range w.Encoders {
			p.addKey("A", "", e.A)
			p.addKey("B", "", e.B)
			p.addKey("push "+e.Key, e.Long, e.Button)
		}
	default:
		return nil, fmt.Errorf("there is no part %q", name)
	}
	for _, k := range w.Keys {
		if k.Seat == which {
			p.addKey(k.Key, k.Long, k.Pin)
		}
	}
	p.Rows = append(p.Rows, &row{Label: "GND", role: "GND", Net: "GND"})
	return p, nil
}

func (p *part) addKey(press, long, pin string) {
	label := strings.TrimSuffix(press+" · held "+long, " · held ")
	p.Rows = append(p.Rows, &row{Label: label, role: "key", Net: pin})
}

// connect adds the rows of a part at an SPI port, if it has one. Its power is of the net feed if
// that has this voltage, and nets holds the pins for other roles.
func (p *part) connect(kind, spi, feed string, nets map[string]string) error {
	bus, chip, _ := strings.Cut(spi, ".")
	pins := buses[bus]
	if connectors[kind] == "" || spi != "" && pins[chip] == "" {
		return fmt.Errorf("no picture of %s at %q", kind, spi)
	}
	p.bus = bus
	for _, text := range strings.Split(connectors[kind], ", ") {
		label, role, _ := strings.Cut(text, "=")
		role, shifted := strings.CutSuffix(role, " shifted")
		r := &row{Label: label, role: role, Shifted: shifted, Net: cmp.Or(nets[role], pins[role])}
		switch role {
		case "select":
			r.Net = pins[chip]
		case "5 V", "3.3 V", "GND":
			r.Net = role
			if strings.HasPrefix(feed, role) {
				r.Net = feed
			}
		}
		p.Rows = append(p.Rows, r)
	}
	return nil
}
