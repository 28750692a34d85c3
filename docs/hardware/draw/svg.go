package main

import (
	"fmt"
	"html"
	"slices"
	"strings"
)

// colours holds the colours of wires, in the order of the legend.
var colours = []struct {
	role   role
	colour string
}{
	{v5, "#ff5a4f"}, {v33, "#ff9d3b"}, {ground, "#98a2b8"}, {clock, "#ffd84d"}, {mosi, "#4aa3ff"}, {miso, "#2ed3a1"},
	{chipSelect, "#b98cff"}, {reset, "#ff82c4"}, {dc, "#6fe3f5"}, {busy, "#c9a27a"}, {key, "#f5f2e9"}, {taken, "#4b556d"},
}

func (r role) colour() string {
	for _, c := range colours {
		if c.role == r {
			return c.colour
		}
	}
	return "#343c50"
}

// style holds the CSS of a drawing, which gives it the look of the table page.
const style = `
text { font: 400 13px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif; fill: #f5f2e9 }
.d, .d text, tspan.d { fill: #aab1c2 }
.h { font: 700 16px "Avenir Next Condensed", "Roboto Condensed", "Archivo Narrow", "Arial Narrow", "Liberation Sans Narrow", "Helvetica Neue", Arial, sans-serif }
.t { font-size: 21px; font-weight: 800; letter-spacing: .02em; fill: #10130a }
.b { font-weight: 700 }
.e { text-anchor: end } .m { text-anchor: middle }
.s { font-size: 12px }
.n { font: 700 10px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif; text-anchor: middle }
.w { fill: none; stroke-width: 3; stroke-linecap: round }
.o { fill: none; stroke: #0d0f15; stroke-width: 7 }
`

// A canvas collects the elements of a picture.
type canvas struct{ strings.Builder }

func (c *canvas) add(format string, args ...any) { fmt.Fprintf(c, format+"\n", args...) }

func (c *canvas) text(class string, x, y float64, text string) {
	c.add(`<text class="%s" x="%g" y="%g">%s</text>`, class, x, y, html.EscapeString(text))
}

// svg draws the plan.
func (p *plan) svg() []byte {
	c := &canvas{}
	c.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%[1]g" height="%[2]g" role="img" aria-label="%s">`,
		p.width, p.height, html.EscapeString("Wiring: "+p.title+", "+p.board))
	c.add(`<!-- Made by docs/hardware/draw from docs/examples/%s.toml: change those. -->`, p.file)
	c.add("<style>%s</style>", style)
	c.add(`<rect width="%g" height="%g" rx="14" fill="#0d0f15"/>`, p.width, p.height)
	p.drawTitle(c)
	p.drawBoard(c)
	p.drawWires(c)
	p.drawPins(c)
	for _, b := range p.boxes {
		p.drawBox(c, b)
	}
	p.drawLegend(c)
	c.add("</svg>")
	return []byte(c.String())
}

func (p *plan) drawTitle(c *canvas) {
	text := 11.6 * float64(len(p.title))
	c.add(`<path d="M%g 20h%gl-7 34h-%[2]gz" fill="#d2ff3c"/>`, edge+7, text+34)
	c.add(`<text class="h t" x="%g" y="44.5" textLength="%g" lengthAdjust="spacingAndGlyphs">%s</text>`, edge+20, text,
		strings.ToUpper(p.title))
	c.add(`<text class="d" x="%g" y="42">examples/%s.toml</text>`, edge+text+54, p.file)
	c.add(`<text class="h e" x="%g" y="42">TABLE<tspan fill="#d2ff3c">/</tspan>SIDE</text>`, p.width-edge)
}

// drawBoard draws the board below the pins.
func (p *plan) drawBoard(c *canvas) {
	x, width := p.oddX-13, pinGap+26
	c.add(`<rect x="%g" y="%g" width="%g" height="%g" rx="7" fill="#161a24" stroke="#343c50"/>`, x, head-16, width,
		rowY(19)-head+32)
	c.text("h m", p.oddX+pinGap/2, head-30, p.board)
	for i, remark := range p.remarks {
		c.text("m d", p.oddX+pinGap/2, p.remarkY+noteHeight*float64(i), remark)
	}
}

