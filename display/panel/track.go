package panel

import (
	"image"
	"slices"

	"tableside/display/canvas"
	"tableside/display/text"
	"tableside/engine"
)

// A track is a row of spaces, each with its markers stacked from bottom to top.
type track struct {
	engine.Track
	block *block
}

// tracks returns the tracks to draw space by space. Such a track has from 2 to text.MaxSpaces
// spaces and fits the width of the picture. A track with a marker beyond one of its ends is
// not drawn.
func (s *screen) tracks() []*track {
	var all []*track
	for _, t := range s.View.Tracks {
		n := t.Last - t.First + 1
		if _, within := text.Spaces(t); within && n > 1 && n <= text.MaxSpaces && (s.size.X-4)/n >= s.small.Cap()+3 {
			all = append(all, s.track(t))
		}
	}
	return all
}

func (s *screen) track(t engine.Track) *track {
	highest := 1
	for _, stack := range t.Stacks {
		highest = max(highest, len(stack))
	}
	marker := s.small.Cap() + 2
	ruler := s.small.Cap() + 5
	if isReadFromAfar(s.size) {
		ruler = s.small.Ascent() + 4
	}
	out := &track{Track: t}
	out.block = &block{
		name: "track " + t.ID,
		heights: ascending(0,
			ruler+highest*marker+1,
			ruler+max(highest, len(s.View.Seats))*marker+1,
			ruler+max(highest, len(s.View.Seats))*(marker+3)+1),
		draw: func(c *canvas.Canvas, r image.Rectangle) { s.drawTrack(c, r, t, highest, ruler) },
	}
	return out
}

// ascending raises heights in place so that none is below the one before it, and returns them.
func ascending(heights ...int) []int {
	for i := 1; i < len(heights); i++ {
		heights[i] = max(heights[i], heights[i-1])
	}
	return heights
}

func (s *screen) drawTrack(c *canvas.Canvas, r image.Rectangle, t engine.Track, highest, ruler int) {
	n := t.Last - t.First + 1
	floor := r.Max.Y - ruler
	width := (r.Dx() - 4) / n
	left := r.Min.X + (r.Dx()-width*n)/2
	tall := min((floor-r.Min.Y)/highest, s.bold.Line()+2)
	letters := s.small
	if tall >= s.bold.Cap()+3 && width >= s.bold.Cap()+8 {
		letters = s.bold
	}
	for i := range n {
		space := t.First + i
		at := image.Rect(left+i*width, floor, left+(i+1)*width, r.Max.Y)
		s.drawSpace(c, at, r.Min.Y, t, space)
		for level, seat := range t.Stacks[space] {
			y := floor - level*tall
			wide := min(width-1, 2*tall)
			x := at.Min.X + (width-wide+1)/2
			box := image.Rect(x, y-tall, x+wide, y)
			c.Fill(image.Rect(box.Min.X-1, box.Min.Y-1, box.Max.X+1, box.Max.Y), white)
			s.marks[seat].draw(c, letters, image.Rect(x, y-tall, x+wide, y-1))
		}
	}
	for i := range n {
		if space := t.First + i; s.isNarrow(width, t) && space%5 == 0 && space < t.Last-1 {
			s.plate(c, image.Rect(left+i*width, floor, left+(i+1)*width, r.Max.Y), number(space))
		}
	}
	c.Fill(image.Rect(left, floor, left+n*width+1, floor+1), black)
	c.Fill(image.Rect(left, r.Max.Y-1, left+n*width+1, r.Max.Y), black)
	c.Fill(image.Rect(left+n*width, floor, left+n*width+1, r.Max.Y), black)
}

// drawSpace draws one space of a track. A space in an area of several spaces is dotted. A
// space that is an area by itself is black if it is the first or the last of the track. Any
// other such space is framed or, if there is no room for a frame, underlined.
func (s *screen) drawSpace(c *canvas.Canvas, at image.Rectangle, top int, t engine.Track, space int) {
	colour := black
	label := number(space)
	if s.isNarrow(at.Dx(), t) {
		label = ""
	}
	wide := s.small.Width(label) + 2
	left := at.Min.X + 1 + (at.Dx()-wide)/2
	plate := image.Rect(left, at.Min.Y+2, left+wide, at.Min.Y+2+s.small.Cap()+2)
	for _, a := range t.Areas {
		switch {
		case space < a.From || space > a.To:
		case a.From < a.To:
			c.Shade(image.Rect(at.Min.X, top, at.Max.X, at.Min.Y), 4)
			c.Shade(at, 2)
			if label != "" {
				c.Fill(plate, white)
			}
		case space == t.Last || space == t.First:
			c.Fill(at, black)
			colour = white
		case at.Dx() < s.small.Width(label)+8:
			c.Fill(image.Rect(at.Min.X, at.Max.Y-3, at.Max.X, at.Max.Y), black) // no room for a frame
		default:
			c.Frame(image.Rect(at.Min.X+2, at.Min.Y+2, at.Max.X-1, at.Max.Y-2), 0, black)
		}
	}
	c.Fill(image.Rect(at.Min.X, at.Min.Y, at.Min.X+1, at.Max.Y), black)
	c.Centre(s.small, image.Rect(at.Min.X+1, at.Min.Y, at.Max.X, at.Max.Y), label, colour)
}

// isNarrow reports whether a space of this width, in pixels, is too narrow for the last number
// of the track. If so, the track is drawn as a ruler, with every fifth number.
func (s *screen) isNarrow(width int, t engine.Track) bool {
	return width <= s.small.Width(number(t.Last))+1
}

func (s *screen) plate(c *canvas.Canvas, at image.Rectangle, label string) {
	w := s.small.Width(label) + 2
	wide := image.Rect(0, at.Min.Y+1, w, at.Max.Y-1).Add(image.Pt((at.Min.X+at.Max.X-w)/2, 0))
	c.Fill(wide, white)
	c.Centre(s.small, wide, label, black)
}

func drawn(tracks []*track, id string) bool {
	return slices.ContainsFunc(tracks, func(t *track) bool { return t.ID == id && t.block.level > 0 })
}
