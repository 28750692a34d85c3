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

	img source
}

// draw converts a picture to the memory's bits. Bits beyond the last column are
// white.
func (m *mapping) draw(to []byte, img image.Image) {
	m.img.open(img)
	start := m.start.Add(img.Bounds().Min)
	for y := range m.height {
		at := start.Add(image.Pt(y*m.line.X, y*m.line.Y))
		line := to[y*((m.width+7)/8):][:(m.width+7)/8]
		if m.img.pix != nil {
			m.drawBytes(line, at)
			continue
		}
		for i := range line {
			b := byte(0xff)
			for bit := range min(8, m.width-8*i) {
				if !m.img.isWhite(at.X, at.Y) {
					b &^= 0x80 >> bit
				}
				at = at.Add(m.column)
			}
			line[i] = b
		}
	}
	m.img.close()
}

// drawBytes draws one line of the memory from a picture with one byte per pixel. origin is the
// place of the line's first pixel in the picture.
func (m *mapping) drawBytes(line []byte, origin image.Point) {
	s := &m.img
	pix, white, width := s.pix, s.white, m.width
	from, step := (origin.Y-s.min.Y)*s.stride+origin.X-s.min.X, m.column.Y*s.stride+m.column.X
	for i := range line {
		b := byte(0xff)
		for bit := range min(8, width-8*i) {
			if !white[pix[from]] {
				b &^= 0x80 >> bit
			}
			from += step
		}
		line[i] = b
	}
}

// A source is a picture to be drawn. If the picture has a palette or is in grey, its pixels
// are read directly from pix. The pixels of all other pictures are read through rgba64Image if
// the picture has that interface, and otherwise through anyImage.
type source struct {
	pix    []uint8 // of a picture with a palette or in grey; else nil
	stride int
	min    image.Point
	white  [256]bool // whether a value of pix is drawn white

	rgba64Image image.RGBA64Image
	anyImage    image.Image
}

func (s *source) open(img image.Image) {
	switch img := img.(type) {
	case *image.Paletted:
		s.pix, s.stride, s.min = img.Pix, img.Stride, img.Rect.Min
		for i, c := range img.Palette {
			s.white[i] = isWhite(c.RGBA())
		}
	case *image.Gray:
		s.pix, s.stride, s.min = img.Pix, img.Stride, img.Rect.Min
		for i := range s.white {
			s.white[i] = i >= 0x80
		}
	case image.RGBA64Image:
		s.rgba64Image = img
	default:
		s.anyImage = img
	}
}

func (s *source) close() { s.pix, s.rgba64Image, s.anyImage = nil, nil, nil }

// isWhite reports whether a pixel is nearer to white than to black. It is for a picture that
// is in the field rgba64Image or anyImage.
func (s *source) isWhite(x, y int) bool {
	switch {
	case s.rgba64Image != nil:
		c := s.rgba64Image.RGBA64At(x, y)
		return isWhite(uint32(c.R), uint32(c.G), uint32(c.B), 0)
	}
	return isWhite(s.anyImage.At(x, y).RGBA())
}

// isWhite reports whether a colour is nearer to white than to black. It gives red, green and
// blue the weights that color.GrayModel gives them.
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

// maxBoxes is the largest number of pieces in which the changes of one picture are sent.
const maxBoxes = 8

// boxCost is the cost of the commands for one more box, in bytes. These commands set windows
// and counters in a dozen transfers. Splitting a box has to save more bytes than boxCost.
const boxCost = 32

// split divides the box r into at most limit pieces. It appends the pieces to the slice and
// returns the slice. The two pictures, a and b, are compared within r. If there is a wide
// enough band in which they are equal, split divides r at this band. r must be a result of
// shrink for a and b. stride is the number of bytes in a line.
func split(boxes []box, a, b []byte, stride int, r box, limit int) []box {
	lines := widestGap(r.Min.Y, r.Max.Y,
		func(y int) bool { return !shrink(a, b, stride, image.Rect(r.Min.X, y, r.Max.X, y+1)).Empty() })
	columns := widestGap(r.Min.X, r.Max.X,
		func(x int) bool { return !shrink(a, b, stride, image.Rect(x, r.Min.Y, x+1, r.Max.Y)).Empty() })
	byLines, byColumns := lines.size()*r.Dx(), columns.size()*r.Dy()
	if max(byLines, byColumns) <= boxCost || limit < 2 {
		return append(boxes, r)
	}
	one, two := r, r
	if byLines >= byColumns {
		one.Max.Y, two.Min.Y = lines.from, lines.to
	} else {
		one.Max.X, two.Min.X = columns.from, columns.to
	}
	n := len(boxes)
	boxes = split(boxes, a, b, stride, shrink(a, b, stride, one), limit-1)
	return split(boxes, a, b, stride, shrink(a, b, stride, two), limit-(len(boxes)-n))
}

// A gap is a run of lines or columns in which nothing has changed.
type gap struct{ from, to int }

func (g gap) size() int { return g.to - g.from }

func widestGap(from, to int, changed func(int) bool) (widest gap) {
	begin := from
	for i := from; i < to; i++ {
		if !changed(i) {
			continue
		}
		if g := (gap{begin, i}); g.size() > widest.size() {
			widest = g
		}
		begin = i + 1
	}
	return widest
}
