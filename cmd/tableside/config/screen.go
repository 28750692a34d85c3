package config

import (
	"cmp"

	"tableside/engine"
)

// Screen is the small screen of a seat.
type Screen struct {
	Seat string `toml:"seat"`
	Chip string `toml:"chip"` // "ssd1306", "ssd1309" or "sh1106"
	Bus
	Reset  string `toml:"reset"`  // pin
	Height int    `toml:"height"` // pixels: 64, or 32
	Rotate int    `toml:"rotate"` // 180: mounted upside down
}

func (s *Screen) Who() string   { return "screen " + s.Seat }
func (s *Screen) Whose() string { return s.Seat }
func (s *Screen) What() string  { return s.Chip }
func (s *Screen) pins() []pin   { return []pin{{"reset", s.Reset, false}} }
func (s *Screen) claims(w *Wiring) []Claim {
	return w.busClaims(&s.Bus, s.Who(), DefaultAddress[s.Chip])
}

func (s *Screen) check(f *Errors, seats []engine.Seat) {
	where := s.Who()
	f.wrong(s.Seat == "", "screens: seat", "", "missing; set it to the seat that the screen belongs to")
	f.seat(where, s.Seat, seats)
	f.oneOf(where+": chip", s.Chip, "ssd1306", "ssd1309", "sh1106")
	s.Height = cmp.Or(s.Height, 64)
	f.wrong(s.Height != 64 && s.Height != 32, where+": height", "", "got %d pixels, want 64 or 32", s.Height)
	f.wrong(s.Height == 32 && s.Chip != "ssd1306", where+": height", "leave it out", "got 32 pixels, want 64 on an %s", s.Chip)
	f.wrong(s.Rotate != 0 && s.Rotate != 180, where+": rotate", "", "got %d degrees, want 0 or 180", s.Rotate)
	s.Bus.check(f, where, "i2c")
}