// drawPins draws the header with its labels.
func (p *plan) drawPins(c *canvas) {
	used := map[int]*net{}
	for _, n := range p.nets {
		if n.pin > 0 {
			used[n.pin] = n
		}
	}
	for i, name := range header {
		pin := i + 1
		x, y := p.oddX, pinY(pin)
		left := pin%2 == 1
		if !left {
			x = p.evenX
		}
		n := used[pin]
		fill, ink := "#202636", "#aab1c2"
		if n != nil {
			fill, ink = n.role.colour(), "#10130a"
		}
		shape := fmt.Sprintf(`<circle cx="%g" cy="%g" r="9" fill="%s" stroke="#0d0f15" stroke-width="1.5"/>`, x, y, fill)
		if pin == 1 { // square on every board
			shape = fmt.Sprintf(`<rect x="%g" y="%g" width="18" height="18" rx="2.5" fill="%s" stroke="#0d0f15" stroke-width="1.5"/>`, x-9, y-9, fill)
		}
		c.add("%s", shape)
		c.add(`<text class="n" x="%g" y="%g" style="fill:%s">%d</text>`, x, y+3.5, ink, pin)
		p.drawLabel(c, name, n, left, y)
	}
}

// drawLabel writes the name of a pin beside the pin.
func (p *plan) drawLabel(c *canvas, name string, n *net, left bool, y float64) {
	x, text, class := p.exitX[0], p.exitX[0]+labelWidth-9, "e"
	if !left {
		x, text, class = p.exitX[1]-labelWidth, p.exitX[1]-labelWidth+9, ""
	}
	switch {
	case n != nil:
		c.add(`<rect x="%g" y="%g" width="%g" height="18" rx="4" fill="#0d0f15"/>`, x, y-9, labelWidth)
		c.add(`<rect x="%g" y="%g" width="%g" height="18" rx="4" fill="%s" fill-opacity=".16" stroke="%[4]s" stroke-width="1.2"/>`, x, y-9, labelWidth, n.role.colour())
		c.text(class+" b", text, y+4.5, name)
	case slices.Contains(p.kernelPins, name):
		c.add(`<rect x="%g" y="%g" width="%g" height="18" rx="4" fill="none" stroke="#4b556d" stroke-dasharray="3 3"/>`, x,
			y-9, labelWidth)
		c.add(`<text class="%s d" style="font-size:12px" x="%g" y="%g">%s</text>`, class, text, y+4.5, name+" kernel")
	default:
		c.add(`<text class="%s" style="fill:#6c7690" x="%g" y="%g">%s</text>`, class, text, y+4.5, name)
	}
}

// drawWires draws every net. Each wire has a dark edge, so that at a crossing one wire passes
// over the other.
func (p *plan) drawWires(c *canvas) {
	for _, n := range p.sorted() {
		var paths []string
		var dots [][2]float64
		for s := range n.sides {
			if len(n.sides[s].taps) == 0 {
				continue
			}
			more, joints := p.wire(n, s)
			paths, dots = append(paths, more...), append(dots, joints...)
		}
		if n.pin == 0 && n.hasBothRails() {
			a, b := n.sides[0], n.sides[1]
			paths = append(paths, fmt.Sprintf("M%g %gH%g", a.x+corner, a.startY, b.x-corner))
		}
		d := strings.Join(paths, "")
		c.add(`<path class="o" d="%s"/>`, d)
		c.add(`<path class="w" stroke="%s" d="%s"/>`, n.role.colour(), d)
		for _, at := range dots {
			c.add(`<circle cx="%g" cy="%g" r="4" fill="%s"/>`, at[0], at[1], n.role.colour())
		}
	}
}

// corner is the radius of a wire's bends.
const corner = 6.0

// wire returns the path of a net on one side, and its branches.
func (p *plan) wire(n *net, s int) (paths []string, dots [][2]float64) {
	side := n.sides[s]
	type end struct{ x, y float64 }
	var ends []end
	if n.leaves(s) {
		x := p.exitX[s]
		switch {
		case n.crosses(s):
			x = p.oddX
			if s == 0 {
				x = p.evenX
			}
		case n.pin == 0: // it comes along below the header
			x = side.x + corner
			if s == 1 {
				x = side.x - corner
			}
		}
		ends = append(ends, end{x, side.startY})
	}
	rim := p.rim(s)
	for _, y := range side.taps {
		ends = append(ends, end{rim, y})
	}
	slices.SortFunc(ends, func(a, b end) int { return int(a.y*2 - b.y*2) })
	if n.crosses(s) { // from the pin to the gap between two rows
		x := ends[slices.IndexFunc(ends, func(e end) bool { return e.y == side.startY })].x
		paths = append(paths, fmt.Sprintf("M%g %gV%g", x, pinY(n.pin), side.startY))
	}
	first, last := ends[0], ends[len(ends)-1]
	if len(ends) == 1 {
		return append(paths, fmt.Sprintf("M%g %gH%g", first.x, first.y, side.x)), dots
	}
	if dy := last.y - first.y; len(ends) == 2 && dy < 2*corner { // no room for two corners
		a, b := first, last
		if a.x > b.x {
			a, b = b, a
		}
		return append(paths, fmt.Sprintf("M%g %gH%gC%g %g %g %g %g %gH%g", a.x, a.y, side.x-12, side.x, a.y, side.x, b.y,
			side.x+12, b.y, b.x)), dots
	}
	toward := func(e end) float64 { // the way from the lane to the end
		if e.x > side.x {
			return corner
		}
		return -corner
	}
	paths = append(paths, fmt.Sprintf("M%g %gH%gQ%g %g %g %gV%gQ%g %g %g %gH%g",
		first.x, first.y, side.x+toward(first), side.x, first.y, side.x, first.y+corner,
		last.y-corner, side.x, last.y, side.x+toward(last), last.y, last.x))
	for _, e := range ends[1 : len(ends)-1] {
		paths = append(paths, fmt.Sprintf("M%g %gH%g", side.x, e.y, e.x))
		dots = append(dots, [2]float64{side.x, e.y})
	}
	return paths, dots
}

