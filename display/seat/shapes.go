package seat

import (
	"image"
	"image/color"
	"strings"

	"tableside/display/canvas"
)

// Glow is the palette of every picture: dark, and lit.
var Glow = color.Palette{color.Black, color.White}

const (
	dark canvas.Ink = iota
	lit
)

// dots fills r with every other pixel.
func dots(c *canvas.Canvas, r image.Rectangle) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if (x+y)%2 == 0 {
				c.Set(x, y, lit)
			}
		}
	}
}

// arrow draws a triangle. The size is its width in pixels. The middle of its upright side is
// at base. If dir is -1, the arrow points to the left; if dir is 1, it points to the right.
func arrow(c *canvas.Canvas, base image.Point, size, dir int) {
	for i := range size {
		x := base.X + dir*i
		c.Fill(image.Rect(x, base.Y-size+i+1, x+1, base.Y+size-i), lit)
	}
}

func warn(c *canvas.Canvas, r image.Rectangle, colour canvas.Ink) int {
	c.Warn(r, r.Dy()/3+1, colour)
	return r.Min.X
}

func writeLines(c *canvas.Canvas, f *canvas.Face, r image.Rectangle, lines []string) {
	top := r.Min.Y + (r.Dy()-len(lines)*f.Line())/2
	for i, line := range lines {
		c.Centre(f, image.Rect(r.Min.X, top+i*f.Line(), r.Max.X, top+(i+1)*f.Line()), line, lit)
	}
}

func isComplete(lines []string) bool {
	for _, line := range lines {
		if strings.HasSuffix(line, "…") {
			return false
		}
	}
	return true
}
