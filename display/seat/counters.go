package seat

import (
	"image"
	"slices"
	"strconv"

	"tableside/display/canvas"
	"tableside/display/text"
)

// A value is a number in figures, and the word that labels it. One of the two may be
// missing.
type value struct{ label, figures string }

func number(n int) string { return strconv.Itoa(n) }

// values returns the numbers and status flags to show for the seat. First come the seat's
// counters, with the player's status flags after the first counter. The seat's position on
// each track follows. If the seat has a counter with the name of a track, that track is left
// out.
func (s *screen) values() []value {
	v := &s.View
	var all []value
	for _, c := range s.seatView.Counters {
		all = append(all, value{text.Label(v, "counter."+c.Name), number(c.Value)})
	}
	for _, state := range slices.Backward(s.seatView.State) {
		all = slices.Insert(all, min(1, len(all)), value{label: text.Label(v, "state."+state)})
	}
	for _, t := range v.Tracks {
		if _, counted := s.seatView.Counters.Get(t.ID); counted {
			continue
		}
		if space, ok := text.Space(t, s.seat); ok {
			all = append(all, value{text.Label(v, "track."+t.ID), number(space)})
		}
	}
	return all
}

// drawCounters fills the body with the seat's values. The first value is large, and the other
// values are in lines beside it. If there are other values, a short screen has no room for the
// label of the first value.
func (s *screen) drawCounters(c *canvas.Canvas) {
	all := s.values()
	first, others := all[0], all[1:]
	label := s.textFaces[1]
	below := label.Line() + 2
	if short(c.Picture.Rect) {
		below = 0
		if len(others) == 0 {
			others = []value{{label: first.label}}
		}
	}
	r := c.Rect
	if len(others) > 0 {
		r.Max.X = r.Min.X + r.Dx()*4/9
		s.list(c.In(image.Rect(r.Max.X+4, r.Min.Y, c.Rect.Max.X-2, r.Max.Y)), others)
	}
	f := s.figures(first.figures, r.Dx(), r.Dy()-below-2)
	r.Min.Y += (r.Dy() - f.Cap() - below) / 2
	c.Centre(f, image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+f.Cap()), first.figures, lit)
	if below > 0 {
		r.Min.Y += f.Cap() + 2
		c.Centre(label, image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+label.Line()), first.label, lit)
	}
}

// figures returns the largest letters in which a number fits into a width and a height. If it
// fits in no letters, figures returns the smallest ones. Only the height of capitals counts,
// because digits have no accents or descenders.
func (s *screen) figures(figures string, width, tall int) *canvas.Face {
	f, _ := canvas.Largest(s.boldFaces, func(f *canvas.Face) bool { return f.Cap() <= tall && f.Width(figures) <= width })
	return f
}

// list writes as many values as fit, one below the other, with their numbers at the right end.
// If there is room, a label that is too long takes two lines.
func (s *screen) list(c *canvas.Canvas, values []value) {
	label := s.small()
	lines := c.Rect.Dy() / (label.Cap() + 3)
	values = breakLabels(label, values[:min(len(values), lines)], c.Rect.Dx(), lines)
	pitch := min(c.Rect.Dy()/max(1, len(values)), headerHeight)
	if larger := s.textFaces[1]; larger.Line() <= pitch && roomy(larger, values, c.Rect.Dx()) {
		label = larger
	}
	figures := s.figures("", 0, label.Cap())
	top := c.Rect.Min.Y + (c.Rect.Dy()-pitch*len(values))/2
	for i, v := range values {
		r := image.Rect(c.Rect.Min.X, top+i*pitch, c.Rect.Max.X, top+(i+1)*pitch)
		r.Max.X = c.Right(figures, r, v.figures, lit) - 3
		if label.Width(v.label) > r.Dx() {
			v.label = text.Short(v.label) // labels with the same beginning stay distinct
		}
		c.Left(label, r, v.label, lit)
	}
}

// breakLabels breaks each label that is too long for a line into two lines, while there are
// lines to spare. The number stands beside the second part of the label.
func breakLabels(f *canvas.Face, values []value, width, lines int) []value {
	var out []value
	for i, v := range values {
		parts := f.Wrap(v.label, width-f.Width(v.figures)-4, 2)
		if spare := lines - len(out) - (len(values) - i); len(parts) == 2 && spare > 0 {
			out = append(out, value{label: parts[0]})
			v.label = parts[1]
		}
		out = append(out, v)
	}
	return out
}

func roomy(f *canvas.Face, values []value, width int) bool {
	return !slices.ContainsFunc(values, func(v value) bool { return f.Width(v.label)+f.Width(v.figures)+4 > width })
}

// drawResult shows who has won, and this seat's result.
func (s *screen) drawResult(c *canvas.Canvas) {
	r := canvas.Inset(c.Rect, 2)
	if s.seatView != nil && len(s.seatView.Counters) > 0 && r.Dy() >= 2*headerHeight {
		first := s.seatView.Counters[0]
		f := s.textFaces[1]
		bottom := image.Rect(r.Min.X, r.Max.Y-f.Line(), r.Max.X, r.Max.Y)
		c.Centre(f, bottom, text.Label(&s.View, "counter."+first.Name)+" "+number(first.Value), lit)
		r.Max.Y = bottom.Min.Y - 1
	}
	f, lines := s.largestFace(s.winner(), r.Dx(), r.Dy())
	writeLines(c, f, r, lines)
}
