package epaper

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"periph.io/x/conn/v3/i2c"
)

// Boards of one name may have different controllers behind their glass, so each Inky has an
// EEPROM in which Pimoroni writes which board it is. Source of its address, layout and numbers:
// Pimoroni inky, eeprom.py and auto.py.

// InkyAddress is the I2C address of an Inky's EEPROM.
const InkyAddress = 0x50

// An InkyBoard holds what an Inky's EEPROM says.
type InkyBoard struct {
	Width, Height int // in pixels; not always right on the later pHATs
	PCB           int // version of the board, in tenths
	Variant       int // Pimoroni's number of the display
}

// inkyBoards holds Pimoroni's display variants by number. Each entry holds the name of the
// variant, and the name of the panel that drives the variant, as in Panels. If no panel drives
// it, the panel's name is "".
var inkyBoards = map[int]struct{ name, panel string }{
	1:  {"Inky pHAT of 212x104, red", ""},
	2:  {"Inky wHAT, yellow", ""},
	3:  {"Inky wHAT, black", ""},
	4:  {"Inky pHAT of 212x104, black", ""},
	5:  {"Inky pHAT of 212x104, yellow", ""},
	6:  {"Inky wHAT, red", ""},
	7:  {"Inky wHAT, red", ""},
	8:  {"Inky wHAT, red", ""},
	10: {"Inky pHAT of 250x122, black (SSD1608)", "inky-phat"},
	11: {"Inky pHAT of 250x122, red (SSD1608)", "inky-phat"},
	12: {"Inky pHAT of 250x122, yellow (SSD1608)", "inky-phat"},
	14: {"Inky Impression 5.7, 7 colours (UC8159)", ""},
	15: {"Inky Impression 4, 7 colours (UC8159)", ""},
	16: {"Inky Impression 4, 7 colours (UC8159)", ""},
	17: {"Inky wHAT, black (SSD1683)", ""},
	18: {"Inky wHAT, red (SSD1683)", ""},
	19: {"Inky wHAT, yellow (SSD1683)", ""},
	20: {"Inky Impression 7.3, 7 colours (AC073TC1A)", ""},
	21: {"Inky Impression 13.3, 6 colours (EL133UF1)", ""},
	22: {"Inky Impression 7.3, 6 colours (E673)", ""},
	23: {"Inky pHAT of 250x122, red and yellow (JD79661)", "inky-phat-4colour"},
	24: {"Inky wHAT, red and yellow (JD79668)", ""},
	25: {"Inky Impression 4, 6 colours (E640)", ""},
	26: {"Inky Impression 7.3, 6 colours (E673)", ""},
	27: {"Inky Impression 13.3, 6 colours (EL133UF1)", ""},
}

// IsInky reports whether a panel is an Inky, which has an EEPROM.
func IsInky(panel string) bool { return strings.HasPrefix(panel, "inky-") }

// ReadInky reads the EEPROM of the Inky on the bus. It begins with the width and the height, two
// bytes each, the lower byte first. The colour, the board and the variant follow. ReadInky changes
// nothing there.
func ReadInky(bus i2c.Bus) (InkyBoard, error) {
	var b [7]byte
	if err := bus.Tx(InkyAddress, []byte{0, 0}, b[:]); err != nil {
		return InkyBoard{}, fmt.Errorf("epaper: EEPROM of an Inky at %#x: %w", InkyAddress, err)
	}
	board := InkyBoard{
		Width: int(binary.LittleEndian.Uint16(b[:])), Height: int(binary.LittleEndian.Uint16(b[2:])),
		PCB: int(b[5]), Variant: int(b[6]),
	}
	const most = 4096 // no Inky is as large; an empty EEPROM reads FFh everywhere
	if board.Width == 0 || board.Height == 0 || board.Width > most || board.Height > most {
		return InkyBoard{}, errors.New("epaper: what the EEPROM holds is not an Inky's")
	}
	return board, nil
}

// String returns the board's name, variant and version.
func (b InkyBoard) String() string {
	name := inkyBoards[b.Variant].name
	if name == "" {
		name = fmt.Sprintf("an Inky that is not known here, %dx%d", b.Width, b.Height)
	}
	return fmt.Sprintf("%s, variant %d, board %d.%d", name, b.Variant, b.PCB/10, b.PCB%10)
}

// Panel returns the panel that fits the board, by its name in Panels. If the driver has no
// panel for the board, the result is "".
func (b InkyBoard) Panel() string { return inkyBoards[b.Variant].panel }

// Fits returns nil if the panel with this name, one of Panels, may drive the board. It also
// returns nil if the board is unknown. Otherwise it returns an error. If another panel drives
// the board, the error names that panel.
func (b InkyBoard) Fits(panel string) error {
	_, known := inkyBoards[b.Variant]
	switch {
	case !known || b.Panel() == panel:
		return nil
	case b.Panel() == "":
		return fmt.Errorf("epaper: %s does not drive this board (%s), nor does any other panel of the list", panel, b)
	}
	return fmt.Errorf("epaper: %s does not drive this board (%s): model = %q does", panel, b, b.Panel())
}
