package config

import (
	"slices"
	"strings"
	"testing"

	"tableside/drivers/evdev"
)

// keyboards are two keyboards; each case changes one thing.
const keyboards = `
[[readers]]
name = "blue"
seat = "blue"
chip = "mfrc522"
spi = "SPI0.0"

[[keyboards]]
device = "1c4f:0002/usb-1.2"
seat = "red"
keys = { KEY_F1 = "undo", BTN_SOUTH = "yes" }

[[keyboards]]
device = "usb-Sycreader_USB_Reader-event-kbd"
reads = "tags"
`

func TestKeyboards(t *testing.T) {
	c, err := load(keyboards)
	if err != nil {
		t.Fatal(err)
	}
	if k := c.Keyboards; k[0].Who() != "keyboard red" || k[0].Keys["KEY_F1"] != "undo" || k[1].Who() != "reader table" {
		t.Errorf("%+v", k)
	}
	if lines := c.Wiring.Lines(); strings.Contains(strings.Join(lines, "\n"), "Sycreader") {
		t.Errorf("a tape names a keyboard: %q", lines)
	}
	if len(c.Keyboards) != 2 {
		t.Error("a tape has removed the keyboards")
	}
	for _, test := range []struct{ old, new, want, hint string }{
		{`"1c4f:0002/usb-1.2"`, `""`, `t.toml:9: keyboard red: device: got "", want a name of`, "doctor"},
		{`"1c4f:0002/usb-1.2"`, `"/dev/input/event3"`, `t.toml:9: keyboard red: device: got "/dev/input/event3"`, "doctor"},
		{`"1c4f:0002/usb-1.2"`, `"usb-Sycreader_USB_Reader-event-kbd"`, "used by both keyboard red and reader table", ""},
		{`seat = "red"`, `seat = "rde"`, `t.toml:10: keyboard rde: seat: nobody sits at "rde"`, "did you mean red?"},
		{`KEY_F1 =`, `F1 =`, `t.toml:11: keyboard red: keys: "F1" is not the name of a key`, "did you mean KEY_F1?"},
		{`KEY_F1 =`, `KEY_BAKSPACE =`, `"KEY_BAKSPACE" is not the name`, "did you mean KEY_BACKSPACE?"},
		{`"undo"`, `"undoo"`, `keyboard red: keys: KEY_F1: got "undoo", want one of yes`, "did you mean undo?"},
		{`"tags"`, `"tag"`, `reads: got "tag", want one of tags`, "did you mean tags?"},
		{`reads = "tags"`, "reads = \"tags\"\nkeys = {}", "reader table: keys and reads exclude each other", ""},
		{`reads = "tags"`, "reads = \"tags\"\nname = \"blue\"", "reader blue: two parts have that name", ""},
		{`reads = "tags"`, "reads = \"tags\"\nname = \"box\"\nseat = \"blue\"",
			"t.toml:17: reader box: seat: blue has reader blue already", "everybody's"},
		{`reads = "tags"`, "seat = \"red\"", "keyboard red: two parts have that name", "name"},
		{`reads = "tags"`, "name = \"A b\"", `keyboards: name: "A b" cannot name a keyboard`, ""},
	} {
		_, err := load(strings.Replace(keyboards, test.old, test.new, 1))
		e, ok := err.(*Error)
		if !ok || !strings.Contains(e.Error(), test.want) || !strings.Contains(e.Hint, test.hint) {
			t.Errorf("%s instead of %s: got %v, %+v, want %s", test.new, test.old, err, e, test.want)
		}
	}
}

// TestUsualKeys tests that the usual keys exist, and press every key of the table.
func TestUsualKeys(t *testing.T) {
	pressed := map[string]bool{}
	for name, key := range UsualKeys {
		if !slices.Contains(evdev.Names(), name) || !slices.Contains(slices.Concat(Pressable, digits), key) {
			t.Errorf("%s = %q", name, key)
		}
		pressed[key] = true
	}
	if want := len(Pressable) + len(digits); len(pressed) != want {
		t.Errorf("only %d of %d keys of the table and digits can be pressed", len(pressed), want)
	}
}
