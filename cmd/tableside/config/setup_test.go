package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// setUp loads a configuration of these sections beside a setup file.
func setUp(t *testing.T, written, setup string) Config {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "table.toml")
	for name, text := range map[string]string{file: fmt.Sprintf("[table]\ndata = %q\n", dir) + written,
		filepath.Join(dir, SetupFile): setup} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Load(file, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const redAndBlue = `[[readers]]
name = "red"
seat = "red"
chip = "pcsc"
model = "ACR122U"
[[readers]]
name = "blue"
seat = "blue"
chip = "pn532"
serial = "/dev/serial/by-id/usb-CH340"
[[keyboards]]
device = "1c4f:0002"
seat = "red"
[lights]
chip = "wled"
host = "wled.local"
count = 30
`

// TestWrittenWins tests that parts of the setup file are added to those of the
// configuration file, unless that has a part of the name, device or kind.
func TestWrittenWins(t *testing.T) {
	for _, test := range []struct{ written, want, left string }{
		{"", "reader red, reader blue, keyboard red, lights wled.local", ""},
		{"[[readers]]\nname = \"red\"\nchip = \"pcsc\"\nmodel = \"Other\"\n",
			"reader red, reader blue, keyboard red, lights wled.local", "reader red: two parts have that name"},
		{"[[readers]]\nname = \"mine\"\nchip = \"pn532\"\nserial = \"/dev/serial/by-id/usb-CH340\"\n",
			"reader mine, reader red, keyboard red, lights wled.local",
			"/dev/serial/by-id/usb-CH340: used by both reader mine and reader blue"},
		{"[[readers]]\nname = \"mine\"\nseat = \"red\"\nchip = \"pcsc\"\nmodel = \"Other\"\n",
			"reader mine, reader blue, keyboard red, lights wled.local", "reader red: seat: red has reader mine already"},
		{"[lights]\nchip = \"wled\"\nhost = \"10.0.0.7\"\ncount = 3\n",
			"reader red, reader blue, keyboard red, lights 10.0.0.7", "lights: the configuration file has one already"},
		{"[[keyboards]]\ndevice = \"1c4f:0002\"\nseat = \"blue\"\n",
			"reader red, reader blue, keyboard blue, lights wled.local",
			"keyboard 1c4f:0002: used by both keyboard blue and keyboard red"},
		{"[[readers]]\nname = \"red\"\nseat = \"red\"\nchip = \"pcsc\"\nmodel = \"Other\"\n",
			"reader red, reader blue, keyboard red, lights wled.local",
			"reader red: two parts have that name"},
	} {
		c := setUp(t, test.written, redAndBlue)
		var got, left []string
		for _, r := range c.Readers {
			got = append(got, r.Who())
		}
		for _, k := range c.Keyboards {
			got = append(got, k.Who())
		}
		got = append(got, "lights "+c.Lights.Host)
		for _, err := range c.LeftOut {
			left = append(left, err.Error())
		}
		if strings.Join(got, ", ") != test.want || strings.Join(left, "; ") != test.left || c.SetupError != nil {
			t.Errorf("%s:\n got %v, left out %v, %v\nwant %s, left out %s", test.written, got, left, c.SetupError, test.want,
				test.left)
		}
	}
}

// TestEveryMistake tests that all mistakes of a part of the setup file are told.
func TestEveryMistake(t *testing.T) {
	c := setUp(t, "", redAndBlue+"[[keyboards]]\ndevice = \"\"\nseat = \"nobody\"\n")
	if len(c.LeftOut) != 2 || c.LeftOut[0].Key == c.LeftOut[1].Key {
		t.Errorf("the mistakes are %v", c.LeftOut)
	}
}

// TestBrokenSetup tests that a setup file with a mistake, or with more than parts, is
// left out as a whole with one sentence, and stays as it is.
func TestBrokenSetup(t *testing.T) {
	for setup, want := range map[string]string{
		"[[readers]\n":                       "setup.toml:1:10: expected",
		"[table]\ndata = \"/\"\n":            "setup.toml:1: unknown key table",
		"[mqtt]\npassword = \"x\"\n":         "setup.toml:1: unknown key mqtt",
		"[[readers]]\nname = 7\n":            "setup.toml:2: readers.name: got a number, want text in quotes",
		redAndBlue + "[http]\nlisten = \"\"": "setup.toml:18: unknown key http",
	} {
		c := setUp(t, "[[keys]]\npin = \"GPIO5\"\nkey = \"yes\"\n", setup)
		if c.SetupError == nil || !strings.Contains(c.SetupError.Error(), want) {
			t.Errorf("%q: got %v, want %s", setup, c.SetupError, want)
		}
		if len(c.Keys) != 1 || len(c.Readers) != 0 || c.Setup.Readers != nil {
			t.Errorf("%q: %+v", setup, c.Wiring)
		}
		if kept, err := os.ReadFile(c.setupFile()); err != nil || string(kept) != setup {
			t.Errorf("%q: kept %q, %v", setup, kept, err)
		}
	}
}

// TestSaveSetup tests that what is saved is loaded, that only its owner may read it, and
// that a failure leaves the file and nothing beside it.
func TestSaveSetup(t *testing.T) {
	c := setUp(t, "", redAndBlue)
	c.Setup.Keyboards[0].Keys = map[string]string{"KEY_A": "yes"}
	if err := c.SaveSetup(c.Setup); err != nil {
		t.Fatal(err)
	}
	again := c
	again.loadSetup()
	if !reflect.DeepEqual(again.Setup, c.Setup) || again.SetupError != nil {
		t.Errorf("got %+v, %v\nwant %+v", again.Setup, again.SetupError, c.Setup)
	}
	if info, err := os.Stat(c.setupFile()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.Remove(c.setupFile()); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(c.setupFile(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := c.SaveSetup(c.Setup); err == nil {
		t.Error("a folder was replaced by a file")
	}
	if all, _ := filepath.Glob(filepath.Join(c.Table.Data, ".setup*")); len(all) > 0 {
		t.Errorf("left over: %v", all)
	}
}
