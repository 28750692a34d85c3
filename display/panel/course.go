package panel

import (
	"cmp"
	"image"
	"slices"

	"tableside/display/canvas"
	"tableside/display/chart"
	"tableside/display/text"
	"tableside/engine"
)

// courseWidth is the least width, in pixels, of a panel that shows the course of a match.
const courseWidth = 296

// hasCourse reports whether the panel shows the course of the match. The panel must be wide
// enough. The course must have at most chart.MaxLines seats. At least one seat must have more
// than one value.
func (s *screen) hasCourse() bool {
	return s.Course != nil && s.size.X >= courseWidth && len(s.Course.Lines) <= chart.MaxLines &&
		slices.ContainsFunc(s.Course.Lines, func(l engine.CourseLine) bool { return len(l.Values) > 1 })
}

// withCourse returns a block for a low panel, with the result at the left and the course at
// the right. The caller passes the greatest height of the block in pixels. If there is no
// course to show, or if the whole result does not fit, withCourse returns the empty block
// (emptyBlock).
func (s *screen) withCourse(room int) *block {
	line, seats := s.bold.Line()+1, len(s.View.Seats)
	left := s.size.X * 9 / 16
	face, words := s.bold, []string{}
	for _, f := range []*canvas.Face{s.big, s.bold} {
		face, words = f, f.Wrap(text.Winner(s.Frame), left-8, 2)
		if len(words)*f.Line()+8+seats*line <= room {
			break
		}
	}
	said := len(words)*face.Line() + 8
	if !s.hasCourse() || said+seats*line > room {
		return emptyBlock()
	}
	ranking := s.ranking(1)
	return &block{name: "result", heights: []int{0, room}, draw: func(c *canvas.Canvas, r image.Rectangle) {
		right := image.Rect(left+4, r.Min.Y+4, r.Max.X-3, r.Max.Y-2)
		r = image.Rect(r.Min.X, r.Min.Y+4, left, r.Max.Y)
		for _, w := range words {
			c.Left(face, canvas.Inset(canvas.Row(&r, face.Line()), 4), w, black)
		}
		r.Min.Y = max(r.Min.Y+4, r.Max.Y-seats*(line+4))
		ranking.draw(c.In(r), r)
		s.drawCourse(c, right)
	}}
}

// course returns a block with the course of the match, which a large panel shows below the
// result. If there is no course to show, course returns the empty block (emptyBlock).
func (s *screen) course() *block {
	if !s.hasCourse() {
		return emptyBlock()
	}
	letters := s.small.Line() + len(s.Course.Lines)*(s.small.Cap()+2) + 6
	height := max(s.size.Y/4, min(letters, s.size.Y/3))
	return &block{name: "course", heights: []int{0, height}, draw: func(c *canvas.Canvas, r image.Rectangle) {
		s.drawCourse(c, image.Rect(r.Min.X+4, r.Min.Y+2, r.Max.X-4, r.Max.Y-4))
	}}
}

// drawCourse draws the course of the match into r. It draws the name of the counter and a line
// for each seat. At the end of a seat's line is the seat's letter.
func (s *screen) drawCourse(c *canvas.Canvas, r image.Rectangle) {
	label := text.Label(&s.View, "counter."+s.Course.Counter)
	c.Left(s.small, canvas.Row(&r, s.small.Line()), s.small.Fit(label, r.Dx()), black)
	var lines []chart.Line
	for _, l := range s.Course.Lines {
		var line chart.Line
		for _, v := range l.Values {
			line.Steps = append(line.Steps, chart.Step{At: float64(v.N) / float64(max(1, s.Course.Inputs)), Value: v.Value})
		}
		lines = append(lines, line)
	}
	at := image.Rect(r.Min.X, r.Min.Y, r.Max.X-2*s.bold.Cap(), r.Max.Y)
	ends := chart.Plot(c, at, s.small, lines, max(2, s.small.Cap()/5))
	room := min(s.small.Cap()+2, r.Dy()/max(1, len(ends)))
	for i, y := range spread(ends, room, image.Pt(r.Min.Y, r.Max.Y)) {
		m := s.marks[s.Course.Lines[i].Seat]
		c.Left(s.small, image.Rect(at.Max.X+4, y-s.small.Line()/2, r.Max.X, y+(s.small.Line()+1)/2), m.letter, black)
	}
}

// spread moves the letters at the ends of the lines so that they do not overlap, and returns
// the y of the middle of each letter. The slice ys holds the y at which each line ends. The
// caller passes the height of a letter in pixels as room. The letters stay between limits.X,
// at the top, and limits.Y, at the bottom.
func spread(ys []int, room int, limits image.Point) []int {
	order := make([]int, len(ys))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ys[a], ys[b]) })
	moved, top := slices.Clone(ys), limits.X+room/2
	for k, i := range order {
		below := limits.Y - room/2 - (len(order)-1-k)*room
		moved[i] = max(min(ys[i], below), top)
		top = moved[i] + room
	}
	return moved
}
