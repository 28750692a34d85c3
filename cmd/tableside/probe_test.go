package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/color"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2ctest"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/drivers/gpiochip"
	"tableside/engine"
)

func diagnose(t *testing.T, c *chips, try bool) []finding {
	t.Helper()
	var errs bytes.Buffer
	d := &doctor{program: &program{err: &errs}, ports: c.bench, root: t.TempDir(), try: try}
	d.hardware(t.Context(), &config.Config{Wiring: *c.wiring}, false)
	return d.findings
}

func said(findings []finding, check string) finding {
	i := slices.IndexFunc(findings, func(f finding) bool { return f.Check == check })
	if i < 0 {
		return finding{}
	}
	return findings[i]
}

func TestDoctorAsksReaders(t *testing.T) {
	c, err := newChips([]engine.Seat{"red", "blue"})
	if err != nil {
		t.Fatal(err)
	}
	c.bench.chips["blue"].Kill()
	got := diagnose(t, c, false)
	for check, want := range map[string]string{"reader table": "PN532 1.6, 0 tags", "reader red": "MFRC522 2.0, 0 tags", "lights": "24 LEDs"} {
		if f := said(got, check); !f.OK || !strings.Contains(f.Text, want) {
			t.Errorf("%s: %+v", check, f)
		}
	}
	if f := said(got, "reader blue"); f.OK || f.Text == "" || f.Fix == "" {
		t.Errorf("a dead reader: %+v", f)
	}
}

// TestDoctorWithoutBus: a bus that is not there hides nothing of the others.
func TestDoctorWithoutBus(t *testing.T) {
	c, err := newChips([]engine.Seat{"red", "blue", "yellow"})
	if err != nil {
		t.Fatal(err)
	}
	d := &doctor{program: &program{err: &bytes.Buffer{}}, ports: lacking{c.bench, c.wiring}, root: t.TempDir()}
	d.hardware(t.Context(), &config.Config{Wiring: *c.wiring}, false)
	if f := said(d.findings, "reader yellow"); f.OK || f.Text != "/dev/i2c-1 does not exist" {
		t.Errorf("%+v", f)
	}
	if f := said(d.findings, "reader red"); !f.OK {
		t.Errorf("%+v in %+v", f, d.findings)
	}
}

// lacking is a bench without its I2C.
type lacking struct {
	*bench
	wiring *config.Wiring
}

func (l lacking) i2c(path string) (i2c.Bus, error) { return nil, fs.ErrNotExist }
func (l lacking) missing(w *config.Wiring) (faults []*config.Error) {
	for _, n := range nodesOf(w) {
		if n.path == benchI2C {
			faults = append(faults, config.Errorf(n.who, "", "%s does not exist", n.path))
		}
	}
	return faults
}

// TestDoctorHeldKey: a key that is shorted is not one that nobody pressed.
func TestDoctorHeldKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := newChips([]engine.Seat{"red"})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.bench.board.Set(line(c.wiring.Keys[0].Pin), false); err != nil {
			t.Fatal(err)
		}
		d := &doctor{program: &program{err: &bytes.Buffer{}}}
		d.pressKeys(t.Context(), &parts{ports: c.bench}, c.wiring)
		if f := said(d.findings, "keys"); f.OK || !strings.HasSuffix(f.Text, c.wiring.Keys[0].Pin+": held or shorted") {
			t.Errorf("%+v", f)
		}
	})
}

// TestDoctorSeesALockedFolder: a table whose page is elsewhere has its parts
// for itself.
func TestDoctorSeesALockedFolder(t *testing.T) {
	c, err := newChips([]engine.Seat{"red"})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "t.toml")
	whole, err := os.ReadFile(wholeTable)
	if err != nil {
		t.Fatal(err)
	}
	source := strings.Replace(string(whole), "[table]\n", fmt.Sprintf("[table]\ndata = %q\n", dir), 1) + "[http]\nlisten = \"127.0.0.1:0\"\n"
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := device.New(device.Config{Dir: dir, Games: allGames()})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	d := &doctor{program: &program{err: &bytes.Buffer{}, env: func(string) string { return "" }, games: allGames()}, ports: c.bench}
	d.examine(t.Context(), file, "")
	if f := said(d.findings, "lock"); f.OK {
		t.Errorf("%+v", f)
	}
	if f := said(d.findings, "hardware"); !f.OK || !strings.Contains(f.Text, "the running table has it") || !strings.Contains(f.Text, "systemctl stop") {
		t.Errorf("%+v", d.findings)
	}
	d.try, d.findings = true, nil
	d.examine(t.Context(), file, "")
	if f := said(d.findings, "hardware"); f.OK || !strings.Contains(f.Fix, "systemctl stop") {
		t.Errorf("nothing was tried: %+v", f)
	}
}

