package panel

import (
	"image"
	"slices"

	"tableside/display/canvas"
	"tableside/display/text"
	"tableside/engine"
)

// seats returns the block of the players, in clockwise order. The lowest visible level shows
// only the mark and the first counter of each player. The next level adds the name. Each
// higher level adds one more line of cards and other counters. The method also returns the
// level at which all seats show their foremost details.
func (s *screen) seats(tracks []*track) (_ *block, cards int) {
	v := &s.View
	n := len(v.Seats)
	if n == 0 {
		return emptyBlock(), 0
	}
	columns := s.columns(n)
	rows := (n + columns - 1) / columns
	bar, line := s.bold.Line()+1, s.line()
	first, lines := 0, 0
	for _, seat := range v.Seats {
		width := s.size.X/columns - 8
		first = max(first, countLines(s.foremost(seat), width))
		lines = max(lines, countLines(s.details(seat, tracks), width))
	}
	short := rows * bar
	if s.size.X/n >= 3*s.bold.Line() {
		short = bar
	}
	heights := []int{0, short, rows * bar}
	for i := range lines {
		heights = append(heights, rows*(bar+2+(i+1)*line))
	}
	return &block{name: "seats", heights: heights, draw: func(c *canvas.Canvas, r image.Rectangle) {
		if r.Dy() < rows*bar {
			s.grid(c, r, n, 1, s.seatMark)
			return
		}
		alone := r.Dy()/rows < bar+2+line
		right := s.selectBeside(r.Dx()/columns-6, tracks, alone)
		s.grid(c, r, columns, rows, func(c *canvas.Canvas, r image.Rectangle, seat engine.SeatView) {
			r = s.seatBar(c, r, seat, right(seat))
			if !alone {
				writeItems(c, s.details(seat, tracks), canvas.Inset(r, 4), line)
			}
		})
	}}, 2 + first
}

// columns returns how many of n seats are drawn side by side, each wide enough for a name.
func (s *screen) columns(n int) int {
	name := 7 * s.bold.Line()
	if s.size.Y >= 420 { // large glass has the height for more rows, and larger letters
		name = 8 * s.bold.Line()
	}
	for columns := n; columns > 1; columns-- {
		rows := (n + columns - 1) / columns
		if s.size.X/columns >= name && (rows*columns-n < columns/2 || rows == 1) {
			return columns
		}
	}
	if n > 1 && s.size.X/2 >= 4*s.bold.Line() {
		return 2
	}
	return 1
}

// grid calls draw for every seat, each in a cell of its own. It puts dots between the columns.
func (s *screen) grid(c *canvas.Canvas, r image.Rectangle, columns, rows int,
	draw func(*canvas.Canvas, image.Rectangle, engine.SeatView)) {
	for i, seat := range s.View.Seats {
		x, y := i%columns, i/columns
		at := image.Rect(r.Dx()*x/columns, r.Min.Y+r.Dy()*y/rows, r.Dx()*(x+1)/columns, r.Min.Y+r.Dy()*(y+1)/rows)
		if x > 0 {
			c.Shade(image.Rect(at.Min.X, at.Min.Y, at.Min.X+1, at.Max.Y), 2)
		}
		draw(c.In(at), at, seat)
	}
}

func (s *screen) seatMark(c *canvas.Canvas, r image.Rectangle, seat engine.SeatView) {
	r = s.badge(c, canvas.Inset(r, 3), seat.ID)
	r = s.arrow(c, r, seat.ID)
	if len(seat.Counters) > 0 {
		c.Left(s.bold, r, number(seat.Counters[0].Value), black)
	}
}

// seatBar draws a line at the top of r for one seat. The line has the seat's mark, an arrow if
// it is the seat's turn, the player's name and, at the right end, the given items. seatBar
// overwrites the given items with their shortened forms. It returns the part of r below the
// line.
func (s *screen) seatBar(c *canvas.Canvas, r image.Rectangle, seat engine.SeatView, items []item) image.Rectangle {
	bar := s.badge(c, canvas.Inset(canvas.Row(&r, s.bold.Line()+1), 3), seat.ID)
	width := 0
	for i, it := range items {
		items[i] = it.shortenTo(bar.Dx() - it.gapBefore())
		width += it.gapBefore() + items[i].width()
	}
	x, end := bar.Max.X-width, bar.Max.X
	bar.Max.X = x - 2
	for _, it := range items {
		x = writeItem(c, it, image.Rect(x+it.gapBefore(), bar.Min.Y, end, bar.Max.Y))
	}
	bar = s.arrow(c, bar, seat.ID)
	name := text.Name(&s.View, seat.ID)
	c.Left(s.faceOf(name, bar.Dx()), bar, name, black)
	r.Min.Y += 2
	return r
}

func (s *screen) faceOf(name string, width int) *canvas.Face {
	f, _ := canvas.Largest([]*canvas.Face{s.bold, s.body, s.small}, func(f *canvas.Face) bool { return f.Width(name) <= width })
	return f
}

func (s *screen) badge(c *canvas.Canvas, r image.Rectangle, id engine.Seat) image.Rectangle {
	badge := image.Rect(r.Min.X, r.Min.Y+1, r.Min.X+s.bold.Line()+3, r.Max.Y-1)
	s.marks[id].draw(c, s.bold, badge)
	r.Min.X = badge.Max.X + max(4, s.bold.Cap()/3)
	return r
}

