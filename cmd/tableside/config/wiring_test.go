package config

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// whole is a configuration with a bit of everything; each case changes one thing.
//
//go:embed testdata/table.toml
var whole string

// repo is the path of the repository's root.
const repo = "../../.."

func load(source string) (Config, error) {
	c := New(func(string) string { return "" })
	err := c.read("t.toml", source)
	return c, err
}

func TestWiring(t *testing.T) {
	c, err := load(whole)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Readers) != 2 || c.Readers[1].Channel != 3 || c.Readers[1].Every.Milliseconds() != 40 ||
		c.Readers[0].Every.Milliseconds() != 50 {
		t.Errorf("readers %+v", c.Readers)
	}
	if c.Panel.SPI != "SPI0.1" || c.Lights.LimitMA != 1500 || c.Screens[0].Height != 64 ||
		c.Encoders[0].Button != "GPIO22" {
		t.Errorf("panel %+v, lights %+v, screens %+v", c.Panel, c.Lights, c.Screens)
	}
}

// wiredLights are the lights of whole.
const wiredLights = `chip = "ws2812"
spi = "SPI1.0"
count = 60
brightness = 0.5
limit_ma = 1500
`

// TestWiringWLED tests that a strip on the network claims no pin of a bus.
func TestWiringWLED(t *testing.T) {
	source := strings.Replace(whole, wiredLights,
		"chip = \"wled\"\nhost = \"wled-table.local:8080\"\ncount = 60\nbrightness = 0.5\n", 1)
	source = strings.Replace(source, `pin = "GPIO12"`, `pin = "GPIO20"`, 1) // MOSI of SPI1
	c, err := load(source)
	if err != nil || c.Lights.Host != "wled-table.local:8080" {
		t.Fatalf("%+v, %v", c.Lights, err)
	}
}

