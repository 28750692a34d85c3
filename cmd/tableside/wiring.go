package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"tableside/engine"
)

// A wiring is what is connected to the computer: docs/hardware.md draws some.
// Its fields are sections of the configuration.
type wiring struct {
	Readers  []readerConfig  `toml:"readers"`
	Keys     []keyConfig     `toml:"keys"`
	Encoders []encoderConfig `toml:"encoders"`
	Screens  []screenConfig  `toml:"screens"`
	Panel    *panelConfig    `toml:"panel"`
	Lights   *lightsConfig   `toml:"lights"`
	Buzzer   *buzzerConfig   `toml:"buzzer"`

	pi5 bool // the computer is a Raspberry Pi 5, whose buses have other pins
}

type readerConfig struct {
	Name string `toml:"name"` // the place
	Seat string `toml:"seat"` // whose reader it is; "" is everybody's
	Chip string `toml:"chip"` // "pn532" or "mfrc522"
	busConfig
	Reset string        `toml:"reset"` // pin
	Gain  int           `toml:"gain"`  // of an mfrc522's antenna, dB
	Poll  time.Duration `toml:"poll"`
}

type keyConfig struct {
	Pin  string `toml:"pin"`
	Seat string `toml:"seat"`
	Key  string `toml:"key"`
	Long string `toml:"long"` // what it is when it is held; "" is nothing else
}

type encoderConfig struct {
	A      string `toml:"a"`
	B      string `toml:"b"`
	Seat   string `toml:"seat"`
	Left   string `toml:"left"`   // key of a detent counter-clockwise
	Right  string `toml:"right"`  // key of a detent clockwise
	Button string `toml:"button"` // pin; "" is none
	Key    string `toml:"key"`    // of the button
	Long   string `toml:"long"`
	// PerDetent is how often a or b change from one detent to the next: 4, 2
	// or 1.
	PerDetent int `toml:"per_detent"`
}

type screenConfig struct {
	Seat string `toml:"seat"`
	Chip string `toml:"chip"` // "ssd1306", "ssd1309" or "sh1106"
	busConfig
	Reset  string `toml:"reset"`  // pin
	Height int    `toml:"height"` // pixels: 64, or 32
	Rotate int    `toml:"rotate"` // 180: it hangs upside down
}

type panelConfig struct {
	Model string `toml:"model"`
	busConfig
	DC     string `toml:"dc"`
	Busy   string `toml:"busy"`
	Reset  string `toml:"reset"`
	Power  string `toml:"power"`  // PWR of driver boards from 2023 on; "" where there is none
	Rotate int    `toml:"rotate"` // degrees, clockwise

	FullEvery int `toml:"full_every"` // partial refreshes until a full one; 0 is the panel's own number

	EEPROM string `toml:"eeprom"` // I2C bus on which an Inky says which one it is
}

type lightsConfig struct {
	Chip string `toml:"chip"`
	busConfig
	Host       string   `toml:"host"` // of a WLED: its name or address
	Count      int      `toml:"count"`
	Order      string   `toml:"order"`      // of the colours on the wire, as "RGB"; "" is the chip's own
	Brightness *float64 `toml:"brightness"` // of the brightest LED, above 0 to 1; nil is 1
	LimitMA    int      `toml:"limit_ma"`   // what the supply gives, in mA; 0 is no limit
	Track      string   `toml:"track"`      // which one it lies along; "" is the first that fits
	Reverse    bool     `toml:"reverse"`    // the first LED lies at the high end
}

type buzzerConfig struct {
	Pin    string `toml:"pin"`
	Silent bool   `toml:"silent"`
}

// pressable are the keys that buttons and encoders may be.
var pressable = append(slices.Clone(engine.Keys), string(engine.Redo))

// A fault is what is wrong in a configuration: which part of it, why, and
// what to do where that can be said.
type fault struct {
	where, why, hint string

	section string // of the configuration; "" for what is wrong between two parts
	nth     int    // of that name
}

func (f *fault) Error() string { return f.where + ": " + f.why }

func faulty(where, hint, format string, args ...any) *fault {
	return &fault{where: where, why: fmt.Sprintf(format, args...), hint: hint}
}

