package panel

import (
	"image"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
)

// Letters are a face for the pictures of other glasses: words in pure black
// and white, cut with an ellipsis and wrapped as here.
type Letters struct{ face *face }

// NewLetters are letters of a size in pixels to the em.
func NewLetters(size float64, bold bool) Letters {
	if bold {
		return Letters{newFace(gobold.TTF, size)}
	}
	return Letters{newFace(gomedium.TTF, size)}
}

// Cap is the height of a capital, Ascent that of one with an accent, and Line
// reaches from there to the bottom of a g.
func (l Letters) Cap() int    { return l.face.cap }
func (l Letters) Ascent() int { return l.face.ascent }
func (l Letters) Line() int   { return l.face.line }

// Width of a line.
func (l Letters) Width(s string) int { return l.face.width(s) }

// Fit cuts a line that is too wide.
func (l Letters) Fit(s string, width int) string { return l.face.fit(s, width) }

// Wrap breaks a text into at most so many lines.
func (l Letters) Wrap(s string, width, lines int) []string { return l.face.wrap(s, width, lines) }

// Draw writes s with its top left at p, in the first or the second colour of
// the picture's palette. It reports whether all of it lay within the clip.
func (l Letters) Draw(img *image.Paletted, clip image.Rectangle, p image.Point, s string, colour uint8) bool {
	c := canvas{img: img, at: clip.Intersect(img.Rect), proof: &proof{}}
	c.line(l.face, p, s, ink(colour))
	return len(c.cut) == 0
}