// TestWiringFaults tests the error of every mistake; each case replaces one text
// of whole.
func TestWiringFaults(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{`dc = "GPIO23"`, `dc = "GPIO25"`, "GPIO25: used by both reader red (reset) and panel (dc)"},
		{`spi = "SPI0.1"`, `spi = "SPI0.0"`, "SPI0.0: used by both reader red and panel"},
		{`spi = "SPI1.0"`, `spi = "SPI5.0"`, "GPIO12: used by both lights (chip select of SPI5.0) and buzzer"},
		{`spi = "SPI1.0"`, `spi = "SPI6.1"`, "GPIO27: used by both encoder (b) and lights (chip select of SPI6.1)"},
		{`spi = "SPI1.0"`, `spi = "SPI4.1"`, "GPIO25: used by both reader red (reset) and lights (chip select of SPI4.1)"},
		{`spi = "SPI1.0"`, `spi = "SPI3.0"`, "GPIO2: used by both reader blue (I2C /dev/i2c-1 data) and lights (SPI3 MOSI)"},
		{`channel = 3`,
			"channel = 3\nmux_reset = \"GPIO4\"\n[[readers]]\nname = \"more\"\nchip = \"pn532\"\ni2c = " +
				"\"/dev/i2c-1\"\nmux = 0x71\nmux_reset = \"GPIO6\"",
			"/dev/i2c-1, mux_reset: used by both reader blue (GPIO4) and reader more (GPIO6)"},
		{`channel = 3`, "channel = 3\naddress = 0x25", "reader blue: address: got 0x25, want 0x24"},
		{`[panel]`, "[[screens]]\nseat = \"blue\"\nchip = \"ssd1306\"\ni2c = \"/dev/i2c-1\"\naddress = 0x3d\n[panel]",
			"screen blue: two parts have that name"},
		{`key = "next"`, "key = \"next\"\nper_detent = 3",
			"encoder: per_detent: got 3 changes from one detent to the next, want 4, 2 or 1"},
		{`spi = "SPI1.0"`, `spi = "SPI0.2"`,
			"SPI0: used by both reader red and lights (a strip has no chip select and shows everything sent on its bus)"},
		{`a = "GPIO17"`, `a = "GPIO18"`, "GPIO18: used by both encoder (a) and lights (chip select of SPI1.0)"},
		{`pin = "GPIO12"`, `pin = "GPIO10"`, "GPIO10: used by both reader red (SPI0 MOSI) and buzzer"},
		{`pin = "GPIO5"`, `pin = "GPIO3"`, "GPIO3: used by both reader blue (I2C /dev/i2c-1 clock) and key red yes"},
		{`seat = "blue"
chip = "ssd1306"`, `seat = "blue"
address = 0x24
chip = "ssd1306"`,
			"/dev/i2c-1, address 0x24: used by both reader blue (behind a multiplexer) and screen blue (on the bus itself)"},
		{`chip = "ssd1306"`, `address = 0x70
chip = "ssd1306"`,
			"/dev/i2c-1, address 0x70: used by both reader blue (multiplexer 0x70) and screen blue (on the bus itself)"},
		{`chip = "ssd1306"`, "chip = \"sh1106\"\nheight = 32",
			"screen blue: height: got 32 pixels, want 64 on an sh1106"},
		{`chip = "ssd1306"`, "chip = \"ssd1309\"\nreset = \"GPIO25\"",
			"GPIO25: used by both reader red (reset) and screen blue (reset)"},
		{`chip = "ssd1306"`, "chip = \"ssd1309\"\nreset = \"25\"", `screen blue: reset: "25" is not a pin`},
		{`chip = "ssd1306"`, `chip = "sh1107"`,
			`screen blue: chip: got "sh1107", want one of ssd1306, ssd1309, sh1106`},
		{`seat = "blue"
chip = "ssd1306"`, "seat = \"blue\"\naddress = 0x24\nchip = \"sh1106\"",
			"/dev/i2c-1, address 0x24: used by both reader blue (behind a multiplexer) and screen blue (on the bus itself)"},
		{`[panel]`, "[[screens]]\nseat = \"red\"\nchip = \"sh1106\"\ni2c = \"/dev/i2c-1\"\n[panel]",
			"/dev/i2c-1, address 0x3c: used by both screen blue (on the bus itself) and screen red (on the bus itself)"},
		{`name = "blue"`, `name = "red"`, "reader red: two parts have that name"},
		{`seat = "blue"
chip = "pn532"`, `seat = "red"
chip = "pn532"`, "reader blue: seat: red has reader red already"},
		{`name = "blue"`, `name = "Blue!"`, `readers: name: "Blue!" cannot name a reader`},
		{`seat = "blue"
chip = "pn532"`, `seat = "bleu"
chip = "pn532"`, `reader blue: seat: nobody sits at "bleu"`},
		{`chip = "ws2812"`, `chip = "ws2811"`, `lights: chip: got "ws2811", want one of `},
		{`model = "waveshare-2in13-v4"`, `model = "waveshare-2in13-v5"`,
			`panel: model: got "waveshare-2in13-v5", want one of `},
		{`model = "waveshare-2in13-v4"`, ``, `panel: model: missing; must be one of `},
		{`rotate = 180`, `rotate = 45`, "panel: rotate: got 45 degrees, want 0, 90, 180 or 270"},
		{`rotate = 180`, `full_every = -1`, "panel: full_every: got -1 refreshes, want 0 or more"},
		{`chip = "ws2812"`, "chip = \"ws2812\"\norder = \"RGG\"", `lights: order: got "RGG", want one of `},
		{`count = 60`, "count = 60\nhost = \"wled.local\"", `lights: host: ws2812 strips are on a bus, not on the network`},
		{wiredLights, `chip = "wled"`, "lights: host: a WLED needs its name or address"},
		{wiredLights, `chip = "wled"
host = "http://wled.local"`,
			`lights: host: got "http://wled.local", want a name or an address without http:// and path`},
		{wiredLights, `chip = "wled"
host = "wled.local"
spi = "SPI1.0"`, "lights: a WLED is on the network, not on a bus"},
		{wiredLights, `chip = "wled"
host = "wled.local"
order = "RGB"`, "lights: order: a WLED has its own setting for the order"},
		{wiredLights, `chip = "wled"
host = "wled.local"
count = 60
limit_ma = 100`, "lights: limit_ma: a WLED limits the current itself"},
		{wiredLights, `chip = "wled"
host = "wled.local"`, "lights: count: got 0 LEDs, want 1 to 1000"},
		{`busy = "GPIO24"`, ``, "panel: busy: missing; must be a pin"},
		{`busy = "GPIO24"`, `busy = "24"`, `panel: busy: "24" is not a pin`},
		{`busy = "GPIO24"`, `busy = "GPIO54"`, `panel: busy: "GPIO54" is not a pin`},
		{`key = "yes"`, `key = "yess"`, `key red yess: key: got "yess", want one of `},
		{`long = "undo"`, `long = "explode"`, `key red yes: long: got "explode", want one of `},
		{`button = "GPIO22"`, ``, "encoder: has a key but no button"},
		{`i2c = "/dev/i2c-1"
mux = 0x70`, `i2c = "/dev/i2c-1"
mux = 0x20`, "reader blue: mux: got 0x20, want an address of a TCA9548A, 0x70 to 0x77"},
		{`mux = 0x70`, ``, "reader blue: channel: 3: a multiplexer (mux) has channels 0 to 7"},
		{`channel = 3`, `channel = 8`, "reader blue: channel: 8: a multiplexer"},
		{`spi = "SPI0.0"`, `spi = "SPI0.0"
serial = "/dev/serial0"`, "reader red: got spi and serial, want only one bus"},
		{`spi = "SPI0.0"`, ``, "reader red: on no bus; must be on spi or i2c or serial"},
		{`spi = "SPI0.0"`, `spi = "spidev0.0"`, `reader red: spi: "spidev0.0" is not an SPI port`},
		{`spi = "SPI0.0"`, `serial = "COM3"`, `reader red: serial: "COM3" is not a device`},
		{`spi = "SPI0.0"`, `spi = "SPI0.0"
address = 0x24`, "reader red: address, mux and channel are for i2c, but it is on spi"},
		{`chip = "pn532"
spi`, `chip = "mfrc522"
gain = 40
spi`, "reader red: gain: got 40 dB, want 18"},
		{`chip = "pn532"
i2c`, `chip = "mfrc522"
i2c`, "reader blue: cannot be on i2c, only on spi"},
		{`chip = "pn532"
spi`, `chip = "pcsc"
spi`, "reader red: a pcsc reader is on USB, and pcscd drives it"},
		{`chip = "pn532"
spi`, `chip = "pn532"
model = "ACR122U"
spi`, "reader red: model: a pn532 on a bus has none"},
		{`poll = "40ms"`, `poll = "5s"`, "reader blue: poll: got 5s, want 10ms to 1s"},
		{`poll = "40ms"`, `poll = 40`, `reader blue: poll: got 40, want text with a unit, such as "50ms"`},
		{`poll = "40ms"`, `poll = "40"`, `reader blue: poll: got "40", want text with a unit, such as "50ms"`},
		{`poll = "40ms"`, `poll = 0.5`, `reader blue: poll: got 0.5, want text with a unit, such as "50ms"`},
		{`[[keys]]`, `[keys]`, "keys: got a section, want a list"},
		{`[lights]`, `[[lights]]`, "lights: got a list, want a section"},
		{`count = 60`, `count = 1.5`, "lights.count: got a number, want a whole number"},
		{`count = 60`, `count = "60"`, "lights.count: got text in quotes, want a whole number"},
		{`count = 60`, `count = 0`, "lights: count: got 0 LEDs, want 1 to 1000"},
		{`brightness = 0.5`, `brightness = 50.0`, "lights: brightness: got 50, want above 0 and at most 1"},
		{`brightness = 0.5`, `brightness = 0`, "lights: brightness: got 0, want above 0"},
		{`brightness = 0.5`, `brightness = nan`, "lights: brightness: got NaN, want above 0"},
		{`limit_ma = 1500`, `limit_ma = -1`, "lights: limit_ma: got -1 mA, want 0 or more"},
		{`limit_ma = 1500`, `limit_ma = 9`, "lights: limit_ma: 9 mA are not enough"},
		{`limit_ma = 1500`, `limit = 1500`, "unknown key lights.limit"},
		{`reset = "GPIO25"`, `rst = "GPIO25"`, "unknown key readers.rst"},
		{`seats = ["red=Alice", "blue=Max"]`, `seats = ["red", "red"]`, "table.seats: duplicate red"},
		{`seats = ["red=Alice", "blue=Max"]`, `seats = ["Red"]`, `table.seats: "Red" cannot be a seat`},
	} {
		source := strings.Replace(whole, test.old, test.new, 1)
		if source == whole {
			t.Errorf("%q is not in the table", test.old)
			continue
		}
		_, err := load(source)
		var f *Error
		if !errors.As(err, &f) || !strings.Contains(f.Error(), test.want) {
			t.Errorf("%s -> %s\n got %v\nwant %s", test.old, test.new, err, test.want)
		}
	}
}

