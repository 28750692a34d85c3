package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"tableside/engine"
)

// Reader is an NFC reader.
type Reader struct {
	Name string `toml:"name"` // of the place
	Seat string `toml:"seat"` // whose reader it is; "" is shared
	Chip string `toml:"chip"` // "pn532", "mfrc522", or "pcsc"
	Bus
	Model string `toml:"model"` // of a "pcsc": part of its name; "" takes the only one there is
	Reset string `toml:"reset"` // pin
	Gain  int    `toml:"gain"`  // of an mfrc522's antenna, dB
	Poll  any    `toml:"poll"`  // text: a mistake is told by the check, which knows the reader

	Every time.Duration `toml:"-"` // Poll, checked
}

// PCSC is the value of a reader's setting chip if pcscd drives the reader. It stands for any
// chip inside.
const PCSC = "pcsc"

func (r *Reader) Who() string   { return "reader " + r.Name }
func (r *Reader) Whose() string { return r.Seat }
func (r *Reader) What() string  { return cmp.Or(r.Model, r.Port(), r.Chip) }
func (r *Reader) pins() []pin   { return []pin{{"reset", r.Reset, false}} }

func (r *Reader) claims(w *Wiring) []Claim {
	if r.Chip == PCSC {
		return []Claim{{Resource: strings.TrimSpace("PC/SC reader " + r.Model), Part: r.Who()}}
	}
	return w.busClaims(&r.Bus, r.Who(), DefaultAddress[r.Chip])
}

func (r *Reader) check(f *Errors, seats []engine.Seat) {
	where := r.Who()
	f.wrong(!engine.IsWord(r.Name), "readers: name", nameHint+"; the name is that of the place", "%q cannot name a reader", r.Name)
	f.seat(where, r.Seat, seats)
	f.oneOf(where+": chip", r.Chip, "pn532", "mfrc522", PCSC)
	switch r.Chip {
	case PCSC:
		f.wrong(r.Bus != Bus{} || r.Reset != "", where, "leave out spi, i2c, serial and reset",
			"a pcsc reader is on USB, and pcscd drives it")
	case "mfrc522":
		r.Bus.check(f, where, "spi")
	default:
		r.Bus.check(f, where, "spi", "i2c", "serial")
		at := DefaultAddress["pn532"]
		f.wrong(r.Address != 0 && r.Address != at, where+": address",
			"leave it out; behind a multiplexer (mux) there may be several",
			"got %#x, want %#x: a pn532 has no other address", r.Address, at)
	}
	f.wrong(r.Model != "" && r.Chip != PCSC, where+": model", `chip = "pcsc" where pcscd drives it`,
		"a %s on a bus has none", r.Chip)
	f.wrong(r.Gain != 0 && (r.Chip != "mfrc522" || !slices.Contains([]int{18, 23, 33, 38, 43, 48}, r.Gain)), where+": gain", "",
		"got %d dB, want 18, 23, 33, 38, 43 or 48 on an mfrc522, and none on other chips", r.Gain)
	if r.Every = 50 * time.Millisecond; r.Poll == nil {
		return
	}
	every, err := time.ParseDuration(fmt.Sprint(r.Poll))
	if f.wrong(err != nil, where+": poll", "", `got %#v, want text with a unit, such as "50ms"`, r.Poll); err == nil {
		r.Every = every
	}
	f.wrong(r.Every < 10*time.Millisecond || r.Every > time.Second, where+": poll", `"50ms" is usual`,
		"got %v, want 10ms to 1s", every)
}
