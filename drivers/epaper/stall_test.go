package epaper_test

import (
	"image"
	"image/color"
	"sync/atomic"
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio"

	"tableside/drivers/epaper"
)

// TestStalledRefresh tests that a refresh that took long, once, is no measure for
// the next ones: neither are they cut short, nor is one that is.
func TestStalledRefresh(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		dev, p, next := scene(t, name)
		marks := 0
		mark := func() {
			fill(next, image.Rect(marks*20, 80, marks*20+15, 85), color.Black)
			marks++
		}
		mark()
		start := time.Now()
		update(t, dev, next, false) // now the driver knows how long it takes
		took := time.Since(start)
		for _, stall := range []time.Duration{took * 5 / 4, took * 11 / 10} {
			mark()
			time.AfterFunc(took/2, func() { p.StickBusy(stall) })
			update(t, dev, next, false)
			mark()
			update(t, dev, next, false)
			shows(t, p, next)
		}
		mark()
		time.AfterFunc(took/2, p.BrownOut)
		fails(t, dev, next, limit, name, "cut short")
	})
}

// A stallingPin is read late: the program does not run in between.
type stallingPin struct {
	gpio.PinIO
	stall atomic.Int64 // before each read of it: a time.Duration
}

func (p *stallingPin) Read() gpio.Level {
	time.Sleep(time.Duration(p.stall.Load()))
	return p.PinIO.Read()
}

// TestStalledProgram tests that a program that was stopped in the first refreshes,
// and so saw their end late, does not take the next ones for cut short.
func TestStalledProgram(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		p := emulate(t, name)
		pins := p.Pins()
		busy := &stallingPin{PinIO: pins.Busy}
		dev, err := epaper.New(p.SPI(), &epaper.Opts{Panel: name, DC: pins.DC, Busy: busy, Reset: pins.Reset,
			Hold: time.Sleep})
		if err != nil {
			t.Fatal(err)
		}
		img := page(dev.Bounds().Size())
		for i := range 6 {
			fill(img, image.Rect(i*20, 80, i*20+15, 85), color.Black)
			if i < 2 {
				time.AfterFunc(350*time.Millisecond, func() { busy.stall.Store(int64(8 * time.Second)) })
				time.AfterFunc(450*time.Millisecond, func() { busy.stall.Store(0) })
			}
			update(t, dev, img, i%3 == 0)
			time.Sleep(time.Second)
		}
		shows(t, p, img)
	})
}
