package canvas

import "image"

// Line writes s in the ink i. The top left corner of the text is at p. Line returns the x at
// which the text ends.
func (c *Canvas) Line(f *Face, p image.Point, s string, i Ink) int {
	x, base, end := p.X, p.Y+f.ascent, p.X
	whole := true
	for _, r := range s {
		g := f.glyph(r)
		for k, on := range g.ink {
			if on {
				at := image.Pt(x+g.bounds.Min.X+k%g.bounds.Dx(), base+g.bounds.Min.Y+k/g.bounds.Dx())
				c.Set(at.X, at.Y, i)
				whole = whole && at.In(c.clip)
			}
		}
		end = x + g.bounds.Max.X
		x += g.advance
	}
	if s != "" {
		c.Boxes = append(c.Boxes, image.Rect(p.X, base-f.capHeight, max(x, end), base))
		c.Texts = append(c.Texts, s)
	}
	if !whole {
		c.CutTexts = append(c.CutTexts, s)
	}
	return x
}

// textCanvas returns the canvas for writing words in r. The result is usually only the part of
// the canvas within r. On a tight canvas, the result is the whole canvas, because accents may
// rise above r.
func (c *Canvas) textCanvas(r image.Rectangle) *Canvas {
	if c.tight {
		return c
	}
	return c.In(r)
}

// Left writes s at the left of r, halfway up. If s is too wide for r, Left cuts it and adds an
// ellipsis. Left returns the x at which the words end.
func (c *Canvas) Left(f *Face, r image.Rectangle, s string, i Ink) int {
	if s = f.Fit(s, r.Dx()); s == "" {
		return r.Min.X
	}
	return c.textCanvas(r).Line(f, image.Pt(r.Min.X, c.Middle(f, r)), s, i)
}

// Right writes s at the right of r, halfway up. If s is too wide for r, Right cuts it and adds
// an ellipsis. Right returns the x at which the words begin.
func (c *Canvas) Right(f *Face, r image.Rectangle, s string, i Ink) int {
	if s = f.Fit(s, r.Dx()); s == "" {
		return r.Max.X
	}
	x := r.Max.X - f.Width(s)
	c.textCanvas(r).Line(f, image.Pt(x, c.Middle(f, r)), s, i)
	return x
}

// Centre writes s in the middle of r. If s is too wide for r, Centre cuts it and adds an
// ellipsis.
func (c *Canvas) Centre(f *Face, r image.Rectangle, s string, i Ink) {
	s = f.Fit(s, r.Dx())
	c.textCanvas(r).Line(f, image.Pt(r.Min.X+(r.Dx()-f.Width(s))/2, c.Middle(f, r)), s, i)
}

// Paragraph writes s from the top of r on, in at most the given number of lines. Afterwards r
// is only the room below the lines.
func (c *Canvas) Paragraph(f *Face, r *image.Rectangle, s string, lines int, i Ink) {
	if lines = min(lines, r.Dy()/f.lineHeight); lines <= 0 {
		return
	}
	for _, line := range f.Wrap(s, r.Dx(), lines) {
		c.Left(f, Row(r, f.lineHeight), line, i)
	}
}

// Letter draws one letter, with its ink in the middle of r.
func (c *Canvas) Letter(f *Face, r image.Rectangle, letter rune, i Ink) {
	g := f.glyph(letter)
	w, h := g.bounds.Dx(), g.bounds.Dy()
	p := r.Min.Add(image.Pt((r.Dx()-w+1)/2, (r.Dy()-h+1)/2))
	part := c.In(r)
	for k, on := range g.ink {
		if on {
			part.Set(p.X+k%w, p.Y+k/w, i)
		}
	}
}

// Middle returns the y of the top of a line of text in r. The capitals are in the middle of
// r's height. If descenders would leave r, Middle moves the line up. If accents would leave r,
// Middle moves the line down. On a tight canvas, it moves the line down only if the capitals
// would leave r.
func (c *Canvas) Middle(f *Face, r image.Rectangle) int {
	above := f.ascent - f.capHeight
	top := min(r.Min.Y+(r.Dy()-f.capHeight+1)/2-above, r.Max.Y-f.lineHeight)
	if c.tight {
		return max(top, r.Min.Y-above)
	}
	return max(top, r.Min.Y)
}
