package poster

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/vector"

	"tableside/engine"
)

// corners lists the x and y coordinates of the corners of each shape, in a square of 24 by 24
// units. Round shapes have no corners and are not listed. Every seat has a shape, as on the
// page, so that nobody has to distinguish colours.
var corners = map[string][]float32{
	"diamond":  {12, 1, 23, 12, 12, 23, 1, 12},
	"triangle": {12, 1.5, 23.5, 22, .5, 22},
	"square":   {2.5, 2.5, 21.5, 2.5, 21.5, 21.5, 2.5, 21.5},
	"cross": {8, 1.5, 16, 1.5, 16, 8, 22.5, 8, 22.5, 16, 16, 16, 16, 22.5, 8, 22.5, 8, 16, 1.5, 16, 1.5, 8,
		8, 8},
	"star": {12, .8, 15.4, 8.3, 23.6, 9.2, 17.5, 14.7, 19.2, 22.8, 12, 18.7, 4.8, 22.8, 6.5, 14.7, .4, 9.2,
		8.6, 8.3},
	"hexagon": {6.2, 2, 17.8, 2, 23.6, 12, 17.8, 22, 6.2, 22, .4, 12},
}

var shapeOfSeat = map[engine.Seat]string{
	"red": "diamond", "blue": "circle", "yellow": "triangle", "green": "square", "white": "cross", "black": "star",
	"orange": "hexagon", "purple": "drop", engine.Table: "ring",
}

// spareShapes lists shapes for the seats that have no entry in shapeOfSeat. Such a seat gets
// the first shape of this list that no other seat has.
var spareShapes = []string{"diamond", "circle", "triangle", "square", "cross", "star", "hexagon", "drop"}

// shapesOf returns a shape for every seat: one of its own, or a circle once all are taken.
func shapesOf(seats []engine.Standing) map[engine.Seat]string {
	given, taken := map[engine.Seat]string{engine.Table: "ring"}, map[string]bool{}
	for _, s := range seats {
		if name := shapeOfSeat[s.Seat]; name != "" {
			given[s.Seat], taken[name] = name, true
		}
	}
	for _, s := range seats {
		if given[s.Seat] != "" {
			continue
		}
		given[s.Seat] = "circle"
		for _, name := range spareShapes {
			if !taken[name] {
				given[s.Seat], taken[name] = name, true
				break
			}
		}
	}
	return given
}

// shape draws the shape with the given name into a square. The upper left corner of the square
// is at pos, and its side has the given length, in pixels.
func (p *picture) shape(name string, pos image.Point, side int, c color.Color) {
	scale := float32(side) / 24
	r := vector.NewRasterizer(side, side)
	switch name {
	case "circle":
		ring(r, scale, 10.5)
	case "ring":
		ring(r, scale, 11)
		ring(r, scale, -5)
	case "drop":
		r.MoveTo(12*scale, .5*scale)
		r.CubeTo(16*scale, 6.5*scale, 20.5*scale, 10*scale, 20.5*scale, 15*scale)
		r.CubeTo(20.5*scale, 26.3*scale, 3.5*scale, 26.3*scale, 3.5*scale, 15*scale)
		r.CubeTo(3.5*scale, 10*scale, 8*scale, 6.5*scale, 12*scale, .5*scale)
		r.ClosePath()
	default:
		outline(r, scale, corners[name])
	}
	r.Draw(p.img, image.Rectangle{Min: pos, Max: pos.Add(image.Pt(side, side))}, image.NewUniform(c), image.Point{})
}

// ring adds a circle around the middle of a square of 24 by 24 units. The scale gives the
// pixels in a unit. If the radius is negative, the circle is a hole.
func ring(r *vector.Rasterizer, scale, radius float32) {
	const steps = 64
	for i := range steps {
		angle := 2 * math.Pi * float64(i) / steps
		if radius < 0 {
			angle = -angle
		}
		size := math.Abs(float64(radius))
		x, y := scale*float32(12+size*math.Cos(angle)), scale*float32(12+size*math.Sin(angle))
		if i == 0 {
			r.MoveTo(x, y)
		} else {
			r.LineTo(x, y)
		}
	}
	r.ClosePath()
}

func outline(r *vector.Rasterizer, scale float32, xy []float32) {
	for i := 0; i+1 < len(xy); i += 2 {
		if i == 0 {
			r.MoveTo(xy[0]*scale, xy[1]*scale)
		} else {
			r.LineTo(xy[i]*scale, xy[i+1]*scale)
		}
	}
	r.ClosePath()
}
