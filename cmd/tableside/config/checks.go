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

// check checks the wiring without touching any device. First it checks each part and fills in
// the part's defaults. Then it checks that no two parts claim the same pin or address. Parts
// may belong only to the given seats, which are the seats of the table.
func (w *Wiring) check(seats []engine.Seat) error {
	names, reads := map[string]bool{}, seatReaders{}
	for i := range w.Readers {
		r := &w.Readers[i]
		if !engine.IsWord(r.Name) {
			return inSection("readers", i, Errorf(fmt.Sprintf("readers, number %d: name", i+1),
				"use small letters, digits and single hyphens; the name is that of the place", "%q cannot name a reader", r.Name))
		}
		if names[r.Name] {
			return inSection("readers", i, Errorf("reader "+r.Name, "", "two readers have that name"))
		}
		names[r.Name] = true
		if err := cmp.Or(r.check(seats), reads.claim(r.Seat, r.Who())); err != nil {
			return inSection("readers", i, err)
		}
	}
	for i := range w.Keys {
		if err := w.Keys[i].check(seats); err != nil {
			return inSection("keys", i, err)
		}
	}
	for i := range w.Encoders {
		if err := w.Encoders[i].check(seats); err != nil {
			return inSection("encoders", i, err)
		}
	}
	if err := w.checkKeyboards(seats, names, reads); err != nil {
		return err
	}
	screens := map[string]bool{}
	for i := range w.Screens {
		s := &w.Screens[i]
		if err := s.check(seats); err != nil {
			return inSection("screens", i, err)
		}
		if screens[s.Seat] {
			return inSection("screens", i, Errorf(s.Who(), "", "two screens have that seat"))
		}
		screens[s.Seat] = true
	}
	if err := cmp.Or(inSection("panel", 0, w.Panel.check()), inSection("lights", 0, w.Lights.check()),
		inSection("buzzer", 0, w.Buzzer.check())); err != nil {
		return err
	}
	return checkConflicts(w.Claims())
}

// seatReaders maps each seat to the name of its reader. Errors use this name.
type seatReaders map[string]string

// claim records the named reader as the reader of a seat. If the seat already has a reader,
// claim returns an error. For example, somebody may have copied the section of a reader and
// changed only the name. Then the cards of one player would be played for another.
//
// Several readers may be shared. The seat of a shared reader is "".
func (s seatReaders) claim(seat, reader string) error {
	if seat == "" {
		return nil
	}
	if first, taken := s[seat]; taken {
		return Errorf(reader+": seat", "give it another seat, or leave seat out: then it is everybody's",
			"%s has %s already", seat, first)
	}
	s[seat] = reader
	return nil
}

// oneOf returns an error unless value is one of the choices. The error names the setting by
// its key.
func oneOf(key, value string, choices []string) error {
	if slices.Contains(choices, value) {
		return nil
	}
	if value == "" {
		return Errorf(key, "", "missing; must be one of %s", strings.Join(choices, ", "))
	}
	return Errorf(key, suggestPart(value, choices), "got %q, want one of %s", value, strings.Join(choices, ", "))
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
	if err := oneOf(where+": chip", r.Chip, []string{"pn532", "mfrc522", PCSC}); err != nil {
		return err
	}
	if err := r.checkBus(where); err != nil {
		return err
	}
	if at := DefaultAddress[r.Chip]; r.Address != 0 && r.Address != at {
		return Errorf(where+": address", "leave it out; behind a multiplexer (mux) there may be several",
			"got %#x, want %#x: a pn532 has no other address", r.Address, at)
	}
	if gains := []int{18, 23, 33, 38, 43, 48}; r.Gain != 0 && (r.Chip != "mfrc522" || !slices.Contains(gains, r.Gain)) {
		return Errorf(where+": gain", "", "got %d dB, want 18, 23, 33, 38, 43 or 48 on an mfrc522, and none on other chips",
			r.Gain)
	}
	if r.Poll == 0 {
		r.Poll = 50 * time.Millisecond
	}
	if r.Poll < time.Microsecond { // a number without quotes, which the decoder takes for nanoseconds
		return Errorf(where+": poll", "", wantUnit)
	}
	if r.Poll < 10*time.Millisecond || r.Poll > time.Second {
		return Errorf(where+": poll", `"50ms" is usual`, "got %v, want 10ms to 1s", r.Poll)
	}
	return checkPins(where, optionalPin{"reset", &r.Reset})
}

// checkBus checks that a reader's chip is on a kind of bus that the chip supports. If pcscd
// drives the reader, the configuration must not name a bus. Errors begin with the name of the
// reader, which is the argument.
func (r *Reader) checkBus(part string) error {
	switch {
	case r.Chip == PCSC && (r.Bus != Bus{} || r.Reset != ""):
		return Errorf(part, "leave out spi, i2c, serial and reset", "a pcsc reader is on USB, and pcscd drives it")
	case r.Chip == PCSC:
		return nil
	case r.Model != "":
		return Errorf(part+": model", `chip = "pcsc" where pcscd drives it`, "a %s on a bus has none", r.Chip)
	case r.Chip == "mfrc522":
		return r.Bus.check(part, "spi")
	}
	return r.Bus.check(part, "spi", "i2c", "serial")
}

