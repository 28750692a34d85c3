package panel

import (
	"image"
	"slices"

	"tableside/display/canvas"
	"tableside/display/qr"
	"tableside/display/text"
	"tableside/engine"
)

// idle lays out the picture of an empty table. The picture has the choices, and a code for
// phones to scan. The code is at the right. On an upright panel, the code is below the
// choices.
func (s *screen) idle() []part {
	choose := image.Rectangle{Max: s.size}
	code := choose
	if s.size.X >= s.size.Y {
		code.Min.X = s.size.X * 9 / 20
	} else {
		code.Min.Y = s.size.Y * 9 / 20
	}
	parts := s.code(code)
	for _, p := range parts {
		if s.size.X >= s.size.Y {
			choose.Max.X = p.bounds.Min.X
		} else {
			choose.Max.Y = p.bounds.Min.Y
		}
	}
	return append(parts, part{"idle", choose, s.drawIdle})
}

func (s *screen) drawIdle(c *canvas.Canvas, r image.Rectangle) {
	if r.Dy() < s.bold.Line() {
		return
	}
	head := canvas.Row(&r, s.bold.Line()+1)
	c.Fill(head, black)
	c.Left(s.bold, canvas.Inset(head, 4), "Tableside", white)
	r = canvas.Inset(r, 4)
	for _, w := range text.Warnings(s.Frame) {
		c.Paragraph(s.small, &r, w, 2, black)
	}
	asked := s.Text
	if asked == "" {
		asked = text.Say(s.Frame, "empty")
	}
	r.Min.Y += 2
	c.Paragraph(s.title().bold, &r, asked, 3, black)
	r.Min.Y += 2
	if s.Status.Address != "" && r.Dy() >= 5*s.body.Line() {
		scan := image.Rect(r.Min.X, r.Max.Y-s.small.Line()-2, r.Max.X, r.Max.Y-2)
		c.Left(s.small, scan, text.Say(s.Frame, "scan"), black)
		r.Max.Y = scan.Min.Y
	}
	s.largest(r).drawChoices(c, r)
}

// title returns the screen with the letters for the question on an empty table. On a large
// panel, they are at least 28 pixels to the em. A small panel keeps its usual letters.
func (s *screen) title() *screen {
	if isReadFromAfar(s.size) {
		return s.withLetters(max(28, 24*unit(s.size)))
	}
	return s
}

func (s *screen) largest(r image.Rectangle) *screen {
	if !isReadFromAfar(s.size) {
		return s
	}
	return s.largestLetters(28*unit(s.size), func(t *screen) bool {
		wide := func(a engine.Answer) bool { return t.body.Width(a.Text) > r.Dx()-8 }
		return len(s.Answers)*(t.body.Line()+1) <= r.Dy() && !slices.ContainsFunc(s.Answers, wide)
	})
}

// drawChoices draws the answers one below another, as many as fit into r. The answer at the
// cursor is always visible. This answer is white on black.
func (s *screen) drawChoices(c *canvas.Canvas, r image.Rectangle) {
	line := s.body.Line() + 1
	fit := r.Dy() / line
	if fit <= 0 || len(s.Answers) == 0 {
		return
	}
	first := min(max(0, s.Cursor-fit/2), max(0, len(s.Answers)-fit))
	for i := first; i < len(s.Answers) && i < first+fit; i++ {
		at := canvas.Row(&r, line)
		colour := black
		if i == s.Cursor {
			c.Fill(at, black)
			colour = white
		}
		words := s.Answers[i].Text
		if i == first && first > 0 || i == first+fit-1 && i < len(s.Answers)-1 {
			at.Max.X = c.Right(s.small, canvas.Inset(at, 3), number(i+1)+"/"+number(len(s.Answers)), colour)
		}
		c.Left(s.body, canvas.Inset(at, 4), words, colour)
	}
}

// code returns the QR code of the address. The code is as large as fits into r with whole
// pixels. The result is empty if there is no address, if the address is too long for any code,
// or if the code would be too small for a phone.
//
// The standard demands four white modules around a code (ISO/IEC 18004, "Quiet zone"). The
// code has four on the side of the words: at its left or, on an upright panel, above it. On
// the other sides it has two, because the edge of the panel's glass is white there too.
func (s *screen) code(r image.Rectangle) []part {
	if s.Status.Address == "" {
		return nil
	}
	made, err := qr.New(s.Status.Address, qr.Low)
	if err != nil {
		return nil // too long for any code
	}
	n := made.Size()
	beside := s.size.X >= s.size.Y
	left, above := 4, 2 // white modules
	if !beside {
		left, above = 2, 4
	}
	wide, high := left+n+2, above+n+2
	scale := min(r.Dx()/wide, r.Dy()/high)
	if scale < 2 {
		return nil // no phone could read it
	}
	at := image.Rect(r.Max.X-wide*scale, r.Min.Y+(r.Dy()-high*scale)/2, r.Max.X, r.Max.Y)
	if !beside {
		at = image.Rect(r.Min.X+(r.Dx()-wide*scale)/2, r.Max.Y-high*scale, r.Max.X, r.Max.Y)
	}
	return []part{{"code", at, func(c *canvas.Canvas, r image.Rectangle) {
		for y := range n {
			for x := range n {
				if made.Dark(x, y) {
					p := image.Pt(r.Min.X+(x+left)*scale, r.Min.Y+(y+above)*scale)
					c.Fill(image.Rect(p.X, p.Y, p.X+scale, p.Y+scale), black)
				}
			}
		}
	}}}
}
