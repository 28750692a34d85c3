package rig

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"periph.io/x/conn/v3/i2c"

	"tableside/cmd/tableside/config"
	"tableside/drivers/evdev"
	"tableside/drivers/evdev/evdevtest"
	"tableside/drivers/pcsc/pcsctest"
)

// TestAdapters tests the names of USB serial ports: those that say what they are, unless
// one of several has none, because all of one kind share it.
func TestAdapters(t *testing.T) {
	for _, test := range []struct{ links, want string }{
		{"by-id/usb-FTDI-port0>ttyUSB0 by-id/usb-ACM>ttyACM0 by-path/usb-1>ttyUSB0",
			"/dev/serial/by-id/usb-FTDI-port0 /dev/serial/by-id/usb-ACM"},
		{"by-id/usb-CH340>ttyUSB0 by-path/usb-1>ttyUSB0 by-path/usb-2>ttyACM0",
			"/dev/serial/by-path/usb-1 /dev/serial/by-path/usb-2"},
		{"", "/dev/ttyUSB0 /dev/ttyACM0"}, // without udev
	} {
		root := t.TempDir()
		writeFile(t, root, "dev/ttyUSB0", "")
		writeFile(t, root, "dev/ttyACM0", "")
		for _, link := range strings.Fields(test.links) {
			name, to, _ := strings.Cut(link, ">")
			path := filepath.Join(root, "dev/serial", name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("../../"+to, path); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, a := range (&Raspberry{root: root}).Adapters() {
			if got = append(got, a.Path); !slices.Contains(a.Names, a.Path) {
				t.Errorf("%+v", a)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: got %v, want %s", test.links, got, test.want)
		}
	}
}

// pluggedPorts are ports with readers of pcscd, a serial port and keyboards.
type pluggedPorts struct {
	pcscPorts
	typing *evdevtest.Host
}

func (p pluggedPorts) Inputs() evdev.Host { return p.typing }
func (p pluggedPorts) Adapters() []Adapter {
	return []Adapter{{"/dev/a", []string{"/dev/a", "/dev/ttyUSB0"}}}
}
func (pluggedPorts) I2C(string) (i2c.Bus, error) { return nil, os.ErrNotExist }

// TestUnused tests what is listed as not used: two readers of one kind are told apart
// although the section of the first names only the kind, and a serial port is known by
// all its names.
func TestUnused(t *testing.T) {
	server, err := pcsctest.Listen(filepath.Join(t.TempDir(), "pcscd"))
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	ports := pluggedPorts{pcscPorts{socket: server.Socket()}, &evdevtest.Host{}}
	ports.typing.Plug(evdev.Info{Path: "/dev/input/event0", Name: "Pad", Bus: evdev.USB, Vendor: 0x1c4f, Product: 2,
		Keys: 9})
	server.Plug("ACS ACR122U 00 00")
	list := func(w *config.Wiring) string {
		t.Helper()
		all, err := Unused(t.Context(), ports, w)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, f := range all {
			ids = append(ids, f.ID)
			if r, ok := f.Part.(*config.Reader); ok {
				ids[len(ids)-1] += "=" + r.Model + r.Serial
			}
		}
		return strings.Join(ids, ", ")
	}
	w := &config.Wiring{}
	want := "pcsc:ACS ACR122U 00 00=ACS ACR122U, serial:/dev/a=/dev/a, input:1c4f:0002"
	if got := list(w); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	w.Readers = []config.Reader{{Name: "red", Chip: config.PCSC, Model: "ACS ACR122U"},
		{Name: "blue", Chip: "pn532", Bus: config.Bus{Serial: "/dev/ttyUSB0"}}}
	w.Keyboards = []config.Keyboard{{Device: "1c4f:0002"}}
	if got := list(w); got != "" {
		t.Errorf("all is used, got %s", got)
	}
	server.Plug("ACS ACR122U 01 00")
	if got, want := list(w), "pcsc:ACS ACR122U 01 00=ACS ACR122U 01 00"; got != want {
		t.Errorf("a second one: got %s, want %s", got, want)
	}
	second := FoundDevice{ID: "pcsc:ACS ACR122U 01 00", Name: "ACS ACR122U 01 00",
		similarNames: []string{"ACS ACR122U 00 00"},
		Part:         &config.Reader{Chip: config.PCSC, Model: "ACS ACR122U 01 00"}}
	both, err := NewSetup(&config.Config{}, nil).addFound(*w, second, "green", "")
	if err != nil || both.Readers[0].Model != "ACS ACR122U 00 00" || both.Readers[2].Name != "green" ||
		w.Readers[0].Model != "ACS ACR122U" {
		t.Errorf("%+v, %v", both.Readers, err)
	}
}

// TestTypedKeys tests that a reader that types is told from somebody who presses keys.
func TestTypedKeys(t *testing.T) {
	for keys, want := range map[string]string{"KEY_KP1": "", "KEY_ENTER": "", "KEY_1 KEY_2 KEY_ENTER": "",
		"KEY_0 KEY_0 KEY_1 KEY_2 KEY_3 KEY_4 KEY_5 KEY_ENTER": config.ReadsTags,
		"KEY_0 KEY_0 KEY_1 KEY_2 KEY_3 KEY_4 KEY_5 KEY_6":     ""} {
		var typed typedKeys
		said := make(chan string, 1)
		for _, key := range strings.Fields(keys) {
			typed.add(evdev.Event{Kind: evdev.Press, Text: key}, func(reads string) { said <- reads })
		}
		if got := <-said; got != want {
			t.Errorf("%s: got %q, want %q", keys, got, want)
		}
	}
}
