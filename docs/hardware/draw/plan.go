package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// These are the sizes of the grid. Wires of the header are on the rows of the grid, or between
// two rows. Wires of parts are a quarter of the pitch lower, so that no two wires overlap.
const (
	pitch = 24.0
	lane  = 10.0 // between two wires that run down
	edge  = 24.0
	head  = 104.0 // above the header

	boxHead    = 2.3 * pitch // above the first row of a part
	boxWidth   = 232.0
	labelWidth = 119.0 // of a pin, with the gap
	pinGap     = 26.0  // between the header's two columns
)

// header holds the names of the pins 1 to 40 of the computer's header.
var header = []string{
	"3.3 V", "5 V", "GPIO2", "5 V", "GPIO3", "GND", "GPIO4", "GPIO14", "GND", "GPIO15",
	"GPIO17", "GPIO18", "GPIO27", "GND", "GPIO22", "GPIO23", "3.3 V", "GPIO24", "GPIO10", "GND",
	"GPIO9", "GPIO25", "GPIO11", "GPIO8", "GND", "GPIO7", "GPIO0", "GPIO1", "GPIO5", "GND",
	"GPIO6", "GPIO12", "GPIO13", "GND", "GPIO19", "GPIO16", "GPIO26", "GPIO20", "GND", "GPIO21",
}

// A side of the header is 0 (left) or 1 (right).
type side int

func (s side) String() string { return []string{"left", "right"}[s] }
func (s side) Sign() string   { return []string{"-", ""}[s] }

// A pin of the header is free, taken by the kernel without a wire, or wired.
type pin struct {
	Name, Class, Colour string
	Number              int
	Side                side
	X, Y                float64 // from the middle of the header, and from above
}

// A role is what a wire is for. Wires of one role have the same colour in all drawings.
type role struct{ Word, Name, Colour string }

// roles holds the roles in the order of the legend.
var roles = []role{
	{"5 V", "5 V", "#ff5a4f"}, {"3.3 V", "3.3 V", "#ff9d3b"}, {"GND", "ground", "#98a2b8"},
	{"clock", "clock (SCLK)", "#ffd84d"}, {"mosi", "data to chips (MOSI)", "#4aa3ff"},
	{"miso", "data from chips (MISO)", "#2ed3a1"}, {"select", "chip select", "#b98cff"}, {"reset", "reset", "#ff82c4"},
	{"dc", "data or command (D/C)", "#6fe3f5"}, {"busy", "busy", "#c9a27a"}, {"key", "key, knob", "#f5f2e9"},
	{"", "taken by the kernel, not wired", "#4b556d"},
}

// A wire connects parts on one side of the header with one of its pins, or below the header with
// parts on the other side.
type wire struct {
	net, Colour string
	Pin         int // 0 is none
	side        side
	startY      float64   // at the header, or below it
	taps        []float64 // y of its parts
	X           float64   // where it runs down
	Path        string    // of SVG
	Dots        []float64 // y of its branches
}

// far sorts wires down by the lowest part first, wires up by the highest.
func (w *wire) far() float64 { return math.Copysign(slices.Max(w.taps), w.startY-slices.Max(w.taps)) }

// A plan holds a drawing with the positions of everything.
type plan struct {
	drawing
	Parts                             []*part
	Wires                             []*wire
	Pins                              []*pin
	Legend                            []role
	sides                             [2][]*wire
	Width, Height, Middle, TitleWidth float64
	RemarkY, LegendY                  float64
}

