package seat

import (
	"image"
	"slices"
	"strings"

	"tableside/display/canvas"
	"tableside/display/text"
)

// answer draws the answer at the cursor. If there are several answers, the drawn one has an
// arrow on each side. Without a cursor, the method draws all answers, each with its key, in at
// most the given number of rows.
func (s *screen) answer(c *canvas.Canvas, t setting, rows int) {
	if s.Cursor < 0 {
		s.drawChips(c, t, rows)
		return
	}
	r := c.Rect
	n := len(s.Answers)
	chosen, place := s.Answers[s.Cursor].Text, number(s.Cursor+1)+"/"+number(n)
	size, margin := t.Cap()/2+1, 2
	if s.small().Width(chosen) > r.Dx()-2*(size+1+margin) {
		size, margin = 3, 1 // words matter more than arrows
	}
	if n > 1 {
		middle := (r.Min.Y + r.Max.Y) / 2
		arrow(c, image.Pt(r.Min.X+size-1, middle), size, -1)
		arrow(c, image.Pt(r.Max.X-size, middle), size, 1)
		r = canvas.Inset(r, size+1)
	}
	colour := lit
	if !short(c.Picture.Rect) { // on a tall screen; on a short one the question is already filled
		colour = dark
		c.Fill(r, lit)
	}
	r = canvas.Inset(r, margin)
	if n > 2 {
		room := r.Dx() - s.small().Width(place) - 4
		if f, ok := s.largestIn(t, chosen, room); ok {
			c.Right(s.small(), r, place, colour)
			c.Centre(f, image.Rect(r.Min.X, r.Min.Y, r.Min.X+room, r.Max.Y), chosen, colour)
			return
		}
	}
	f, _ := s.largestIn(t, chosen, r.Dx())
	c.Centre(f, r, chosen, colour)
}

// largestIn returns the largest letters in which a line fits the width. The letters are not
// larger than those of the setting. If the line does not fit at all, largestIn returns the
// smallest letters and false.
func (s *screen) largestIn(t setting, line string, width int) (f *canvas.Face, ok bool) {
	return canvas.Largest(s.textFaces, func(f *canvas.Face) bool { return f.Line() <= t.Line() && f.Width(line) <= width })
}

// A row is a line of answers.
type row []string

// rows divides all answers into rows that fit into the given width, in pixels. If there is a
// cursor, rows returns a single empty row, because then only the answer at the cursor is
// drawn, by another method.
func (s *screen) rows(f setting, width int) []row {
	if len(s.Answers) == 0 {
		return nil
	}
	if s.Cursor >= 0 {
		return []row{nil}
	}
	var labels []string
	for _, a := range s.Answers {
		labels = append(labels, text.Keyed(a))
	}
	// Answers with keys come first: an answer without one is a card, which is visible on the
	// table.
	without := func(label string) int {
		if text.HasKeySign(label) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(labels, func(a, b string) int { return without(a) - without(b) })
	var rows []row
	x := 0
	for _, label := range labels {
		words := f.Fit(label, width-chipPadding)
		w := f.Width(words) + chipPadding
		if len(rows) == 0 || x+gap+w > width {
			rows, x = append(rows, nil), -gap
		}
		last := len(rows) - 1
		rows[last] = append(rows[last], words)
		x += gap + w
	}
	return rows
}

// These are widths in pixels. The constant chipPadding is added to the width of an answer's
// words, to make room for the frame and the gaps inside it. The constant gap is the distance
// between two answers.
const (
	chipPadding = 6
	gap         = 2
)

// drawChips draws the answers in at most the given number of rows, which must be at least 1.
// If some answers do not fit, the last row ends with the number of missing answers.
func (s *screen) drawChips(c *canvas.Canvas, t setting, rows int) {
	width := c.Rect.Dx() - 2
	lines := s.rows(t, width)
	if len(lines) > rows {
		missing := 0
		for _, line := range lines[rows:] {
			missing += len(line)
		}
		lines = lines[:rows]
		lines[rows-1] = count(t.Face, lines[rows-1], missing, width)
	}
	y := c.Rect.Min.Y
	for _, line := range lines {
		x := c.Rect.Min.X + 1
		for _, words := range line {
			r := image.Rect(x, y, x+t.Width(words)+chipPadding, y+t.chipHeight)
			if !strings.HasPrefix(words, moreSign) && !short(c.Picture.Rect) {
				c.Frame(r, 1, lit)
			}
			c.Centre(t.Face, r, words, lit)
			x = r.Max.X + gap
		}
		y += t.chipHeight + 1
	}
}

// moreSign is the sign before the number of answers that are not shown.
const moreSign = "…+"

// count adds the number of missing answers to the end of a row, and returns the row. To keep
// the row within the given width, in pixels, count removes further answers and adds them to
// the number. The first answer always stays; if that answer is too wide, count shortens it.
func count(f *canvas.Face, line row, missing, width int) row {
	for {
		x := f.Width(moreSign+number(missing)) + chipPadding
		for _, words := range line {
			x += f.Width(words) + chipPadding + gap
		}
		if x <= width || len(line) == 0 {
			return append(line, moreSign+number(missing))
		}
		if over := x - width; len(line) == 1 {
			line[0] = f.Fit(line[0], f.Width(line[0])-over)
			return append(line, moreSign+number(missing))
		}
		line = line[:len(line)-1]
		missing++
	}
}
