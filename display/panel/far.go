package panel

import (
	"image"
	"slices"

	"tableside/display/canvas"
	"tableside/display/text"
	"tableside/engine"
)

// layOutFar lays out a match in progress on a large panel, which people read from two metres
// away. The panel has a large figure for each seat, a large question, and all its answers.
//
// If there is room to spare, the figures and the question become larger. If there is too
// little room, the letters of the seats' details become smaller. If there is still too little
// room, some details are left out.
func (s *screen) layOutFar() []part {
	questions := s.questions()
	last := questions[len(questions)-1]
	var tries []layout
	for _, figures := range []int{s.size.Y / 3, s.size.Y / 4} {
		tries = append(tries, layout{figures, questions[0], s, s.size.Y * 2 / 5})
	}
	for _, question := range questions {
		tries = append(tries, layout{s.size.Y / 6, question, s, 0})
	}
	for i := len(ems) - 1; i >= 0; i-- {
		if ems[i] < s.em() && ems[i] >= max(size8, 0.65*s.em()) {
			tries = append(tries, layout{s.size.Y / 6, last, s.withLetters(ems[i]), 0})
		}
	}
	var blocks []*block
	for _, try := range tries {
		var complete bool
		if blocks, complete = s.farBlocks(try); complete {
			return stack(blocks, s.size, 5*maxGap)
		}
	}
	return stack(blocks, s.size, maxGap)
}

// A layout is one way to divide a large panel among its blocks.
type layout struct {
	figureHeight int // of the large figures, in pixels
	question     *block
	details      *screen // the screen with the letters of the seats' details
	questionRoom int     // the least height that is kept for the question, so that figures seldom change
}

// em returns the size of names on a large panel, in pixels to the em.
func (s *screen) em() float64 { return snap(19 * unit(s.size)) }

// withLetters returns a copy of the screen whose letters have the size em, in pixels to the
// em. The copy uses the faces that typesetFor returns for this size.
func (s *screen) withLetters(em float64) *screen {
	other := *s
	other.typeset = s.fonts.typesetFor(em)
	return &other
}

// farBlocks returns the blocks of a large panel, with the height of each block chosen. It also
// reports whether every track is shown and the blocks of the seats, the table and the question
// are complete. A warning may be missing, because a sign in the header can replace the
// warning.
func (s *screen) farBlocks(l layout) ([]*block, bool) {
	warning, tracks := s.warning(), s.tracks()
	header, prompt, sheet := s.header(warning), l.question, l.details.sheet()
	table, seats := l.details.table(), s.board(l, tracks)
	prompt.level = 0
	steps := []step{{header, 1}, {seats, 1}, {prompt, noLimit}}
	if !s.Status.Keeping {
		steps = append(steps, step{warning, 1})
	}
	blocks := []*block{header, seats}
	for _, t := range tracks {
		blocks = append(blocks, t.block)
		steps = append(steps, step{t.block, 1})
	}
	if len(s.dice()) > 0 {
		steps = append(steps, step{table, 1})
	}
	steps = append(steps, step{seats, noLimit}, step{table, noLimit}, step{warning, 1})
	for _, t := range tracks {
		steps = append(steps, step{t.block, noLimit})
	}
	asked := prompt.heights[len(prompt.heights)-1]
	stretch(s.size.Y-max(0, l.questionRoom-asked), append(steps, step{sheet, noLimit}))
	complete := true
	for _, b := range []*block{seats, table, prompt} {
		complete = complete && b.level == len(b.heights)-1
	}
	for _, t := range tracks {
		complete = complete && t.block.level > 0
	}
	return append(slices.Insert(blocks, 1, warning), table, sheet, prompt), complete
}