// plan reads the configuration of a drawing, and computes the positions of its parts and wires.
func (d *drawing) plan(docs string) (*plan, error) {
	var w wiring
	source, err := os.ReadFile(filepath.Join(docs, "examples", d.File+".toml"))
	if err == nil {
		err = toml.Unmarshal(source, &w)
	}
	if err != nil {
		return nil, err
	}
	p := &plan{drawing: *d, TitleWidth: 11.6 * float64(len(d.Title))}
	for i, name := range header {
		x, y := pinGap*(float64(i%2)-.5), head+pitch*float64(i/2)
		p.Pins = append(p.Pins, &pin{name, "free", "#202636", i + 1, side(i % 2), x, y})
	}
	used := map[string]bool{}
	for s, names := range [][]string{d.left, d.right} {
		y := head + 2.25*pitch - boxHead
		for _, name := range names {
			b := w.part(name)
			for _, name := range buses[b.bus] {
				if n := p.Pins[slices.Index(header, name)]; n.Class == "free" {
					n.Class = "taken"
				}
			}
			b.Side, b.Y, b.Height = side(s), y, pitch*(float64(len(b.Rows))+1.95)
			for i, r := range b.Rows {
				r.Y = boxHead + pitch*float64(i)
				if r.Net != "" {
					used[r.role] = true
					p.connect(r, b)
				}
			}
			p.Parts = append(p.Parts, b)
			y += pitch * float64(len(b.Rows)+3)
		}
	}
	used[""] = slices.ContainsFunc(p.Pins, func(n *pin) bool { return n.Class == "taken" })
	p.Legend = slices.DeleteFunc(slices.Clone(roles), func(r role) bool { return !used[r.Word] })
	p.place()
	return p, nil
}

// part makes the box of the part with this name, such as "keys blue", "panel", or
// "reader red from 3.3 V regulator".
func (w *wiring) part(name string) *part {
	name, feed, _ := strings.Cut(name, " from ")
	kind, which, _ := strings.Cut(name, " ")
	p := &part{Icon: icons[kind], Seat: seats[which]}
	var c chip
	var keys []key
	switch kind {
	case "reader":
		c = w.Readers[slices.IndexFunc(w.Readers, func(c chip) bool { return c.Name == which })]
		p.Title, p.Subtitle, p.Seat = "Reader "+which, strings.ToUpper(c.Chip)+" on "+c.SPI, seats[c.Seat]
	case "panel":
		c = w.Panel
		size, version, _ := strings.Cut(strings.ReplaceAll(strings.TrimPrefix(c.Model, "waveshare-"), "in", "."), "-")
		p.Title, p.Subtitle = "Panel "+size+"″ "+strings.ToUpper(version), "on "+c.SPI
	case "lights":
		c = w.Lights
		p.Title, p.Subtitle = fmt.Sprint(c.Count, " lights"), strings.ToUpper(c.Chip)+" on "+c.SPI
		p.Remark = "▸ 74AHCT125: 3.3 V in, 5 V out."
	case "supply":
		p.Title, p.Subtitle = "5 V supply", "for the strip alone"
	case "regulator":
		p.Title, p.Subtitle = "3.3 V regulator", "for the readers"
	case "keys":
		p.Title, p.Whose, keys = "Keys", "for "+cmp.Or(which, "all"), w.Keys
		p.Subtitle = p.Whose + "; each to GND"
	case "knob":
		p.Title, p.Subtitle = "Knob and key", "for all; C and key to GND"
		for _, e := range w.Encoders {
			push := key{Key: "push " + e.Key, Long: e.Long, Pin: e.Button}
			keys = append(keys, key{Key: "A", Pin: e.A}, key{Key: "B", Pin: e.B}, push)
		}
		keys = append(keys, w.Keys...)
	}
	for _, k := range keys {
		if k.Seat == which {
			label := strings.TrimSuffix(k.Key+" · held "+k.Long, " · held ")
			p.Rows = append(p.Rows, &row{Label: label, role: "key", Net: k.Pin})
		}
	}
	nets := map[string]string{"5 V": "5 V", "3.3 V": "3.3 V", "GND": "GND", "reset": c.Reset, "dc": c.DC, "busy": c.Busy}
	volts, _, _ := strings.Cut(feed, " V")
	nets[volts+" V"] = feed
	p.bus, which, _ = strings.Cut(c.SPI, ".")
	maps.Copy(nets, buses[p.bus])
	nets["select"] = nets[which]
	for _, text := range strings.Split(cmp.Or(connectors[c.Chip], connectors[kind], "GND=GND"), ", ") {
		label, role, _ := strings.Cut(text, "=")
		role, shifted := strings.CutSuffix(role, " shifted")
		p.Rows = append(p.Rows, &row{Label: label, role: role, Shifted: shifted, Net: nets[role]})
	}
	return p
}

