package epapertest

import (
	"iter"
	"time"
)

// swing is the number of driven frames that turn ink from one colour to the other. The
// shortest partial waveforms of the makers drive the ink for ten frames.
const swing = 8

// frameTime is the time of one frame: the makers' waveforms of 121 frames take
// two seconds.
const frameTime = 16 * time.Millisecond

// A waveform describes the effect of a refresh on the pixels.
type waveform struct {
	newColours [16][2]byte // by code (the two memories' bits, or a number) and old colour
	flash      bool        // pixels that keep their colour go through the other one, too
	time       time.Duration
}

// A lutFormat is the layout of a controller's waveform register.
type lutFormat struct {
	length   int
	groups   int
	decoded  bool // decode understands it
	stateRep bool // each group has repeat counts for its halves
}

var (
	// SSD1675: 5 LUTs of 7 groups, then 7 groups of TP[A-D], RP.
	lut70 = lutFormat{length: 70, groups: 7, decoded: true}
	// SSD1680 §6.7, figure 6-6 (p. 15): 5 LUTs of 12 groups, then 12 groups of
	// TP[A], TP[B], SR[AB], TP[C], TP[D], SR[CD], RP, then FR and XON.
	lut153 = lutFormat{length: 153, groups: 12, decoded: true, stateRep: true}
	// SSD1683 §6.7 (p. 16): the controller accepts this register, but a refresh with it is
	// not emulated.
	lut227 = lutFormat{length: 227}
)

// A phase applies one voltage for some frames.
type phase struct{ level, frames int }

// Source levels (SSD1680 table 6-6, p. 14). On these panels, VSH1 makes the ink black and VSL
// makes it white. On the UC8179, VDH and VDL do the same (R21h to R24h).
const (
	toBlack = 1
	toWhite = 2
)

// build returns the waveform that consists of the given phases. The argument luts holds the
// phases for each pair of bits.
func build(luts [4]iter.Seq[phase]) waveform {
	var w waveform
	maxFrames := 0
	for bits, phases := range luts {
		at, crossed, frames := [2]float64{black: 0, white: 1}, [2]bool{}, 0
		for ph := range phases {
			way := float64(ph.frames) / swing
			frames += ph.frames
			for from := range at {
				switch ph.level {
				case toBlack:
					at[from] = max(0, at[from]-way)
				case toWhite:
					at[from] = min(1, at[from]+way)
				}
				if (at[from] >= 0.5) != (from == int(white)) {
					crossed[from] = true
				}
			}
		}
		for from := range at {
			if at[from] >= 0.5 {
				w.newColours[bits][from] = white
			}
			if crossed[from] && w.newColours[bits][from] == byte(from) {
				w.flash = true
			}
		}
		maxFrames = max(maxFrames, frames)
	}
	w.time = time.Duration(maxFrames) * frameTime
	return w
}

// decode returns the waveform that is described by the bytes of a waveform register of the
// SSD16xx family.
func (f lutFormat) decode(lut []byte) waveform {
	var luts [4]iter.Seq[phase]
	for bits := range luts {
		luts[bits] = func(yield func(phase) bool) {
			for g := range f.groups {
				if !f.group(lut, g, lut[bits*f.groups+g], yield) {
					return
				}
			}
		}
	}
	return build(luts)
}

// group yields the phases of group g of a LUT, with their repeats. voltages holds the levels
// of the group's four phases. If yield returns false, group returns false and yields no more
// phases.
func (f lutFormat) group(lut []byte, g int, voltages byte, yield func(phase) bool) bool {
	level := func(i int) int { return int(voltages>>(6-2*i)) & 3 }
	if !f.stateRep {
		t := lut[5*f.groups+5*g:][:5]
		for range int(t[4]) + 1 {
			for i := range 4 {
				if !yield(phase{level(i), int(t[i])}) {
					return false
				}
			}
		}
		return true
	}
	t := lut[5*f.groups+7*g:][:7]
	for range int(t[6]) + 1 {
		for half := range 2 {
			for range int(t[3*half+2]) + 1 {
				if !yield(phase{level(2 * half), int(t[3*half])}) || !yield(phase{level(2*half + 1), int(t[3*half+1])}) {
					return false
				}
			}
		}
	}
	return true
}

// storedFull returns the waveform that the maker stored in the chip for full refreshes. This
// waveform drives every pixel to the new picture.
func storedFull(m model) waveform {
	w := waveform{flash: true, time: m.fullTime}
	for bits := range 4 {
		for from := range w.newColours[bits] {
			w.newColours[bits][from] = byte(bits & 1)
			if m.redInk && bits&2 != 0 {
				w.newColours[bits][from] = red
			}
		}
	}
	return w
}

// storedPartial returns the waveform that the maker stored in the chip for partial refreshes.
// This waveform drives only the pixels that change. If the chip has no such waveform,
// storedPartial returns the result of storedFull.
func storedPartial(m model) waveform {
	if !m.otpPartial {
		return storedFull(m)
	}
	return waveform{newColours: [16][2]byte{{black, white}, {white, white}, {black, black}, {black, white}},
		time: m.partialTime}
}
