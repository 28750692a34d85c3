package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestHeaderUART: the serial port of the header has another name on a Pi 5, and
// Bluetooth has its name on others. Who wrote the wrong one is told the right
// one before a reader is silent.
func TestHeaderUART(t *testing.T) {
	const (
		debug     = "/dev/serial0 of a Raspberry Pi 5 is its debug connector, not GPIO14 and GPIO15"
		five      = `write serial = "/dev/ttyAMA0", add the line dtparam=uart0=on to /boot/firmware/config.txt and reboot`
		bluetooth = "/dev/ttyAMA0 belongs to Bluetooth here, not to GPIO14 and GPIO15"
		four      = `write serial = "/dev/serial0"; or add the line dtoverlay=disable-bt to /boot/firmware/config.txt and reboot`
	)
	for _, test := range []struct {
		model, serial string
		nodes         string            // below /dev
		links         map[string]string // below /dev
		why, hint     string
	}{
		{piFive, "/dev/serial0", "ttyAMA10", map[string]string{"serial0": "ttyAMA10"}, debug, five},
		{piFive, "/dev/serial0", "", nil, debug, five},
		{"Raspberry Pi 500 Rev 1.0", "/dev/serial0", "ttyAMA10 ttyAMA0", map[string]string{"serial0": "ttyAMA10"}, debug, five},
		{piFive, "/dev/serial0", "ttyAMA0", map[string]string{"serial0": "ttyAMA0"}, "", ""}, // dtparam=uart0_console
		{piFive, "/dev/ttyAMA0", "", nil, "/dev/ttyAMA0 does not exist", "add the line dtparam=uart0=on to /boot/firmware/config.txt and reboot"},
		{piFive, "/dev/ttyAMA0", "ttyAMA0 ttyAMA10", map[string]string{"serial0": "ttyAMA10"}, "", ""},
		{piFour, "/dev/ttyAMA0", "ttyAMA0 ttyS0", map[string]string{"serial0": "ttyS0", "serial1": "ttyAMA0"}, bluetooth, four},
		{piFour, "/dev/ttyAMA0", "ttyAMA0", map[string]string{"serial0": "ttyAMA0"}, "", ""}, // dtoverlay=disable-bt
		{piFour, "/dev/serial0", "ttyAMA0 ttyS0", map[string]string{"serial0": "ttyS0", "serial1": "ttyAMA0"}, "", ""},
	} {
		root := t.TempDir()
		put(t, root, "proc/device-tree/model", test.model+"\x00")
		for _, name := range strings.Fields(test.nodes) {
			put(t, root, "dev/"+name, "")
		}
		for name, target := range test.links {
			put(t, root, "dev/"+target, "")
			if err := os.Symlink(target, filepath.Join(root, "dev", name)); err != nil {
				t.Fatal(err)
			}
		}
		w := &wiring{Readers: []readerConfig{{Name: "red", Chip: "pn532", busConfig: busConfig{Serial: test.serial}}}, pi5: isPi5(test.model)}
		why, hint := "", ""
		for _, f := range (&raspberry{root: root}).missing(w) {
			why, hint = f.why, f.hint
		}
		if why != test.why || hint != test.hint {
			t.Errorf("%s, %s, %v:\n got %s; %s\nwant %s; %s", test.model, test.serial, test.links, why, hint, test.why, test.hint)
		}
	}
}

// TestSerialPins: GPIO14 and GPIO15 are taken by the port of the header, and by
// no other.
func TestSerialPins(t *testing.T) {
	for _, test := range []struct {
		pi5  bool
		path string
		want bool
	}{
		{false, "/dev/serial0", true}, {false, "/dev/ttyS0", true}, {false, "/dev/ttyAMA0", true}, {false, "/dev/ttyUSB0", false},
		{true, "/dev/serial0", false}, {true, "/dev/ttyAMA10", false}, {true, "/dev/ttyAMA0", true},
	} {
		w := &wiring{pi5: test.pi5, Readers: []readerConfig{{Name: "red", Chip: "pn532", busConfig: busConfig{Serial: test.path}}}}
		got := slices.ContainsFunc(w.claims(), func(c claim) bool { return c.what == "GPIO15" })
		if got != test.want {
			t.Errorf("%+v: got %t", test, got)
		}
	}
}

// kernelSettings returns the lines of config.txt at the top of an example.
func kernelSettings(source string) []string {
	var lines []string
	in := false
	for line := range strings.Lines(source) {
		text, comment := strings.CutPrefix(line, "#   ")
		if strings.HasPrefix(line, "# "+settings) {
			in = true
		} else if in = in && comment; in {
			setting, _, _ := strings.Cut(text, "#")
			lines = append(lines, strings.TrimSpace(setting))
		}
	}
	return lines
}

// TestExamplesSwitchOn: the settings at the top of an example make every device
// that it names, on each model that it is drawn for. On such a computer doctor
// misses nothing, and no two parts want the same pin.
func TestExamplesSwitchOn(t *testing.T) {
	for example, models := range map[string][]string{
		"four-seats": {piFour, piFive, "Raspberry Pi 500 Rev 1.0"}, "two-seats": {zero2, piFour, piFive},
		"one-reader": {zero2, piFour, piFive}, "lights-only": {zero2, piFour, piFive},
	} {
		for _, on := range models {
			source, err := os.ReadFile(filepath.Join("..", "..", "docs", "examples", example+".toml"))
			if err != nil {
				t.Fatal(err)
			}
			c, err := load(string(source))
			if err != nil {
				t.Fatal(err)
			}
			c.pi5 = isPi5(on)
			if err := c.wiring.check(c.seats()); err != nil {
				t.Errorf("%s on a %s: %v", example, on, err)
			}
			root, lines := t.TempDir(), kernelSettings(string(source))
			put(t, root, "proc/device-tree/model", on+"\x00")
			put(t, root, settings, strings.Join(lines, "\n")+"\n")
			put(t, root, "dev/gpiochip0", "")
			for _, n := range c.wiring.nodes() {
				if !slices.Contains(lines, switchOn(n.path, on)) {
					t.Errorf("%s on a %s: no line of %q makes %s, want %q", example, on, lines, n.path, switchOn(n.path, on))
				}
				put(t, root, n.path, "")
			}
			for _, f := range (&raspberry{root: root}).missing(&c.wiring) {
				t.Errorf("%s on a %s: %v; %s", example, on, f, f.hint)
			}
			if l := c.Lights; l != nil && isPi5(on) { // the clock of others: docs/hardware.md
				d := &doctor{program: &program{}, root: root}
				if d.coreClock(); len(d.findings) > 0 || d.noDMA(l) != "" {
					t.Errorf("%s on a %s: %+v%s", example, on, d.findings, d.noDMA(l))
				}
			}
		}
	}
}