// TestBracketHints tests that the error of a section with too few or too many
// brackets shows how to write it.
func TestBracketHints(t *testing.T) {
	for source, want := range map[string]string{
		"[readers]\nname = \"red\"\n": "write [[readers]]",
		"[readers.red]\nbus = 1\n":    "write [[readers]]",
		"[http]\nlisten = 8080\n":     `write an address and a port, such as "127.0.0.1:8080"`,
		"[[lights]]\ncount = 60\n":    "write [lights]",
	} {
		_, err := load(source)
		var f *Error
		if !errors.As(err, &f) || f.Hint != want {
			t.Errorf("%q: got %+v, want the hint %s", source, f, want)
		}
	}
}

// TestErrorLines tests the line of an error: that of the key, of the section where
// the key is missing, and none for a conflict between two parts.
func TestErrorLines(t *testing.T) {
	for _, test := range []struct{ old, new, line string }{
		{`name = "blue"`, `name = "Blue!"`, `name = "Blue!"`},
		{`name = "blue"`, "name = \"blue\"\ngain = 3", "gain = 3"},
		{`seat = "red"
key = "yes"`, "seat = \"red\"\nkey = \"yess\"", `key = "yess"`},
		{`chip = "ssd1306"`, `chip = "ssd1307"`, `chip = "ssd1307"`},
		{`model = "waveshare-2in13-v4"`, ``, "[panel]"},
		{`count = 60`, `count = 0`, "count = 0"},
		{`seats = ["red=Alice", "blue=Max"]`, `seats = ["Red"]`, `seats = ["Red"]`},
		{`dc = "GPIO23"`, `dc = "GPIO25"`, ""},
	} {
		source := strings.Replace(whole, test.old, test.new, 1)
		where := "t.toml: "
		if test.line != "" {
			before, _, _ := strings.Cut(source, test.line)
			where = fmt.Sprintf("t.toml:%d: ", 1+strings.Count(before, "\n"))
		}
		if _, err := load(source); err == nil || !strings.HasPrefix(err.Error(), where) {
			t.Errorf("%s: got %v, want %s", test.new, err, where)
		}
	}
}

