package ledstrip

import "image"

// Pixels calls paint for each LED that Draw(r, src, sp) changes. The argument count is the
// number of LEDs in the strip. Pixels passes paint the number of the LED, from 0, and the
// LED's new colour. Pixels reports whether r covers any LED.
//
// Colours have 16 bits. A half-transparent pixel is half as bright. Pixels does not allocate
// for the images of the standard library.
func Pixels(count int, r image.Rectangle, src image.Image, sp image.Point,
	paint func(x int, red, green, blue uint32)) bool {
	to := r.Intersect(image.Rect(0, 0, count, 1))
	if to.Empty() {
		return false
	}
	from := src.Bounds()
	nrgba, _ := src.(*image.NRGBA)
	rgba64, _ := src.(image.RGBA64Image)
	for x := to.Min.X; x < to.Max.X; x++ {
		at := image.Pt(sp.X+x-r.Min.X, sp.Y-r.Min.Y)
		if !at.In(from) {
			continue
		}
		var red, green, blue uint32
		switch {
		case nrgba != nil:
			red, green, blue, _ = nrgba.NRGBAAt(at.X, at.Y).RGBA()
		case rgba64 != nil: // At would allocate
			c := rgba64.RGBA64At(at.X, at.Y)
			red, green, blue = uint32(c.R), uint32(c.G), uint32(c.B)
		default:
			red, green, blue, _ = src.At(at.X, at.Y).RGBA()
		}
		paint(x, red, green, blue)
	}
	return true
}
