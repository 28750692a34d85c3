package config

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"tableside/drivers/evdev"
	"tableside/engine"
)

// Keyboard is a device that the kernel treats as a keyboard. The device may be a number pad, a
// presenter, a gamepad, or a card reader that works as a keyboard.
type Keyboard struct {
	Name   string            `toml:"name"`   // of the place; by default the seat, or "table"
	Device string            `toml:"device"` // as evdev.Find takes it
	Seat   string            `toml:"seat"`   // whose keyboard it is; "" is shared
	Keys   map[string]string `toml:"keys"`   // keys of the table, or digits, by the kernel's names; nil is UsualKeys
	Reads  string            `toml:"reads"`  // ReadsTags, or "" for keys
}

// ReadsTags is a value of the setting "reads". It means that the device is a card reader. When
// this reader reads a tag or card, it sends what it has read as key presses.
const ReadsTags = "tags"

// UsualKeys maps the kernel's name of a key to the meaning of the key. It is for a keyboard
// without keys of its own in the configuration file. Arrows, letters, digits and signs mean
// the same as on the page.
var UsualKeys = map[string]string{
	"KEY_ENTER": "yes", "KEY_KPENTER": "yes", "KEY_Y": "yes", "BTN_SOUTH": "yes",
	"KEY_ESC": "no", "KEY_N": "no", "BTN_EAST": "no",
	"KEY_LEFT": "left", "BTN_TL": "left", "BTN_DPAD_LEFT": "left",
	"KEY_RIGHT": "right", "BTN_TR": "right", "BTN_DPAD_RIGHT": "right",
	"KEY_UP": "plus", "KEY_EQUAL": "plus", "KEY_KPPLUS": "plus", "BTN_DPAD_UP": "plus",
	"KEY_DOWN": "minus", "KEY_MINUS": "minus", "KEY_KPMINUS": "minus", "BTN_DPAD_DOWN": "minus",
	"KEY_DOT": "next", "KEY_KPDOT": "next", "KEY_PAGEDOWN": "next", "BTN_START": "next",
	"KEY_R": "roll", "KEY_KPASTERISK": "roll", "BTN_WEST": "roll",
	"KEY_U": "undo", "KEY_BACKSPACE": "undo", "KEY_PAGEUP": "undo", "BTN_SELECT": "undo",
	"KEY_KPSLASH": "redo",
	"KEY_KP0":     "0", "KEY_KP1": "1", "KEY_KP2": "2", "KEY_KP3": "3", "KEY_KP4": "4", "KEY_KP5": "5", "KEY_KP6": "6",
	"KEY_KP7": "7", "KEY_KP8": "8", "KEY_KP9": "9",
	"KEY_0": "0", "KEY_1": "1", "KEY_2": "2", "KEY_3": "3", "KEY_4": "4", "KEY_5": "5", "KEY_6": "6", "KEY_7": "7",
	"KEY_8": "8", "KEY_9": "9",
}

// digits lists the numbers that a key of a keyboard may stand for. A key that stands for a
// number chooses the answer with that number. It does not stand for a key of the table.
var digits = strings.Split("0123456789", "")

// HasDigits reports whether a keyboard has number keys that give answers.
func (k *Keyboard) HasDigits() bool {
	isDigit := func(name string) bool { return slices.Contains(digits, k.Keys[name]) }
	return k.Reads == "" && (k.Keys == nil || slices.ContainsFunc(slices.Collect(maps.Keys(k.Keys)), isDigit))
}

// HasDigits reports whether any keyboard of the wiring has number keys that give answers.
func (w *Wiring) HasDigits() bool {
	return slices.ContainsFunc(w.Keyboards, func(k Keyboard) bool { return k.HasDigits() })
}

// Pressed returns the key of the table, or the digit, for which a key of the keyboard stands.
// The argument is the kernel's name of the keyboard's key. If this key stands for nothing,
// Pressed returns "".
func (k *Keyboard) Pressed(name string) string {
	if k.Keys == nil {
		return UsualKeys[name]
	}
	return k.Keys[name]
}

// Who returns the name that errors and findings use for the keyboard, or for the reader that
// types.
func (k *Keyboard) Who() string {
	if k.Reads == ReadsTags {
		return "reader " + k.Name
	}
	return "keyboard " + k.Name
}

func (k *Keyboard) Whose() string { return k.Seat }
func (k *Keyboard) What() string  { return k.Device }
func (k *Keyboard) pins() []pin   { return nil }
func (k *Keyboard) claims(*Wiring) []Claim {
	return []Claim{{Resource: "keyboard " + k.Device, Part: k.Who()}}
}

func (k *Keyboard) check(f *Errors, seats []engine.Seat) {
	k.Name = cmp.Or(k.Name, k.Seat, string(engine.Table))
	where := k.Who()
	f.wrong(!engine.IsWord(k.Name), "keyboards: name", nameHint, "%q cannot name a keyboard", k.Name)
	f.seat(where, k.Seat, seats)
	if err := evdev.CheckDevice(k.Device); err != nil {
		f.wrong(true, where+": device", "tableside doctor lists what is plugged in", "%s", err)
	}
	if k.Reads != "" {
		f.oneOf(where+": reads", k.Reads, ReadsTags)
		f.wrong(k.Keys != nil, where, "leave one of them out", "keys and reads exclude each other")
	}
	known := evdev.Names()
	for _, name := range slices.Sorted(maps.Keys(k.Keys)) {
		long := "KEY_" + strings.ToUpper(strings.TrimPrefix(name, "KEY_"))
		hint := Suggest(long, known, "press it in tableside doctor --try, which prints its name")
		if slices.Contains(known, long) {
			hint = "did you mean " + long + "?"
		}
		f.wrong(!slices.Contains(known, name), where+": keys", hint, "%q is not the name of a key", name)
		f.oneOf(where+": keys: "+name, k.Keys[name], slices.Concat(Pressable, digits)...)
	}
}
