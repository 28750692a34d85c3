package lights

import (
	"image"
	"image/color"
	"math"
)

// Sizes of a picture, in pixels.
const (
	pitch = 30 // from one LED to the next
	tall  = 64
	core  = 8.5 // radius of an LED
	halo  = 26  // radius of its light
)

// Picture returns a picture of a strip as the eye sees it. In the picture, round LEDs in the
// given colours glow on a dark ground.
func Picture(leds []color.NRGBA) *image.NRGBA {
	w := pitch*max(len(leds), 1) + 2*pitch/3
	img := image.NewNRGBA(image.Rect(0, 0, w, tall))
	glows := make([]light, w*tall)
	for i, c := range leds {
		addLight(glows, w, pitch/3+pitch*i+pitch/2, glow(c))
	}
	for y := range tall {
		under := light{0.0040, 0.0045, 0.0060}
		if math.Abs(float64(y)+0.5-tall/2) < 13 {
			under = light{0.0085, 0.0095, 0.0120} // the body of the strip
		}
		for x := range w {
			img.SetNRGBA(x, y, screen(glows[y*w+x].add(under)))
		}
	}
	return img
}

// addLight adds the light of an LED, whose middle is at x, to the glow of each pixel.
func addLight(glows []light, w, x int, l light) {
	top := max(l.r, l.g, l.b)
	chip := light{0.022, 0.023, 0.026}.times(1 - min(1, top*7)).add(l.times(0.9)) // visible even when it is dark
	for y := range tall {
		for at := max(0, x-halo); at < min(w, x+halo); at++ {
			d := math.Hypot(float64(at-x)+0.5, float64(y)+0.5-tall/2)
			if d >= halo {
				continue
			}
			sum := &glows[y*w+at]
			if d < core { // a bright one is white in the middle
				glare := 0.6 * top * (1 - d/core)
				*sum = sum.add(light{1, 1, 1}.blend(chip, glare).times(min(1, core-d)))
			}
			k := 1 - d/halo
			*sum = sum.add(l.times(0.32 * k * k))
		}
	}
}

func (a light) add(b light) light { return light{a.r + b.r, a.g + b.g, a.b + b.b} }

// glow returns the light of an LED of colour c in the picture. The light of a dim LED is
// brighter than its colour, because the eye sees dim LEDs well in a dim room.
func glow(c color.NRGBA) light {
	lift := func(part uint8) float64 { return math.Pow(float64(part)/255, 0.75) }
	return light{lift(c.R), lift(c.G), lift(c.B)}
}

// screen converts the light l to the colour of a pixel. On a screen, a pixel of that colour
// gives the light l.
func screen(l light) color.NRGBA {
	part := func(x float64) uint8 { return uint8(math.Pow(min(max(x, 0), 1), 1/2.2)*255 + 0.5) }
	return color.NRGBA{part(l.r), part(l.g), part(l.b), 255}
}
