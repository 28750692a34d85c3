// Package qrtest draws QR codes as the camera of a phone sees them.
package qrtest

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
)

// Seen returns a picture as a camera would see it, with noise. The picture is turned by an
// angle in radians. If tilt is above 0, the picture gets smaller towards the bottom.
func Seen(img image.Image, turn, tilt float64) image.Image {
	b := img.Bounds()
	size := max(b.Dx(), b.Dy()) * 3 / 2
	out := image.NewGray(image.Rect(0, 0, size, size))
	chance := rand.New(rand.NewPCG(1, 1))
	sin, cos := math.Sincos(turn)
	for y := range size {
		for x := range size {
			u, v := float64(x-size/2), float64(y-size/2)
			far := 1 + tilt*v/float64(size) // the farther, the smaller
			u, v = (cos*u+sin*v)*far, (cos*v-sin*u)*far
			at := image.Pt(b.Min.X+b.Dx()/2+int(u), b.Min.Y+b.Dy()/2+int(v))
			light := 200.0
			if at.In(b) {
				light = 40 + float64(color.GrayModel.Convert(img.At(at.X, at.Y)).(color.Gray).Y)*0.7
			}
			out.SetGray(x, y, color.Gray{Y: uint8(min(255, max(0, light+4*chance.NormFloat64())))})
		}
	}
	return out
}
