//go:build linux

package epaper_test

import (
	"context"
	"image/color"
	"runtime"
	"syscall"
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio"

	"tableside/drivers/epaper"
	"tableside/drivers/epaper/epapertest"
)

// A timedPin records how long it is low, unless another program took the processor away from its
// thread meanwhile.
type timedPin struct {
	gpio.PinIO
	fell   time.Time
	taken  int64 // how often the processor was taken away before
	pulses []time.Duration
}

func (p *timedPin) Out(l gpio.Level) error {
	var thread syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &thread); err != nil {
		return err
	}
	if l == gpio.Low {
		p.fell, p.taken = time.Now(), int64(thread.Nivcsw)
	} else if !p.fell.IsZero() {
		if int64(thread.Nivcsw) == p.taken {
			p.pulses = append(p.pulses, time.Since(p.fell))
		}
		p.fell = time.Time{}
	}
	return p.PinIO.Out(l)
}

// TestPulseOnABusyMachine checks that reset pulses are short while another goroutine keeps the only
// processor busy, where a timer takes ten milliseconds and more. Half of the pulses is enough,
// because Go lets the other one run now and then. Pulses that other programs interrupt do not count.
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
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
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
	for i := 0; i < 200 && len(reset.pulses) < 4; i++ {
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
