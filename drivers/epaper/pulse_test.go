package epaper_test

import (
	"context"
	"image/color"
	"runtime"
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio"

	"tableside/drivers/epaper"
	"tableside/drivers/epaper/epapertest"
)

// A timedPin records how long it is low.
type timedPin struct {
	gpio.PinIO
	fell   time.Time
	pulses []time.Duration
}

func (p *timedPin) Out(l gpio.Level) error {
	if l == gpio.Low {
		p.fell = time.Now()
	} else if !p.fell.IsZero() {
		p.pulses, p.fell = append(p.pulses, time.Since(p.fell)), time.Time{}
	}
	return p.PinIO.Out(l)
}

// TestPulseOnABusyMachine checks that reset pulses are short while something else keeps
// the only processor busy, where a timer takes ten milliseconds and more. This computer
// may be busy too, so that half of the pulses is enough.
func TestPulseOnABusyMachine(t *testing.T) {
	const name, faster, limit = "waveshare-2in13-v4", 50, 4 * time.Millisecond
	p, err := epapertest.New(name)
	if err != nil {
		t.Fatal(err)
	}
	defer p.SPI().Close()
	p.SetSpeed(faster)
	pins := p.Pins()
	reset := &timedPin{PinIO: pins.Reset}
	dev, err := epaper.New(p.SPI(), &epaper.Opts{Panel: name, DC: pins.DC, Busy: pins.Busy, Reset: reset, Speed: faster})
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan int)
	go func() {
		n := 0
		for ctx.Err() == nil {
			n++
		}
		done <- n
	}()
	img := page(dev.Bounds().Size())
	for i := 0; i < 20 && len(reset.pulses) < 4; i++ {
		img.SetGray(100+i, 50, color.Gray{})
		_ = dev.Update(t.Context(), img, false) // on such a machine a refresh may seem to be cut short
	}
	stop()
	<-done
	short := 0
	for _, d := range reset.pulses {
		if d < limit {
			short++
		}
	}
	if n := len(reset.pulses); n == 0 || 2*short < n {
		t.Errorf("%d of %d pulses are short: the reset line was low for %v", short, n, reset.pulses)
	}
}
