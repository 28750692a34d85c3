package ssd1306test

// A model holds the properties in which one emulated chip differs from the others.
type model struct {
	columns     int       // of the memory
	firstColumn int       // the column of the memory at which the glass begins
	highMask    byte      // bits that the chip uses of a column's high half
	reset       registers // after power-up

	// arguments holds the number of bytes that follow each command. The map leaves out
	// commands that contain a number in their own byte. Such commands are the same for all
	// models.
	arguments map[byte]int

	stops       bool // in page addressing the pointer stops after the last column; else it wraps
	remapsShown bool // segments are turned round when they are shown, not when they are written
}

var ssd1306 = model{
	columns: 128, highMask: 7,
	reset: registers{mode: pageMode, lastCol: 127, endPage: 7, mux: 64, alternate: true, contrast: 0x7f}, // table 9-1
	arguments: map[byte]int{
		0x20: 1, 0x21: 2, 0x22: 2, // addressing
		0x26: 6, 0x27: 6, 0x29: 5, 0x2a: 5, 0x2e: 0, 0x2f: 0, 0xa3: 2, // scrolling
		0x81: 1, 0x8d: 1, 0xa0: 0, 0xa1: 0, 0xa4: 0, 0xa5: 0, 0xa6: 0, 0xa7: 0, 0xa8: 1, 0xae: 0, 0xaf: 0,
		0xc0: 0, 0xc8: 0, 0xd3: 1, 0xd5: 1, 0xd9: 1, 0xda: 1, 0xdb: 1, 0xe3: 0,
	},
}

// ssd1309 is the SSD1309, which gets its voltage from the board and so has no pump. Its
// commands can be locked, and it has GPIO pins (DCh) (rev. 1.1, table 9-1).
var ssd1309 = model{
	columns: 128, highMask: 7,
	reset: registers{mode: pageMode, lastCol: 127, endPage: 7, mux: 64, alternate: true, contrast: 0x7f, pump: true},
	arguments: map[byte]int{
		0x20: 1, 0x21: 2, 0x22: 2,
		0x26: 6, 0x27: 6, 0x29: 5, 0x2a: 5, 0x2e: 0, 0x2f: 0, 0xa3: 2,
		0x81: 1, 0xa0: 0, 0xa1: 0, 0xa4: 0, 0xa5: 0, 0xa6: 0, 0xa7: 0, 0xa8: 1, 0xae: 0, 0xaf: 0,
		0xc0: 0, 0xc8: 0, 0xd3: 1, 0xd5: 1, 0xd9: 1, 0xda: 1, 0xdb: 1, 0xdc: 1, 0xe3: 0, 0xfd: 1,
	},
}

// sh1106 is the SH1106, which has only page addressing and no scrolling. Its converter is on
// after power-up (V2.3, command table). If a byte is no command of the chip, the chip skips
// the byte and takes the next one for a command.
var sh1106 = model{
	columns: 132, firstColumn: 2, highMask: 15, stops: true, remapsShown: true,
	reset: registers{mode: pageMode, endPage: 7, mux: 64, alternate: true, contrast: 0x80, pump: true},
	arguments: map[byte]int{
		0x30: 0, 0x31: 0, 0x32: 0, 0x33: 0, // voltage of the pump
		0x81: 1, 0xa0: 0, 0xa1: 0, 0xa4: 0, 0xa5: 0, 0xa6: 0, 0xa7: 0, 0xa8: 1, 0xad: 1, 0xae: 0, 0xaf: 0,
		0xc0: 0, 0xc8: 0, 0xd3: 1, 0xd5: 1, 0xd9: 1, 0xda: 1, 0xdb: 1, 0xe0: 0, 0xe3: 0, 0xee: 0,
	},
}
