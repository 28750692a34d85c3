//go:build gpiosim

// This test needs a kernel with gpio-sim and the right to make chips:
// `make test-kernel` has one.

package epaper_test

import (
	"testing"
	"time"

	"github.com/warthog618/go-gpiosim"
	"periph.io/x/conn/v3/gpio"

	"tableside/drivers/epaper"
	"tableside/drivers/epaper/epapertest"
	"tableside/drivers/gpiochip"
)

// A wire is a line of the kernel between the driver and the emulated panel:
// their levels pass through it.
type wire struct {
	*gpiochip.Pin
	chip  *gpiosim.Chip
	panel gpio.PinIO // its other end
	outs  int
}

// Out sets the kernel's line and drives the panel with the resulting level.
func (w *wire) Out(l gpio.Level) error {
	if err := w.Pin.Out(l); err != nil {
		return err
	}
	w.outs++
	level, err := w.chip.Level(w.Number())
	if err != nil {
		return err
	}
	return w.panel.Out(level == gpiosim.LevelActive)
}

// Read reads the kernel's line, which the panel drives.
func (w *wire) Read() gpio.Level {
	set := w.chip.Pulldown
	if w.panel.Read() {
		set = w.chip.Pullup
	}
	if err := set(w.Number()); err != nil {
		panic(err)
	}
	return w.Pin.Read()
}

// TestKernelPanel shows pictures through D/C, BUSY and reset lines of a real
// kernel.
func TestKernelPanel(t *testing.T) {
	sim, err := gpiosim.NewSim(gpiosim.WithBank(gpiosim.NewBank("pinctrl-sim", 28)))
	if err != nil {
		t.Fatal(err)
	}
	defer sim.Close()
	p, err := epapertest.New("waveshare-2in13-v4")
	if err != nil {
		t.Fatal(err)
	}
	ends, chip := p.Pins(), &gpiochip.Chip{}
	lead := func(line int, end gpio.PinIO) *wire {
		return &wire{Pin: chip.Pin(line), chip: &sim.Chips[0], panel: end}
	}
	dc, busy, reset := lead(25, ends.DC), lead(24, ends.Busy), lead(17, ends.Reset)
	dev, err := epaper.New(p.SPI(), &epaper.Opts{Panel: "waveshare-2in13-v4", DC: dc, Busy: busy, Reset: reset,
		Hold: time.Sleep})
	if err != nil {
		t.Fatal(err)
	}
	for n, full := range []bool{true, false} {
		picture := page(dev.Bounds().Size())
		picture.Pix[n*50] ^= 255
		update(t, dev, picture, full)
		shows(t, p, picture)
	}
	refreshed(t, p, 1, 1)
	if err := dev.Sleep(t.Context()); err != nil {
		t.Error(err)
	}
	lawful(t, p)
	if dc.outs < 20 || reset.outs < 2 {
		t.Errorf("%d levels of DC, %d of reset: the lines were not used", dc.outs, reset.outs)
	}
	for _, w := range []*wire{dc, busy, reset} {
		if err := w.Halt(); err != nil {
			t.Error(err)
		}
	}
}