// TestFlicker: where a bus has no DMA, the doctor says what that may do.
func TestFlicker(t *testing.T) {
	for _, test := range []struct {
		model, chip, spi string
		want             bool
	}{
		{"Raspberry Pi 4 Model B Rev 1.5\x00", "ws2812", "SPI1.0", true},
		{"Raspberry Pi Zero 2 W Rev 1.0\x00", "sk6812", "SPI1.2", true},
		{"Raspberry Pi 4 Model B Rev 1.5\x00", "ws2812", "SPI0.0", false},
		{"Raspberry Pi 4 Model B Rev 1.5\x00", "ws2812", "SPI5.0", false},
		{"Raspberry Pi 4 Model B Rev 1.5\x00", "apa102", "SPI1.0", false},
		{"Raspberry Pi 5 Model B Rev 1.0\x00", "ws2812", "SPI1.0", false},
	} {
		root := t.TempDir()
		put(t, root, "proc/device-tree/model", test.model)
		d := &doctor{root: root}
		got := d.noDMA(&config.Lights{Chip: test.chip, Bus: config.Bus{SPI: test.spi}})
		if strings.Contains(got, "wire it to SPI0") != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}

// TestBusesAreShared: readers ask for their buses at the same time.
func TestBusesAreShared(t *testing.T) {
	var opened atomic.Int32
	pi := &raspberry{openI2C: func(int) (i2c.BusCloser, error) {
		opened.Add(1)
		return &i2ctest.Playback{}, nil
	}}
	var all sync.WaitGroup
	for n := range 8 {
		name := fmt.Sprintf("/dev/i2c-%d", n)
		all.Go(func() {
			first, err := pi.i2c(name)
			second, err2 := pi.i2c(name)
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

// TestPinsAreShared: a part that is opened again does not ask the kernel for a
// line that it has. The pin is the kernel's line, whoever runs the program.
func TestPinsAreShared(t *testing.T) {
	pi := &raspberry{}
	first, err := pi.pin("GPIO17")
	second, err2 := pi.pin("GPIO17")
	other, err3 := pi.pin("GPIO27")
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	if _, ok := first.(*gpiochip.Pin); !ok || first != second || first == other || first.Number() != 17 {
		t.Errorf("got %T %v, %v, %v", first, first, second, other)
	}
	for _, name := range []string{"", "17x", "GPIO", "GPIO-1"} {
		if pin, err := pi.pin(name); err == nil {
			t.Errorf("%q: got %v", name, pin)
		}
	}
}

// TestNoPort: what is not there is an error with its name.
func TestNoPort(t *testing.T) {
	pi := &raspberry{}
	for _, path := range []string{"/dev/i2c-1x", "/dev/i2c-977", "/dev/null"} {
		if bus, err := pi.i2c(path); err == nil || bus != nil {
			t.Errorf("%s: got %v, %v", path, bus, err)
		}
	}
	for _, name := range []string{"SPI9.9", "/dev/spidev0.0"} {
		if port, err := pi.spi(name); err == nil || port != nil {
			t.Errorf("%s: got %v, %v", name, port, err)
		}
	}
}

// TestDoctorSwitchesOff: a panel whose supply has a pin is dark again when it has
// shown its picture, and when it has failed to.
func TestDoctorSwitchesOff(t *testing.T) {
	for _, stuck := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c, err := newChips([]engine.Seat{"red"})
			if err != nil {
				t.Fatal(err)
			}
			c.bench.pins["PWR"] = c.bench.glass.Power()
			c.wiring = &config.Wiring{Panel: c.wiring.Panel}
			c.wiring.Panel.Power = "PWR"
			if stuck {
				c.bench.glass.StickBusy(0)
			}
			if f := said(diagnose(t, c, true), "panel"); f.OK == stuck {
				t.Errorf("got %+v of a panel that is stuck: %v", f, stuck)
			}
			if c.bench.pins["PWR"].Read() != gpio.Low {
				t.Errorf("stuck %v: its supply is on", stuck)
			}
		})
	}
}

func TestDoctorTries(t *testing.T) {
	c, err := newChips([]engine.Seat{"red"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	pressing := start(ctx, "fingers", func(ctx context.Context) error {
		for ctx.Err() == nil { // until the doctor listens, and has heard them all
			for key, finger := range c.hands.fingers {
				if key.key == "undo" && key.seat == "red" {
					continue // one that is broken
				}
				if err := finger.Press(ctx, hold); err != nil {
					return nil
				}
			}
			for _, knob := range c.hands.knobs {
				_ = knob.Turn(ctx, 1)
			}
		}
		return nil
	})
	got := diagnose(t, c, true)
	stop()
	_ = pressing.stop()
	if f := said(got, "keys"); f.OK || !strings.Contains(f.Text, "1 of 18 were not pressed: key red undo on GPIO") {
		t.Errorf("keys: %+v", f)
	}
	if f := said(got, "panel"); !f.OK {
		t.Errorf("panel: %+v", f)
	}
	glass := c.bench.glass.Glass()
	for _, p := range []struct {
		x, y int
		want color.Color
	}{{5, 5, color.Black}, {0, 60, color.Black}, {249, 60, color.Black}, {60, 10, color.White}, {125, 61, color.Black}, {240, 10, color.White}} {
		if glass.At(p.x, p.y) != p.want {
			t.Errorf("the test picture is %v at %d,%d", glass.At(p.x, p.y), p.x, p.y)
		}
	}
	if f := said(got, "lights"); !f.OK || !strings.Contains(f.Text, "rainbow") || c.bench.strip.Wire().Transactions < 20 {
		t.Errorf("lights: %+v, %+v", f, c.bench.strip.Wire())
	}
}

// Models as their device trees name them.
const (
	zero2   = "Raspberry Pi Zero 2 W Rev 1.0"
	piFour  = "Raspberry Pi 4 Model B Rev 1.5"
	piFive  = "Raspberry Pi 5 Model B Rev 1.0"
	module3 = "Raspberry Pi Compute Module 3 Plus Rev 1.0"
)

// TestSwitches: the line of each bus, and none where the wrong one would help
// nobody.
func TestSwitches(t *testing.T) {
	for _, test := range []struct{ model, path, want string }{
		{zero2, "/dev/spidev0.1", "dtparam=spi=on"}, {zero2, "/dev/spidev0.2", ""}, {zero2, "/dev/spidev1.2", "dtoverlay=spi1-3cs"},
		{zero2, "/dev/spidev5.0", ""}, {zero2, "/dev/spidev2.0", ""}, {module3, "/dev/spidev2.2", "dtoverlay=spi2-3cs"},
		{piFour, "/dev/spidev5.0", "dtoverlay=spi5-1cs"}, {piFour, "/dev/spidev3.1", "dtoverlay=spi3-2cs"}, {piFour, "/dev/spidev6.2", ""},
		{piFour, "/dev/spidev10.0", ""}, {piFour, "/dev/spidev1.3", ""},
		{piFive, "/dev/spidev5.0", "dtoverlay=spi5-1cs"}, {piFive, "/dev/spidev5.2", ""}, {piFive, "/dev/spidev2.1", "dtoverlay=spi2-2cs"},
		{piFive, "/dev/spidev2.2", ""}, {piFive, "/dev/spidev4.0", ""}, {piFive, "/dev/spidev6.0", ""}, {piFive, "/dev/spidev1.2", "dtoverlay=spi1-3cs"},
		{zero2, "/dev/i2c-1", "dtparam=i2c_arm=on"}, {zero2, "/dev/i2c-10", ""},
		{piFour, "/dev/serial0", "enable_uart=1"}, {piFour, "/dev/ttyAMA0", "enable_uart=1"}, {piFive, "/dev/ttyAMA0", "dtparam=uart0=on"},
	} {
		if got := switchOn(test.path, test.model); got != test.want {
			t.Errorf("%s on a %s: got %q, want %q", test.path, test.model, got, test.want)
		}
	}
	if got, want := switchHint("/dev/spidev4.0", piFive), "the header of a "+piFive+" has SPI0, SPI1, SPI2, SPI3, SPI5"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	w := &config.Wiring{Readers: []config.Reader{{Bus: config.Bus{Serial: "/dev/serial/by-id/usb-FTDI-if00"}}, {Bus: config.Bus{Serial: "/dev/ttyUSB0"}}, {Bus: config.Bus{Serial: "/dev/serial0"}}}}
	if nodes := nodesOf(w); len(nodes) != 1 || nodes[0].path != "/dev/serial0" {
		t.Errorf("%+v", nodes) // an adapter may be plugged in later
	}
}

// TestMissing: on a Raspberry Pi whose buses are off, every part is named, and
// once the line that switches its bus on. Another computer is told that it is
// none.
func TestMissing(t *testing.T) {
	c, err := config.Load(wholeTable, noEnv)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	pi := &raspberry{root: root}
	if faults := pi.missing(&c.Wiring); !strings.Contains(faults[0].Hint, "this is none") || faults[1].Hint != "" {
		t.Errorf("no Raspberry Pi is told %q, then %q", faults[0].Hint, faults[1].Hint)
	}
	put(t, root, "proc/device-tree/model", piFour+"\x00")
	var got []string
	for _, f := range pi.missing(&c.Wiring) {
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
			t.Errorf("%q is not told:\n%s", want, strings.Join(got, "\n"))
		}
	}
	for _, name := range []string{"spidev0.0", "spidev0.1", "spidev1.0", "i2c-1"} {
		put(t, root, "dev/"+name, "")
	}
	chip := filepath.Join(root, "dev", "gpiochip0")
	if err := os.Symlink("nothing", chip); err != nil { // root may use everything else
		t.Fatal(err)
	}
	if faults := pi.missing(&c.Wiring); len(faults) != 1 || faults[0].Key != "pins" || !strings.HasPrefix(faults[0].Hint, "sudo usermod -aG gpio ") {
		t.Errorf("a chip that may not be used: got %v", faults)
	}
	if err := os.Remove(chip); err != nil {
		t.Fatal(err)
	}
	put(t, root, "dev/gpiochip0", "")
	if faults := pi.missing(&c.Wiring); len(faults) != 0 {
		t.Errorf("%v, though all is there", faults[0])
	}
}

// put writes a file of a computer that is looked at below another root.
func put(t *testing.T, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
