package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// These are the sizes of the grid. Wires of the header are on the rows of the grid, or between
// two rows. Wires of parts are a quarter of the pitch lower, so that no two wires overlap.
const (
	pitch   = 24.0
	quarter = pitch / 4
	lane    = 10.0 // between two wires that run down
	edge    = 24.0
	head    = 104.0 // above the header

	boxHead    = 2.3 * pitch // above the first row of a part
	boxFoot    = .65 * pitch
	boxGap     = .7 * pitch
	boxWidth   = 232.0
	labelWidth = 104.0
	pinGap     = 26.0 // between the header's two columns

	noteHeight = 19.0
)

// remarks are printed below the header of every drawing.
var remarks = []string{
	"Seen from above: pin 1 is square,",
	"and at the end of the SD card.",
	"Any GND is as good as another.",
}

const shifter = "▸ 74AHCT125: 3.3 V in, 5 V out."

// header holds the names of the pins 1 to 40 of the computer's header.
var header = []string{
	"3.3 V", "5 V", "GPIO2", "5 V", "GPIO3", "GND", "GPIO4", "GPIO14", "GND", "GPIO15",
	"GPIO17", "GPIO18", "GPIO27", "GND", "GPIO22", "GPIO23", "3.3 V", "GPIO24", "GPIO10", "GND",
	"GPIO9", "GPIO25", "GPIO11", "GPIO8", "GND", "GPIO7", "GPIO0", "GPIO1", "GPIO5", "GND",
	"GPIO6", "GPIO12", "GPIO13", "GND", "GPIO19", "GPIO16", "GPIO26", "GPIO20", "GND", "GPIO21",
}

// A net holds everything that one wire connects.
type net struct {
	name  string
	role  role
	pin   int // of the header; 0 is none
	sides [2]side
}

// A side of a net holds its connections on the left, or right, of the header.
type side struct {
	startY float64   // where it leaves the header
	taps   []float64 // y of its parts
	x      float64   // where it runs down
}

// A box holds a part and its position.
type box struct {
	part
	x, y, height float64
	firstY       float64 // of its first row
	side         int     // 0 is left
}

func (b *box) row(i int) float64 { return b.firstY + pitch*float64(i) }

// A plan holds a drawing with the positions of everything.
type plan struct {
	*drawing
	nets          map[string]*net
	boxes         []box
	kernelPins    []string // pins that the kernel takes and that are not wired
	width, height float64
	oddX, evenX   float64    // of the header's columns
	exitX         [2]float64 // where wires leave the header
	bridges       int        // nets that pass below the header
	remarkY       float64    // of the first remark below the header
	remarks       []string
	legend        [][]role
}

func rowY(r int) float64   { return head + pitch*float64(r) }
func pinY(pin int) float64 { return rowY((pin - 1) / 2) }

// snap moves a y coordinate down to the next place where the wire of a part may be. Such a
// place is a quarter of the pitch below a row of the header, or below the middle between two
// rows.
func snap(y float64) float64 {
	return math.Ceil((y-head-quarter)/(pitch/2))*(pitch/2) + head + quarter
}

// plan computes the positions of the parts and the wires.
func (d *drawing) plan(w *wiring) (*plan, error) {
	p := &plan{drawing: d, nets: map[string]*net{}}
	bottom := rowY(20)
	for s, names := range [][]string{d.left, d.right} {
		y := head - 12.0
		for _, name := range names {
			part, err := w.part(name, d)
			if err != nil {
				return nil, err
			}
			b := box{part: part, side: s, firstY: snap(y + boxHead)}
			b.y = b.firstY - boxHead
			b.height = boxHead + pitch*float64(len(part.rows)-1) + boxFoot
			for i, r := range part.rows {
				if r.net == "" {
					continue
				}
				if err := p.tap(r, s, b.row(i)); err != nil {
					return nil, err
				}
			}
			p.boxes = append(p.boxes, b)
			bottom = max(bottom, b.y+b.height)
			y = b.y + b.height + boxGap
		}
	}
	for _, name := range d.buses {
		b := busPins[name]
		for _, pin := range slices.Concat([]string{b.clock, b.mosi, b.miso}, b.selects) {
			if p.nets[pin] == nil {
				p.kernelPins = append(p.kernelPins, pin)
			}
		}
	}
	p.place(bottom)
	return p, nil
}

// tap connects a row of a part to its net.
func (p *plan) tap(r row, s int, y float64) error {
	name := p.netName(r.net, s)
	n := p.nets[name]
	if n == nil {
		n = &net{name: name, role: r.role, pin: p.pinOf(name)}
		if n.pin == 0 && name != "5V supply" && name != "3V3 regulator" {
			return fmt.Errorf("%s is not on the header", name)
		}
		p.nets[name] = n
	}
	if n.role != r.role {
		return fmt.Errorf("%s is %s and %s", name, n.role, r.role)
	}
	n.sides[s].taps = append(n.sides[s].taps, y)
	return nil
}