// check finds what cannot be, without touching anything: first in each part,
// then between two parts that want the same.
func (w *wiring) check(seats []engine.Seat) error {
	names := map[string]bool{}
	for i := range w.Readers {
		r := &w.Readers[i]
		if !engine.IsWord(r.Name) {
			return in("readers", i, faulty(fmt.Sprintf("readers, number %d: name", i+1), "it names the place: small letters, digits and single hyphens", "%q cannot name a reader", r.Name))
		}
		if names[r.Name] {
			return in("readers", i, faulty("reader "+r.Name, "", "two readers have that name"))
		}
		names[r.Name] = true
		if err := r.check(seats); err != nil {
			return in("readers", i, err)
		}
	}
	for i := range w.Keys {
		if err := w.Keys[i].check(seats); err != nil {
			return in("keys", i, err)
		}
	}
	for i := range w.Encoders {
		if err := w.Encoders[i].check(seats); err != nil {
			return in("encoders", i, err)
		}
	}
	screens := map[string]bool{}
	for i := range w.Screens {
		s := &w.Screens[i]
		if err := s.check(seats); err != nil {
			return in("screens", i, err)
		}
		if screens[s.Seat] {
			return in("screens", i, faulty(s.who(), "", "two screens have that seat"))
		}
		screens[s.Seat] = true
	}
	if err := cmp.Or(in("panel", 0, w.Panel.check()), in("lights", 0, w.Lights.check()), in("buzzer", 0, w.Buzzer.check())); err != nil {
		return err
	}
	return clash(w.claims())
}

// oneOf is a fault unless value is one of those known.
func oneOf(where, value string, known []string) error {
	if slices.Contains(known, value) {
		return nil
	}
	if value == "" {
		return faulty(where, "", "it is missing; known are %s", strings.Join(known, ", "))
	}
	return faulty(where, suggest(value, known, ""), "%q is not known here; known are %s", value, strings.Join(known, ", "))
}

func checkSeat(where, seat string, seats []engine.Seat) error {
	if seat == "" || slices.Contains(seats, engine.Seat(seat)) {
		return nil
	}
	known := make([]string, len(seats))
	for i, s := range seats {
		known[i] = string(s)
	}
	return faulty(where+": seat", suggest(seat, known, "add it to table.seats"), "nobody sits at %q: the table has %s", seat, strings.Join(known, ", "))
}

func (r *readerConfig) check(seats []engine.Seat) error {
	where := r.who()
	if err := checkSeat(where, r.Seat, seats); err != nil {
		return err
	}
	if err := oneOf(where+": chip", r.Chip, []string{"pn532", "mfrc522"}); err != nil {
		return err
	}
	buses := []string{"spi", "i2c", "serial"}
	if r.Chip == "mfrc522" {
		buses = buses[:1]
	}
	if err := r.busConfig.check(where, buses...); err != nil {
		return err
	}
	if at := usualAddress[r.Chip]; r.Address != 0 && r.Address != at {
		return faulty(where+": address", "leave it out; behind a multiplexer (mux) there may be several", "%#x: a pn532 is at %#x and nowhere else", r.Address, at)
	}
	if gains := []int{18, 23, 33, 38, 43, 48}; r.Gain != 0 && (r.Chip != "mfrc522" || !slices.Contains(gains, r.Gain)) {
		return faulty(where+": gain", "", "%d dB: an mfrc522 has 18, 23, 33, 38, 43 or 48, other chips none", r.Gain)
	}
	if r.Poll == 0 {
		r.Poll = 50 * time.Millisecond
	}
	if r.Poll < time.Microsecond { // a bare number, which TOML takes for nanoseconds
		return faulty(where+": poll", "", "text with its unit is needed, as \"50ms\"")
	}
	if r.Poll < 10*time.Millisecond || r.Poll > time.Second {
		return faulty(where+": poll", `"50ms" is usual`, "%v is not between 10ms and 1s", r.Poll)
	}
	return checkPins(where, optional{"reset", &r.Reset})
}

func (k *keyConfig) check(seats []engine.Seat) error {
	where := k.who()
	if err := checkPins(where, needed{"pin", &k.Pin}); err != nil {
		return err
	}
	if err := checkSeat(where, k.Seat, seats); err != nil {
		return err
	}
	if err := oneOf(where+": key", k.Key, pressable); err != nil {
		return err
	}
	if k.Long != "" {
		return oneOf(where+": long", k.Long, pressable)
	}
	return nil
}

