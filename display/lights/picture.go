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
	ground, body := screen(light{0.0040, 0.0045, 0.0060}), screen(light{0.0085, 0.0095, 0.0120})
	for y := range tall {
		for x := range w {
			img.SetNRGBA(x, y, ground)
			if math.Abs(float64(y)+0.5-tall/2) < 13 {
				img.SetNRGBA(x, y, body)
			}
		}
	}
	glows := make([]light, len(leds))
	for i, c := range leds {
		glows[i] = glow(c)
	}
	for y := range tall {
		for x := range w {
			near := max(0, (x-pitch/3-halo)/pitch)
			if near < len(glows) {
				addLight(img, x, y, glows[near:min(near+4, len(glows))], near)
			}
		}
	}
	return img
}

// addLight makes the pixel at x, y brighter by the light of the LEDs nearby. The caller passes
// these LEDs, and the place of the first of them on the strip, counted from 0.
func addLight(img *image.NRGBA, x, y int, leds []light, index int) {
	var sum light
	lit := false
	for i, l := range leds {
		dx, dy := float64(x)+0.5-pitch/3-pitch*(float64(index+i)+0.5), float64(y)+0.5-tall/2
		d := math.Hypot(dx, dy)
		if d >= halo {
			continue
		}
		if d < core {
			// The chip itself is visible even when it is dark; a bright one is white
			// in the middle.
			top := max(l.r, l.g, l.b)
			chip := light{0.022, 0.023, 0.026}.times(1 - min(1, top*7))
			glare := 0.6 * top * (1 - d/core)
			sum = sum.add(light{1, 1, 1}.blend(chip.add(l.times(0.9)), glare).times(min(1, core-d)))
			lit = true
		}
		if l != (light{}) {
			k := 1 - d/halo
			sum = sum.add(l.times(0.32 * k * k))
			lit = true
		}
	}
	if lit {
		p := img.NRGBAAt(x, y)
		img.SetNRGBA(x, y, screen(sum.add(light{linear(uint64(p.R)), linear(uint64(p.G)), linear(uint64(p.B))})))
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
