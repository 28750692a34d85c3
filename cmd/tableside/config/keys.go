package config

import (
	"cmp"
	"slices"
	"strings"

	"tableside/engine"
)

// Key is a button.
type Key struct {
	Pin  string `toml:"pin"`
	Seat string `toml:"seat"`
	Key  string `toml:"key"`
	Long string `toml:"long"` // key of a long press; "" is none
}

// Pressable lists the keys that buttons and encoders can send.
var Pressable = append(slices.Clone(engine.Keys), string(engine.Redo))

func (k *Key) Who() string            { return strings.TrimSpace("key "+k.Seat) + " " + k.Key }
func (k *Key) Whose() string          { return k.Seat }
func (k *Key) What() string           { return "" }
func (k *Key) pins() []pin            { return []pin{{"pin", k.Pin, true}} }
func (k *Key) claims(*Wiring) []Claim { return nil }

func (k *Key) check(f *Errors, seats []engine.Seat) {
	where := k.Who()
	f.seat(where, k.Seat, seats)
	f.oneOf(where+": key", k.Key, Pressable...)
	if k.Long != "" {
		f.oneOf(where+": long", k.Long, Pressable...)
	}
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

func (e *Encoder) Who() string            { return strings.TrimSpace("encoder " + e.Seat) }
func (e *Encoder) Whose() string          { return e.Seat }
func (e *Encoder) What() string           { return "" }
func (e *Encoder) claims(*Wiring) []Claim { return nil }
func (e *Encoder) pins() []pin {
	return []pin{{"a", e.A, true}, {"b", e.B, true}, {"button", e.Button, false}}
}

func (e *Encoder) check(f *Errors, seats []engine.Seat) {
	where := e.Who()
	f.seat(where, e.Seat, seats)
	e.PerDetent = cmp.Or(e.PerDetent, 4)
	f.wrong(!slices.Contains([]int{4, 2, 1}, e.PerDetent), where+": per_detent", "2 where every other detent is missed, else 4",
		"got %d changes from one detent to the next, want 4, 2 or 1", e.PerDetent)
	f.oneOf(where+": left", e.Left, Pressable...)
	f.oneOf(where+": right", e.Right, Pressable...)
	if e.Button == "" {
		f.wrong(e.Key != "" || e.Long != "", where, "name the pin of its button, or leave key and long out",
			"has a key but no button")
		return
	}
	f.oneOf(where+": key", e.Key, Pressable...)
	if e.Long != "" {
		f.oneOf(where+": long", e.Long, Pressable...)
	}
}
