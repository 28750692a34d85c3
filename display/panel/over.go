package panel

import (
	"image"
	"slices"
	"strings"

	qrcode "github.com/skip2/go-qrcode"

	"tableside/display/text"
	"tableside/engine"
)

// over is the picture of a match that has ended: who won, and the seats in
// order.
func (s *screen) over() []part {
	header := &block{name: "header", heights: []int{s.bold.line + 1}, draw: func(c *canvas, r image.Rectangle) {
		c.fill(r, black)
		r = inset(r, 4)
		end := c.left(s.bold, r, s.View.Title, white)
		if round := text.Round(s.Frame); round != s.View.Title {
			c.right(s.body, image.Rect(end+8, r.Min.Y, r.Max.X, r.Max.Y), round, white)
		}
	}}
	warning := s.warning()
	said := text.Winner(s.Frame)
	f := s.huge
	if f.width(said) > s.size.X-3*f.line {
		f = s.big
	}
	lines := len(f.wrap(said, s.size.X-3*f.line, 2))
	winner := &block{name: "winner", heights: []int{lines*f.line + 4}, draw: func(c *canvas, r image.Rectangle) {
		words := f.wrap(said, r.Dx()-3*f.line, 2)
		width := 0
		for _, w := range words {
			width = max(width, f.width(w))
		}
		scale := max(1, r.Dy()/len(cup))
		side := len(cup) * scale
		left := r.Min.X + (r.Dx()-width-side-6)/2
		c.picture(cup, image.Pt(left, r.Min.Y+(r.Dy()-side)/2), scale)
		r.Min.X, r.Max.X = left+side+6, left+side+8+width
		r.Min.Y += (r.Dy() - len(words)*f.line) / 2
		for _, w := range words {
			c.left(f, row(&r, f.line), w, black)
		}
	}}
	ranking := s.ranking()
	prompt := s.prompt()
	blocks := []*block{header, warning, winner, ranking, prompt}
	stretch(blocks, s.size.Y, []step{{warning, 1}, {ranking, 4}, {prompt, 1}, {ranking, 99}, {prompt, 99}})
	return stack(blocks, s.size)
}

// ranking lists the seats: who won, then by their first counter.
func (s *screen) ranking() *block {
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
		return first(b) - first(a)
	})
	line := s.bold.line + 2
	columns := 1
	if len(seats) > 2 && s.size.X >= 200 && s.size.Y < 200 {
		columns = 2
	}
	rows := (len(seats) + columns - 1) / columns
	heights := []int{0}
	for n := range rows {
		heights = append(heights, (n+1)*line)
	}
	return &block{name: "ranking", heights: heights, draw: func(c *canvas, r image.Rectangle) {
		width := r.Dx() / columns
		for i, seat := range seats {
			x, y := r.Min.X+i/rows*width, r.Min.Y+i%rows*line
			at := inset(image.Rect(x, y, x+width, min(y+line, r.Max.Y)), 4)
			if at.Dy() < line {
				continue
			}
			badge := image.Rect(at.Min.X, at.Min.Y+1, at.Min.X+s.bold.line+3, at.Max.Y-1)
			s.marks[seat.ID].draw(c, s.bold, badge)
			at.Min.X = badge.Max.X + 4
			name := text.Name(&s.View, seat.ID)
			at.Max.X = c.atRight(s.details(engine.SeatView{ID: seat.ID, Counters: seat.Counters}, nil), at, min(s.bold.width(name), at.Dx()/2)+4)
			c.left(s.bold, at, name, black)
		}
	}}
}

func first(v engine.SeatView) int {
	if len(v.Counters) == 0 {
		return 0
	}
	return v.Counters[0].Value
}

// cup is a winner's.
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

// picture draws rows of '#', each pixel so many wide.
func (c *canvas) picture(rows []string, at image.Point, scale int) {
	for y, row := range rows {
		for x, r := range row {
			if r == '#' {
				c.fill(image.Rect(at.X+x*scale, at.Y+y*scale, at.X+(x+1)*scale, at.Y+(y+1)*scale), black)
			}
		}
	}
}

// idle is the picture of a table at which nothing is played: what to choose,
// and for phones a code to scan.
func (s *screen) idle() []part {
	all := image.Rectangle{Max: s.size}
	var parts []part
	if code := s.code(); code != nil {
		code.at = code.at.Add(image.Pt(s.size.X-code.at.Dx(), (s.size.Y-code.at.Dy())/2))
		all.Max.X = code.at.Min.X
		parts = append(parts, *code)
	}
	return append(parts, part{"idle", all, s.drawIdle})
}

func (s *screen) drawIdle(c *canvas, r image.Rectangle) {
	head := row(&r, s.bold.line+1)
	c.fill(head, black)
	c.left(s.bold, inset(head, 4), "Tableside", white)
	r = inset(r, 4)
	for _, w := range text.Warnings(s.Frame) {
		c.left(s.small, row(&r, s.small.line), w, black)
	}
	question, answers := s.question()
	if question == "" {
		question = text.Say(s.Frame, "empty")
	}
	r.Min.Y += 2
	lines := s.bold.wrap(question, r.Dx(), 3)
	for _, line := range lines {
		c.left(s.bold, row(&r, s.bold.line), line, black)
	}
	if s.Status.Address != "" && len(answers) == 0 {
		c.left(s.body, row(&r, s.body.line), text.Say(s.Frame, "scan"), black)
	}
	r.Min.Y += 2
	s.choices(c, r, answers)
}

// choices lists answers below one another, the cursor's in white on black and
// never out of sight.
func (s *screen) choices(c *canvas, r image.Rectangle, answers []engine.Answer) {
	line := s.body.line + 1
	fit := r.Dy() / line
	if fit <= 0 || len(answers) == 0 {
		return
	}
	first := min(max(0, s.Status.Cursor-fit/2), max(0, len(answers)-fit))
	for i := first; i < len(answers) && i < first+fit; i++ {
		at := row(&r, line)
		colour := black
		if i == s.Status.Cursor {
			c.fill(at, black)
			colour = white
		}
		words := answers[i].Text
		if i == first && first > 0 || i == first+fit-1 && i < len(answers)-1 {
			at.Max.X = c.right(s.small, inset(at, 3), number(i+1)+"/"+number(len(answers)), colour)
		}
		c.left(s.body, inset(at, 4), words, colour)
	}
}

// code is the address as a QR code, as large as whole pixels allow, or nil.
// It keeps four white modules on its left and two elsewhere: the glass has a
// white edge.
func (s *screen) code() *part {
	if s.Status.Address == "" {
		return nil
	}
	qr, err := qrcode.New(s.Status.Address, qrcode.Low)
	if err != nil {
		return nil // too long for any code
	}
	qr.DisableBorder = true
	modules := qr.Bitmap()
	n := len(modules)
	scale := min(s.size.Y/(n+4), s.size.X*11/20/(n+6))
	if scale < 2 {
		return nil // no phone could read it
	}
	at := image.Rect(0, 0, (n+6)*scale, min((n+4)*scale, s.size.Y))
	return &part{"code", at, func(c *canvas, r image.Rectangle) {
		for y, line := range modules {
			for x, on := range line {
				if on {
					p := image.Pt(r.Min.X+(x+4)*scale, r.Min.Y+(y+2)*scale)
					c.fill(image.Rect(p.X, p.Y, p.X+scale, p.Y+scale), black)
				}
			}
		}
	}}
}
