package epaper

// A waveform holds the voltages that an SSD1680 applies in a refresh (§6.6 and
// §6.7, figure 6-6, pp. 13-15).
type waveform struct {
	// drive holds the levels that drive a pixel. Its four entries are for the changes from
	// black to black, black to white, white to black, and white to white. An entry has one
	// byte for each group of phases. The byte holds the levels of the phases A to D, two
	// bits each (table 6-6).
	drive [4][]byte
	// groups holds for each group the seven bytes TP[A], TP[B], SR[AB], TP[C], TP[D],
	// SR[CD], RP.
	groups [][7]byte
	vgh    byte    // 03h
	vs     [3]byte // 04h: VSH1, VSH2, VSL
	vcom   byte    // 2Ch
}

// Sizes of the parts of the waveform register. The register begins with tables, the LUTs.
// There are waveLUTs of them, and each has waveGroups groups. The times of the groups follow.
// The end is FR, with waveRates bytes, and XON, with waveXON bytes.
const (
	waveGroups = 12
	waveLUTs   = 5 // the fifth is VCOM's, which stays at its level here
	waveRates  = 6 // FR[0..11], four bits each
	waveXON    = 3 // no gates all on
)

// Values that all of Waveshare's waveforms share. The gates are at 20 V (03h, p. 20), VSH1 at
// 15 V and VSL at -15 V (04h, p. 21), and VCOM is between -1.3 and -1.4 V (2Ch, p. 28). The
// frame rate is the same in all groups, and the end option is 22h, "normal" (3Fh, p. 31).
const (
	vgh20V    = 0x17
	vsh1At15V = 0x41
	vslAt15V  = 0x32
	vcomMaker = 0x36
	frameRate = 0x22
	endNormal = 0x22
)

// These are bytes for waveform.drive. Each byte holds the levels of four phases.
const (
	still        = 0x00
	blackA       = 0x40 // VSH1 in phase A
	whiteA       = 0x80 // VSL in phase A
	blackAwhiteC = 0x4a // VSH1 in A, VSL in C and D
)

// full2in13v3 is a waveform that flashes: it drives the pixels to black and to white, three
// times, and then to the new colour.
var full2in13v3 = waveform{
	drive: [4][]byte{
		{whiteA, blackAwhiteC, blackA},
		{blackA, blackAwhiteC, whiteA},
		{whiteA, blackAwhiteC, blackA},
		{blackA, blackAwhiteC, whiteA},
	},
	groups: [][7]byte{{0: 15}, {0: 15, 3: 15, 6: 2}, {0: 15}, {0: 1}},
	vgh:    vgh20V, vs: [3]byte{vsh1At15V, 0, vslAt15V}, vcom: vcomMaker,
}

// partial2in13v3 drives changed pixels for 20 frames, and the others for one.
var partial2in13v3 = waveform{
	drive:  [4][]byte{{still, blackA}, {whiteA, whiteA}, {blackA, blackA}, {still, whiteA}},
	groups: [][7]byte{{0: 20}, {0: 1}, {0: 1}},
	vgh:    vgh20V, vs: [3]byte{vsh1At15V, 0, vslAt15V}, vcom: vcomMaker,
}

// partial2in9v2 also drives changed pixels for 20 frames, but in two halves of ten; VSH2 has
// Waveshare's value.
var partial2in9v2 = waveform{
	drive:  [4][]byte{{still, blackA}, {whiteA, whiteA}, {blackA, blackA}, {still, whiteA}},
	groups: [][7]byte{{0: 10, 6: 1}, {0: 1}, {0: 1}},
	vgh:    vgh20V, vs: [3]byte{vsh1At15V, 0xb0, vslAt15V}, vcom: vcomMaker,
}

// send writes the waveform and its voltages.
func (w *waveform) send(l *line) error {
	if err := l.command(0x32); err != nil {
		return err
	}
	put := func(v byte, times int) (err error) {
		for ; times > 0 && err == nil; times-- {
			err = l.put(v)
		}
		return err
	}
	for lut := range waveLUTs {
		for g := range waveGroups {
			v := byte(still)
			if lut < len(w.drive) && g < len(w.drive[lut]) {
				v = w.drive[lut][g]
			}
			if err := l.put(v); err != nil {
				return err
			}
		}
	}
	for g := range waveGroups {
		var group [7]byte
		if g < len(w.groups) {
			group = w.groups[g]
		}
		for _, v := range group {
			if err := l.put(v); err != nil {
				return err
			}
		}
	}
	if err := put(frameRate, waveRates); err != nil {
		return err
	}
	if err := put(0, waveXON); err != nil {
		return err
	}
	if err := l.flush(); err != nil {
		return err
	}
	if err := l.send(0x3f, endNormal); err != nil {
		return err
	}
	if err := l.send(0x03, w.vgh); err != nil {
		return err
	}
	if err := l.send(0x04, w.vs[:]...); err != nil {
		return err
	}
	return l.send(0x2c, w.vcom)
}
