package doctor

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/cmd/tableside/bench"
	"tableside/cmd/tableside/config"
	"tableside/drivers/evdev"
)

// TestKeyboards tests what is said of keyboards that are there, away, mute and not used,
// and that the section for an unused one loads and finds it.
func TestKeyboards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := bench.NewChips(nil)
		if err != nil {
			t.Fatal(err)
		}
		plug := func(event, port string, product, bus uint16, keys int) evdev.Info {
			return evdev.Info{Path: "/dev/input/" + event, Name: "Pad " + port, Phys: "usb-" + port, Bus: bus,
				Vendor: 0x1c4f, Product: product, Keys: keys}
		}
		pad := c.Bench.Keyboards.Plug(plug("event0", "1/input0", 2, evdev.USB, 17))
		c.Bench.Keyboards.Plug(plug("event1", "1/input1", 2, evdev.USB, 5)) // its media keys
		unused := plug("event2", "2/input0", 3, evdev.USB, 100)
		c.Bench.Keyboards.Plug(unused)
		c.Bench.Keyboards.Plug(plug("event3", "3/input0", 4, 0x19, 3)) // no USB: buttons of the computer
		wiring := config.Wiring{Keyboards: []config.Keyboard{
			{Name: "red", Device: "1c4f:0002"}, {Name: "away", Device: "1c4f:0009"}}}
		examine := func(try bool) ([]Finding, string) {
			var said bytes.Buffer
			d := &doctor{Config: Config{Out: &said, root: t.TempDir(), Try: try}, ports: c.Bench}
			d.checkHardware(t.Context(), &config.Config{Wiring: wiring}, false)
			d.addUnused(t.Context(), &wiring)
			return d.findings, said.String()
		}
		got, _ := examine(false)
		if f := findingOf(got, "keyboard red"); !f.OK || !strings.Contains(f.Text, "Pad 1/input0") {
			t.Errorf("%+v", f)
		}
		if f := findingOf(got, "keyboard away"); f.OK || !strings.Contains(f.Text, "not plugged in") || f.Fix == "" {
			t.Errorf("%+v", f)
		}
		f := findingOf(got, "keyboards")
		if len(got) != 3 || !f.OK || !strings.HasPrefix(f.Paste, "[[keyboards]]\ndevice = \"1c4f:0003\"\n") {
			t.Errorf("%+v", got)
		}
		if got, _ := examine(true); findingOf(got, "keyboard red").Text != "nothing was pressed or read" {
			t.Errorf("nobody presses: %+v", got)
		}
		time.AfterFunc(time.Second, func() { pad.Tap(28, 59) })
		got, said := examine(true)
		if f := findingOf(got, "keyboard red"); !f.OK || f.Text != "2 keys or codes came" ||
			!strings.Contains(said, "keyboard red: KEY_ENTER is yes\n  keyboard red: KEY_F1\n") {
			t.Errorf("%+v, %s", f, said)
		}
	})
}
