package doctor

import (
	"bytes"
	"context"
	"errors"
	"image/color"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"

	"tableside/cmd/tableside/bench"
	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/device"
	"tableside/drivers/keys/keystest"
	"tableside/engine"
	"tableside/engine/tally"
)

func diagnose(t *testing.T, c *bench.Chips, try bool) []Finding {
	t.Helper()
	var errs bytes.Buffer
	d := &doctor{Config: Config{Out: &errs, root: t.TempDir(), Try: try}, ports: c.Bench}
	d.checkHardware(t.Context(), &config.Config{Wiring: *c.Wiring}, false)
	return d.findings
}

func findingOf(findings []Finding, check string) Finding {
	i := slices.IndexFunc(findings, func(f Finding) bool { return f.Check == check })
	if i < 0 {
		return Finding{}
	}
	return findings[i]
}

func TestDoctorAsksReaders(t *testing.T) {
	c, err := bench.NewChips([]engine.Seat{"red", "blue"})
	if err != nil {
		t.Fatal(err)
	}
	c.Bench.Chips["blue"].Kill()
	got := diagnose(t, c, false)
	for check, want := range map[string]string{"reader table": "PN532 1.6, 0 tags", "reader red": "MFRC522 2.0, 0 tags",
		"lights": "24 LEDs"} {
		if f := findingOf(got, check); !f.OK || !strings.Contains(f.Text, want) {
			t.Errorf("%s: %+v", check, f)
		}
	}
	if f := findingOf(got, "reader blue"); f.OK || f.Text == "" || f.Fix == "" {
		t.Errorf("a dead reader: %+v", f)
	}
}

// TestDoctorWithWrongWiring tests that no part is asked, and no tape begun, with a
// wiring that was refused: a channel of -1 names no channel.
func TestDoctorWithWrongWiring(t *testing.T) {
	c, err := bench.NewChips([]engine.Seat{"red"})
	if err != nil {
		t.Fatal(err)
	}
	settings := config.New(noEnv)
	settings.Table.Data, settings.HTTP.Listen = t.TempDir(), "127.0.0.1:0"
	settings.Readers = []config.Reader{{Name: "red", Chip: "pn532",
		Bus: config.Bus{I2C: bench.I2CBus, Mux: 0x70, Channel: -1}}}
	tape := filepath.Join(t.TempDir(), "a.tape")
	got := Examine(t.Context(), Config{Settings: settings, LoadError: errors.New("reader red: channel: got -1"),
		Tape: rig.TapeFile{Name: tape}, Out: io.Discard, CheckCards: noCards, root: t.TempDir()}, c.Bench)
	if f := findingOf(got, "hardware"); f.OK || f.Text != "no part was asked" || f.Fix != "mend the configuration first" {
		t.Errorf("%+v", got)
	}
	if f := findingOf(got, "reader red"); f != (Finding{}) {
		t.Errorf("the reader was asked: %+v", f)
	}
	if _, err := os.Stat(tape); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a tape was begun: %v", err)
	}
}

// TestDoctorWithoutBus tests that a missing bus does not keep the parts on others
// from being checked.
func TestDoctorWithoutBus(t *testing.T) {
	c, err := bench.NewChips([]engine.Seat{"red", "blue", "yellow"})
	if err != nil {
		t.Fatal(err)
	}
	d := &doctor{Config: Config{Out: io.Discard, root: t.TempDir()}, ports: lacking{c.Bench, c.Wiring}}
	d.checkHardware(t.Context(), &config.Config{Wiring: *c.Wiring}, false)
	if f := findingOf(d.findings, "reader yellow"); f.OK || f.Text != "/dev/i2c-1 does not exist" {
		t.Errorf("%+v", f)
	}
	if f := findingOf(d.findings, "reader red"); !f.OK {
		t.Errorf("%+v in %+v", f, d.findings)
	}
}

// TestDoctorUnpluggedAdapter tests that a serial port that is not there is named
// once, with what to do.
func TestDoctorUnpluggedAdapter(t *testing.T) {
	d := &doctor{Config: Config{Out: io.Discard, root: t.TempDir()}, ports: &rig.Raspberry{}}
	red := config.Reader{Name: "red", Chip: "pn532", Bus: config.Bus{Serial: "/dev/ttyUSB77"}}
	d.reader(t.Context(), rig.NewParts(d.ports, &config.Wiring{}), &red)
	want := []Finding{{Check: "reader red", Text: "/dev/ttyUSB77: no such file or directory",
		Fix: "plug the adapter in; ls /dev/serial/by-id lists those that are there"}}
	if !slices.Equal(d.findings, want) {
		t.Errorf("got %+v, want %+v", d.findings, want)
	}
}

// lacking is a bench without its I2C.
type lacking struct {
	*bench.Bench
	wiring *config.Wiring
}

func (l lacking) I2C(path string) (i2c.Bus, error) { return nil, fs.ErrNotExist }
func (l lacking) Missing(w *config.Wiring) (faults []*config.Error) {
	for _, r := range w.Readers {
		if r.I2C == bench.I2CBus {
			faults = append(faults, config.Errorf(r.Who(), "", "%s does not exist", bench.I2CBus))
		}
	}
	for _, s := range w.Screens {
		if s.I2C == bench.I2CBus {
			faults = append(faults, config.Errorf(s.Who(), "", "%s does not exist", bench.I2CBus))
		}
	}
	return faults
}

