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
	vsh2   byte // 04h, the second voltage
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
}

// partial2in13v3 drives changed pixels for 20 frames, and the others for one.
var partial2in13v3 = waveform{
	drive:  [4][]byte{{still, blackA}, {whiteA, whiteA}, {blackA, blackA}, {still, whiteA}},
	groups: [][7]byte{{0: 20}, {0: 1}, {0: 1}},
}

// partial2in9v2 also drives changed pixels for 20 frames, but in two halves of ten; VSH2 has
// Waveshare's value.
var partial2in9v2 = waveform{
	drive:  [4][]byte{{still, blackA}, {whiteA, whiteA}, {blackA, blackA}, {still, whiteA}},
	groups: [][7]byte{{0: 10, 6: 1}, {0: 1}, {0: 1}},
	vsh2:   0xb0,
}

// send writes the waveform and its voltages.
func (w *waveform) send(l *line) error {
	const times, rates = waveLUTs * waveGroups, (waveLUTs + 7) * waveGroups
	var register [rates + waveRates + waveXON]byte // where nothing is set, a pixel is still
	for lut, levels := range w.drive {
		copy(register[lut*waveGroups:], levels)
	}
	for g, group := range w.groups {
		copy(register[times+7*g:], group[:])
	}
	for i := range waveRates {
		register[rates+i] = frameRate
	}
	return l.sendAll([]command{{0x32, register[:]}, {0x3f, []byte{endNormal}}, {0x03, []byte{vgh20V}},
		{0x04, []byte{vsh1At15V, w.vsh2, vslAt15V}}, {0x2c, []byte{vcomMaker}}})
}
