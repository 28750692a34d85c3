package epapertest

import (
	"bytes"
	"image"
	"image/color"
	"time"
)

// Colours of the glass.
const (
	black byte = iota
	white
	red
	yellow
	blue
	green
)

var palette = color.Palette{color.Black, color.White, color.RGBA{R: 0xc0, A: 0xff},
	color.RGBA{R: 0xf0, G: 0xd0, A: 0xff}, color.RGBA{B: 0xc0, A: 0xff}, color.RGBA{G: 0x80, A: 0xff}}

// Glass returns the current picture on the glass, in the orientation of the
// panel's maker.
func (p *Panel) Glass() *image.Paletted {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.upright(func(x, y int) byte { return p.glass[y*p.model.width+x] })
}

// Memory returns the picture in a memory, in the orientation of Glass: the one
// that the next refresh shows, or the old one that it compares with.
func (p *Panel) Memory(old bool) *image.Paletted {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.upright(p.chip.memory(old))
}

// upright returns a picture of the memory's lines in the maker's orientation.
func (p *Panel) upright(at func(x, y int) byte) *image.Paletted {
	size := image.Pt(p.model.width, p.model.height)
	if p.model.mount != across {
		size = image.Pt(size.Y, size.X)
	}
	img := image.NewPaletted(image.Rectangle{Max: size}, palette)
	for y := range p.model.height {
		for x := range p.model.width {
			u, v := x, y
			switch p.model.mount {
			case tallWaveshare: // its software turns the picture a quarter to the left
				u, v = p.model.height-1-y, x
			case tallPimoroni: // its software turns the picture a quarter to the right
				u, v = y, p.model.width-1-x
			}
			img.Pix[v*img.Stride+u] = at(x, y)
		}
	}
	return img
}

// refresh drives the glass: bits returns each pixel's pair of bits, or a negative
// number for a pixel that is not driven. after is called at the end.
func (p *Panel) refresh(w waveform, before, behind time.Duration, bits func(x, y int) int, after func()) {
	m := p.model
	next := bytes.Clone(p.glass)
	for y := range m.height {
		line := next[y*m.width:][:m.width]
		for x := range line {
			if b := bits(x, y); b >= 0 {
				line[x] = w.to[b][min(line[x], white)]
			}
		}
	}
	show := func(picture []byte) func() {
		return func() {
			copy(p.glass, picture)
			p.dirty = true
		}
	}
	steps := []step{{at: before, do: nil}}
	if w.flash {
		p.full++
		inverse := make([]byte, len(next))
		for i, colour := range next {
			inverse[i] = 1 - min(colour, white)
		}
		steps = append(steps,
			step{before + w.time/4, show(inverse)},
			step{before + w.time/2, show(bytes.Repeat([]byte{white}, len(next)))},
			step{before + 3*w.time/4, show(next)})
	} else {
		p.part++
		steps = append(steps, step{before + w.time/2, show(next)})
	}
	steps = append(steps, step{before + w.time + behind, after})
	p.begin(true, steps...)
}