// TestDoctorHeldKey tests that a shorted key is reported as such.
func TestDoctorHeldKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := bench.NewChips([]engine.Seat{"red"})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Bench.Board.Set(rig.LineOf(c.Wiring.Keys[0].Pin), false); err != nil {
			t.Fatal(err)
		}
		d := &doctor{Config: Config{Out: io.Discard}}
		d.pressKeys(t.Context(), &rig.Parts{Ports: c.Bench}, c.Wiring)
		if f := findingOf(d.findings, "keys"); f.OK || !strings.HasSuffix(f.Text, c.Wiring.Keys[0].Pin+": held or shorted") {
			t.Errorf("%+v", f)
		}
	})
}

// TestDoctorSeesALockedFolder tests that the parts of a running table are not
// touched, though its page is at another address.
func TestDoctorSeesALockedFolder(t *testing.T) {
	c, err := bench.NewChips([]engine.Seat{"red"})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	settings, err := config.Load(wholeTable, noEnv)
	if err != nil {
		t.Fatal(err)
	}
	settings.Table.Data, settings.HTTP.Listen = dir, "127.0.0.1:0"
	table, err := device.New(device.Config{Dir: dir, Games: tally.Games()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = table.Run(t.Context()) })
	look := Config{Settings: settings, File: wholeTable, Out: io.Discard, CheckCards: noCards}
	got := Examine(t.Context(), look, c.Bench)
	if f := findingOf(got, "lock"); f.OK {
		t.Errorf("%+v", f)
	}
	if f := findingOf(got, "hardware"); !f.OK || !strings.Contains(f.Text, "the running table has it") ||
		!strings.Contains(f.Text, "systemctl stop") {
		t.Errorf("%+v", got)
	}
	look.Try = true
	f := findingOf(Examine(t.Context(), look, c.Bench), "hardware")
	if f.OK || !strings.Contains(f.Fix, "systemctl stop") {
		t.Errorf("nothing was tried: %+v", f)
	}
}

func noCards(string) []Finding { return nil }

// TestFlicker tests the advice about a strip on a bus without DMA.
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
		writeFile(t, root, "proc/device-tree/model", test.model)
		d := &doctor{Config: Config{root: root}}
		got := d.flickerAdvice(&config.Lights{Chip: test.chip, Bus: config.Bus{SPI: test.spi}})
		if strings.Contains(got, "wire it to SPI0") != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}

// TestDoctorSwitchesOff tests that the supply of a panel is off after its test
// picture, also when that has failed.
func TestDoctorSwitchesOff(t *testing.T) {
	for _, stuck := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c, err := bench.NewChips([]engine.Seat{"red"})
			if err != nil {
				t.Fatal(err)
			}
			c.Bench.Pins["PWR"] = c.Bench.Glass.Power()
			c.Wiring = &config.Wiring{Panel: c.Wiring.Panel}
			c.Wiring.Panel.Power = "PWR"
			if stuck {
				c.Bench.Glass.StickBusy(0)
			}
			if f := findingOf(diagnose(t, c, true), "panel"); f.OK == stuck {
				t.Errorf("got %+v of a panel that is stuck: %v", f, stuck)
			}
			if c.Bench.Pins["PWR"].Read() != gpio.Low {
				t.Errorf("stuck %v: its supply is on", stuck)
			}
		})
	}
}

// TestDoctorTries tests the pictures of --try, and that it names a key that nobody
// presses.
func TestDoctorTries(t *testing.T) { synctest.Test(t, testDoctorTries) }

// pressAllBut presses every button but this one and turns every knob, again and again
// until the context ends.
func pressAllBut(ctx context.Context, c *bench.Chips, broken config.Key) {
	var actions []func() error
	for i, k := range c.Wiring.Keys {
		if k.Seat != broken.Seat || k.Key != broken.Key {
			finger := keystest.NewFinger(c.Bench.Board, rig.LineOf(k.Pin), uint64(i))
			actions = append(actions, func() error { return finger.Press(ctx, 15*time.Millisecond) })
		}
	}
	for i, e := range c.Wiring.Encoders {
		knob := keystest.NewKnob(c.Bench.Board, rig.LineOf(e.A), rig.LineOf(e.B), uint64(i))
		actions = append(actions, func() error { return knob.Turn(ctx, 1) })
	}
	for i := 0; actions[i]() == nil; i = (i + 1) % len(actions) {
	}
}

func testDoctorTries(t *testing.T) {
	c, err := bench.NewChips([]engine.Seat{"red"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var pressing sync.WaitGroup
	pressing.Go(func() { // until the doctor listens and has got them all
		pressAllBut(ctx, c, config.Key{Seat: "red", Key: "undo"})
	})
	got := diagnose(t, c, true)
	stop()
	pressing.Wait()
	if f := findingOf(got, "keys"); f.OK || !strings.Contains(f.Text, "1 of 18 were not pressed: key red undo on GPIO") {
		t.Errorf("keys: %+v", f)
	}
	if f := findingOf(got, "panel"); !f.OK {
		t.Errorf("panel: %+v", f)
	}
	glass := c.Bench.Glass.Glass()
	for _, p := range []struct {
		x, y int
		want color.Color
	}{{5, 5, color.Black}, {0, 60, color.Black}, {249, 60, color.Black}, {60, 10, color.White}, {125, 61, color.Black},
		{240, 10, color.White}} {
		if glass.At(p.x, p.y) != p.want {
			t.Errorf("the test picture is %v at %d,%d", glass.At(p.x, p.y), p.x, p.y)
		}
	}
	if f := findingOf(got, "lights"); !f.OK || !strings.Contains(f.Text, "rainbow") ||
		c.Bench.Strip.Wire().Transactions < 20 {
		t.Errorf("lights: %+v, %+v", f, c.Bench.Strip.Wire())
	}
}