// rim returns the x coordinate of the connectors of all parts on one side.
func (p *plan) rim(s int) float64 {
	for _, b := range p.boxes {
		if b.side == s {
			if s == 0 {
				return b.x + boxWidth
			}
			return b.x
		}
	}
	return 0
}

func (p *plan) drawBox(c *canvas, b box) {
	c.add(`<rect x="%g" y="%g" width="%g" height="%g" rx="9" fill="#161a24" stroke="#343c50"/>`, b.x, b.y, boxWidth,
		b.height)
	const icon = 29
	x := b.x + 14
	c.add(`<g transform="translate(%g %g)">%s</g>`, x, b.y+13, icons[b.icon])
	x += icon
	if s, seated := seats[b.seat]; seated {
		c.add(`<path transform="translate(%g %g) scale(.55)" fill="%s" d="%s"/>`, x, b.y+9, s.colour, s.shape)
		x += 19
	}
	c.text("h", x, b.y+21, b.title)
	c.text("d s", b.x+14+icon, b.y+37.5, b.subtitle)
	rim, near, far, class, other := b.x, b.x+15, b.x+boxWidth-14, "", "e"
	if b.side == 0 {
		rim, near, far, class, other = b.x+boxWidth, b.x+boxWidth-15, b.x+14, "e", ""
	}
	for i, r := range b.rows {
		y := b.row(i)
		if r.net == "" {
			c.text(class+" d", near, y+4.5, r.label+" · not wired")
			continue
		}
		if r.shifted { // a triangle that points to the part
			tip := map[int]float64{0: -13, 1: 13}[b.side]
			c.add(`<path d="M%g %gv14l%g -7z" fill="%s" stroke="#0d0f15" stroke-width="1.5"/>`, rim-1.8*tip, y-7, tip,
				r.role.colour())
		}
		c.add(`<circle cx="%g" cy="%g" r="5.5" fill="%s" stroke="#0d0f15" stroke-width="1.5"/>`, rim, y, r.role.colour())
		c.text(class+" b", near, y+4.5, r.label)
		p.drawNote(c, r, b.side, other, far, y)
	}
}

// drawNote writes the name or number of the header's pin from which a row's wire comes.
func (p *plan) drawNote(c *canvas, r row, s int, class string, x, y float64) {
	n := p.nets[p.netName(r.net, s)]
	if n.pin == 0 {
		return
	}
	note := header[n.pin-1]
	if r.role == ground || r.role == v33 || r.role == v5 {
		note = fmt.Sprintf("pin %d", n.pin)
	}
	if r.shifted {
		note = "74AHCT125 · " + note
	}
	c.text(class+" d s", x, y+4.5, note)
}

// drawLegend explains the colours in use.
func (p *plan) drawLegend(c *canvas) {
	y := p.height - 22*float64(len(p.legend)) - 2
	c.add(`<path d="M%g %gH%g" stroke="#343c50"/>`, edge, y-26, p.width-edge)
	for _, line := range p.legend {
		x := edge
		for _, r := range line {
			dashes := ""
			if r == taken {
				dashes = ` stroke-dasharray="3 5"`
			}
			c.add(`<path class="w" stroke="%s"%s d="M%g %gh18"/>`, r.colour(), dashes, x+2, y-4.5)
			c.text("d", x+27, y, string(r))
			x += legendWidth(r)
		}
		y += 22
	}
}
