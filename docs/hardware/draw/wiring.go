package main

// A wiring holds the sections of a configuration that the drawing needs.
type wiring struct {
	Readers        []chip
	Panel, Lights  chip
	Keys, Encoders []key
}

type chip struct {
	Name, Seat, Chip, Model, SPI, Reset, DC, Busy string
	Count                                         int
}

type key struct{ Pin, A, B, Button, Seat, Key, Long string }

// A part is a box in the drawing. Each of its rows is a connector.
type part struct {
	Title, Whose, Subtitle, Icon, Remark string
	Seat                                 *struct{ Colour, Shape string }
	bus                                  string // of SPI, if any
	Rows                                 []*row
	Side                                 side
	X, Y, Height                         float64
}

// A row is a connector of a part: its printed label, the role of its wire, and its net, such as
// "GPIO21", "GND" or "5 V supply". A row without a net is not wired.
type row struct {
	Label, role, Net string
	Shifted          bool // through a level shifter
	Wire             *wire
	Y                float64
}

// connectors holds the labels and roles of a part's rows, in the order on its board.
var connectors = map[string]string{
	"pn532":     "VCC=3.3 V, GND=GND, SCK=clock, MISO=miso, MOSI=mosi, SS=select, RSTPDN=reset",
	"mfrc522":   "SDA=select, SCK=clock, MOSI=mosi, MISO=miso, IRQ, GND=GND, RST=reset, 3.3V=3.3 V", // the blue RC522
	"panel":     "VCC=3.3 V, GND=GND, DIN=mosi, CLK=clock, CS=select, DC=dc, RST=reset, BUSY=busy",
	"ws2812":    "5V=5 V, DIN=mosi shifted, GND=GND",
	"apa102":    "5V=5 V, CI=clock shifted, DI=mosi shifted, GND=GND",
	"supply":    "5 V=5 V, GND=GND",
	"regulator": "IN=5 V, OUT=3.3 V, GND=GND",
}

// buses holds the pins that the kernel takes for an SPI bus, by their roles, the chip selects by
// their numbers. See the Raspberry Pi documentation, alternative functions of the GPIO, and the
// overlays spi1-3cs and spi5-1cs.
var buses = map[string]map[string]string{
	"SPI0": {"clock": "GPIO11", "mosi": "GPIO10", "miso": "GPIO9", "0": "GPIO8", "1": "GPIO7"},
	"SPI1": {"clock": "GPIO21", "mosi": "GPIO20", "miso": "GPIO19", "0": "GPIO18", "1": "GPIO17", "2": "GPIO16"},
	"SPI5": {"clock": "GPIO15", "mosi": "GPIO14", "miso": "GPIO13", "0": "GPIO12"},
}
