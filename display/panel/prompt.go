package panel

import (
	"image"
	"strings"

	"tableside/display/text"
	"tableside/engine"
)

// prompt is what the first of the seats that are asked is asked, and its
// answers. After a refusal it says why.
func (s *screen) prompt() *block {
	question, answers := s.question()
	if question == "" && len(answers) == 0 {
		return &block{heights: []int{0}}
	}
	line, chip := s.body.line, s.body.line+3
	heights := []int{chip + 2}
	width := s.size.X - 6
	lines := len(s.body.wrap(question, width-s.bold.line-8, 4))
	if len(answers) > 0 {
		heights = append(heights, 2+line+chip)
	}
	for n := 2; n <= lines; n++ {
		heights = append(heights, 2+n*line+min(len(answers), 1)*chip)
	}
	if rows := len(s.chipRows(answers, width)); rows > 1 {
		for n := 2; n <= min(rows, 4); n++ {
			heights = append(heights, 2+lines*line+n*chip)
		}
	}
	return &block{name: "prompt", heights: ascending(heights...), draw: func(c *canvas, r image.Rectangle) {
		c.fill(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+1), black)
		r.Min.Y += 2
		r = inset(r, 3)
		if r.Dy() < line+chip {
			s.promptLine(c, r, question, answers)
			return
		}
		rows := 0
		if len(answers) > 0 {
			rows = min(max(1, (r.Dy()-lines*line)/chip), len(s.chipRows(answers, r.Dx())))
		}
		chips := image.Rect(r.Min.X, r.Max.Y-rows*chip, r.Max.X, r.Max.Y)
		r.Max.Y = chips.Min.Y
		s.ask(c, r, question)
		s.chips(c, chips, answers, rows)
	}}
}

// question is what is asked, or why the last input was refused.
func (s *screen) question() (string, []engine.Answer) {
	var question string
	var answers []engine.Answer
	if len(s.View.Prompts) > 0 {
		p := s.View.Prompts[0]
		question, answers = p.Text, p.Options
	} else if s.Status.Unfinish != "" {
		question = text.Say(s.Frame, "continue")
	}
	if why := text.Answered(s.Frame); why != "" {
		question = why
	}
	return question, answers
}

// ask writes the question, after the mark of who is asked or a warning sign.
func (s *screen) ask(c *canvas, r image.Rectangle, question string) {
	lines := max(1, r.Dy()/s.body.line)
	sign := image.Rect(r.Min.X, r.Min.Y+1, r.Min.X+s.bold.line+3, r.Min.Y+s.bold.line-1)
	if text.Answered(s.Frame) != "" {
		sign.Max.X = sign.Min.X + sign.Dy()
		c.warn(s.bold, sign)
		r.Min.X = sign.Max.X + 4
	} else if len(s.View.Prompts) > 0 {
		if m, ok := s.marks[s.View.Prompts[0].Seat]; ok {
			m.draw(c, s.bold, sign)
			r.Min.X = sign.Max.X + 4
		}
	}
	for _, line := range s.body.wrap(question, r.Dx(), lines) {
		c.left(s.body, row(&r, s.body.line), line, black)
	}
}

// promptLine is a prompt for which there is one line: the question, and the
// answer that the cursor points at.
func (s *screen) promptLine(c *canvas, r image.Rectangle, question string, answers []engine.Answer) {
	cursor := s.Status.Cursor
	if cursor >= 0 && cursor < len(answers) && text.Answered(s.Frame) == "" {
		it := s.chip(answers[cursor], true).within(r.Dx() / 2)
		at := image.Rect(r.Max.X-it.width(), r.Min.Y, r.Max.X, r.Max.Y)
		c.item(it, at)
		r.Max.X = at.Min.X - 4
	}
	s.ask(c, r, question)
}

// chip is an answer in a frame, with the key that gives it; the one that the
// cursor points at is black.
func (s *screen) chip(a engine.Answer, chosen bool) item {
	words := a.Text
	for key, sign := range keySigns {
		if strings.HasSuffix(a.Input, " key "+key) {
			words = sign + " " + words
		}
	}
	chip := span{f: s.body, s: words, look: boxed, shrink: true}
	if chosen {
		chip.look = filled
	}
	return item{chip}
}

// keySigns are the signs on keys whose answer does not say them.
var keySigns = map[string]string{"left": "◄", "right": "►", "plus": "+", "minus": "−", "next": "»"}

func (s *screen) chipItems(answers []engine.Answer) []item {
	items := make([]item, len(answers))
	for i, a := range answers {
		items[i] = s.chip(a, i == s.Status.Cursor)
	}
	return items
}

func (s *screen) chipRows(answers []engine.Answer, width int) [][]item {
	return pour(s.chipItems(answers), width, 99)
}

// chips writes the answers, beginning so that the cursor's is among them.
func (s *screen) chips(c *canvas, r image.Rectangle, answers []engine.Answer, rows int) {
	items := s.chipItems(answers)
	line := s.body.line + 3
	first := 0
	for first < s.Status.Cursor && !s.shows(items[first:], r.Dx(), rows, s.Status.Cursor-first) {
		first++
	}
	if first > 0 {
		back := item{{f: s.body, s: "+" + number(first)}}
		for first < s.Status.Cursor && !s.shows(append([]item{back}, items[first:]...), r.Dx(), rows, s.Status.Cursor-first+1) {
			first++
			back = item{{f: s.body, s: "+" + number(first)}}
		}
		items = append([]item{back}, items[first:]...)
	}
	c.items(items, r, line)
}

// shows reports whether the item is among those that fit.
func (s *screen) shows(items []item, width, rows, which int) bool {
	n := 0
	for _, line := range pour(items, width, rows) {
		n += len(line)
	}
	if n < len(items) || n == len(items) && len(pour(items, width, 99)) > rows {
		n-- // the last one only counts the rest
	}
	return which < n
}