// connect connects a row of a part with its wire.
func (p *plan) connect(r *row, b *part) {
	i := slices.IndexFunc(p.Wires, func(w *wire) bool { return w.net == r.Net && w.side == b.Side })
	if i < 0 {
		w := &wire{net: r.Net, side: b.Side, Pin: cmp.Or(p.pins[r.Net][b.Side], slices.Index(header, r.Net)+1)}
		w.Colour = roles[slices.IndexFunc(roles, func(of role) bool { return of.Word == r.role })].Colour
		if w.Pin > 0 {
			n := p.Pins[w.Pin-1]
			n.Class, n.Colour = "wired", w.Colour
		}
		i, p.Wires, p.sides[w.side] = len(p.Wires), append(p.Wires, w), append(p.sides[w.side], w)
	}
	r.Wire = p.Wires[i]
	r.Wire.taps = append(r.Wire.taps, b.Y+r.Y)
}

// place decides where wires leave the header and where they run down.
func (p *plan) place() {
	slices.SortFunc(p.Wires, func(a, b *wire) int {
		return cmp.Or(cmp.Compare(a.Pin, b.Pin), cmp.Compare(a.net, b.net), cmp.Compare(a.side, b.side))
	})
	exit := edge + boxWidth + lane*(float64(len(p.sides[0]))+3.6)
	p.Middle = exit + labelWidth + pinGap/2
	exits := [2]float64{exit, p.Middle + pinGap/2 + labelWidth}
	p.Width = exits[1] + edge
	if len(p.right) > 0 {
		p.Width += lane*(float64(len(p.sides[1]))+3.6) + boxWidth
	}
	rims := [2]float64{edge + boxWidth, p.Width - edge - boxWidth}
	low := head + 20*pitch
	for i, w := range p.Wires {
		w.startY = low
		if w.Pin > 0 {
			n := p.Pins[w.Pin-1]
			w.startY, w.Path = n.Y, fmt.Sprintf("M%g %g", exits[w.side], n.Y)
			if n.Side != w.side { // between two rows of pins, where another wire may pass from the other row
				w.startY += (pitch/2 - 1.8) * float64(1-2*n.Side)
				w.Path = fmt.Sprintf("M%g %gV%g", p.Middle+n.X, n.Y, w.startY)
			}
		} else if i > 0 && p.Wires[i-1].net == w.net { // both pass below the header
			w.Path = fmt.Sprintf("M%g %g", p.Middle, low)
			p.Wires[i-1].Path = w.Path
			low += pitch
		}
	}
	route(p.sides[0], exits[0], -lane, rims[0])
	route(p.sides[1], exits[1], lane, rims[1])
	p.RemarkY = low + 22
	p.LegendY = p.RemarkY + 77 // below four remarks
	for _, b := range p.Parts {
		b.X = rims[b.Side]
		p.LegendY = max(p.LegendY, b.Y+b.Height+14)
	}
	p.Height = p.LegendRow(len(p.Legend)-1) + 24
}

// route gives each wire of a side its lane, the place where it runs down: next to the header what
// leads to one part, so that few wires cross.
func route(wires []*wire, exit, lane, rim float64) {
	slices.SortStableFunc(wires, func(a, b *wire) int {
		return cmp.Or(cmp.Compare(len(a.taps), len(b.taps)), cmp.Compare(a.far(), b.far()))
	})
	for i, w := range wires {
		w.X = exit + lane*(float64(i)+1.6)
		ends := slices.Clone(w.taps)
		if w.Path != "" {
			w.Path += fmt.Sprintf("H%g", w.X)
			ends = append(ends, w.startY)
		}
		for _, y := range w.taps {
			w.Path += fmt.Sprintf("M%g %gH%g", w.X, y, rim)
		}
		slices.Sort(ends)
		w.Path += fmt.Sprintf("M%g %gV%g", w.X, ends[0], ends[len(ends)-1])
		w.Dots = ends[1:max(1, len(ends)-1)]
	}
}

// LegendX and LegendRow return where an entry of the legend is.
func (p *plan) LegendX(i int) float64   { return edge + 246*float64(i%p.columns()) }
func (p *plan) LegendRow(i int) float64 { return p.LegendY + 26 + 22*float64(i/p.columns()) }
func (p *plan) columns() int            { return int((p.Width - 2*edge) / 246) }
