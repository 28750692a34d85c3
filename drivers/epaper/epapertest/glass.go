package epapertest

import (
	"image"
	"image/color"
	"time"
)

// Colours of the glass.
const (
	black byte = iota
	white
	red
)

var palette = color.Palette{color.Black, color.White, color.RGBA{R: 0xc0, A: 0xff}}

// Glass returns what is to be seen at this moment, the way up the panel's
// maker shows it.
func (p *Panel) Glass() *image.Paletted {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.upright(func(x, y int) byte { return p.glass[y*p.model.width+x] })
}

// Memory returns a memory's picture as Glass returns the glass: the one the
// next refresh shows, or the old one that it compares with.
func (p *Panel) Memory(old bool) *image.Paletted {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.upright(p.chip.memory(old))
}

// upright turns a picture in the memory's lines to how people see it.
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
			img.SetColorIndex(u, v, at(x, y))
		}
	}
	return img
}

// refresh drives the glass: bits tells for each pixel its pair of bits, or
// below zero that it is left alone. after happens at the end.
func (p *Panel) refresh(w waveform, before, behind time.Duration, bits func(x, y int) int, after func()) {
	m := p.model
	next := make([]byte, len(p.glass))
	for y := range m.height {
		for x := range m.width {
			i := y*m.width + x
			next[i] = p.glass[i]
			if b := bits(x, y); b >= 0 {
				next[i] = w.to[b][min(p.glass[i], white)]
			}
		}
	}
	show := func() { p.paint(func(i int) byte { return next[i] }) }
	steps := []step{{at: before, do: nil}}
	if w.flash {
		p.full++
		steps = append(steps,
			step{before + w.time/4, func() { p.paint(func(i int) byte { return 1 - min(next[i], white) }) }},
			step{before + w.time/2, func() { p.paint(func(int) byte { return white }) }},
			step{before + 3*w.time/4, show})
	} else {
		p.part++
		steps = append(steps, step{before + w.time/2, show})
	}
	steps = append(steps, step{before + w.time + behind, after})
	p.begin(true, steps...)
}

// paint sets the whole glass.
func (p *Panel) paint(at func(pixel int) byte) {
	for i := range p.glass {
		p.glass[i] = at(i)
	}
	p.dirty = true
}
