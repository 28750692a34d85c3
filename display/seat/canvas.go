package seat

import (
	"image"
	"image/color"
	"strings"

	"tableside/display/panel"
)

// Glow is the palette of every picture: dark, and lit.
var Glow = color.Palette{color.Black, color.White}

const (
	dark uint8 = iota
	lit
)

// A canvas is a region of a picture. What is drawn outside of it is lost.
type canvas struct {
	img *image.Paletted
	at  image.Rectangle
	*proof
}

// A proof is what tests hold against a picture.
type proof struct {
	words []image.Rectangle // where words stand
	cut   []string          // words of which light was lost
}

func newCanvas(size image.Point) *canvas {
	img := image.NewPaletted(image.Rectangle{Max: size}, Glow)
	return &canvas{img: img, at: img.Rect, proof: &proof{}}
}

// in is the part of the canvas within r.
func (c *canvas) in(r image.Rectangle) *canvas {
	return &canvas{img: c.img, at: c.img.Rect.Intersect(r), proof: c.proof}
}

func (c *canvas) fill(r image.Rectangle, colour uint8) {
	r = r.Intersect(c.img.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c.img.SetColorIndex(x, y, colour)
		}
	}
}

// dots fills r with every other pixel.
func (c *canvas) dots(r image.Rectangle) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if (x+y)%2 == 0 {
				c.fill(image.Rect(x, y, x+1, y+1), lit)
			}
		}
	}
}

// frame draws the edge of r without its corners.
func (c *canvas) frame(r image.Rectangle) {
	c.fill(image.Rect(r.Min.X+1, r.Min.Y, r.Max.X-1, r.Min.Y+1), lit)
	c.fill(image.Rect(r.Min.X+1, r.Max.Y-1, r.Max.X-1, r.Max.Y), lit)
	c.fill(image.Rect(r.Min.X, r.Min.Y+1, r.Min.X+1, r.Max.Y-1), lit)
	c.fill(image.Rect(r.Max.X-1, r.Min.Y+1, r.Max.X, r.Max.Y-1), lit)
}

// invert turns light and dark of the whole picture.
func (c *canvas) invert() {
	for i := range c.img.Pix {
		c.img.Pix[i] = lit - c.img.Pix[i]
	}
}

// arrow is a triangle that points left or right.
func (c *canvas) arrow(base image.Point, size, to int) {
	for i := range size {
		x := base.X + to*i
		c.fill(image.Rect(x, base.Y-size+i+1, x+1, base.Y+size-i), lit)
	}
}

// warn draws a sign with an exclamation mark, and returns its left end.
func (c *canvas) warn(r image.Rectangle, colour uint8) int {
	c.fill(inset(r, 1), colour)
	c.fill(image.Rect(r.Min.X, r.Min.Y+1, r.Max.X, r.Max.Y-1), colour)
	x, h := (r.Min.X+r.Max.X)/2-1, r.Dy()
	c.fill(image.Rect(x, r.Min.Y+2, x+2, r.Max.Y-h/3-1), lit-colour)
	c.fill(image.Rect(x, r.Max.Y-h/3, x+2, r.Max.Y-2), lit-colour)
	return r.Min.X
}

// write puts one line of words where they end within the canvas.
func (c *canvas) write(f panel.Letters, p image.Point, s string, colour uint8) {
	if s == "" {
		return
	}
	base := p.Y + f.Ascent()
	c.words = append(c.words, image.Rect(p.X, base-f.Cap(), p.X+f.Width(s), base))
	if !f.Draw(c.img, c.img.Rect, p, s, colour) {
		c.cut = append(c.cut, s)
	}
}

// left writes s at the left of r, cut where it is too wide, in the middle of
// its height.
func (c *canvas) left(f panel.Letters, r image.Rectangle, s string, colour uint8) {
	c.write(f, image.Pt(r.Min.X, middle(f, r)), f.Fit(s, r.Dx()), colour)
}

// right writes s at the right of r, and returns where the words begin.
func (c *canvas) right(f panel.Letters, r image.Rectangle, s string, colour uint8) int {
	s = f.Fit(s, r.Dx())
	x := r.Max.X - f.Width(s)
	c.write(f, image.Pt(x, middle(f, r)), s, colour)
	return x
}

// centre writes s in the middle of r.
func (c *canvas) centre(f panel.Letters, r image.Rectangle, s string, colour uint8) {
	s = f.Fit(s, r.Dx())
	c.write(f, image.Pt(r.Min.X+(r.Dx()-f.Width(s))/2, middle(f, r)), s, colour)
}

// lines writes lines in the middle of r, each in the middle.
func (c *canvas) lines(f panel.Letters, r image.Rectangle, lines []string) {
	top := r.Min.Y + (r.Dy()-len(lines)*f.Line())/2
	for i, line := range lines {
		c.centre(f, image.Rect(r.Min.X, top+i*f.Line(), r.Max.X, top+(i+1)*f.Line()), line, lit)
	}
}

// middle is the top of a line whose capitals stand in the middle of r, moved
// where the tails of letters would leave r.
func middle(f panel.Letters, r image.Rectangle) int {
	above, tails := f.Ascent()-f.Cap(), f.Line()-f.Ascent()
	top := min(r.Min.Y+(r.Dy()-f.Cap()+1)/2, r.Max.Y-tails-f.Cap())
	return max(top, r.Min.Y) - above
}

// inset shrinks a rectangle on its left and right.
func inset(r image.Rectangle, x int) image.Rectangle {
	return image.Rect(r.Min.X+x, r.Min.Y, max(r.Min.X+x, r.Max.X-x), r.Max.Y)
}

// whole reports whether nothing of a wrapped text was cut.
func whole(lines []string) bool {
	for _, line := range lines {
		if strings.HasSuffix(line, "…") {
			return false
		}
	}
	return true
}

// fits reports whether a text keeps all its words in so many lines.
func fits(f panel.Letters, s string, width, lines int) bool {
	return whole(f.Wrap(s, width, lines)) && len(f.Wrap(s, width, lines+1)) == lines
}
