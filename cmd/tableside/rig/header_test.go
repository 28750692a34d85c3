package rig

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tableside/cmd/tableside/config"
)

// TestHeaderUART tests that the wrong name of the header's serial port is an error
// that names the right one: it has another name on a Pi 5, and Bluetooth has that
// name on others.
func TestHeaderUART(t *testing.T) {
	const (
		debug     = "/dev/serial0 of a Raspberry Pi 5 is its debug connector, not GPIO14 and GPIO15"
		pi5hint   = `write serial = "/dev/ttyAMA0", add the line dtparam=uart0=on to /boot/firmware/config.txt and reboot`
		bluetooth = "/dev/ttyAMA0 belongs to Bluetooth here, not to GPIO14 and GPIO15"
		pi4hint   = `write serial = "/dev/serial0"; or add the line dtoverlay=disable-bt to /boot/firmware/config.txt and reboot`
	)
	for _, test := range []struct {
		model, serial string
		nodes         string            // below /dev
		links         map[string]string // below /dev
		why, hint     string
	}{
		{five, "/dev/serial0", "ttyAMA10", map[string]string{"serial0": "ttyAMA10"}, debug, pi5hint},
		{five, "/dev/serial0", "", nil, debug, pi5hint},
		{"Raspberry Pi 500 Rev 1.0", "/dev/serial0", "ttyAMA10 ttyAMA0", map[string]string{"serial0": "ttyAMA10"}, debug,
			pi5hint},
		{five, "/dev/serial0", "ttyAMA0", map[string]string{"serial0": "ttyAMA0"}, "", ""}, // dtparam=uart0_console
		{five, "/dev/ttyAMA0", "", nil, "/dev/ttyAMA0 does not exist",
			"add the line dtparam=uart0=on to /boot/firmware/config.txt and reboot"},
		{five, "/dev/ttyAMA0", "ttyAMA0 ttyAMA10", map[string]string{"serial0": "ttyAMA10"}, "", ""},
		{four, "/dev/ttyAMA0", "ttyAMA0 ttyS0", map[string]string{"serial0": "ttyS0", "serial1": "ttyAMA0"}, bluetooth,
			pi4hint},
		{four, "/dev/ttyAMA0", "ttyAMA0", map[string]string{"serial0": "ttyAMA0"}, "", ""}, // dtoverlay=disable-bt
		{four, "/dev/serial0", "ttyAMA0 ttyS0", map[string]string{"serial0": "ttyS0", "serial1": "ttyAMA0"}, "", ""},
	} {
		root := t.TempDir()
		writeFile(t, root, "proc/device-tree/model", test.model+"\x00")
		for _, name := range strings.Fields(test.nodes) {
			writeFile(t, root, "dev/"+name, "")
		}
		for name, target := range test.links {
			writeFile(t, root, "dev/"+target, "")
			if err := os.Symlink(target, filepath.Join(root, "dev", name)); err != nil {
				t.Fatal(err)
			}
		}
		w := &config.Wiring{Readers: []config.Reader{{Name: "red", Chip: "pn532", Bus: config.Bus{Serial: test.serial}}},
			Pi5: config.IsPi5(test.model)}
		why, hint := "", ""
		for _, f := range (&Raspberry{root: root}).Missing(w) {
			why, hint = f.Reason, f.Hint
		}
		if why != test.why || hint != test.hint {
			t.Errorf("%s, %s, %v:\n got %s; %s\nwant %s; %s", test.model, test.serial, test.links, why, hint, test.why,
				test.hint)
		}
	}
}

// kernelSettings returns the lines of config.txt at the top of an example.
func kernelSettings(source string) []string {
	var lines []string
	in := false
	for line := range strings.Lines(source) {
		text, comment := strings.CutPrefix(line, "#   ")
		if strings.HasPrefix(line, "# "+ConfigTxt) {
			in = true
		} else if in = in && comment; in {
			lines = append(lines, strings.TrimSpace(text)) // as people copy them
		}
	}
	return lines
}

// TestConsoleHint tests that a console is recognized by every name of its port.
func TestConsoleHint(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"ttyS0", "ttyAMA0", "ttyUSB0"} {
		writeFile(t, root, "dev/"+name, "")
	}
	if err := os.Symlink("ttyS0", filepath.Join(root, "dev/serial0")); err != nil {
		t.Fatal(err)
	}
	if hint := ConsoleHint(root, "/dev/serial0"); hint != "" {
		t.Errorf("without a list of consoles: got %q", hint)
	}
	writeFile(t, root, "sys/class/tty/console/active", "tty1 ttyS0\n")
	for path, is := range map[string]bool{"/dev/serial0": true, "/dev/ttyS0": true, "/dev/ttyAMA0": false,
		"/dev/ttyUSB0": false, "/dev/ttyS1": false} {
		if hint := ConsoleHint(root, path); strings.Contains(hint, "or console=ttyS0,115200 from") != is {
			t.Errorf("%s: got %q", path, hint)
		}
	}
}

// TestExamplesSwitchOn tests that the settings at the top of an example enable every
// device that it names, on each model that it is drawn for, and that nothing is
// missing on such a computer.
func TestExamplesSwitchOn(t *testing.T) {
	for example, models := range map[string][]string{
		"four-seats": {four, five, "Raspberry Pi 500 Rev 1.0"}, "two-seats": {zero2, four, five},
		"one-reader": {zero2, four, five}, "lights-only": {zero2, four, five},
	} {
		for _, on := range models {
			file := filepath.Join(repo, "docs", "examples", example+".toml")
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c, err := config.Load(file, env)
			if err != nil {
				t.Fatal(err)
			}
			c.Pi5 = config.IsPi5(on)
			root, lines := t.TempDir(), kernelSettings(string(source))
			writeFile(t, root, "proc/device-tree/model", on+"\x00")
			writeFile(t, root, ConfigTxt, strings.Join(lines, "\n")+"\n")
			writeFile(t, root, "dev/gpiochip0", "")
			for _, n := range nodesOf(&c.Wiring) {
				if !slices.Contains(lines, enableLine(n.path, on)) {
					t.Errorf("%s on a %s: no line of %q makes %s, want %q", example, on, lines, n.path, enableLine(n.path, on))
				}
				writeFile(t, root, n.path, "")
			}
			for _, f := range (&Raspberry{root: root}).Missing(&c.Wiring) {
				t.Errorf("%s on a %s: %v; %s", example, on, f, f.Hint)
			}
		}
	}
}
