package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tableside/cmd/tableside/config"
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
		w := &config.Wiring{Readers: []config.Reader{{Name: "red", Chip: "pn532", Bus: config.Bus{Serial: test.serial}}}, Pi5: config.IsPi5(test.model)}
		why, hint := "", ""
		for _, f := range (&raspberry{root: root}).missing(w) {
			why, hint = f.Why, f.Hint
		}
		if why != test.why || hint != test.hint {
			t.Errorf("%s, %s, %v:\n got %s; %s\nwant %s; %s", test.model, test.serial, test.links, why, hint, test.why, test.hint)
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
// misses nothing.
func TestExamplesSwitchOn(t *testing.T) {
	for example, models := range map[string][]string{
		"four-seats": {piFour, piFive, "Raspberry Pi 500 Rev 1.0"}, "two-seats": {zero2, piFour, piFive},
		"one-reader": {zero2, piFour, piFive}, "lights-only": {zero2, piFour, piFive},
	} {
		for _, on := range models {
			file := filepath.Join(repository, "docs", "examples", example+".toml")
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c, err := config.Load(file, noEnv)
			if err != nil {
				t.Fatal(err)
			}
			c.Pi5 = config.IsPi5(on)
			root, lines := t.TempDir(), kernelSettings(string(source))
			put(t, root, "proc/device-tree/model", on+"\x00")
			put(t, root, settings, strings.Join(lines, "\n")+"\n")
			put(t, root, "dev/gpiochip0", "")
			for _, n := range nodesOf(&c.Wiring) {
				if !slices.Contains(lines, switchOn(n.path, on)) {
					t.Errorf("%s on a %s: no line of %q makes %s, want %q", example, on, lines, n.path, switchOn(n.path, on))
				}
				put(t, root, n.path, "")
			}
			for _, f := range (&raspberry{root: root}).missing(&c.Wiring) {
				t.Errorf("%s on a %s: %v; %s", example, on, f, f.Hint)
			}
		}
	}
}
