package panel

import (
	"image"
	"image/color"
)

// Paper is the palette of every picture: e-paper is white until it is told
// otherwise.
var Paper = color.Palette{color.White, color.Black}

// ink is black or white.
type ink uint8

const (
	white ink = iota
	black
)

func (i ink) other() ink { return 1 - i }

// A canvas is a region of a picture. What is drawn outside of it is lost.
type canvas struct {
	img *image.Paletted
	at  image.Rectangle
	*proof
}

// A proof is what tests hold against a picture.
type proof struct {
	words []image.Rectangle // where words stand
	cut   []string          // words of which ink was lost
}

func newCanvas(size image.Point) *canvas {
	img := image.NewPaletted(image.Rectangle{Max: size}, Paper)
	return &canvas{img: img, at: img.Rect, proof: &proof{}}
}

// in is the part of the canvas within r.
func (c *canvas) in(r image.Rectangle) *canvas {
	return &canvas{img: c.img, at: c.at.Intersect(r), proof: c.proof}
}

func (c *canvas) set(x, y int, i ink) {
	if (image.Point{x, y}).In(c.at) {
		c.img.Pix[c.img.PixOffset(x, y)] = uint8(i)
	}
}

func (c *canvas) fill(r image.Rectangle, i ink) {
	r = r.Intersect(c.at)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c.img.Pix[c.img.PixOffset(x, y)] = uint8(i)
		}
	}
}

// frame draws the edge of r, inside of it.
func (c *canvas) frame(r image.Rectangle, thick int, i ink) {
	c.fill(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+thick), i)
	c.fill(image.Rect(r.Min.X, r.Max.Y-thick, r.Max.X, r.Max.Y), i)
	c.fill(image.Rect(r.Min.X, r.Min.Y, r.Min.X+thick, r.Max.Y), i)
	c.fill(image.Rect(r.Max.X-thick, r.Min.Y, r.Max.X, r.Max.Y), i)
}

// shade dots r: one pixel in so many each way.
func (c *canvas) shade(r image.Rectangle, every int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if y%every == 0 && (x+y/every%2*(every/2))%every == 0 {
				c.set(x, y, black)
			}
		}
	}
}

// line writes s with its top left at p, and returns where it ends.
func (c *canvas) line(f *face, p image.Point, s string, i ink) int {
	x, base := p.X, p.Y+f.ascent
	last := rune(-1)
	whole := true
	for _, r := range s {
		if last >= 0 {
			x += f.kern(last, r)
		}
		g := f.glyph(r)
		for k, on := range g.ink {
			if on {
				at := image.Pt(x+g.at.Min.X+k%g.at.Dx(), base+g.at.Min.Y+k/g.at.Dx())
				c.set(at.X, at.Y, i)
				whole = whole && at.In(c.at)
			}
		}
		x += g.advance
		last = r
	}
	if s != "" {
		c.words = append(c.words, image.Rect(p.X, base-f.cap, x, base))
	}
	if !whole {
		c.cut = append(c.cut, s)
	}
	return x
}

// stamp draws one letter, the top left of its ink at p.
func (c *canvas) stamp(g glyph, p image.Point, i ink) {
	for k, on := range g.ink {
		if on {
			c.set(p.X+k%g.at.Dx(), p.Y+k/g.at.Dx(), i)
		}
	}
}

// left writes s into r, cut where it is too wide, in the middle of its
// height. It returns where the words end.
func (c *canvas) left(f *face, r image.Rectangle, s string, i ink) int {
	if s = f.fit(s, r.Dx()); s == "" {
		return r.Min.X
	}
	return c.in(r).line(f, image.Pt(r.Min.X, middle(f, r)), s, i)
}

// paragraph writes s from the top of r, in at most so many lines, and takes
// their room from r.
func (c *canvas) paragraph(f *face, r *image.Rectangle, s string, lines int) {
	if lines = min(lines, r.Dy()/f.line); lines <= 0 {
		return
	}
	for _, line := range f.wrap(s, r.Dx(), lines) {
		c.left(f, row(r, f.line), line, black)
	}
}

// right writes s at the right end of r, and returns where the words begin.
func (c *canvas) right(f *face, r image.Rectangle, s string, i ink) int {
	if s = f.fit(s, r.Dx()); s == "" {
		return r.Max.X
	}
	x := r.Max.X - f.width(s)
	c.in(r).line(f, image.Pt(x, middle(f, r)), s, i)
	return x
}

// centre writes s in the middle of r.
func (c *canvas) centre(f *face, r image.Rectangle, s string, i ink) {
	s = f.fit(s, r.Dx())
	c.in(r).line(f, image.Pt(r.Min.X+(r.Dx()-f.width(s))/2, middle(f, r)), s, i)
}

// middle is the top of a line whose capitals stand in the middle of r, moved
// where accents or the tails of letters would leave r.
func middle(f *face, r image.Rectangle) int {
	top := r.Min.Y + (r.Dy()-f.cap+1)/2 - (f.ascent - f.cap)
	return max(min(top, r.Max.Y-f.line), r.Min.Y)
}
