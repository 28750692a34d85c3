package panel

import (
	"cmp"
	"image"
	"math"

	"tableside/display/canvas"
	"tableside/engine"
)

// maxLines is the greatest number of lines in a plot, because there are eight patterns of
// dashes.
const maxLines = 8

// dashes holds the pattern of each line. A pattern is the lengths in pixels of a stroke, a
// gap, a stroke and so on. So people can tell the lines apart without colours.
var dashes = [maxLines][]int{{1}, {14, 6}, {4, 6}, {16, 5, 4, 5}, {8, 8}, {24, 6}, {3, 12}, {16, 5, 4, 5, 4, 5}}

// A plot is an area in which the lines of a course are drawn. The bottom of the area stands
// for the least value, and the top for the greatest value.
type plot struct {
	*canvas.Canvas
	area            image.Rectangle
	inputs          int // that the width of the area stands for
	lowest, highest int
	lineWidth       int
}

// plotCourse draws a line for each seat within the area. It writes the least and the greatest
// value at the left, in the letters of face. The caller passes the thickness of the lines in
// pixels as width. plotCourse returns the y at which each line ends at the right.
func plotCourse(c *canvas.Canvas, area image.Rectangle, face *canvas.Face, course *engine.Course, width int) (ends []int) {
	p := plot{c, area, max(1, course.Inputs), math.MaxInt, math.MinInt, width}
	for _, l := range course.Lines {
		for _, v := range l.Values {
			p.lowest, p.highest = min(p.lowest, v.Value), max(p.highest, v.Value)
		}
	}
	for i, n := range []int{p.highest, p.lowest} {
		y := []int{area.Min.Y, area.Max.Y - face.Line()}[i]
		end := p.Left(face, image.Rect(area.Min.X, y, area.Max.X, y+face.Line()), number(n), black)
		p.area.Min.X = max(p.area.Min.X, end+4)
	}
	p.highest = max(p.highest, p.lowest+1)
	for i, l := range course.Lines {
		ends = append(ends, p.line(l.Values, dashes[i])+width/2)
	}
	return ends
}

// line draws the line of one seat with the given pattern of dashes, and returns the y at which
// the line ends. The dashes continue around corners.
func (p plot) line(values []engine.CourseValue, dash []int) (end int) {
	dots := 0
	at := image.Pt(p.area.Min.X, p.height(values[0].Value))
	step := func(n, value int) {
		x := p.area.Min.X + int(float64(n)/float64(p.inputs)*float64(p.area.Dx()-1))
		corner := image.Pt(x, at.Y)
		p.stroke(at, corner, dash, &dots)
		at = image.Pt(x, p.height(value))
		p.stroke(corner, at, dash, &dots)
	}
	for _, v := range values {
		step(v.N, v.Value)
	}
	step(p.inputs, values[len(values)-1].Value)
	return at.Y
}

func (p plot) height(n int) int {
	return p.area.Max.Y - p.lineWidth - (n-p.lowest)*(p.area.Dy()-2*p.lineWidth)/(p.highest-p.lowest)
}

// stroke draws a horizontal or vertical line between two points with the given pattern of
// dashes. The caller passes in count how many dots of the whole line are already drawn. stroke
// adds its own dots to count.
func (p plot) stroke(from, to image.Point, dash []int, count *int) {
	whole := 0
	for _, n := range dash {
		whole += n
	}
	step := image.Pt(cmp.Compare(to.X, from.X), cmp.Compare(to.Y, from.Y))
	for at := from; ; at = at.Add(step) {
		if isInStroke(*count%whole, dash) {
			p.Fill(image.Rect(at.X, at.Y, at.X+p.lineWidth, at.Y+p.lineWidth), black)
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
