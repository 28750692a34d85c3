package panel

import (
	"image"

	"tableside/display/canvas"
)

// These are the sizes of letters, in pixels to the em. At these sizes the lower-case letters
// of the Go fonts are a whole number of pixels high, such as 7, 8 or 9. A panel has 120 to 130
// pixels to the inch. Capitals are thus at least 9 pixels, or 1.8 mm, high.
const (
	size7  = 11.4
	size8  = 13.25
	size9  = 15.1
	size10 = 17
	size13 = 22
	size18 = 31
)

// ems lists the letter sizes among which a large panel chooses, in pixels to the em.
var ems = [...]float64{size8, size9, size10, 19, size13, 25, 28, size18, 36, 41.5}

// snap returns the largest letter size from the list ems that is not above the given size. If
// all of them are above it, snap returns the smallest one.
func snap(em float64) float64 {
	at := ems[0]
	for _, size := range ems {
		if size <= em {
			at = size
		}
	}
	return at
}

// A typeset holds the faces that one picture needs.
type typeset struct {
	small, body, bold, big, huge *canvas.Face
}

// fonts holds the faces of every size of panel.
type fonts struct {
	little, middle typeset
	large          map[float64]typeset  // by size
	figures        map[int]*canvas.Face // by the height of a figure
}

func newFonts() *fonts {
	m7, m8, m9 := canvas.Medium(size7), canvas.Medium(size8), canvas.Medium(size9)
	b8, b9, b10, b13 := canvas.Bold(size8), canvas.Bold(size9), canvas.Bold(size10), canvas.Bold(size13)
	f := &fonts{
		little:  typeset{small: m7, body: m8, bold: b8, big: b10, huge: b13},
		middle:  typeset{small: m8, body: m9, bold: b9, big: b13, huge: canvas.Bold(size18)},
		large:   map[float64]typeset{},
		figures: map[int]*canvas.Face{},
	}
	return f
}

// typesetOf returns the faces for a panel of the given size in pixels.
func (f *fonts) typesetOf(size image.Point) typeset {
	switch {
	case isReadFromAfar(size):
		return f.typesetFor(19 * unit(size))
	case size.Y >= 200 && size.X >= 300:
		return f.middle
	}
	return f.little
}

// typesetFor returns the faces of a large panel, for letters of the given size in pixels to
// the em. It first rounds the size with snap.
func (f *fonts) typesetFor(em float64) typeset {
	em = snap(em)
	set, ok := f.large[em]
	if !ok {
		set = typeset{small: canvas.Medium(snap(em * 0.9)), body: canvas.Medium(em), bold: canvas.Bold(em),
			big: canvas.Bold(em * 1.5), huge: canvas.Bold(em * 2)}
		f.large[em] = set
	}
	return set
}

// isReadFromAfar reports whether a panel of this size is so large that people read it from two
// metres away.
func isReadFromAfar(size image.Point) bool { return min(size.X, size.Y) >= 300 }

// unit returns the scale of a large panel: 1 for a panel of 400×300 pixels, which is the
// smallest.
func unit(size image.Point) float64 {
	return min(float64(size.X)/400, float64(size.Y)/300)
}

// boldOfHeight returns the bold face in which a figure has the given height, in pixels.
func (f *fonts) boldOfHeight(height int) *canvas.Face {
	face, ok := f.figures[height]
	if !ok {
		face = canvas.Bold(float64(height) / capital)
		f.figures[height] = face
	}
	return face
}

// capital is the height of a figure in a bold face, in ems.
const capital = 0.727
