package epaper

import (
	"bytes"
	"image"
	"math/bits"
)

// A mapping says where in the picture each pixel of the memory is.
type mapping struct {
	bounds        image.Rectangle
	width, height int         // of the memory
	start         image.Point // where the memory's first pixel is in the picture
	column, line  image.Point // steps in the picture to the memory's next column, next line
}

// draw converts a picture to the memory's bits. Bits beyond the last column are
// white.
func (m *mapping) draw(to []byte, img image.Image) {
	start := m.start.Add(img.Bounds().Min)
	for y := range m.height {
		at := start.Add(image.Pt(y*m.line.X, y*m.line.Y))
		line := to[y*((m.width+7)/8):][:(m.width+7)/8]
		for i := range line {
			b := byte(0xff)
			for bit := range min(8, m.width-8*i) {
				if !isWhite(img.At(at.X, at.Y).RGBA()) {
					b &^= 0x80 >> bit
				}
				at = at.Add(m.column)
			}
			line[i] = b
		}
	}
}

// isWhite reports whether a colour is nearer to white than to black.
func isWhite(r, g, b, _ uint32) bool {
	return (19595*r+38470*g+7471*b+1<<15)>>24 >= 0x80
}

// countChanges returns how many bits of a and b differ.
func countChanges(a, b []byte) int {
	n := 0
	for i := range a {
		n += bits.OnesCount8(a[i] ^ b[i])
	}
	return n
}

// A box is a rectangular piece of a memory. Its width is in bytes, and its height in lines.
type box = image.Rectangle

// shrink compares two pictures, a and b, within the box r. It returns the smallest box that
// holds all bytes in which they differ. If they do not differ, the returned box is empty.
// stride is the number of bytes in a line.
func shrink(a, b []byte, stride int, r box) box {
	var out box
	for y := r.Min.Y; y < r.Max.Y; y++ {
		if bytes.Equal(a[y*stride+r.Min.X:y*stride+r.Max.X], b[y*stride+r.Min.X:y*stride+r.Max.X]) {
			continue
		}
		for x := r.Min.X; x < r.Max.X; x++ {
			if a[y*stride+x] != b[y*stride+x] {
				out = out.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return out
}
