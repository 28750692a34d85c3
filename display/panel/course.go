package panel

import (
	"cmp"
	"image"
	"slices"

	"tableside/display/canvas"
	"tableside/display/text"
	"tableside/engine"
)

// hasCourse reports whether the panel shows the course of the match. The course must have at most
// maxLines seats. At least one seat must have more than one value.
func (s *screen) hasCourse() bool {
	return s.Course != nil && len(s.Course.Lines) <= maxLines &&
		slices.ContainsFunc(s.Course.Lines, func(l engine.CourseLine) bool { return len(l.Values) > 1 })
}

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
	at := image.Rect(r.Min.X, r.Min.Y, r.Max.X-2*s.bold.Cap(), r.Max.Y)
	ends := plotCourse(c, at, s.small, s.Course, max(2, s.small.Cap()/5))
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