func (e *encoderConfig) check(seats []engine.Seat) error {
	where := e.who()
	if err := checkPins(where, needed{"a", &e.A}, needed{"b", &e.B}, optional{"button", &e.Button}); err != nil {
		return err
	}
	if err := checkSeat(where, e.Seat, seats); err != nil {
		return err
	}
	if e.PerDetent == 0 {
		e.PerDetent = 4
	}
	if !slices.Contains([]int{4, 2, 1}, e.PerDetent) {
		return faulty(where+": per_detent", "2 where every other detent is missed, else 4", "%d changes from one detent to the next: 4, 2 or 1 can be", e.PerDetent)
	}
	keys := []struct{ name, key string }{{"left", e.Left}, {"right", e.Right}}
	if e.Button != "" {
		keys = append(keys, struct{ name, key string }{"key", e.Key})
	} else if e.Key != "" || e.Long != "" {
		return faulty(where, "name the pin of its button, or leave key and long out", "there is a key and no button")
	}
	if e.Long != "" {
		keys = append(keys, struct{ name, key string }{"long", e.Long})
	}
	for _, k := range keys {
		if err := oneOf(where+": "+k.name, k.key, pressable); err != nil {
			return err
		}
	}
	return nil
}

func (s *screenConfig) check(seats []engine.Seat) error {
	where := s.who()
	if s.Seat == "" {
		return faulty("screens: seat", "", "a screen without a seat: whose is it?")
	}
	if err := checkSeat(where, s.Seat, seats); err != nil {
		return err
	}
	if err := oneOf(where+": chip", s.Chip, []string{"ssd1306", "ssd1309", "sh1106"}); err != nil {
		return err
	}
	if s.Height == 0 {
		s.Height = 64
	}
	if s.Height != 64 && s.Height != 32 {
		return faulty(where+": height", "", "%d pixels: 64 or 32 are known", s.Height)
	}
	if s.Height == 32 && s.Chip != "ssd1306" {
		return faulty(where+": height", "leave it out", "32 pixels: screens with an %s have 64", s.Chip)
	}
	if s.Rotate != 0 && s.Rotate != 180 {
		return faulty(where+": rotate", "0 or 180", "%d degrees cannot be", s.Rotate)
	}
	if err := s.busConfig.check(where, "i2c"); err != nil {
		return err
	}
	return checkPins(where, optional{"reset", &s.Reset})
}

func (p *panelConfig) check() error {
	if p == nil {
		return nil
	}
	if err := oneOf("panel: model", p.Model, panelModels()); err != nil {
		return err
	}
	if err := cmp.Or(p.busConfig.check("panel", "spi"), p.checkEEPROM()); err != nil {
		return err
	}
	if p.Rotate%90 != 0 || p.Rotate < 0 || p.Rotate > 270 {
		return faulty("panel: rotate", "0, 90, 180 or 270", "%d degrees cannot be", p.Rotate)
	}
	if p.FullEvery < 0 {
		return faulty("panel: full_every", "0 is the panel's own number", "%d refreshes cannot be", p.FullEvery)
	}
	return checkPins("panel", needed{"dc", &p.DC}, needed{"busy", &p.Busy}, needed{"reset", &p.Reset}, optional{"power", &p.Power})
}

// mostLEDs is longer than any strip at a table.
const mostLEDs = 1000

func (l *lightsConfig) check() error {
	if l == nil {
		return nil
	}
	if err := oneOf("lights: chip", l.Chip, []string{"ws2812", "sk6812", "apa102", "wled"}); err != nil {
		return err
	}
	if l.Chip == "wled" {
		if err := l.checkWLED(); err != nil {
			return err
		}
	} else if l.Host != "" {
		return faulty("lights: host", `chip = "wled" where a WLED drives the strip`, "%s are on a bus, and not on the network", l.Chip)
	}
	if l.Order != "" {
		if err := oneOf("lights: order", l.Order, []string{"RGB", "RBG", "GRB", "GBR", "BRG", "BGR"}); err != nil {
			return err
		}
	}
	switch {
	case l.Count < 1 || l.Count > mostLEDs:
		return faulty("lights: count", "", "%d LEDs: 1 to %d can be driven", l.Count, mostLEDs)
	case l.Brightness != nil && !(*l.Brightness > 0 && *l.Brightness <= 1): // nan is neither
		return faulty("lights: brightness", "0.5 is half the light; without a strip leave [lights] out", "%v is not above 0 and up to 1", *l.Brightness)
	case l.LimitMA < 0:
		return faulty("lights: limit_ma", "0 is no limit", "%d mA cannot be", l.LimitMA)
	case l.LimitMA > 0 && l.LimitMA < l.Count:
		return faulty("lights: limit_ma", "ask for more of the supply, or set a smaller count",
			"%d mA are not enough: %d LEDs take about %d while they are dark", l.LimitMA, l.Count, l.Count)
	}
	if l.Chip == "wled" {
		return nil
	}
	return l.busConfig.check("lights", "spi")
}

func (b *buzzerConfig) check() error {
	if b == nil {
		return nil
	}
	return checkPins("buzzer", needed{"pin", &b.Pin})
}
