package rig

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2ctest"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/cmd/tableside/config"
	"tableside/drivers/gpiochip"
	"tableside/drivers/pn532"
)

// TestBusesAreShared tests that each bus is opened once, also by concurrent calls.
func TestBusesAreShared(t *testing.T) {
	var opened atomic.Int32
	pi := &Raspberry{openI2C: func(int) (i2c.BusCloser, error) {
		opened.Add(1)
		return &i2ctest.Playback{}, nil
	}}
	var all sync.WaitGroup
	for n := range 8 {
		name := fmt.Sprintf("/dev/i2c-%d", n)
		all.Go(func() {
			first, err := pi.I2C(name)
			second, err2 := pi.I2C(name)
			if err != nil || err2 != nil || first != second {
				t.Errorf("%s: %v, %v", name, err, err2)
			}
		})
	}
	all.Wait()
	if opened.Load() != 8 {
		t.Errorf("got %d buses, want 8", opened.Load())
	}
}

// TestPinsAreShared tests that a part that is opened again gets the pin that it
// has, and that pins are the kernel's lines, whoever runs the program.
func TestPinsAreShared(t *testing.T) {
	pi := &Raspberry{}
	first, err := pi.Pin("GPIO17")
	second, err2 := pi.Pin("GPIO17")
	other, err3 := pi.Pin("GPIO27")
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	if _, ok := first.(*gpiochip.Pin); !ok || first != second || first == other || first.String() != "GPIO17" {
		t.Errorf("got %T %v, %v, %v", first, first, second, other)
	}
	for _, name := range []string{"", "17x", "GPIO", "GPIO-1"} {
		if pin, err := pi.Pin(name); err == nil {
			t.Errorf("%q: got %v", name, pin)
		}
	}
}

// TestNoPort tests that buses and ports that do not exist are errors.
func TestNoPort(t *testing.T) {
	pi := &Raspberry{}
	for _, path := range []string{"/dev/i2c-1x", "/dev/i2c-977", "/dev/null"} {
		if bus, err := pi.I2C(path); err == nil || bus != nil {
			t.Errorf("%s: got %v, %v", path, bus, err)
		}
	}
	for _, name := range []string{"SPI9.9", "/dev/spidev0.0"} {
		if port, err := pi.SPI(name); err == nil || port != nil {
			t.Errorf("%s: got %v, %v", name, port, err)
		}
	}
}

// A stalledPort is an SPI port whose transfers the kernel gives up, as periph reports it.
type stalledPort struct{ spi.PortCloser }

func (p stalledPort) Connect(physic.Frequency, spi.Mode, int) (spi.Conn, error) { return p, nil }
func (stalledPort) String() string                                              { return "SPI0.0" }
func (stalledPort) Duplex() conn.Duplex                                         { return conn.Full }
func (stalledPort) Tx(_, _ []byte) error {
	return fmt.Errorf("sysfs-spi: Tx() failed: %v", unix.ETIMEDOUT)
}
func (p stalledPort) TxPackets([]spi.Packet) error { return p.Tx(nil, nil) }

// TestSPITimeout checks that a transfer which the kernel gives up has a hint, through a driver.
func TestSPITimeout(t *testing.T) {
	dev, err := pn532.NewSPI(spiPort{PortCloser: stalledPort{}}, &pn532.DefaultOpts)
	if err != nil {
		t.Fatal(err)
	}
	err = dev.Init(t.Context())
	var hint interface{ Hint() string }
	if !errors.As(err, &hint) || !strings.Contains(hint.Hint(), "Raspberry Pi 5") {
		t.Errorf("got %v, without a hint", err)
	}
}

// Models as their device trees name them.
const (
	zero2   = "Raspberry Pi Zero 2 W Rev 1.0"
	four    = "Raspberry Pi 4 Model B Rev 1.5"
	five    = "Raspberry Pi 5 Model B Rev 1.0"
	module3 = "Raspberry Pi Compute Module 3 Plus Rev 1.0"
)

