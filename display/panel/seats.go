package panel

import (
	"image"

	"tableside/display/text"
	"tableside/engine"
)

// seats are the players, side by side in clockwise order: with one line each
// its name and first counter; with more, its other counters and its cards.
func (s *screen) seats(tracks []*track) *block {
	v := &s.View
	if len(v.Seats) == 0 {
		return &block{heights: []int{0}}
	}
	columns := s.columns(len(v.Seats))
	rows := (len(v.Seats) + columns - 1) / columns
	width := s.size.X / columns
	bar, line := s.bold.line+1, s.line()
	most := 0
	for _, seat := range v.Seats {
		most = max(most, len(pour(s.details(seat, tracks), width-8, 99)))
	}
	heights := []int{rows * bar}
	for n := range most {
		heights = append(heights, rows*(bar+2+(n+1)*line))
	}
	return &block{name: "seats", heights: heights, draw: func(c *canvas, r image.Rectangle) {
		for i, seat := range v.Seats {
			x, y := i%columns, i/columns
			at := image.Rect(r.Dx()*x/columns, r.Min.Y+r.Dy()*y/rows, r.Dx()*(x+1)/columns, r.Min.Y+r.Dy()*(y+1)/rows)
			if x > 0 {
				c.shade(image.Rect(at.Min.X, at.Min.Y, at.Min.X+1, at.Max.Y), 2)
			}
			s.seat(c.in(at), at, seat, tracks)
		}
	}}
}

// columns is how many seats stand side by side, each wide enough for a name.
func (s *screen) columns(n int) int {
	for columns := n; columns > 1; columns-- {
		rows := (n + columns - 1) / columns
		if s.size.X/columns >= 7*s.bold.line && (rows*columns-n < columns/2 || rows == 1) {
			return columns
		}
	}
	if n > 1 && s.size.X/2 >= 4*s.bold.line {
		return 2
	}
	return 1
}

func (s *screen) seat(c *canvas, r image.Rectangle, seat engine.SeatView, tracks []*track) {
	items := s.details(seat, tracks)
	alone := r.Dy() < s.bold.line+3+s.line()
	bar := row(&r, s.bold.line+1)
	bar = inset(bar, 3)
	badge := image.Rect(bar.Min.X, bar.Min.Y+1, bar.Min.X+s.bold.line+3, bar.Max.Y-1)
	s.marks[seat.ID].draw(c, s.bold, badge)
	bar.Min.X = badge.Max.X + 4
	name := text.Name(&s.View, seat.ID)
	least := min(s.bold.width(name), bar.Dx()/2)
	right := items
	if !alone {
		right = items[:min(1, len(items))]
		items = items[len(right):]
	}
	bar.Max.X = c.atRight(right, bar, least+4)
	s.name(c, bar, seat.ID, name)
	r.Min.Y += 2
	c.items(items, inset(r, 4), s.line())
}

// name writes a seat's name, with an arrow before it when it is its turn.
func (s *screen) name(c *canvas, r image.Rectangle, id engine.Seat, name string) {
	if engine.Seat(s.View.Turn) == id {
		h := s.bold.cap
		y := middle(s.bold, r) + s.bold.ascent - h
		for x := range h / 2 {
			c.fill(image.Rect(r.Min.X+x, y+x, r.Min.X+x+1, y+h-x), black)
		}
		r.Min.X += h/2 + 3
	}
	c.left(s.bold, r, name, black)
}

// atRight writes as many items as fit at the right end of r, and returns
// where they begin. Where not even the first fits, its number alone is
// written.
func (c *canvas) atRight(items []item, r image.Rectangle, keep int) int {
	n, width := 0, 0
	for _, it := range items {
		if keep+width+it.apart()+it.width() > r.Dx() {
			break
		}
		width += it.apart() + it.width()
		n++
	}
	shown := items[:n]
	if n == 0 && len(items) > 0 {
		value := items[0][len(items[0])-1:]
		shown, width = []item{value}, value.width()+value.apart()
	}
	x := r.Max.X - width
	for _, it := range shown {
		x += it.apart()
		x = c.item(it, image.Rect(x, r.Min.Y, r.Max.X, r.Max.Y))
	}
	return r.Max.X - width
}

// details are what a seat has: its counters, its places on tracks that are not
// drawn, and its cards.
func (s *screen) details(seat engine.SeatView, tracks []*track) []item {
	v := &s.View
	var items []item
	for i, counter := range seat.Counters {
		if i > 0 && drawn(tracks, counter.Name) {
			continue
		}
		items = append(items, s.counter(text.Label(v, "counter."+counter.Name), counter.Value))
	}
	for _, t := range v.Tracks {
		if _, counted := seat.Counters.Get(t.ID); counted || drawn(tracks, t.ID) {
			continue
		}
		if space, ok := spaceOf(t, seat.ID); ok {
			items = append(items, s.counter(text.Label(v, "track."+t.ID), space))
		}
	}
	return append(items, s.zones(seat.Zones)...)
}
