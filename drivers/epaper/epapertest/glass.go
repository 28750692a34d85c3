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
	return p.upright(func(y int, line []byte) { copy(line, p.glass[y*p.model.width:]) })
}

// Memory returns the content of a memory as a picture, in the orientation of Glass. If old is
// false, the picture is the one that the next refresh shows. If old is true, the picture is
// the one with which that refresh compares the new picture.
func (p *Panel) Memory(old bool) *image.Paletted {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.upright(func(y int, line []byte) { p.chip.memory(old, y, line) })
}

// upright returns a picture in the maker's orientation. For each line y of the memory, it
// calls fill, which writes the colours of the line to a slice.
func (p *Panel) upright(fill func(y int, line []byte)) *image.Paletted {
	width, height := p.model.width, p.model.height
	size := image.Pt(width, height)
	if p.model.mount != across {
		size = image.Pt(height, width)
	}
	img := image.NewPaletted(image.Rectangle{Max: size}, palette)
	line := make([]byte, width)
	for y := range height {
		at, step := y*width, 1
		switch p.model.mount {
		case tallWaveshare: // Waveshare's software turns the picture a quarter to the left
			at, step = height-1-y, height
		case tallPimoroni: // Pimoroni's software turns the picture a quarter to the right
			at, step = y+(width-1)*height, -height
		}
		fill(y, line)
		pix := img.Pix
		for _, colour := range line {
			pix[at] = colour
			at += step
		}
	}
	return img
}

// widest is the number of pixels in a line of the widest glass.
const widest = 800

// undrivenCode is the code of a pixel that a refresh leaves alone.
const undrivenCode = 0xff

// refresh begins to drive the glass with the waveform w. The controller is also busy for the
// time lead before the waveform, and for the time tail after it. At the end, refresh calls
// done.
//
// refresh calls codes for each line y, to fill a slice with the code of each pixel. The code
// of a pixel is its pair of bits, the number of its colour, or undrivenCode.
func (p *Panel) refresh(w waveform, lead, tail time.Duration, codes func(y int, line []byte), done func()) {
	m := &p.model
	next, inverse, buf := bytes.Clone(p.glass), make([]byte, len(p.glass)), make([]byte, m.width)
	for y := range m.height {
		codes(y, buf)
		// Arrays that do not leave the stack, because a refresh visits every pixel,
		// and the race detector takes its time for each byte of a slice.
		var code, line, other [widest]byte
		copy(code[:], buf)
		copy(line[:m.width], next[y*m.width:])
		for x := range m.width {
			if b := code[x]; b != undrivenCode {
				line[x] = w.newColours[b][min(line[x], white)]
			}
			other[x] = 1 - min(line[x], white)
		}
		copy(next[y*m.width:], line[:m.width])
		copy(inverse[y*m.width:], other[:m.width])
	}
	show := func(picture []byte) func() {
		return func() {
			copy(p.glass, picture)
			p.dirty = true
		}
	}
	steps := []step{{at: lead, do: nil}}
	if w.flash {
		p.fullRefreshes++
		steps = append(steps,
			step{lead + w.time/4, show(inverse)},
			step{lead + w.time/2, show(bytes.Repeat([]byte{white}, len(next)))},
			step{lead + 3*w.time/4, show(next)})
	} else {
		p.partialRefreshes++
		steps = append(steps, step{lead + w.time/2, show(next)})
	}
	steps = append(steps, step{lead + w.time + tail, done})
	p.begin(true, steps...)
}
