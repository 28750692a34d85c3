package config

import (
	"slices"
	"time"

	"tableside/engine"
)

// Wiring holds the hardware that is connected to the computer. It has a field for each section
// of the configuration that describes hardware. For drawings, see docs/hardware.md.
type Wiring struct {
	Readers   []Reader   `toml:"readers"`
	Keys      []Key      `toml:"keys"`
	Encoders  []Encoder  `toml:"encoders"`
	Keyboards []Keyboard `toml:"keyboards"`
	Screens   []Screen   `toml:"screens"`
	Panel     *Panel     `toml:"panel"`
	Lights    *Lights    `toml:"lights"`
	Buzzer    *Buzzer    `toml:"buzzer"`

	Pi5 bool `toml:"-"` // the computer is a Raspberry Pi 5, whose buses have other pins
}

// PCSC is the value of a reader's setting chip if pcscd drives the reader. It stands for any
// chip inside.
const PCSC = "pcsc"

// Reader is an NFC reader.
type Reader struct {
	Name string `toml:"name"` // of the place
	Seat string `toml:"seat"` // whose reader it is; "" is shared
	Chip string `toml:"chip"` // "pn532", "mfrc522", or "pcsc"
	Bus
	Model string        `toml:"model"` // of a "pcsc": part of its name; "" takes the only one there is
	Reset string        `toml:"reset"` // pin
	Gain  int           `toml:"gain"`  // of an mfrc522's antenna, dB
	Poll  time.Duration `toml:"poll"`
}

// Key is a button.
type Key struct {
	Pin  string `toml:"pin"`
	Seat string `toml:"seat"`
	Key  string `toml:"key"`
	Long string `toml:"long"` // key of a long press; "" is none
}

// Encoder is a knob that turns. Some encoders can be pressed, too.
type Encoder struct {
	A      string `toml:"a"`
	B      string `toml:"b"`
	Seat   string `toml:"seat"`
	Left   string `toml:"left"`   // key of a detent counter-clockwise
	Right  string `toml:"right"`  // key of a detent clockwise
	Button string `toml:"button"` // pin; "" is none
	Key    string `toml:"key"`    // of the button
	Long   string `toml:"long"`
	// PerDetent is how often the pins A and B change from one detent to the next: 4, 2 or 1
	// times.
	PerDetent int `toml:"per_detent"`
}

// Screen is the small screen of a seat.
type Screen struct {
	Seat string `toml:"seat"`
	Chip string `toml:"chip"` // "ssd1306", "ssd1309" or "sh1106"
	Bus
	Reset  string `toml:"reset"`  // pin
	Height int    `toml:"height"` // pixels: 64, or 32
	Rotate int    `toml:"rotate"` // 180: mounted upside down
}

// Panel is the e-paper.
type Panel struct {
	Model string `toml:"model"`
	Bus
	DC     string `toml:"dc"`
	Busy   string `toml:"busy"`
	Reset  string `toml:"reset"`
	Power  string `toml:"power"`  // PWR of driver boards from 2023 on; "" where there is none
	Rotate int    `toml:"rotate"` // degrees, clockwise

	FullEvery int `toml:"full_every"` // partial refreshes until a full one; 0 is the panel's default

	EEPROM string `toml:"eeprom"` // I2C bus of the EEPROM that names the model of an Inky
}

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
}

// Buzzer is a buzzer on a pin.
type Buzzer struct {
	Pin    string `toml:"pin"`
	Silent bool   `toml:"silent"`
}

// Pressable lists the keys that buttons and encoders can send.
var Pressable = append(slices.Clone(engine.Keys), string(engine.Redo))
