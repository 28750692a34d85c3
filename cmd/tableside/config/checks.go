package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"tableside/drivers/epaper"
	"tableside/drivers/wled"
	"tableside/engine"
)

// check finds what cannot be, without touching anything: first in each part,
// then between two parts that want the same.
func (w *Wiring) check(seats []engine.Seat) error {
	names := map[string]bool{}
	for i := range w.Readers {
		r := &w.Readers[i]
		if !engine.IsWord(r.Name) {
			return in("readers", i, Errorf(fmt.Sprintf("readers, number %d: name", i+1),
				"it names the place: small letters, digits and single hyphens", "%q cannot name a reader", r.Name))
		}
		if names[r.Name] {
			return in("readers", i, Errorf("reader "+r.Name, "", "two readers have that name"))
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
			return in("screens", i, Errorf(s.Who(), "", "two screens have that seat"))
		}
		screens[s.Seat] = true
	}
	if err := cmp.Or(in("panel", 0, w.Panel.check()), in("lights", 0, w.Lights.check()),
		in("buzzer", 0, w.Buzzer.check())); err != nil {
		return err
	}
	return clash(w.Claims())
}

// oneOf is a fault unless value is one of those known.
func oneOf(where, value string, known []string) error {
	if slices.Contains(known, value) {
		return nil
	}
	if value == "" {
		return Errorf(where, "", "missing; must be one of %s", strings.Join(known, ", "))
	}
	return Errorf(where, Suggest(value, known, ""), "got %q, want one of %s", value, strings.Join(known, ", "))
}

func checkSeat(where, seat string, seats []engine.Seat) error {
	if seat == "" || slices.Contains(seats, engine.Seat(seat)) {
		return nil
	}
	known := make([]string, len(seats))
	for i, s := range seats {
		known[i] = string(s)
	}
	return Errorf(where+": seat", Suggest(seat, known, "add it to table.seats"), "nobody sits at %q: the table has %s",
		seat, strings.Join(known, ", "))
}

func (r *Reader) check(seats []engine.Seat) error {
	where := r.Who()
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
	if err := r.Bus.check(where, buses...); err != nil {
		return err
	}
	if at := UsualAddress[r.Chip]; r.Address != 0 && r.Address != at {
		return Errorf(where+": address", "leave it out; behind a multiplexer (mux) there may be several",
			"%#x: a pn532 is at %#x and nowhere else", r.Address, at)
	}
	if gains := []int{18, 23, 33, 38, 43, 48}; r.Gain != 0 && (r.Chip != "mfrc522" || !slices.Contains(gains, r.Gain)) {
		return Errorf(where+": gain", "", "%d dB: an mfrc522 has 18, 23, 33, 38, 43 or 48, other chips none", r.Gain)
	}
	if r.Poll == 0 {
		r.Poll = 50 * time.Millisecond
	}
	if r.Poll < time.Microsecond { // a bare number, which TOML takes for nanoseconds
		return Errorf(where+": poll", "", "text with its unit is needed, as \"50ms\"")
	}
	if r.Poll < 10*time.Millisecond || r.Poll > time.Second {
		return Errorf(where+": poll", `"50ms" is usual`, "%v is not between 10ms and 1s", r.Poll)
	}
	return checkPins(where, optional{"reset", &r.Reset})
}

func (k *Key) check(seats []engine.Seat) error {
	where := k.Who()
	if err := checkPins(where, needed{"pin", &k.Pin}); err != nil {
		return err
	}
	if err := checkSeat(where, k.Seat, seats); err != nil {
		return err
	}
	if err := oneOf(where+": key", k.Key, Pressable); err != nil {
		return err
	}
	if k.Long != "" {
		return oneOf(where+": long", k.Long, Pressable)
	}
	return nil
}

func (e *Encoder) check(seats []engine.Seat) error {
	where := e.Who()
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
		return Errorf(where+": per_detent", "2 where every other detent is missed, else 4",
			"%d changes from one detent to the next: 4, 2 or 1 can be", e.PerDetent)
	}
	keys := []struct{ name, key string }{{"left", e.Left}, {"right", e.Right}}
	if e.Button != "" {
		keys = append(keys, struct{ name, key string }{"key", e.Key})
	} else if e.Key != "" || e.Long != "" {
		return Errorf(where, "name the pin of its button, or leave key and long out", "there is a key and no button")
	}
	if e.Long != "" {
		keys = append(keys, struct{ name, key string }{"long", e.Long})
	}
	for _, k := range keys {
		if err := oneOf(where+": "+k.name, k.key, Pressable); err != nil {
			return err
		}
	}
	return nil
}

