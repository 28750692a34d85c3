package seat

import (
	"image"
	"slices"
	"strings"

	"tableside/display/panel"
	"tableside/engine"
)

// answer draws the answers: where the cursor points at one of several, that
// one between arrows; else all of them, each with the key that gives it.
func (s *screen) answer(c *canvas, t setting, rows int) {
	if s.cursor < 0 {
		s.chips(c, t, rows)
		return
	}
	r := c.at
	n := len(s.answers)
	chosen, place := s.answers[s.cursor].Text, number(s.cursor+1)+"/"+number(n)
	size, margin := t.Cap()/2+1, 2
	if s.small().Width(chosen) > r.Dx()-2*(size+1+margin) {
		size, margin = 3, 1 // words are worth more than arrows
	}
	if n > 1 {
		middle := (r.Min.Y + r.Max.Y) / 2
		c.arrow(image.Pt(r.Min.X+size-1, middle), size, -1)
		c.arrow(image.Pt(r.Max.X-size, middle), size, 1)
		r = inset(r, size+1)
	}
	colour := lit
	if !short(c.img.Rect) { // where the question is filled already
		colour = dark
		c.fill(r, lit)
	}
	r = inset(r, margin)
	if n > 2 {
		room := r.Dx() - s.small().Width(place) - 4
		if f, ok := s.largestIn(t, chosen, room); ok {
			c.right(s.small(), r, place, colour)
			c.centre(f, image.Rect(r.Min.X, r.Min.Y, r.Min.X+room, r.Max.Y), chosen, colour)
			return
		}
	}
	f, _ := s.largestIn(t, chosen, r.Dx())
	c.centre(f, r, chosen, colour)
}

// largestIn are the largest letters, up to those of the setting, in which a
// line fits, or else the smallest.
func (s *screen) largestIn(t setting, line string, width int) (f panel.Letters, ok bool) {
	for _, f = range s.texts {
		if f.Line() <= t.Line() && f.Width(line) <= width {
			return f, true
		}
	}
	return f, false
}

// keySigns are the signs on keys whose answer does not say them.
var keySigns = map[string]string{"left": "◄", "right": "►", "plus": "+", "minus": "−", "next": "»"}

func labelled(a engine.Answer) string {
	for key, sign := range keySigns {
		if strings.HasSuffix(a.Input, " key "+key) && !strings.HasPrefix(a.Text, sign) {
			return sign + " " + a.Text
		}
	}
	return a.Text
}

// keyed is 0 for an answer with the sign of a key, else 1.
func keyed(label string) int {
	for _, sign := range keySigns {
		if strings.HasPrefix(label, sign) {
			return 0
		}
	}
	return 1
}

// A row is a line of answers.
type row []string

// rows sets the answers into lines; where the cursor points at one, that is
// all.
func (s *screen) rows(f setting, width int) []row {
	if len(s.answers) == 0 {
		return nil
	}
	if s.cursor >= 0 {
		return []row{nil}
	}
	var labels []string
	for _, a := range s.answers {
		labels = append(labels, labelled(a))
	}
	// Those with keys come first: what can be tapped lies on the table.
	slices.SortStableFunc(labels, func(a, b string) int { return keyed(a) - keyed(b) })
	var rows []row
	x := 0
	for _, label := range labels {
		words := f.Fit(label, width-edge)
		w := f.Width(words) + edge
		if len(rows) == 0 || x+gap+w > width {
			rows, x = append(rows, nil), -gap
		}
		last := len(rows) - 1
		rows[last] = append(rows[last], words)
		x += gap + w
	}
	return rows
}

// An answer has a frame, and room within it; there is a gap to the next.
const (
	edge = 6
	gap  = 2
)

// chips draws so many rows of answers. What does not fit is counted at the
// end.
func (s *screen) chips(c *canvas, t setting, rows int) {
	width := c.at.Dx() - 2
	lines := s.rows(t, width)
	if len(lines) > rows {
		missing := 0
		for _, line := range lines[rows:] {
			missing += len(line)
		}
		lines = lines[:rows]
		lines[rows-1] = count(t.Letters, lines[rows-1], missing, width)
	}
	y := c.at.Min.Y
	for _, line := range lines {
		x := c.at.Min.X + 1
		for _, words := range line {
			r := image.Rect(x, y, x+t.Width(words)+edge, y+t.chip)
			if !strings.HasPrefix(words, more) && !short(c.img.Rect) {
				c.frame(r)
			}
			c.centre(t.Letters, r, words, lit)
			x = r.Max.X + gap
		}
		y += t.chip + 1
	}
}

// more stands before the number of answers that are not shown.
const more = "…+"

// count ends a row with how many are missing, in the place of answers where it
// must.
func count(f panel.Letters, line row, missing, width int) row {
	for {
		x := f.Width(more+number(missing)) + edge
		for _, words := range line {
			x += f.Width(words) + edge + gap
		}
		if x <= width || len(line) == 0 {
			return append(line, more+number(missing))
		}
		if over := x - width; len(line) == 1 {
			line[0] = f.Fit(line[0], f.Width(line[0])-over)
			return append(line, more+number(missing))
		}
		line = line[:len(line)-1]
		missing++
	}
}
