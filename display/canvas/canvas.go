// Package canvas draws rectangles and letters into pictures of two colours. The pictures are
// for screens of any kind, such as e-paper or a small OLED.
package canvas

import (
	"image"
	"image/color"
)

// An Ink is an index into a palette of two colours. 0 is the background of a new picture, and
// 1 is the colour drawn on it.
type Ink uint8

// Other returns the ink that i is not: 1 for 0, and 0 for 1.
func (i Ink) Other() Ink { return 1 - i }

// A Canvas is a region of a picture.
type Canvas struct {
	Picture *image.Paletted
	Rect    image.Rectangle // the region
	*Proof

	// Anything drawn outside of the clip is lost. On a tight canvas, the clip is the whole
	// picture. Otherwise the clip is the region of the canvas.
	clip  image.Rectangle
	tight bool
}

// A Proof records where words were drawn and which were cut, for tests of a picture.
type Proof struct {
	Boxes    []image.Rectangle // around the words
	Texts    []string          // the text in each box
	CutTexts []string          // texts with ink outside of the clip
}

// New makes an empty picture of the given size in pixels. The method In returns a part of the
// picture. Anything drawn into such a part stays within the part.
func New(size image.Point, palette color.Palette) *Canvas {
	img := image.NewPaletted(image.Rectangle{Max: size}, palette)
	return &Canvas{Picture: img, Rect: img.Rect, Proof: &Proof{}, clip: img.Rect}
}

// NewTight makes an empty picture of the given size for a screen that has no row of pixels to
// spare. Accents may rise above the region of their line, up to the edge of the picture.
func NewTight(size image.Point, palette color.Palette) *Canvas {
	c := New(size, palette)
	c.tight = true
	return c
}

// In returns a canvas for the part of c that is within r. The new canvas draws into the same
// picture as c, and has the same Proof.
func (c *Canvas) In(r image.Rectangle) *Canvas {
	part := *c
	part.Rect = c.clip.Intersect(r)
	if !c.tight {
		part.clip = part.Rect
	}
	return &part
}

// Set draws a pixel in the ink i.
func (c *Canvas) Set(x, y int, i Ink) {
	if (image.Point{X: x, Y: y}).In(c.clip) {
		c.Picture.Pix[c.Picture.PixOffset(x, y)] = uint8(i)
	}
}

// Fill fills r with the ink i.
func (c *Canvas) Fill(r image.Rectangle, i Ink) {
	r = r.Intersect(c.clip)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c.Picture.Pix[c.Picture.PixOffset(x, y)] = uint8(i)
		}
	}
}

// Shade fills r with dots of ink 1. The caller passes the distance from one dot to the next,
// in pixels. It is the same in both directions. Every second row of dots is shifted by half of
// this distance.
func (c *Canvas) Shade(r image.Rectangle, pitch int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if y%pitch == 0 && (x+y/pitch%2*(pitch/2))%pitch == 0 {
				c.Set(x, y, 1)
			}
		}
	}
}

// Frame draws a border one pixel thick just inside r. At both ends of each side, Frame leaves
// a gap of the given number of pixels.
func (c *Canvas) Frame(r image.Rectangle, gap int, i Ink) {
	c.Fill(image.Rect(r.Min.X+gap, r.Min.Y, r.Max.X-gap, r.Min.Y+1), i)
	c.Fill(image.Rect(r.Min.X+gap, r.Max.Y-1, r.Max.X-gap, r.Max.Y), i)
	c.Fill(image.Rect(r.Min.X, r.Min.Y+gap, r.Min.X+1, r.Max.Y-gap), i)
	c.Fill(image.Rect(r.Max.X-1, r.Min.Y+gap, r.Max.X, r.Max.Y-gap), i)
}

// Warn draws a warning sign into r, in the ink i, with an exclamation mark in the other ink.
// The gap is the distance in pixels from the end of the mark's stroke to the bottom of r. The
// mark's dot is in the gap.
func (c *Canvas) Warn(r image.Rectangle, gap int, i Ink) {
	c.Fill(Inset(r, 1), i)
	c.Fill(image.Rect(r.Min.X, r.Min.Y+1, r.Max.X, r.Max.Y-1), i)
	thick := max(2, r.Dy()/8)
	x := (r.Min.X+r.Max.X)/2 - thick/2
	c.Fill(image.Rect(x, r.Min.Y+thick, x+thick, r.Max.Y-gap), i.Other())
	c.Fill(image.Rect(x, r.Max.Y-gap+thick/2, x+thick, r.Max.Y-thick), i.Other())
}

// Inset returns r made narrower by x pixels at the left and by x pixels at the right. If r is
// too narrow, the result is empty.
func Inset(r image.Rectangle, x int) image.Rectangle {
	return image.Rect(r.Min.X+x, r.Min.Y, max(r.Min.X+x, r.Max.X-x), r.Max.Y)
}

// Row cuts a line of the given height in pixels off the top of r, and returns the line. If r
// is not high enough, the line is all of r.
func Row(r *image.Rectangle, height int) image.Rectangle {
	line := image.Rect(r.Min.X, r.Min.Y, r.Max.X, min(r.Min.Y+height, r.Max.Y))
	r.Min.Y = line.Max.Y
	return line
}