// arrow draws an arrow if it is the seat's turn, and returns the room to the right of it.
func (s *screen) arrow(c *canvas.Canvas, r image.Rectangle, id engine.Seat) image.Rectangle {
	if engine.Seat(s.View.Turn) != id {
		return r
	}
	h := s.bold.Cap()
	y := c.Middle(s.bold, r) + s.bold.Ascent() - h
	for x := range h / 2 {
		c.Fill(image.Rect(r.Min.X+x, y+x, r.Min.X+x+1, y+h-x), black)
	}
	r.Min.X += h/2 + 3
	return r
}

// selectBeside returns a function that selects the counters to show beside a seat's name, in a
// bar of the given width, in pixels. All seats show equally many counters there.
//
// If alone is set, each seat shows as many counters as fit into every bar. Otherwise it shows
// at most one, because the other counters follow below the bar. If a name would be cut, the
// first counter is shown without its label, unless the first counters of the seats are of
// different kinds.
func (s *screen) selectBeside(width int, tracks []*track, alone bool) func(engine.SeatView) []item {
	width -= s.bold.Line() + 7 // the mark
	most := 1
	if alone {
		most = noLimit
	}
	seats := s.View.Seats
	alike := !slices.ContainsFunc(seats, func(seat engine.SeatView) bool { return leading(seat) != leading(seats[0]) })
	for _, seat := range seats {
		name, items := text.Name(&s.View, seat.ID), s.counters(seat, tracks)
		least := min(s.bold.Width(name)+s.bold.Cap(), width/2)
		if whole := s.small.Width(name) + s.bold.Cap(); alike && whole <= width-bareWidth(items) {
			least = max(least, whole)
		}
		fit, room := 0, width-least
		for _, it := range items {
			if room -= it.gapBefore() + it.width(); room < 0 {
				break
			}
			fit++
		}
		most = min(most, max(fit, min(1-len(seat.Counters), 1)))
	}
	return func(seat engine.SeatView) []item {
		items := s.counters(seat, tracks)
		if most == 0 && len(items) > 0 {
			return []item{items[0][1:]}
		}
		return items[:min(most, len(items))]
	}
}

func leading(seat engine.SeatView) string {
	if len(seat.Counters) == 0 {
		return ""
	}
	return seat.Counters[0].Name
}

// bareWidth returns the width of the first item without its label, plus the gap before the
// item. If there are no items, it returns 0.
func bareWidth(items []item) int {
	if len(items) == 0 {
		return 0
	}
	return items[0].gapBefore() + items[0][1:].width()
}

// counters returns the items for the numbers of a seat. They are, in this order, its first
// counter, the minutes left on its clock, its other counters, and its places on tracks. A
// number that a drawn track already shows is left out, unless it is the first counter.
func (s *screen) counters(seat engine.SeatView, tracks []*track) []item {
	v := &s.View
	var items []item
	for i, counter := range seat.Counters {
		if i == 0 || !drawn(tracks, counter.Name) {
			items = append(items, s.counter(text.Label(v, "counter."+counter.Name), counter.Value))
		}
	}
	if clock, _ := v.Clock.Seat(seat.ID); clock != nil && clock.Left != nil && len(v.Winners) == 0 {
		items = slices.Insert(items, min(1, len(items)), s.counter(text.Say(s.Frame, "minutes"), minutes(*clock.Left)))
	}
	for _, t := range v.Tracks {
		if _, counted := seat.Counters.Get(t.ID); counted || drawn(tracks, t.ID) {
			continue
		}
		if space, ok := text.Space(t, seat.ID); ok {
			items = append(items, s.counter(text.Label(v, "track."+t.ID), space))
		}
	}
	return items
}

// minutes converts a time from milliseconds to minutes, rounded up. If the time is negative,
// minutes returns 0.
func minutes(ms int64) int { return int(max(0, (ms+59_999)/60_000)) }

func (s *screen) details(seat engine.SeatView, tracks []*track) []item {
	counters := s.counters(seat, tracks)
	items := append(s.foremost(seat), counters[min(1, len(counters)):]...)
	return append(items, s.zones(unnumbered(seat.Zones))...)
}

func (s *screen) foremost(seat engine.SeatView) []item {
	var items []item
	for _, state := range seat.State {
		items = append(items, item{{face: s.small, text: text.Label(&s.View, "state."+state), look: filled}})
	}
	return append(items, s.zones(attackersFirst(numbered(seat.Zones)))...)
}

// attackersFirst puts the cards that attack before the other cards of their zone. Attackers
// thus have a place however little room there is. The function changes the given zones, and
// returns them.
func attackersFirst(zones engine.Zones) engine.Zones {
	for i, z := range zones {
		if slices.ContainsFunc(z.Cards, attacks) {
			zones[i].Cards = slices.SortedStableFunc(slices.Values(z.Cards), func(a, b engine.Card) int {
				return order(a) - order(b)
			})
		}
	}
	return zones
}

func order(c engine.Card) int {
	if attacks(c) {
		return 0
	}
	return 1
}

func attacks(c engine.Card) bool { return slices.Contains(c.State, "attacking") }