// TestSwitches tests the line of config.txt for each bus, and that there is none
// where no line would help.
func TestSwitches(t *testing.T) {
	for _, test := range []struct{ model, path, want string }{
		{zero2, "/dev/spidev0.1", "dtparam=spi=on"}, {zero2, "/dev/spidev0.2", ""},
		{zero2, "/dev/spidev1.2", "dtoverlay=spi1-3cs"},
		{zero2, "/dev/spidev5.0", ""}, {zero2, "/dev/spidev2.0", ""}, {module3, "/dev/spidev2.2", "dtoverlay=spi2-3cs"},
		{four, "/dev/spidev5.0", "dtoverlay=spi5-1cs"}, {four, "/dev/spidev3.1", "dtoverlay=spi3-2cs"},
		{four, "/dev/spidev6.2", ""},
		{four, "/dev/spidev10.0", ""}, {four, "/dev/spidev1.3", ""},
		{five, "/dev/spidev5.0", "dtoverlay=spi5-1cs"}, {five, "/dev/spidev5.2", ""},
		{five, "/dev/spidev2.1", "dtoverlay=spi2-2cs"},
		{five, "/dev/spidev2.2", ""}, {five, "/dev/spidev4.0", ""}, {five, "/dev/spidev6.0", ""},
		{five, "/dev/spidev1.2", "dtoverlay=spi1-3cs"},
		{zero2, "/dev/i2c-1", "dtparam=i2c_arm=on"}, {zero2, "/dev/i2c-10", ""},
		{four, "/dev/serial0", "enable_uart=1"}, {four, "/dev/ttyAMA0", "enable_uart=1"},
		{five, "/dev/ttyAMA0", "dtparam=uart0=on"},
	} {
		if got := enableLine(test.path, test.model); got != test.want {
			t.Errorf("%s on a %s: got %q, want %q", test.path, test.model, got, test.want)
		}
	}
	if got, want := missingHint("/dev/spidev4.0", five),
		"the header of a "+five+" has SPI0, SPI1, SPI2, SPI3, SPI5"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	w := &config.Wiring{Readers: []config.Reader{{Bus: config.Bus{Serial: "/dev/serial/by-id/usb-FTDI-if00"}},
		{Bus: config.Bus{Serial: "/dev/ttyUSB0"}}, {Bus: config.Bus{Serial: "/dev/serial0"}}}}
	if nodes := nodesOf(w); len(nodes) != 1 || nodes[0].path != "/dev/serial0" {
		t.Errorf("%+v", nodes) // an adapter may be plugged in later
	}
}

// TestMissing tests that on a Raspberry Pi with all buses off every part is named,
// and once the line that enables its bus; and the hint on another computer.
func TestMissing(t *testing.T) {
	c, err := config.Load("../config/testdata/table.toml", env)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	pi := &Raspberry{root: root}
	if faults := pi.Missing(&c.Wiring); !strings.Contains(faults[0].Hint, "run this on the Raspberry Pi") ||
		faults[1].Hint != "" {
		t.Errorf("on another computer: got the hints %q, then %q", faults[0].Hint, faults[1].Hint)
	}
	writeFile(t, root, "proc/device-tree/model", four+"\x00")
	var got []string
	for _, f := range pi.Missing(&c.Wiring) {
		got = append(got, f.Error()+"; "+f.Hint)
	}
	for _, want := range []string{
		"reader red: /dev/spidev0.0 does not exist; add the line dtparam=spi=on to /boot/firmware/config.txt and reboot",
		"reader blue: /dev/i2c-1 does not exist; add the line dtparam=i2c_arm=on",
		"lights: /dev/spidev1.0 does not exist; add the line dtoverlay=spi1-3cs to",
		"panel: /dev/spidev0.1 does not exist; ",
		"pins: this computer has no GPIO chip",
	} {
		if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("no %q in:\n%s", want, strings.Join(got, "\n"))
		}
	}
	for _, name := range []string{"spidev0.0", "spidev0.1", "spidev1.0", "i2c-1"} {
		writeFile(t, root, "dev/"+name, "")
	}
	chip := filepath.Join(root, "dev", "gpiochip0")
	if err := os.Symlink("nothing", chip); err != nil { // root may use everything else
		t.Fatal(err)
	}
	if faults := pi.Missing(&c.Wiring); len(faults) != 1 || faults[0].Key != "pins" ||
		!strings.HasPrefix(faults[0].Hint, "sudo usermod -aG gpio ") {
		t.Errorf("a chip that may not be used: got %v", faults)
	}
	if err := os.Remove(chip); err != nil {
		t.Fatal(err)
	}
	writeFile(t, root, "dev/gpiochip0", "")
	if faults := pi.Missing(&c.Wiring); len(faults) != 0 {
		t.Errorf("got %v, want none", faults[0])
	}
}

func writeFile(t *testing.T, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// repo is the path of the repository's root.
const repo = "../../.."

func env(string) string { return "" }
