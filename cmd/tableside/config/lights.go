package config

import (
	"cmp"
	"slices"

	"tableside/drivers/wled"
	"tableside/engine"
)

// Lights describes an LED strip that is connected to a bus or to a WLED.
type Lights struct {
	Chip string `toml:"chip"`
	Bus
	Host       string   `toml:"host"` // of a WLED: its name or address
	Count      int      `toml:"count"`
	Order      string   `toml:"order"`      // of the colours on the wire, such as "RGB"; "" is the chip's default
	Brightness *float64 `toml:"brightness"` // of the brightest LED, above 0, at most 1; nil is 1
	LimitMA    int      `toml:"limit_ma"`   // current of the supply, in mA; 0 is no limit
	Track      string   `toml:"track"`      // the track that the strip lies along; "" is the first that fits
	Reverse    bool     `toml:"reverse"`    // the first LED is at the high end
	Chances    int      `toml:"chances"`    // LEDs at the high end that show the chances
}

func (l *Lights) Who() string   { return "lights" }
func (l *Lights) Whose() string { return "" }
func (l *Lights) What() string  { return cmp.Or(l.Host, l.Chip) }
func (l *Lights) pins() []pin   { return nil }

// claims returns the claims of an LED strip. A strip has no chip select, so it would show
// what the computer sends to other chips on its bus. Therefore a strip needs a bus of its own.
// A WLED claims only its host.
func (l *Lights) claims(w *Wiring) []Claim {
	if l.Chip == "wled" {
		return []Claim{{Resource: "WLED " + l.Host, Part: "lights"}}
	}
	all := w.busClaims(&l.Bus, "lights", 0)
	for i := range all {
		if all[i].shareGroup == "bus" {
			all[i].shareGroup, all[i].Use = "", "a strip has no chip select and shows everything sent on its bus"
		}
	}
	return all
}

// maxLEDs is the largest number of LEDs that a strip may have. A table has no room for so
// many.
const maxLEDs = 1000

// WiredStrips lists the LED chips that a strip may have if it is wired to this computer, and
// not to a WLED.
var WiredStrips = []string{"ws2812", "sk6812", "apa102"}

func (l *Lights) check(f *Errors, _ []engine.Seat) {
	f.wrong(l.Chances < 0 || l.Chances > l.Count/2, "lights: chances", "a number up to half of count", "%d LEDs cannot show the chances", l.Chances)
	f.oneOf("lights: chip", l.Chip, append(slices.Clone(WiredStrips), "wled")...)
	if l.Chip == "wled" {
		l.checkWLED(f)
	} else {
		f.wrong(l.Host != "", "lights: host", `chip = "wled" where a WLED drives the strip`,
			"%s strips are on a bus, not on the network", l.Chip)
		if l.Order != "" {
			f.oneOf("lights: order", l.Order, "RGB", "RBG", "GRB", "GBR", "BRG", "BGR")
		}
		f.wrong(l.LimitMA < 0, "lights: limit_ma", "0 is no limit", "got %d mA, want 0 or more", l.LimitMA)
		f.wrong(l.LimitMA > 0 && l.LimitMA < l.Count, "lights: limit_ma",
			"raise it, if the supply allows, or set a smaller count",
			"%d mA are not enough: %d LEDs take about %d mA even while they are dark", l.LimitMA, l.Count, l.Count)
		l.Bus.check(f, "lights", "spi")
	}
	f.wrong(l.Count < 1 || l.Count > maxLEDs, "lights: count", "", "got %d LEDs, want 1 to %d", l.Count, maxLEDs)
	if b := l.Brightness; b != nil {
		f.wrong(!(*b > 0 && *b <= 1), "lights: brightness", "0.5 is half the light; without a strip leave [lights] out",
			"got %v, want above 0 and at most 1", *b) // NaN fails both comparisons
	}
}

// checkWLED checks the settings of a WLED. A WLED needs a host. A setting that belongs on the
// WLED itself is an error.
func (l *Lights) checkWLED(f *Errors) {
	if l.Host == "" {
		f.wrong(true, "lights: host", `as host = "wled-table.local"`, "a WLED needs its name or address")
	} else if _, _, err := wled.Split(l.Host); err != nil {
		f.wrong(true, "lights: host", "", "%s", err)
	}
	f.wrong(l.Bus != Bus{}, "lights", "leave out spi, i2c and serial", "a WLED is on the network, not on a bus")
	f.wrong(l.Order != "", "lights: order", "set the color order in its LED preferences",
		"a WLED has its own setting for the order")
	f.wrong(l.LimitMA != 0, "lights: limit_ma", "set the maximum current in its LED preferences",
		"a WLED limits the current itself")
}