// netName returns the name of a row's net. Each side has its own ground.
func (p *plan) netName(net string, s int) string {
	if net == "GND" {
		return []string{"GND left", "GND right"}[s]
	}
	return net
}

func (p *plan) pinOf(net string) int {
	switch net {
	case "3V3":
		return p.v33
	case "5V":
		return p.v5
	case "GND left":
		return p.groundLeft
	case "GND right":
		return p.groundRight
	}
	return slices.Index(header, net) + 1
}

// sorted returns the nets in a stable order.
func (p *plan) sorted() []*net {
	return slices.SortedFunc(maps.Values(p.nets), func(a,
		b *net) int {
		return slices.Compare([]int{a.pin, int(a.name[0])}, []int{b.pin, int(b.name[0])})
	})
}

// place decides where wires leave the header and where they run down.
func (p *plan) place(bottom float64) {
	nets := p.sorted()
	crossing := map[float64]int{} // wires between two rows of pins
	for _, n := range nets {
		for s := range n.sides {
			if n.crosses(s) {
				crossing[n.gapY()]++
			}
		}
	}
	for _, n := range nets {
		for s := range n.sides {
			startY := &n.sides[s].startY
			switch {
			case n.pin == 0:
				*startY = rowY(20) + pitch*float64(p.bridges)
			case !n.crosses(s):
				*startY = pinY(n.pin)
			case crossing[n.gapY()] == 1:
				*startY = n.gapY()
			default: // one from above and one from below
				*startY = n.gapY() + map[int]float64{1: -1.8, 0: 1.8}[n.pin%2]
			}
		}
		if n.pin == 0 && n.hasBothRails() {
			p.bridges++
			bottom = max(bottom, n.sides[0].startY+pitch/2)
		}
	}
	var lanes [2]float64
	for s := range lanes {
		lanes[s] = p.route(s)
	}
	left := edge
	if len(p.left) > 0 {
		left += boxWidth
	}
	p.exitX[0] = left + lanes[0]
	p.oddX = p.exitX[0] + labelWidth + 15
	p.evenX = p.oddX + pinGap
	p.exitX[1] = p.evenX + labelWidth + 15
	p.width = p.exitX[1] + lanes[1] + edge
	if len(p.right) > 0 {
		p.width += boxWidth
	}
	for _, n := range nets {
		n.sides[0].x = p.exitX[0] - n.sides[0].x
		n.sides[1].x += p.exitX[1]
	}
	for i := range p.boxes {
		b := &p.boxes[i]
		b.x = edge
		if b.side == 1 {
			b.x = p.exitX[1] + lanes[1]
		}
	}
	p.remarks = remarks
	if p.shifts() {
		p.remarks = append(slices.Clone(remarks), shifter)
	}
	p.remarkY = rowY(20) + pitch*float64(p.bridges) + 22
	bottom = max(bottom, p.remarkY+noteHeight*float64(len(p.remarks)-1)+6)
	p.legend = p.foot()
	p.height = bottom + 42 + 22*float64(len(p.legend))
}

// shifts reports whether a part has a level shifter.
func (p *plan) shifts() bool {
	return slices.ContainsFunc(p.boxes, func(b box) bool {
		return slices.ContainsFunc(b.rows, func(r row) bool { return r.shifted })
	})
}

// foot returns the lines of the legend, for the colours in use.
func (p *plan) foot() [][]role {
	roles := map[role]bool{taken: len(p.kernelPins) > 0}
	for _, n := range p.nets {
		roles[n.role] = true
	}
	var lines [][]role
	x := p.width
	for _, c := range colours {
		if !roles[c.role] {
			continue
		}
		if x += legendWidth(c.role); x > p.width-edge {
			lines = append(lines, nil)
			x = edge + legendWidth(c.role)
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], c.role)
	}
	return lines
}

// legendWidth returns the width that a role needs in a wide font.
func legendWidth(r role) float64 { return 28 + 7.7*float64(len(r)) + 14 }

func (n *net) hasBothRails() bool { return len(n.sides[0].taps) > 0 && len(n.sides[1].taps) > 0 }

// leaves reports whether a wire of the net leaves the header on side s.
func (n *net) leaves(s int) bool { return len(n.sides[s].taps) > 0 && (n.pin > 0 || n.hasBothRails()) }

// crosses reports whether the net leads to parts on one side of the header, although its pin
// is on the other side. Such a net passes between two rows of pins.
func (n *net) crosses(s int) bool { return n.pin > 0 && len(n.sides[s].taps) > 0 && n.pin%2 == s }

// gapY returns the y coordinate at which the net passes between two rows of pins: below an odd
// pin, above an even one.
func (n *net) gapY() float64 {
	if n.pin%2 == 1 {
		return pinY(n.pin) + pitch/2
	}
	return pinY(n.pin) - pitch/2
}
