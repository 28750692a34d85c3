// Package chart draws numbers over time in two colours. Every line has its own pattern of
// dashes. So people can tell the lines apart in print, and colour-blind people can too.
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

// A Line shows how one number changes over time. The changes are the line's Steps. Between
// them, the number stays the same.
type Line struct {
	Name  string
	Steps []Step
}

// A Step is a change of the number that a line shows. The field At is the place of the change,
// where 0 is the left end of the chart and 1 the right end. The field Value is the new number.
type Step struct {
	At    float64
	Value int
}

// MaxLines is the greatest number of lines in a chart, because there are eight patterns of
// dashes.
const MaxLines = 8

// dashes holds the pattern of each line. A pattern is the lengths in pixels of a stroke, a
// gap, a stroke and so on.
var dashes = [MaxLines][]int{{1}, {14, 6}, {4, 6}, {16, 5, 4, 5}, {8, 8}, {24, 6}, {3, 12}, {16, 5, 4, 5, 4, 5}}

const (
	edge      = 24
	lineWidth = 3
	rowHeight = 34 // in the legend
)

var twoColours = color.Palette{color.White, color.Black}

// Draw draws a chart in a new picture of the given size in pixels. If the chart has more than
// eight lines (MaxLines), only the first eight are drawn.
func Draw(c Chart, size image.Point) *image.Paletted {
	p := canvas.New(size, twoColours)
	title, text := canvas.Bold(26), canvas.Medium(20)
	rest := p.Rect.Inset(edge)
	p.Left(title, canvas.Row(&rest, title.Line()+24), c.Title, 1)
	lines := c.Lines[:min(len(c.Lines), MaxLines)]
	columns := max(1, min(4, rest.Dx()/340))
	legend := rest
	legend.Min.Y = rest.Max.Y - (len(lines)+columns-1)/columns*rowHeight
	rest.Max.Y = legend.Min.Y - 12
	ends := rest
	ends.Min.Y = rest.Max.Y - text.Line()
	rest.Max.Y = ends.Min.Y - 8
	plot := newPlot(p, rest, lines, lineWidth)
	rest.Min.X += max(text.Width(strconv.Itoa(plot.lowest)), text.Width(strconv.Itoa(plot.highest))) + 12
	plot.area = rest
	ends.Min.X = rest.Min.X
	p.Left(text, ends, c.From, 1)
	p.Right(text, ends, c.To, 1)
	drawAxes(plot, text)
	for i, l := range lines {
		plot.line(l, dashes[i])
		w := legend.Dx() / columns
		at := image.Rect(0, 0, w-12, rowHeight).Add(legend.Min).Add(image.Pt(i%columns*w, i/columns*rowHeight))
		plot.stroke(image.Pt(at.Min.X, at.Min.Y+rowHeight/2), image.Pt(at.Min.X+60, at.Min.Y+rowHeight/2),
			dashes[i], new(int))
		at.Min.X += 72
		p.Left(text, at, text.Fit(l.Name, at.Dx()), 1)
	}
	return p.Picture
}

// Plot draws lines within the given rectangle. The least value of all lines is at the bottom
// and the greatest at the top. Plot writes both numbers at the left, in the letters of face.
// The caller passes the thickness of the lines in pixels as width. At least one line must have
// a step.
//
// Plot returns the y at which each line ends at the right. If there are more than eight lines
// (MaxLines), only the first eight are drawn.
func Plot(p *canvas.Canvas, area image.Rectangle, face *canvas.Face, lines []Line, width int) (ends []int) {
	lines = lines[:min(len(lines), MaxLines)]
	plot := plot{p, area, math.MaxInt, math.MinInt, width}
	plot.reach(lines)
	for i, n := range []int{plot.highest, plot.lowest} {
		y := []int{area.Min.Y, area.Max.Y - face.Line()}[i]
		end := p.Left(face, image.Rect(area.Min.X, y, area.Max.X, y+face.Line()), strconv.Itoa(n), 1)
		plot.area.Min.X = max(plot.area.Min.X, end+4)
	}
	plot.highest = max(plot.highest, plot.lowest+1)
	for i, l := range lines {
		plot.line(l, dashes[i])
		ends = append(ends, plot.height(lastValue(l))+width/2)
	}
	return ends
}

// A plot is an area in which lines are drawn. The bottom of the area stands for the least
// value, and the top for the greatest value.
type plot struct {
	*canvas.Canvas
	area            image.Rectangle
	lowest, highest int
	lineWidth       int
}

func newPlot(p *canvas.Canvas, area image.Rectangle, lines []Line, width int) plot {
	r := plot{p, area, 0, 1, width}
	r.reach(lines)
	return r
}

// reach extends the range from p.lowest to p.highest so that it contains all values of the
// lines.
func (p *plot) reach(lines []Line) {
	for _, l := range lines {
		for _, s := range l.Steps {
			p.lowest, p.highest = min(p.lowest, s.Value), max(p.highest, s.Value)
		}
	}
}

// height returns the y at which the value n is drawn.
func (p plot) height(n int) int {
	return p.area.Max.Y - p.lineWidth - (n-p.lowest)*(p.area.Dy()-2*p.lineWidth)/(p.highest-p.lowest)
}

// drawAxes writes the least and the greatest value at the left, and draws a thin line for
// each.
func drawAxes(p plot, text *canvas.Face) {
	for _, n := range []int{p.lowest, p.highest} {
		y := p.height(n)
		p.Fill(image.Rect(p.area.Min.X, y, p.area.Max.X, y+1), 1)
		label := image.Rect(p.Rect.Min.X+edge, y-text.Line()/2, p.area.Min.X-6, y+text.Line()/2+1)
		p.Right(text, label, strconv.Itoa(n), 1)
	}
}

// line draws the line l with the given pattern of dashes. If the line has no step at 0, its
// value is 0 before its first step. The dashes continue around corners.
func (p plot) line(l Line, dash []int) {
	done, first := 0, 0
	if len(l.Steps) > 0 && l.Steps[0].At == 0 {
		first = l.Steps[0].Value
	}
	at := image.Pt(p.area.Min.X, p.height(first))
	for _, s := range append(l.Steps[:len(l.Steps):len(l.Steps)], Step{1, lastValue(l)}) {
		corner := image.Pt(p.area.Min.X+int(s.At*float64(p.area.Dx()-1)), at.Y)
		p.stroke(at, corner, dash, &done)
		at = image.Pt(corner.X, p.height(s.Value))
		p.stroke(corner, at, dash, &done)
	}
}

func lastValue(l Line) int {
	if len(l.Steps) == 0 {
		return 0
	}
	return l.Steps[len(l.Steps)-1].Value
}

// stroke draws a horizontal or vertical line between two points with the given pattern of
// dashes. The caller passes in count how many dots of the whole line are already drawn. stroke
// adds its own dots to count.
func (p plot) stroke(from, to image.Point, dash []int, count *int) {
	whole := 0
	for _, n := range dash {
		whole += n
	}
	step := image.Pt(sign(to.X-from.X), sign(to.Y-from.Y))
	for at := from; ; at = at.Add(step) {
		if isInStroke(*count%whole, dash) {
			p.Fill(image.Rect(at.X, at.Y, at.X+p.lineWidth, at.Y+p.lineWidth), 1)
		}
		*count++
		if at == to {
			return
		}
	}
}

// isInStroke reports whether a dot is in a stroke of the dashes, not in a gap. The caller
// passes the number of dots before this dot, counted from the beginning of the pattern.
func isInStroke(pos int, dash []int) bool {
	drawn := true
	for _, n := range dash {
		if pos < n {
			return drawn
		}
		pos -= n
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