// board returns the block of the players, who are side by side. Each player has a mark, a name
// and a large figure, which is the first counter. The block can have several heights, and each
// height is a level. From level 2 on, the block has lines of details below the figures.
func (s *screen) board(l layout, tracks []*track) *block {
	details := l.details
	n := len(s.View.Seats)
	if n == 0 {
		return emptyBlock()
	}
	most := max(1, min(4, s.size.X/96)) // seats in a row
	rows := (n + most - 1) / most
	columns := (n + rows - 1) / rows
	figures := s.figures(l.figureHeight, columns, rows)
	width := s.size.X/columns - 8
	names := s.titles(width)
	bar, line := names.bold.Line()+3, details.line()
	least, lines, beside := bar+figures.Cap()+figures.Cap()/8, 0, noLimit
	for _, seat := range s.View.Seats {
		beside = min(beside, details.countersBeside(seat, tracks, width-s.figureWidth(figures, seat), figures.Cap()))
	}
	for _, seat := range s.View.Seats {
		_, below := details.cell(seat, tracks, beside)
		lines = max(lines, countLines(below, width))
	}
	heights := []int{0, rows * least}
	for i := range lines {
		heights = append(heights, rows*(least+2+(i+1)*line))
	}
	return &block{name: "seats", heights: heights, draw: func(c *canvas.Canvas, r image.Rectangle) {
		s.grid(c, r, columns, rows, func(c *canvas.Canvas, r image.Rectangle, seat engine.SeatView) {
			r = names.seatBar(c, r, seat, nil)
			r = canvas.Inset(r, 4)
			hero := canvas.Row(&r, figures.Cap()+figures.Cap()/8)
			if len(seat.Counters) > 0 {
				c.Line(figures, image.Pt(hero.Min.X, hero.Min.Y+figures.Cap()-figures.Ascent()),
					number(seat.Counters[0].Value), black)
			}
			hero.Min.X += s.figureWidth(figures, seat)
			right, below := details.cell(seat, tracks, beside)
			writeItems(c, right, hero, line)
			r.Min.Y += 2
			writeItems(c, below, r, line)
		})
	}}
}

// figures returns the face for the large figures, which are the first counters of all seats.
// The figures have about the given height in pixels, but at least 48 pixels. If the seats are
// in several rows, the figures are a little smaller. If the widest figure would not fit, all
// figures become smaller, even smaller than 48 pixels.
func (s *screen) figures(height, columns, rows int) *canvas.Face {
	if height = max(height, 48); rows > 1 {
		height = max(height*6/7, 48)
	}
	face := s.fonts.boldOfHeight(height)
	room, widest := s.size.X/columns-max(10, height/6), 0 // a figure keeps clear of the next one
	for _, seat := range s.View.Seats {
		if len(seat.Counters) > 0 {
			widest = max(widest, face.Width(number(seat.Counters[0].Value)))
		}
	}
	if widest > room {
		face = s.fonts.boldOfHeight(height * room / widest)
	}
	return face
}

// figureWidth returns the width in pixels of a seat's large figure with the gap at its right.
// If the seat has no counter, figureWidth returns 0.
func (s *screen) figureWidth(figures *canvas.Face, seat engine.SeatView) int {
	if len(seat.Counters) == 0 {
		return 0
	}
	return figures.Width(number(seat.Counters[0].Value)) + figures.Cap()/6
}

// countersBeside returns how many counters fit beside a seat's large figure. The room beside
// the figure has the given width and height in pixels.
func (s *screen) countersBeside(seat engine.SeatView, tracks []*track, width, height int) int {
	counters, _ := s.cell(seat, tracks, noLimit)
	n := len(counters)
	wide := func(it item) bool { return it.width() > width }
	for n > 0 && (slices.ContainsFunc(counters[:n], wide) || len(pour(counters[:n], width, noLimit)) > height/s.line()) {
		n--
	}
	return n
}

