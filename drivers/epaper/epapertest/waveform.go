package epapertest

import "time"

// swing is how many frames of voltage turn ink from one colour to the other:
// the shortest partial waveforms of the makers drive for ten.
const swing = 8

// frame is the time of one frame: the makers' waveforms of 121 frames take
// two seconds.
const frame = 16 * time.Millisecond

// A waveform is what a refresh does to the pixels.
type waveform struct {
	to    [4][2]byte // by bits (old or red memory, new memory), and the colour before
	flash bool       // also pixels that stay go through the other colour
	time  time.Duration
}

// A lutFormat is how a controller's waveform register is laid out.
type lutFormat struct {
	length   int
	groups   int
	decoded  bool
	stateRep bool // each group has repeat counts for its halves
}

var (
	// SSD1675: 5 LUTs of 7 groups, then 7 groups of TP[A-D], RP.
	lut70 = lutFormat{length: 70, groups: 7, decoded: true}
	// SSD1680 §6.7, figure 6-6 (p. 15): 5 LUTs of 12 groups, then 12 groups of
	// TP[A], TP[B], SR[AB], TP[C], TP[D], SR[CD], RP, then FR and XON.
	lut153 = lutFormat{length: 153, groups: 12, decoded: true, stateRep: true}
	// SSD1683 §6.7 (p. 16): taken, but not played.
	lut227 = lutFormat{length: 227}
)

// A phase applies one voltage for some frames.
type phase struct{ level, frames int }

// Source levels (SSD1680 table 6-6, p. 14): on these panels VSH1 makes black,
// VSL white. UC8179 R21h to R24h: VDH and VDL do.
const (
	toBlack = 1
	toWhite = 2
)

// play returns where ink goes from a colour, and whether it was at the other
// side in between.
func play(phases []phase, from byte) (end byte, crossed bool) {
	at := float64(from)
	for _, ph := range phases {
		way := float64(ph.frames) / swing
		switch ph.level {
		case toBlack:
			at = max(0, at-way)
		case toWhite:
			at = min(1, at+way)
		}
		if (at < 0.5) != (from == black) {
			crossed = true
		}
	}
	if at < 0.5 {
		return black, crossed
	}
	return white, crossed
}

// build makes a waveform of the phases for each pair of bits.
func build(luts [4][]phase) waveform {
	var w waveform
	frames := 0
	for bits, phases := range luts {
		n := 0
		for from := range w.to[bits] {
			end, crossed := play(phases, byte(from))
			w.to[bits][from] = end
			if crossed && end == byte(from) {
				w.flash = true
			}
		}
		for _, ph := range phases {
			n += ph.frames
		}
		frames = max(frames, n)
	}
	w.time = time.Duration(frames) * frame
	return w
}

// decode reads a waveform register of the SSD16xx family.
func (f lutFormat) decode(lut []byte) waveform {
	var luts [4][]phase
	for bits := range luts {
		for g := range f.groups {
			voltages := lut[bits*f.groups+g]
			level := func(i int) int { return int(voltages>>(6-2*i)) & 3 }
			var group []phase
			var repeat int
			if f.stateRep {
				t := lut[5*f.groups+7*g:][:7]
				for range int(t[2]) + 1 {
					group = append(group, phase{level(0), int(t[0])}, phase{level(1), int(t[1])})
				}
				for range int(t[5]) + 1 {
					group = append(group, phase{level(2), int(t[3])}, phase{level(3), int(t[4])})
				}
				repeat = int(t[6]) + 1
			} else {
				t := lut[5*f.groups+5*g:][:5]
				for i := range 4 {
					group = append(group, phase{level(i), int(t[i])})
				}
				repeat = int(t[4]) + 1
			}
			for range repeat {
				luts[bits] = append(luts[bits], group...)
			}
		}
	}
	return build(luts)
}

// storedFull is a maker's waveform in the chip's own memory that drives every
// pixel to the new picture.
func storedFull(m model) waveform {
	w := waveform{flash: true, time: m.full}
	for bits := range w.to {
		for from := range w.to[bits] {
			w.to[bits][from] = byte(bits & 1)
			if m.redInk && bits&2 != 0 {
				w.to[bits][from] = red
			}
		}
	}
	return w
}

// storedPartial is a maker's waveform that drives what changes.
func storedPartial(m model) waveform {
	if !m.otpPartial {
		return storedFull(m)
	}
	return waveform{to: [4][2]byte{{black, white}, {white, white}, {black, black}, {black, white}}, time: m.partial}
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
