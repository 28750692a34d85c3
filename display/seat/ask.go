package seat

import (
	"image"
	"slices"

	"tableside/display/canvas"
	"tableside/display/text"
	"tableside/engine"
)

func (s *screen) asked() bool { return s.Text != "" || len(s.Answers) > 0 }

// ask returns the question for this seat. This is the seat's own prompt, if there is one.
// Otherwise it is a prompt that anyone may answer. The last input concerns the seat if it came
// from this seat or from a shared card reader.
func (s *screen) ask() text.Question {
	r := s.Status.Receipt
	return text.QuestionOf(s.Frame, s.prompted(), r != nil && (r.Seat == s.seat || r.Seat == engine.Table || r.Seat == ""))
}

// prompted returns the index of this seat's prompt. If the seat has none, prompted returns the
// index of the first prompt that anyone may answer, or -1. What nobody has to answer comes last.
func (s *screen) prompted() int {
	for _, may := range []bool{false, true} {
		for _, seat := range []engine.Seat{s.seat, engine.Table} {
			i := slices.IndexFunc(s.View.Prompts, func(p engine.Prompt) bool { return p.Seat == seat && p.May == may })
			if i >= 0 {
				return i
			}
		}
	}
	return -1
}

// A setting is a way to draw a question: the face of the letters, the distance from one line
// to the next, and the height of an answer.
type setting struct {
	*canvas.Face
	pitch      int
	chipHeight int
}

// settings returns the typefaces and line spacings in which questions may be drawn, the most
// legible first. In some of them the lines are so close together that the accent of a capital
// may touch the line above. On a short screen, answers have no frames.
func (s *screen) settings(short bool) []setting {
	var all []setting
	for i, f := range s.textFaces {
		pitches := []int{f.Line(), f.Cap() + 3}
		if i == 0 {
			pitches = pitches[:1]
		}
		for _, pitch := range pitches {
			t := setting{f, pitch, pitch + 2}
			if short {
				t.chipHeight = f.Line()
			}
			all = append(all, t)
		}
	}
	return all
}

func (t setting) tall(lines int) int {
	if lines == 0 {
		return 0
	}
	return (lines-1)*t.pitch + t.Line()
}

// chips returns the height of the given number of rows of answers, with a pixel between two
// rows.
func (t setting) chips(rows int) int { return max(0, rows*(t.chipHeight+1)-1) }

// prompt fills the body with the question and, at the bottom, its answers. It uses the most
// legible setting in which everything fits.
//
// If no setting is small enough, prompt uses the smallest one. The answers then get at least
// one row, and the question is cut to the remaining room. If the question leaves room, the
// answers get more rows.
func (s *screen) prompt(c *canvas.Canvas) {
	width := c.Rect.Dx() - 2
	var t setting
	for _, t = range s.settings(short(c.Picture.Rect)) {
		rows := len(s.rows(t, width))
		lines := t.Wrap(s.Text, s.questionWidth(width, t), noLimit)
		if isComplete(lines) && t.tall(len(lines))+t.chips(rows) <= c.Rect.Dy() {
			s.put(c, t, lines, rows)
			return
		}
	}
	rows := min(1, len(s.rows(t, width)))
	var lines []string
	if room := c.Rect.Dy() - t.chips(rows) - t.Line(); room >= 0 {
		lines = t.Wrap(s.Text, s.questionWidth(width, t), 1+room/t.pitch)
	}
	for rows < len(s.rows(t, width)) && t.tall(len(lines))+t.chips(rows+1) <= c.Rect.Dy() {
		rows++
	}
	s.put(c, t, lines, rows)
}

// noLimit is a number of lines that no question reaches.
const noLimit = 99

// questionWidth returns the width that the question may use. After a refusal, this is less
// than the whole width, because a warning sign stands beside the question.
func (s *screen) questionWidth(width int, t setting) int {
	if s.Refused {
		return width - t.pitch - 2
	}
	return width
}

// put draws the question above the answers. A short screen has no header while a question is
// asked. Therefore the question itself is drawn dark on light on such a screen.
func (s *screen) put(c *canvas.Canvas, t setting, lines []string, rows int) {
	answers, said := c.Rect, c.Rect
	answers.Min.Y = answers.Max.Y - t.chips(rows)
	said.Max.Y = answers.Min.Y
	colour := lit
	if short(c.Picture.Rect) && len(lines) > 0 {
		if colour = dark; rows > 0 && t.tall(len(lines)) < said.Dy() {
			said.Max.Y--
		}
		c.Fill(said, lit)
	}
	said = canvas.Inset(said, 1)
	top := said.Min.Y + (said.Dy()-t.tall(len(lines)))/2
	if s.Refused {
		side := t.Cap() + 2
		y := top + (t.Line()-side+1)/2
		warn(c, image.Rect(said.Min.X, y, said.Min.X+side, y+side), colour)
		said.Min.X += t.pitch + 2
	}
	for i, line := range lines {
		c.Left(t.Face, image.Rect(said.Min.X, top+i*t.pitch, said.Max.X, top+i*t.pitch+t.Line()), line, colour)
	}
	if rows > 0 {
		s.answer(c.In(answers), t, rows)
	}
}
