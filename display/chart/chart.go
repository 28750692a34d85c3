// Package chart draws numbers over time in two colours: every line has its own dashes, so
// that a printed page and eyes that mix up colours show the same.
package chart

import (
	"image"
	"image/color"
	"strconv"

	"tableside/display/canvas"
)

// A Chart is what is drawn.
type Chart struct {
	Title string
	From  string // at the left end, below the lines
	To    string // at the right end
	Lines []Line
}

// A Line is a number that only grows at its steps.
type Line struct {
	Name  string
	Steps []Step
}

// A Step says what the number is from a place on, which is 0 at the left and 1 at the
// right end.
type Step struct {
	At    float64
	Value int
}

// Most is how many lines a chart can tell apart.
const Most = 8

// dashes are the lengths of strokes and gaps of each line.
var dashes = [Most][]int{{1}, {14, 6}, {4, 6}, {16, 5, 4, 5}, {8, 8}, {24, 6}, {3, 12}, {16, 5, 4, 5, 4, 5}}

const (
	edge  = 24
	thick = 3
	row   = 34 // of the legend
)

var twoColours = color.Palette{color.White, color.Black}

// Draw draws a chart.
func Draw(c Chart, size image.Point) *image.Paletted {
	p := canvas.New(size, twoColours)
	title, text := canvas.Bold(26), canvas.Medium(20)
	rest := p.At.Inset(edge)
	p.Left(title, canvas.Row(&rest, title.Line()+24), c.Title, 1)
	lines := c.Lines[:min(len(c.Lines), Most)]
	columns := max(1, min(4, rest.Dx()/340))
	legend := rest
	legend.Min.Y = rest.Max.Y - (len(lines)+columns-1)/columns*row
	rest.Max.Y = legend.Min.Y - 12
	most := 1
	for _, l := range lines {
		for _, s := range l.Steps {
			most = max(most, s.Value)
		}
	}
	ends := rest
	ends.Min.Y = rest.Max.Y - text.Line()
	rest.Max.Y = ends.Min.Y - 8
	rest.Min.X += text.Width(strconv.Itoa(most)) + 12
	ends.Min.X = rest.Min.X
	p.Left(text, ends, c.From, 1)
	p.Right(text, ends, c.To, 1)
	drawAxes(p, text, rest, most)
	for i, l := range lines {
		drawLine(p, rest, l, most, dashes[i])
		w := legend.Dx() / columns
		at := image.Rect(0, 0, w-12, row).Add(legend.Min).Add(image.Pt(i%columns*w, i/columns*row))
		stroke(p, image.Pt(at.Min.X, at.Min.Y+row/2), image.Pt(at.Min.X+60, at.Min.Y+row/2), dashes[i], new(int))
		at.Min.X += 72
		p.Left(text, at, text.Fit(l.Name, at.Dx()), 1)
	}
	return p.Picture
}

// drawAxes draws the lowest and the greatest number, each with a thin line.
func drawAxes(p *canvas.Canvas, text *canvas.Face, r image.Rectangle, most int) {
	for _, n := range []int{0, most} {
		y := height(r, n, most)
		p.Fill(image.Rect(r.Min.X, y, r.Max.X, y+1), 1)
		label := image.Rect(p.At.Min.X+edge, y-text.Line()/2, r.Min.X-6, y+text.Line()/2+1)
		p.Right(text, label, strconv.Itoa(n), 1)
	}
}

func height(r image.Rectangle, n, most int) int { return r.Max.Y - thick - n*(r.Dy()-2*thick)/most }

// drawLine draws the steps of a line. Its dashes go on around corners.
func drawLine(p *canvas.Canvas, r image.Rectangle, l Line, most int, dash []int) {
	done := 0
	at := image.Pt(r.Min.X, height(r, 0, most))
	for _, s := range append(l.Steps[:len(l.Steps):len(l.Steps)], Step{1, last(l)}) {
		corner := image.Pt(r.Min.X+int(s.At*float64(r.Dx()-1)), at.Y)
		stroke(p, at, corner, dash, &done)
		at = image.Pt(corner.X, height(r, s.Value, most))
		stroke(p, corner, at, dash, &done)
	}
}

func last(l Line) int {
	if len(l.Steps) == 0 {
		return 0
	}
	return l.Steps[len(l.Steps)-1].Value
}

// stroke draws a level or an upright line; done counts the dots of the dashes so far.
func stroke(p *canvas.Canvas, from, to image.Point, dash []int, done *int) {
	whole := 0
	for _, n := range dash {
		whole += n
	}
	step := image.Pt(sign(to.X-from.X), sign(to.Y-from.Y))
	for at := from; ; at = at.Add(step) {
		if on(*done%whole, dash) {
			p.Fill(image.Rect(at.X, at.Y, at.X+thick, at.Y+thick), 1)
		}
		*done++
		if at == to {
			return
		}
	}
}

// on reports whether a dot of the dashes is drawn.
func on(at int, dash []int) bool {
	drawn := true
	for _, n := range dash {
		if at < n {
			return drawn
		}
		at -= n
		drawn = !drawn
	}
	return drawn
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}
