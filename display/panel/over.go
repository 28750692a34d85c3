package panel

import (
	"image"
	"slices"
	"strings"

	"tableside/display/canvas"
	"tableside/display/text"
	"tableside/engine"
)

// layOutEnd lays out the picture of a match that has ended: who won, and the ranking of the
// seats.
func (s *screen) layOutEnd() []part {
	header := &block{name: "header", heights: []int{0, s.bold.Line() + 1}}
	header.draw = func(c *canvas.Canvas, r image.Rectangle) {
		c.Fill(r, black)
		r = canvas.Inset(r, 4)
		if round := text.Round(s.Frame); round != s.View.Title {
			half := image.Rect(r.Min.X+r.Dx()/2, r.Min.Y, r.Max.X, r.Max.Y)
			r.Max.X = c.Right(s.body, half, round, white) - s.bold.Cap()
		}
		c.Left(s.bold, r, s.View.Title, white)
	}
	warning := s.warning()
	winner := s.winner()
	prompt, ranks, course, columns := s.prompt(), s, emptyBlock(), 1
	if s.size.X >= 200 && s.size.Y < 200 {
		columns = 2
	}
	if isReadFromAfar(s.size) {
		prompt, course = s.questions()[0], s.course()
		room := s.size.Y - header.heights[1] - winner.heights[1] - prompt.heights[len(prompt.heights)-1] - 4*maxGap -
			course.heights[len(course.heights)-1] - warning.heights[len(warning.heights)-1]
		ranks = s.largestLetters(float64(s.size.Y)/8, func(t *screen) bool {
			return len(s.View.Seats)*(t.bold.Line()+1) <= room
		})
	}
	ranking := ranks.ranking(columns)
	sheet := s.sheet()
	blocks := []*block{header, warning, winner, ranking, course, sheet, prompt}
	stretch(s.size.Y, []step{{header, 1}, {winner, 1}, {prompt, 1}, {warning, 1}, {ranking, noLimit}, {course, 1},
		{prompt, noLimit}, {sheet, noLimit}})
	gap := maxGap
	if isReadFromAfar(s.size) {
		gap *= 5
	}
	return stack(blocks, s.size, gap)
}

// winner returns the block that says who won, with a cup.
func (s *screen) winner() *block {
	said := text.Winner(s.Frame)
	f := s.bold
	for _, bigger := range []*canvas.Face{s.huge, s.big} {
		width := s.size.X - 2*bigger.Line()
		if bigger.Width(said) <= width || isReadFromAfar(s.size) && len(bigger.Wrap(said, width, 3)) < 3 {
			f = bigger
			break
		}
	}
	words := f.Wrap(said, s.size.X-2*f.Line(), 2)
	winner := &block{name: "winner", heights: []int{0, len(words)*f.Line() + 4}}
	winner.draw = func(c *canvas.Canvas, r image.Rectangle) {
		width := 0
		for _, w := range words {
			width = max(width, f.Width(w))
		}
		scale := max(1, min(r.Dy(), 2*f.Line()-8)/len(cup))
		side := len(cup) * scale
		left := r.Min.X + (r.Dx()-width-side-6)/2
		picture(c, cup, image.Pt(left, r.Min.Y+(r.Dy()-side)/2), scale)
		r.Min.X, r.Max.X = left+side+6, left+side+8+width
		r.Min.Y += (r.Dy() - len(words)*f.Line()) / 2
		for _, w := range words {
			c.Left(f, canvas.Row(&r, f.Line()), w, black)
		}
	}
	return winner
}

// ranking returns the block that lists the seats in columns. The winners come first, and the
// other seats follow. Within each group, the seat with the best first counter comes first.
func (s *screen) ranking(columns int) *block {
	seats := slices.Clone(s.View.Seats)
	slices.SortStableFunc(seats, func(a, b engine.SeatView) int {
		won := func(v engine.SeatView) int {
			if slices.Contains(s.View.Winners, v.ID) {
				return 0
			}
			return 1
		}
		if d := won(a) - won(b); d != 0 {
			return d
		}
		return s.View.Worth(first(b) - first(a))
	})
	line := s.bold.Line() + 1
	rows := (len(seats) + columns - 1) / columns
	heights := []int{0}
	for n := range rows {
		heights = append(heights, (n+1)*line)
	}
	heights = append(heights, rows*(line+s.small.Cap()/2))
	return &block{name: "ranking", heights: heights, draw: func(c *canvas.Canvas, r image.Rectangle) {
		width := r.Dx() / columns
		line := max(line, r.Dy()/rows)
		right := s.selectBeside(width-6, nil, false)
		for i, seat := range seats {
			x, y := r.Min.X+i/rows*width, r.Min.Y+i%rows*line
			if at := image.Rect(x, y, x+width, y+line); at.In(r) {
				s.seatBar(c, at, seat, right(seat))
			}
		}
	}}
}

func first(v engine.SeatView) int {
	if len(v.Counters) == 0 {
		return 0
	}
	return v.Counters[0].Value
}

// cup is the picture of the winner's cup. Each '#' is a pixel of the cup.
var cup = strings.Fields(`
................
..############..
..#..########...
####.########.##
#.##.########.#.
#..#.########.#.
#..#.########.#.
.#.#.#######.#..
..##.######.##..
.....######.....
......####......
.......##.......
.......##.......
......####......
....########....
....########....
`)

// picture draws a picture made of rows of characters. Each '#' becomes a black square. The
// scale is the side of such a square, in pixels. The upper left corner of the picture is at
// pos.
func picture(c *canvas.Canvas, rows []string, pos image.Point, scale int) {
	for y, row := range rows {
		for x, r := range row {
			if r == '#' {
				c.Fill(image.Rect(pos.X+x*scale, pos.Y+y*scale, pos.X+(x+1)*scale, pos.Y+(y+1)*scale), black)
			}
		}
	}
}
