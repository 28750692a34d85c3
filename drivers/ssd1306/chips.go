package ssd1306

import "fmt"

// A Chip is the name of a screen's controller, as it is written in a configuration.
type Chip string

const (
	SSD1306 Chip = "ssd1306" // 0.91 and 0.96 inches, with a charge pump
	SSD1309 Chip = "ssd1309" // 2.42 inches, on boards with a converter for the display's voltage
	SH1106  Chip = "sh1106"  // 1.3 inches
)

// A chip holds the properties in which one controller differs from the others.
type chip struct {
	heights []int
	column  int // of the memory, where the glass begins

	// setupWhileOff holds the commands that may be sent only while the display is off.
	// setupCommands holds those that may be sent at any time. The method begin adds the
	// commands that are the same for all chips.
	setupWhileOff, setupCommands []byte
}

// chips holds the supported chips. Data sheets leave some numbers to the maker of a module.
// Such numbers come from the libraries that most modules run with. For the SSD1306, these are
// the libraries of periph and Adafruit. For the other chips, the library is U8g2
// (olikraus/u8g2, u8x8_d_ssd1309.c, u8x8_d_ssd1306_128x64_noname.c).
//
// If a library's number differs from the chip's reset value only as a matter of taste, the
// reset value is used.
var chips = map[Chip]*chip{
	SSD1306: {heights: []int{64, 32}, setupCommands: []byte{
		0x81, 0xff, // contrast: the greatest
		0xd5, 0xf0, // the fastest clock, so that no camera sees it flicker
		0x8d, 0x14, // charge pump on (application note at the end of the data sheet)
		0xd9, 0xf1, // phases of 1 and 15 clocks
		0xdb, 0x40, // VCOMH
		0x2e, // no scrolling
		setMode, pageMode,
	}},
	// No charge pump: 8Dh is no command (rev. 1.1, table 9-1).
	SSD1309: {heights: []int{64}, setupWhileOff: []byte{
		0xfd, 0x12, // unlock, where another program has locked the commands
	}, setupCommands: []byte{
		0x81, 0x7f,
		0xd5, 0xa0,
		0xd9, 0x22,
		0xdb, 0x34, // 0.78 VCC
		0x2e,
		setMode, pageMode,
	}},
	// The memory has 132 columns. Modules show the 128 columns in the middle, whichever way
	// the glass is mounted. The chip always uses page addressing, and no command sets the
	// addressing mode. The commands 20h, 21h and 22h do not exist (V2.3, command table).
	SH1106: {heights: []int{64}, column: 2, setupWhileOff: []byte{
		0xad, 0x8b, // the converter works while the display is on
	}, setupCommands: []byte{
		0x81, 0xff,
		0xd5, 0x50,
		0xd9, 0x22,
		0xdb, 0x35, // 0.77 of the display's voltage
		0x32, // which is 8.0 V
	}},
}

// begin returns the commands that set up a screen of the given height in pixels. If rotated is
// true, the picture is turned by half a turn. If lit is true, the display is already on. In
// this case, begin leaves it on and leaves out the commands in c.setupWhileOff.
func (c *chip) begin(height int, rotated, lit bool) []byte {
	var w []byte
	if !lit {
		w = append(append(w, displayOff), c.setupWhileOff...)
	}
	segments, rows := byte(0xa1), byte(0xc8)
	if rotated {
		segments, rows = 0xa0, 0xc0
	}
	pins := byte(0x12)
	if height == 32 {
		pins = 0x02 // how makers wire 32 rows (10.1.18)
	}
	w = append(w,
		0xd3, 0, // no offset
		0x40, // the first line at the top
		segments, rows, 0xda, pins,
		0xa8, byte(height-1), // how many rows are driven
		0xa4, // show what the memory holds
		0xa6, // 1 is lit
	)
	return append(w, c.setupCommands...)
}

// pointerCommands returns the commands that set the memory pointer to a page and a column. A
// page is a row that is 8 pixels high. The column is a column of the glass.
func (c *chip) pointerCommands(page, column int) [3]byte {
	column += c.column
	return [3]byte{0xb0 | byte(page), byte(column & 0x0f), 0x10 | byte(column>>4)}
}

func find(name Chip) (*chip, error) {
	c, ok := chips[name]
	if !ok {
		return nil, fmt.Errorf("ssd1306: got chip %q, want %s, %s or %s", name, SSD1306, SSD1309, SH1106)
	}
	return c, nil
}
