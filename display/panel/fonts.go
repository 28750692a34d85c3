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

// fonts holds the faces that were used so far, by their sizes in pixels to the em.
type fonts struct{ mediums, bolds map[float64]*canvas.Face }

func newFonts() *fonts {
	return &fonts{map[float64]*canvas.Face{}, map[float64]*canvas.Face{}}
}

func (f *fonts) medium(em float64) *canvas.Face { return faceOf(f.mediums, em, canvas.Medium) }
func (f *fonts) bold(em float64) *canvas.Face   { return faceOf(f.bolds, em, canvas.Bold) }

func faceOf(known map[float64]*canvas.Face, em float64, draw func(float64) *canvas.Face) *canvas.Face {
	if known[em] == nil {
		known[em] = draw(em)
	}
	return known[em]
}

// typesetOf returns the faces for a panel of the given size in pixels.
func (f *fonts) typesetOf(size image.Point) typeset {
	switch {
	case isReadFromAfar(size):
		return f.typesetFor(19 * unit(size))
	case size.Y >= 200 && size.X >= 300:
		return typeset{small: f.medium(size8), body: f.medium(size9), bold: f.bold(size9), big: f.bold(size13),
			huge: f.bold(size18)}
	}
	return typeset{small: f.medium(size7), body: f.medium(size8), bold: f.bold(size8), big: f.bold(size10),
		huge: f.bold(size13)}
}

// typesetFor returns the faces of a large panel, for letters of the given size in pixels to
// the em. It first rounds the size with snap.
func (f *fonts) typesetFor(em float64) typeset {
	em = snap(em)
	return typeset{small: f.medium(snap(em * 0.9)), body: f.medium(em), bold: f.bold(em), big: f.bold(em * 1.5),
		huge: f.bold(em * 2)}
}

func isReadFromAfar(size image.Point) bool { return min(size.X, size.Y) >= 300 }

// unit returns the scale of a large panel: 1 for a panel of 400×300 pixels, which is the
// smallest.
func unit(size image.Point) float64 {
	return min(float64(size.X)/400, float64(size.Y)/300)
}

// boldOfHeight returns the bold face in which a figure has the given height, in pixels.
func (f *fonts) boldOfHeight(height int) *canvas.Face { return f.bold(float64(height) / capital) }

// capital is the height of a figure in a bold face, in ems.
const capital = 0.727
