package panel

import (
	"image"

	"tableside/display/canvas"
)

// The sizes, in pixels to the em, are those whose small letters end on whole
// pixels in the Go fonts: 7, 8, 9 and so on. A panel has 120 to 130 pixels to
// the inch, so that the smallest capital is 1.8 mm high.
const (
	size7  = 11.4
	size8  = 13.25
	size9  = 15.1
	size10 = 17
	size13 = 22
	size18 = 31
	size24 = 41.5
)

// A typeset holds the faces of one picture.
type typeset struct {
	small, body, bold, big, huge *canvas.Face
}

// fonts holds the faces of every size of panel.
type fonts struct {
	little, middle, large typeset
}

func newFonts() *fonts {
	m7, m8, m9, m10 := canvas.Medium(size7), canvas.Medium(size8), canvas.Medium(size9), canvas.Medium(size10)
	b8, b9, b10, b13 := canvas.Bold(size8), canvas.Bold(size9), canvas.Bold(size10), canvas.Bold(size13)
	m13, b18, b24 := canvas.Medium(size13), canvas.Bold(size18), canvas.Bold(size24)
	return &fonts{
		little: typeset{small: m7, body: m8, bold: b8, big: b10, huge: b13},
		middle: typeset{small: m8, body: m9, bold: b9, big: b13, huge: b18},
		large:  typeset{small: m10, body: m13, bold: b13, big: b18, huge: b24},
	}
}

// of returns the faces for a size of panel.
func (f *fonts) of(size image.Point) typeset {
	switch {
	case min(size.X, size.Y) >= 420 && max(size.X, size.Y) >= 600:
		return f.large // half as large again as the middle one; the glass is larger by more than that
	case size.Y >= 200 && size.X >= 300:
		return f.middle
	}
	return f.little
}