func (k *Key) check(seats []engine.Seat) error {
	where := k.Who()
	if err := checkPins(where, requiredPin{"pin", &k.Pin}); err != nil {
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
	err := checkPins(where, requiredPin{"a", &e.A}, requiredPin{"b", &e.B}, optionalPin{"button", &e.Button})
	if err != nil {
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
			"got %d changes from one detent to the next, want 4, 2 or 1", e.PerDetent)
	}
	keys := []struct{ name, key string }{{"left", e.Left}, {"right", e.Right}}
	if e.Button != "" {
		keys = append(keys, struct{ name, key string }{"key", e.Key})
	} else if e.Key != "" || e.Long != "" {
		return Errorf(where, "name the pin of its button, or leave key and long out", "has a key but no button")
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
		return Errorf("screens: seat", "", "missing; set it to the seat that the screen belongs to")
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
		return Errorf(where+": height", "", "got %d pixels, want 64 or 32", s.Height)
	}
	if s.Height == 32 && s.Chip != "ssd1306" {
		return Errorf(where+": height", "leave it out", "got 32 pixels, want 64 on an %s", s.Chip)
	}
	if s.Rotate != 0 && s.Rotate != 180 {
		return Errorf(where+": rotate", "", "got %d degrees, want 0 or 180", s.Rotate)
	}
	if err := s.Bus.check(where, "i2c"); err != nil {
		return err
	}
	return checkPins(where, optionalPin{"reset", &s.Reset})
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
		return Errorf("panel: rotate", "", "got %d degrees, want 0, 90, 180 or 270", p.Rotate)
	}
	if p.FullEvery < 0 {
		return Errorf("panel: full_every", "0 is the panel's default", "got %d refreshes, want 0 or more", p.FullEvery)
	}
	return checkPins("panel", requiredPin{"dc", &p.DC}, requiredPin{"busy", &p.Busy}, requiredPin{"reset", &p.Reset},
		optionalPin{"power", &p.Power})
}

// maxLEDs is the largest number of LEDs that a strip may have. A table has no room for so
// many.
const maxLEDs = 1000

// WiredStrips lists the LED chips that a strip may have if it is wired to this computer, and
// not to a WLED.
var WiredStrips = []string{"ws2812", "sk6812", "apa102"}

func (l *Lights) check() error {
	if l == nil {
		return nil
	}
	if err := oneOf("lights: chip", l.Chip, append(slices.Clone(WiredStrips), "wled")); err != nil {
		return err
	}
	if l.Chip == "wled" {
		if err := l.checkWLED(); err != nil {
			return err
		}
	} else if l.Host != "" {
		return Errorf("lights: host", `chip = "wled" where a WLED drives the strip`,
			"%s strips are on a bus, not on the network", l.Chip)
	}
	if l.Order != "" {
		if err := oneOf("lights: order", l.Order, []string{"RGB", "RBG", "GRB", "GBR", "BRG", "BGR"}); err != nil {
			return err
		}
	}
	switch {
	case l.Count < 1 || l.Count > maxLEDs:
		return Errorf("lights: count", "", "got %d LEDs, want 1 to %d", l.Count, maxLEDs)
	case l.Brightness != nil && !(*l.Brightness > 0 && *l.Brightness <= 1): // NaN fails both comparisons
		return Errorf("lights: brightness", "0.5 is half the light; without a strip leave [lights] out",
			"got %v, want above 0 and at most 1", *l.Brightness)
	case l.LimitMA < 0:
		return Errorf("lights: limit_ma", "0 is no limit", "got %d mA, want 0 or more", l.LimitMA)
	case l.LimitMA > 0 && l.LimitMA < l.Count:
		return Errorf("lights: limit_ma", "raise it, if the supply allows, or set a smaller count",
			"%d mA are not enough: %d LEDs take about %d mA even while they are dark", l.LimitMA, l.Count, l.Count)
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
	return checkPins("buzzer", requiredPin{"pin", &b.Pin})
}

// InkyBus is the I2C bus of an Inky's EEPROM. An Inky is a HAT, and the computer's header
// connects it to this bus.
const InkyBus = "/dev/i2c-1"

// checkEEPROM checks the I2C bus for the EEPROM of an Inky panel. If no bus is named,
// checkEEPROM sets the bus to InkyBus. If the panel is not an Inky, a named bus is an error.
func (p *Panel) checkEEPROM() error {
	switch {
	case !epaper.IsInky(p.Model) && p.EEPROM != "":
		return Errorf("panel: eeprom", "leave it out", "only an Inky has one, a %s has not", p.Model)
	case p.EEPROM != "" && !strings.HasPrefix(p.EEPROM, "/dev/"):
		return Errorf("panel: eeprom", `as "/dev/i2c-1"`, "%q is not a device", p.EEPROM)
	case epaper.IsInky(p.Model) && p.EEPROM == "":
		p.EEPROM = InkyBus
	}
	return nil
}

// checkWLED checks the settings of a WLED. A WLED needs a host. A setting that belongs on the
// WLED itself is an error.
func (l *Lights) checkWLED() error {
	if l.Host == "" {
		return Errorf("lights: host", `as host = "wled-table.local"`, "a WLED needs its name or address")
	}
	if _, _, err := wled.Split(l.Host); err != nil {
		return Errorf("lights: host", "", "%s", err)
	}
	switch {
	case l.Bus != Bus{}:
		return Errorf("lights", "leave out spi, i2c and serial", "a WLED is on the network, not on a bus")
	case l.Order != "":
		return Errorf("lights: order", "set the color order in its LED preferences",
			"a WLED has its own setting for the order")
	case l.LimitMA != 0:
		return Errorf("lights: limit_ma", "set the maximum current in its LED preferences",
			"a WLED limits the current itself")
	}
	return nil
}