// cell divides the details of a seat between the room beside its large figure and the room
// below. Up to n counters are beside the figure. The first of these is only the label of the
// figure itself. Everything else is below. If n is 0, the label is left out.
func (s *screen) cell(seat engine.SeatView, tracks []*track, n int) (beside, below []item) {
	counters := s.counters(seat, tracks)
	if len(seat.Counters) > 0 {
		// The large figure shows the number, so only its label is left, on a line of its own.
		counters[0] = item{{face: s.small, text: counters[0][0].text, shrink: optional}}
	}
	n = min(n, len(counters))
	below = s.foremost(seat)
	for i, it := range below {
		if len(it) > 1 && it[0].shrink == labels && it[1].look != plain {
			below[i] = it[1:] // a card with a number can only be in play
		}
	}
	below = append(below, counters[max(n, min(1, len(seat.Counters))):]...)
	return counters[:n], append(below, s.zones(unnumbered(seat.Zones))...)
}

// largestLetters returns the screen with the largest letters that fit. The caller passes the
// greatest em that the letters may have, in pixels, and a function that reports whether the
// letters of a screen fit. If no letters fit, the letters have size9. If size9 is above the
// limit, they have size8.
func (s *screen) largestLetters(limit float64, fits func(*screen) bool) *screen {
	for i := len(ems) - 1; i > 0; i-- {
		if other := s.withLetters(ems[i]); ems[i] <= limit && (fits(other) || ems[i] <= size9) {
			return other
		}
	}
	return s.withLetters(size8)
}

// titles returns the screen with the largest letters in which the names of all players fit
// into the given width in pixels. If a name is so long that no letters fit, the letters are
// small.
func (s *screen) titles(width int) *screen {
	return s.largestLetters(s.em(), func(t *screen) bool {
		room := width - t.bold.Line() - 7 - t.bold.Cap()
		return !slices.ContainsFunc(s.View.Seats, func(seat engine.SeatView) bool {
			return t.bold.Width(text.Name(&s.View, seat.ID)) > room
		})
	})
}

// questions returns blocks of the same question in letters of several sizes, the largest
// first. Each block is at most half as high as the panel. If larger letters fit, questions
// does not try letters that are too small to read from two metres.
//
// If no letters fit, there is only one block, which the method prompt makes in the smallest
// letters. This block may leave out answers. If there is no question, the only block is the
// empty block (emptyBlock).
func (s *screen) questions() []*block {
	if s.Text == "" && len(s.Answers) == 0 {
		return []*block{emptyBlock()}
	}
	var fit []*block
	try := func(em, answers float64) {
		if b := s.farAsk(s.withLetters(em), s.withLetters(answers)); b.heights[1] <= s.size.Y/2 {
			fit = append(fit, b)
		}
	}
	for _, size := range [...]float64{31, 26} {
		size = max(28, size*unit(s.size))
		for _, part := range [...]float64{0.8, 0.62} {
			try(size, part*size)
		}
	}
	for _, em := range [...]float64{28, 25, size13, 19, size10, size9, size8} {
		if len(fit) == 0 {
			try(em, min(em, size9))
		}
		if len(fit) == 0 {
			try(em, size8)
		}
	}
	if len(fit) == 0 {
		return []*block{s.withLetters(size8).prompt()}
	}
	return fit
}

// farAsk returns the block of the whole question with all its answers. The caller passes two
// screens with different letter sizes. The question is written in the size of the first
// screen, and the answers in the size of the second.
func (s *screen) farAsk(question, chips *screen) *block {
	width := s.size.X - 8
	lines := len(question.body.Wrap(s.Text, width-question.sign(), noLimit))
	rows := len(chips.chipRows(width))
	answers := rows * chips.chipLine()
	height := 4 + lines*question.body.Line() + answers
	return &block{name: "prompt", heights: []int{0, height}, draw: func(c *canvas.Canvas, r image.Rectangle) {
		c.Fill(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+2), black)
		r.Min.Y += 3
		r = canvas.Inset(r, 4)
		at := image.Rect(r.Min.X, r.Max.Y-answers, r.Max.X, r.Max.Y)
		r.Max.Y = at.Min.Y
		question.ask(c, r)
		chips.drawChips(c, at, rows)
	}}
}