// TestDefaults tests that the defaults are full brightness and 4 changes a detent.
func TestDefaults(t *testing.T) {
	for _, test := range []struct {
		add, less string
		per       int
		bright    float64 // 0 is not given
	}{
		{"", "", 4, 0.5},
		{"per_detent = 2\n", "brightness = 0.5\n", 2, 0},
	} {
		source := strings.Replace(whole, test.less, "", 1)
		c, err := load(strings.Replace(source, "[[encoders]]\n", "[[encoders]]\n"+test.add, 1))
		if err != nil {
			t.Fatal(err)
		}
		b := c.Lights.Brightness
		if c.Encoders[0].PerDetent != test.per || (b != nil) != (test.bright > 0) || b != nil && *b != test.bright {
			t.Errorf("%q: %+v, %+v", test.add, c.Encoders, c.Lights)
		}
	}
}

// TestPi5 tests that buses 2 and 3 of a Pi 5 have other pins than those of a Pi 4.
func TestPi5(t *testing.T) {
	for _, test := range []struct {
		pi5       bool
		spi, want string // the pin of its clock
	}{{false, "SPI3.0", "GPIO3"}, {true, "SPI3.0", "GPIO7"}, {true, "SPI2.0", "GPIO3"}, {false, "SPI2.0", ""},
		{true, "SPI5.1", "GPIO15"}} {
		w := &Wiring{Pi5: test.pi5, Lights: &Lights{Bus: Bus{SPI: test.spi}}}
		got := ""
		for _, c := range w.Claims() {
			if strings.HasSuffix(c.Use, " clock") {
				got = c.Resource
			}
		}
		if got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
	for model, want := range map[string]bool{"Raspberry Pi 5 Model B Rev 1.0": true, "Raspberry Pi 500 Rev 1.0": true,
		"Raspberry Pi Compute Module 5 Rev 1.0": true, "Raspberry Pi 4 Model B Rev 1.5": false, "": false} {
		if IsPi5(model) != want {
			t.Errorf("%q", model)
		}
	}
}

// FuzzConfig tests that every file is accepted or refused with an Error that has
// a reason.
func FuzzConfig(f *testing.F) {
	f.Add(whole)
	examples, _ := filepath.Glob(filepath.Join(repo, "docs", "examples", "*.toml"))
	for _, file := range examples {
		source, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(source))
	}
	f.Add("[table]\nname = 1\n[[readers]]\n[readers.x]\n")
	f.Fuzz(func(t *testing.T, source string) {
		if strings.Contains(source, "password_file") {
			return // it names a file to read
		}
		_, err := load(source)
		var known *Error
		if err != nil && (!errors.As(err, &known) || known.Reason == "") {
			t.Errorf("%q: %v", source, err)
		}
	})
}

