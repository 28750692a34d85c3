// Package chart draws numbers over time in two colours. Every line has its own dashes, so
// that lines can be told apart in print and by people who are colour-blind.
package chart

import (
	"image"
	"image/color"
	"math"
	"strconv"

	"tableside/display/canvas"
)

// A Chart is a diagram of lines over time.
type Chart struct {
	Title string
	From  string // at the left end, below the lines
	To    string // at the right end
	Lines []Line
}

// A Line is a number that changes at its steps.
type Line struct {
	Name  string
	Steps []Step
}

// A Step changes the number to Value at the point At, which is from 0 for the left end of the
// chart to 1 for the right end.
type Step struct {
	At    float64
	Value int
}

// Most is the greatest number of lines in a chart: each has dashes of its own.
const Most = 8

// dashes holds for each line the lengths of its strokes and gaps, in turn, in pixels.
var dashes = [Most][]int{{1}, {14, 6}, {4, 6}, {16, 5, 4, 5}, {8, 8}, {24, 6}, {3, 12}, {16, 5, 4, 5, 4, 5}}

const (
	edge  = 24
	thick = 3
	row   = 34 // the height of a row of the legend
)

var twoColours = color.Palette{color.White, color.Black}

// Draw draws a chart in a picture of the given size in pixels. It leaves out lines after the
// first eight (Most).
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
	ends := rest
	ends.Min.Y = rest.Max.Y - text.Line()
	rest.Max.Y = ends.Min.Y - 8
	plot := newPlot(p, rest, lines, thick)
	rest.Min.X += max(text.Width(strconv.Itoa(plot.least)), text.Width(strconv.Itoa(plot.most))) + 12
	plot.at = rest
	ends.Min.X = rest.Min.X
	p.Left(text, ends, c.From, 1)
	p.Right(text, ends, c.To, 1)
	drawAxes(plot, text)
	for i, l := range lines {
		plot.line(l, dashes[i])
		w := legend.Dx() / columns
		at := image.Rect(0, 0, w-12, row).Add(legend.Min).Add(image.Pt(i%columns*w, i/columns*row))
		plot.stroke(image.Pt(at.Min.X, at.Min.Y+row/2), image.Pt(at.Min.X+60, at.Min.Y+row/2), dashes[i], new(int))
		at.Min.X += 72
		p.Left(text, at, text.Fit(l.Name, at.Dx()), 1)
	}
	return p.Picture
}

// Plot draws lines within a rectangle, which is the parameter at. The parameter thick is the
// width of each line in pixels. The least value of all lines is at the bottom and the greatest
// at the top; Plot writes both at the left. At least one line must have a step. Plot returns the
// y at which each line ends. It leaves out lines after the first eight (Most).
func Plot(p *canvas.Canvas, at image.Rectangle, text *canvas.Face, lines []Line, thick int) (ends []int) {
	lines = lines[:min(len(lines), Most)]
	plot := plot{p, at, math.MaxInt, math.MinInt, thick}
	plot.reach(lines)
	for i, n := range []int{plot.most, plot.least} {
		y := []int{at.Min.Y, at.Max.Y - text.Line()}[i]
		end := p.Left(text, image.Rect(at.Min.X, y, at.Max.X, y+text.Line()), strconv.Itoa(n), 1)
		plot.at.Min.X = max(plot.at.Min.X, end+4)
	}
	plot.most = max(plot.most, plot.least+1)
	for i, l := range lines {
		plot.line(l, dashes[i])
		ends = append(ends, plot.height(last(l))+thick/2)
	}
	return ends
}

// A plot is an area for lines, with the least value at the bottom and the greatest at the top.
type plot struct {
	*canvas.Canvas
	at          image.Rectangle
	least, most int
	thick       int
}

func newPlot(p *canvas.Canvas, at image.Rectangle, lines []Line, thick int) plot {
	r := plot{p, at, 0, 1, thick}
	r.reach(lines)
	return r
}

// reach extends least and most to the values of lines.
func (p *plot) reach(lines []Line) {
	for _, l := range lines {
		for _, s := range l.Steps {
			p.least, p.most = min(p.least, s.Value), max(p.most, s.Value)
		}
	}
}

// height returns the y at which a value is drawn.
func (p plot) height(n int) int {
	return p.at.Max.Y - p.thick - (n-p.least)*(p.at.Dy()-2*p.thick)/(p.most-p.least)
}

// drawAxes draws the least and the greatest number, each with a thin line.
func drawAxes(p plot, text *canvas.Face) {
	for _, n := range []int{p.least, p.most} {
		y := p.height(n)
		p.Fill(image.Rect(p.at.Min.X, y, p.at.Max.X, y+1), 1)
		label := image.Rect(p.At.Min.X+edge, y-text.Line()/2, p.at.Min.X-6, y+text.Line()/2+1)
		p.Right(text, label, strconv.Itoa(n), 1)
	}
}

// line draws the steps of a line, which is at 0 before its first step. Its dashes continue
// around corners.
func (p plot) line(l Line, dash []int) {
	done, first := 0, 0
	if len(l.Steps) > 0 && l.Steps[0].At == 0 {
		first = l.Steps[0].Value
	}
	at := image.Pt(p.at.Min.X, p.height(first))
	for _, s := range append(l.Steps[:len(l.Steps):len(l.Steps)], Step{1, last(l)}) {
		corner := image.Pt(p.at.Min.X+int(s.At*float64(p.at.Dx()-1)), at.Y)
		p.stroke(at, corner, dash, &done)
		at = image.Pt(corner.X, p.height(s.Value))
		p.stroke(corner, at, dash, &done)
	}
}

func last(l Line) int {
	if len(l.Steps) == 0 {
		return 0
	}
	return l.Steps[len(l.Steps)-1].Value
}

// stroke draws a horizontal or vertical line. done counts the dots of the dashes so far;
// stroke adds its own.
func (p plot) stroke(from, to image.Point, dash []int, done *int) {
	whole := 0
	for _, n := range dash {
		whole += n
	}
	step := image.Pt(sign(to.X-from.X), sign(to.Y-from.Y))
	for at := from; ; at = at.Add(step) {
		if on(*done%whole, dash) {
			p.Fill(image.Rect(at.X, at.Y, at.X+p.thick, at.Y+p.thick), 1)
		}
		*done++
		if at == to {
			return
		}
	}
}

// on reports whether the dot at an offset into the dashes is in a stroke, not in a gap.
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
