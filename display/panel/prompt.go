package panel

import (
	"image"
	"strings"

	"tableside/display/canvas"
	"tableside/display/text"
	"tableside/engine"
)

// prompt returns the block with the first question and its answers. After a refusal, the block
// gives the reason instead of the question. If there is neither text nor an answer, the block
// is empty.
func (s *screen) prompt() *block {
	if s.Text == "" && len(s.Answers) == 0 {
		return emptyBlock()
	}
	line, chip := s.body.Line(), s.chipLine()
	width := s.size.X - 6
	lines := len(s.body.Wrap(s.Text, width-s.sign(), 4))
	rows := len(s.chipRows(width))
	heights := []int{0, chip + 2}
	if !s.oneLine(width) {
		for n := 1; n <= lines; n++ {
			heights = append(heights, 2+n*line+min(rows, 1)*chip)
		}
		for n := 2; n <= min(rows, 4); n++ {
			heights = append(heights, 2+lines*line+n*chip)
		}
	}
	return &block{name: "prompt", heights: ascending(heights...), draw: func(c *canvas.Canvas, r image.Rectangle) {
		c.Fill(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+1), black)
		r.Min.Y += 2
		r = canvas.Inset(r, 3)
		if r.Dy() < line+chip {
			s.promptLine(c, r)
			return
		}
		rows := min(max(1, (r.Dy()-lines*line)/chip), rows)
		chips := image.Rect(r.Min.X, r.Max.Y-rows*chip, r.Max.X, r.Max.Y)
		r.Max.Y = chips.Min.Y
		s.ask(c, r)
		s.drawChips(c, chips, rows)
	}}
}

// ask writes the question with a sign to its left. The sign is the mark of the seat that has
// to answer. After a refusal, it is a warning sign.
func (s *screen) ask(c *canvas.Canvas, r image.Rectangle) {
	sign := image.Rect(r.Min.X, r.Min.Y+1, r.Min.X+s.bold.Line()+3, r.Min.Y+s.bold.Line()-1)
	m, isSeat := s.askedSeat()
	switch {
	case s.Refused:
		warn(c, sign, black)
	case isSeat:
		m.draw(c, s.bold, sign)
	}
	r.Min.X += s.sign()
	c.Paragraph(s.body, &r, s.Text, noLimit, black)
}

func (s *screen) askedSeat() (mark, bool) {
	if len(s.View.Prompts) == 0 || s.View.Prompts[0].Seat == engine.Table {
		return mark{}, false
	}
	m, ok := s.marks[s.View.Prompts[0].Seat]
	return m, ok
}

// sign returns the width in pixels of the mark or warning sign before the question. The width
// includes the gap after the sign. Without a sign it is 0.
func (s *screen) sign() int {
	if _, isSeat := s.askedSeat(); isSeat || s.Refused {
		return s.bold.Line() + 3 + max(4, s.bold.Cap()/3)
	}
	return 0
}

// oneLine reports whether the question and all its answers fit into one line of the given
// width, in pixels.
func (s *screen) oneLine(width int) bool {
	width -= s.sign() + s.body.Width(s.Text) + s.body.Cap()
	return len(s.Answers) == 0 && width >= 0 || len(s.chipRows(width)) == 1 && s.chipItems()[0].width() <= width
}

// promptLine draws a prompt in one line. If the question and all answers do not fit, only the
// answer at the cursor is drawn beside the question.
func (s *screen) promptLine(c *canvas.Canvas, r image.Rectangle) {
	if s.oneLine(r.Dx()) {
		at := r
		at.Min.X += s.sign() + s.body.Width(s.Text) + s.body.Cap()
		writeItems(c, s.chipItems(), at, r.Dy())
		r.Max.X = at.Min.X
		s.ask(c, r)
		return
	}
	if s.Cursor >= 0 {
		it := s.chip(s.Answers[s.Cursor], true).shortenTo(r.Dx() / 2)
		at := image.Rect(r.Max.X-it.width(), r.Min.Y, r.Max.X, r.Max.Y)
		writeItem(c, it, at)
		r.Max.X = at.Min.X - 4
	}
	s.ask(c, r)
}

func (s *screen) chip(a engine.Answer, chosen bool) item {
	chip := span{face: s.body, text: text.Keyed(a), look: boxed, shrink: names}
	if chosen {
		chip.look = filled
	}
	return item{chip}
}

func (s *screen) chipLine() int { return s.body.Line() + max(3, s.body.Cap()/3) }

func (s *screen) chipItems() []item {
	items := make([]item, len(s.Answers))
	for i, a := range s.Answers {
		items[i] = s.chip(a, i == s.Cursor)
	}
	return items
}

func (s *screen) chipRows(width int) [][]item {
	return pour(s.chipItems(), width, noLimit)
}

// drawChips draws the answers into at most the given number of rows. If not all answers fit,
// the answers that are not cards come first. If the answer at the cursor would then be
// invisible, answers at the start are left out until there is room. A number in their place
// says how many are missing.
func (s *screen) drawChips(c *canvas.Canvas, r image.Rectangle, rows int) {
	items, cursor := s.chipItems(), s.Cursor
	line := s.chipLine()
	if len(pour(items, r.Dx(), noLimit)) > rows {
		items, cursor, _ = s.keysFirst()
	}
	first := 0
	for first < cursor && !s.shows(items[first:], r.Dx(), rows, cursor-first) {
		first++
	}
	if first > 0 {
		back := item{{face: s.body, text: "+" + number(first)}}
		for first < cursor && !s.shows(append([]item{back}, items[first:]...), r.Dx(), rows, cursor-first+1) {
			first++
			back = item{{face: s.body, text: "+" + number(first)}}
		}
		items = append([]item{back}, items[first:]...)
	}
	writeItems(c, items, r, line)
}

// keysFirst returns the items of all answers. The answers that are not cards come first. If
// room is short, items at the end are left out. Cards may be left out, because players see
// them on the table anyway.
//
// keysFirst also returns the index of the answer at the cursor, or -1, and the number of
// answers that are not cards.
func (s *screen) keysFirst() (items []item, cursor, keys int) {
	cursor = -1
	for _, cards := range []bool{false, true} {
		for i, it := range s.chipItems() {
			if strings.Contains(s.Answers[i].Input, " tap") != cards {
				continue
			}
			if i == s.Cursor {
				cursor = len(items)
			}
			items = append(items, it)
		}
		if !cards {
			keys = len(items)
		}
	}
	return items, cursor, keys
}

// neededLevel returns the lowest level (height index) at which the prompt's block shows
// everything important: the question, the answer at the cursor and all answers that are not
// cards. If the whole prompt fits on one line, the level is 0.
func (s *screen) neededLevel() int {
	width := s.size.X - 6
	items, cursor, keys := s.keysFirst()
	if s.oneLine(width) {
		return 0
	}
	rows := 1
	for rows < len(pour(items, width, noLimit)) && !s.shows(items, width, rows, max(keys-1, cursor)) {
		rows++
	}
	return rows + len(s.body.Wrap(s.Text, width-s.sign(), 4))
}

// shows reports whether items[i] is visible when the items are divided into at most the given
// number of rows.
func (s *screen) shows(items []item, width, rows, i int) bool {
	n := 0
	for _, line := range pour(items, width, rows) {
		n += len(line)
	}
	if len(pour(items, width, noLimit)) > rows {
		n-- // the last item is only the number of those left out
	}
	return i < n
}