// TestSerialPins tests that only the header's serial port claims GPIO14 and GPIO15.
func TestSerialPins(t *testing.T) {
	for _, test := range []struct {
		pi5  bool
		path string
		want bool
	}{
		{false, "/dev/serial0", true}, {false, "/dev/ttyS0", true}, {false, "/dev/ttyAMA0", true},
		{false, "/dev/ttyUSB0", false},
		{true, "/dev/serial0", false}, {true, "/dev/ttyAMA10", false}, {true, "/dev/ttyAMA0", true},
	} {
		w := &Wiring{Pi5: test.pi5, Readers: []Reader{{Name: "red", Chip: "pn532", Bus: Bus{Serial: test.path}}}}
		got := slices.ContainsFunc(w.Claims(), func(c Claim) bool { return c.Resource == "GPIO15" })
		if got != test.want {
			t.Errorf("%+v: got %t", test, got)
		}
	}
}

// TestLineClaims tests that Claim.Line is set for the pins that parts drive or read,
// and not for those of the kernel's buses.
func TestLineClaims(t *testing.T) {
	c, err := load(whole)
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]bool{}
	for _, claim := range c.Wiring.Claims() {
		if claim.Line {
			own[claim.Resource] = true
		}
	}
	for _, pin := range []string{c.Panel.DC, c.Panel.Busy, c.Panel.Reset, c.Readers[0].Reset, c.Keys[0].Pin,
		c.Encoders[0].A} {
		if !own[pin] {
			t.Errorf("%s: got no claim of a line", pin)
		}
	}
	for _, pin := range []string{"GPIO8", "GPIO9", "GPIO10", "GPIO11", "GPIO2", "SPI0.0"} {
		if own[pin] {
			t.Errorf("%s belongs to a bus: got a claim of a line", pin)
		}
	}
}

func TestInkyIsConfigured(t *testing.T) {
	const pins = "spi = \"SPI0.0\"\ndc = \"GPIO22\"\nbusy = \"GPIO17\"\nreset = \"GPIO27\"\n"
	for _, test := range []struct{ model, eeprom, want, fault string }{
		{"inky-phat", "", "/dev/i2c-1", ""},
		{"inky-phat-4colour", "/dev/i2c-3", "/dev/i2c-3", ""},
		{"waveshare-2in13-v4", "", "", ""},
		{"waveshare-2in13-v4", "/dev/i2c-1", "", "only an Inky has"},
		{"inky-phat", "i2c-1", "", `"i2c-1" is not a device`},
	} {
		source := "[panel]\nmodel = \"" + test.model + "\"\n" + pins
		if test.eeprom != "" {
			source += "eeprom = \"" + test.eeprom + "\"\n"
		}
		c, err := load(source)
		if (err != nil) != (test.fault != "") || err != nil && !strings.Contains(err.Error(), test.fault) {
			t.Errorf("%+v: %v", test, err)
		} else if err == nil && c.Wiring.Panel.EEPROM != test.want {
			t.Errorf("%+v: %q", test, c.Wiring.Panel.EEPROM)
		}
	}
}

func checkAll(readers ...Reader) error {
	var faults Errors
	(&Wiring{Readers: readers}).check(&faults, nil)
	return faults.err()
}

func TestReadersOfPCSC(t *testing.T) {
	red, blue := Reader{Name: "red", Chip: PCSC}, Reader{Name: "blue", Chip: PCSC}
	if err := checkAll(red); err != nil {
		t.Error(err)
	}
	err := checkAll(red, blue)
	if err == nil || !strings.Contains(err.Error(), "used by both reader red and reader blue") {
		t.Errorf("two that are the only reader: got %v", err)
	}
	red.Model, blue.Model = "00 00", "01 00"
	if err := checkAll(red, blue); err != nil {
		t.Error(err)
	}
}