func (s *Screen) check(seats []engine.Seat) error {
	where := s.Who()
	if s.Seat == "" {
		return Errorf("screens: seat", "", "a screen without a seat: whose is it?")
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
		return Errorf(where+": height", "", "%d pixels: 64 or 32 are known", s.Height)
	}
	if s.Height == 32 && s.Chip != "ssd1306" {
		return Errorf(where+": height", "leave it out", "32 pixels: screens with an %s have 64", s.Chip)
	}
	if s.Rotate != 0 && s.Rotate != 180 {
		return Errorf(where+": rotate", "0 or 180", "%d degrees cannot be", s.Rotate)
	}
	if err := s.Bus.check(where, "i2c"); err != nil {
		return err
	}
	return checkPins(where, optional{"reset", &s.Reset})
}

func (p *Panel) check() error {
	if p == nil {
		return nil
	}
	if err := oneOf("panel: model", p.Model, epaper.Panels()); err != nil {
		return err
	}
	if err := cmp.Or(p.Bus.check("panel", "spi"), p.checkEEPROM()); err != nil {
		return err
	}
	if p.Rotate%90 != 0 || p.Rotate < 0 || p.Rotate > 270 {
		return Errorf("panel: rotate", "0, 90, 180 or 270", "%d degrees cannot be", p.Rotate)
	}
	if p.FullEvery < 0 {
		return Errorf("panel: full_every", "0 is the panel's own number", "%d refreshes cannot be", p.FullEvery)
	}
	return checkPins("panel", needed{"dc", &p.DC}, needed{"busy", &p.Busy}, needed{"reset", &p.Reset},
		optional{"power", &p.Power})
}

// mostLEDs is longer than any strip at a table.
const mostLEDs = 1000

func (l *Lights) check() error {
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
		return Errorf("lights: host", `chip = "wled" where a WLED drives the strip`,
			"%s are on a bus, and not on the network", l.Chip)
	}
	if l.Order != "" {
		if err := oneOf("lights: order", l.Order, []string{"RGB", "RBG", "GRB", "GBR", "BRG", "BGR"}); err != nil {
			return err
		}
	}
	switch {
	case l.Count < 1 || l.Count > mostLEDs:
		return Errorf("lights: count", "", "%d LEDs: 1 to %d can be driven", l.Count, mostLEDs)
	case l.Brightness != nil && !(*l.Brightness > 0 && *l.Brightness <= 1): // nan is neither
		return Errorf("lights: brightness", "0.5 is half the light; without a strip leave [lights] out",
			"%v is not above 0 and up to 1", *l.Brightness)
	case l.LimitMA < 0:
		return Errorf("lights: limit_ma", "0 is no limit", "%d mA cannot be", l.LimitMA)
	case l.LimitMA > 0 && l.LimitMA < l.Count:
		return Errorf("lights: limit_ma", "ask for more of the supply, or set a smaller count",
			"%d mA are not enough: %d LEDs take about %d while they are dark", l.LimitMA, l.Count, l.Count)
	}
	if l.Chip == "wled" {
		return nil
	}
	return l.Bus.check("lights", "spi")
}

func (b *Buzzer) check() error {
	if b == nil {
		return nil
	}
	return checkPins("buzzer", needed{"pin", &b.Pin})
}

// inkyBus is where the EEPROM of an Inky is: on the pins that a HAT has it.
const inkyBus = "/dev/i2c-1"

// checkEEPROM checks the bus of an Inky's EEPROM, and chooses the usual one.
func (p *Panel) checkEEPROM() error {
	switch {
	case !epaper.IsInky(p.Model) && p.EEPROM != "":
		return Errorf("panel: eeprom", "leave it out", "a %s has none, only an Inky has", p.Model)
	case p.EEPROM != "" && !strings.HasPrefix(p.EEPROM, "/dev/"):
		return Errorf("panel: eeprom", `as "/dev/i2c-1"`, "%q is not a device", p.EEPROM)
	case epaper.IsInky(p.Model) && p.EEPROM == "":
		p.EEPROM = inkyBus
	}
	return nil
}

// checkWLED finds what a WLED does not have, or decides by itself.
func (l *Lights) checkWLED() error {
	if l.Host == "" {
		return Errorf("lights: host", `as host = "wled-table.local"`, "a WLED needs its name or address")
	}
	if _, _, err := wled.Split(l.Host); err != nil {
		return Errorf("lights: host", "", "%s", err)
	}
	switch {
	case l.Bus != Bus{}:
		return Errorf("lights", "leave out spi and its like", "a WLED is on the network, and on no bus")
	case l.Order != "":
		return Errorf("lights: order", "set the color order in its LED preferences",
			"a WLED knows the order of its strip")
	case l.LimitMA != 0:
		return Errorf("lights: limit_ma", "set the maximum current in its LED preferences",
			"a WLED limits the current by itself")
	}
	return nil
}
