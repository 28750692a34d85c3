package epaper_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/drivers/epaper"
	"tableside/drivers/epaper/epapertest"
)

// fails checks that an update fails in time, and with which words.
func fails(t *testing.T, dev *epaper.Dev, img image.Image, within time.Duration, words ...string) {
	t.Helper()
	start := time.Now()
	err := dev.Update(context.Background(), img, false)
	if err == nil {
		t.Fatal("no error")
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%v: says nothing of %q", err, w)
		}
	}
	if took := time.Since(start); took > within {
		t.Errorf("%v: after %v", err, took)
	}
}

func repaired(t *testing.T, dev *epaper.Dev, p *epapertest.Panel, img image.Image) {
	t.Helper()
	full, partial := p.Refreshes()
	update(t, dev, img, false)
	shows(t, p, img)
	refreshed(t, p, full+1, partial)
	lawful(t, p)
}

// limit is much longer than any wait of the driver for a panel.
const limit = 50 * time.Second

func scene(t *testing.T, name string) (dev *epaper.Dev, p *epapertest.Panel, next *image.Gray) {
	dev, p = connect(t, epaper.Opts{Panel: name})
	img := page(dev.Bounds().Size())
	update(t, dev, img, false)
	next = page(dev.Bounds().Size())
	fill(next, image.Rect(60, 60, 72, 76), color.Black)
	return dev, p, next
}

func TestStuckBusy(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		dev, p, next := scene(t, name)
		p.StickBusy(0)
		// It is found before anything is drawn, so long before the limit of a
		// refresh.
		fails(t, dev, next, 2*time.Second, name, "BUSY (BUSY) still", " after ")
		fails(t, dev, next, 2*time.Second, name, "BUSY (BUSY) still", "after a reset")
		p.FreeBusy()
		repaired(t, dev, p, next)
	})
}

func TestBusySticksInTheMiddleOfARefresh(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		dev, p, next := scene(t, name)
		time.AfterFunc(400*time.Millisecond, func() { p.StickBusy(0) })
		start := time.Now()
		fails(t, dev, next, limit, name, "BUSY (BUSY) still", "refresh")
		t.Log("after", time.Since(start))
		p.FreeBusy()
		repaired(t, dev, p, next)

		// Stuck for a while only: that is a slow refresh.
		fill(next, image.Rect(80, 60, 92, 76), color.Black)
		time.AfterFunc(300*time.Millisecond, func() { p.StickBusy(time.Second) })
		update(t, dev, next, false)
		shows(t, p, next)
	})
}

func TestDeadPanel(t *testing.T) {
	for _, level := range []gpio.Level{gpio.Low, gpio.High} {
		each(t, func(t *testing.T, name string) {
			dev, p, next := scene(t, name)
			p.Float(level)
			for _, fault := range []struct{ begin, end func() }{{p.Kill, p.Revive}, {p.Unplug, p.Plug}} {
				fault.begin()
				fails(t, dev, next, 2*time.Second, name, "BUSY (BUSY)")
				fails(t, dev, next, 2*time.Second, name, "BUSY (BUSY)")
				fault.end()
				repaired(t, dev, p, next)
				fill(next, image.Rect(0, 40, 5, 50), color.Black)
			}
		})
	}
}

// TestIdleBusyIsPulled checks that the host pulls BUSY to the level of an idle panel: one whose
// BUSY can only be pulled low shows its picture, and one that is not there does not look busy.
func TestIdleBusyIsPulled(t *testing.T) {
	for _, name := range epaper.Panels() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := emulate(t, name)
				p.SetTrait(epapertest.OpenDrain)
				dev := attach(t, p, epaper.Opts{Panel: name})
				next := page(dev.Bounds().Size())
				update(t, dev, next, true)
				shows(t, p, next)
				p.Unplug()
				fill(next, image.Rect(0, 40, 5, 50), color.Black)
				for _, level := range []gpio.Level{gpio.Low, gpio.High} {
					p.Float(level)
					fails(t, dev, next, 2*time.Second, name, "does not answer")
				}
			})
		})
	}
}

func TestMutePanel(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		commands, step := 0, 1
		if large(name) {
			step = 4
		}
		if twin(name) {
			step = 7
		}
		if testing.Short() {
			step *= 3
		}
		for silent := 0; ; commands += step {
			dev, p, next := scene(t, name)
			p.MuteAfter(commands)
			before := p.Wire()
			err := dev.Update(context.Background(), next, false)
			if p.MuteAfter(-1); err == nil && p.Deaf() {
				silent++
			}
			if err == nil && !p.Deaf() {
				t.Logf("an update takes %d commands, %d bytes", commands, p.Wire().Written-before.Written)
				if silent > 1 { // the very last command is not answered on a UC8179
					t.Fatalf("%d times nobody noticed", silent)
				}
				break
			}
			if err != nil && !strings.Contains(err.Error(), "BUSY (BUSY)") {
				t.Fatalf("mute after %d commands: %v", commands, err)
			}
			fill(next, image.Rect(0, 80, 50, 85), color.Black)
			if err := dev.Update(context.Background(), next, false); err != nil {
				update(t, dev, next, false)
			}
			shows(t, p, next)
		}
	})
}

func TestBrownOutBetweenPictures(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		dev, p, next := scene(t, name)
		p.BrownOut()
		time.Sleep(time.Second)
		update(t, dev, next, false)
		shows(t, p, next)
		if forgetful(name) && !fullOnly(name) {
			refreshed(t, p, 1, 1) // it does not matter there
		} else {
			refreshed(t, p, 2, 0)
		}
		p.BrownOut() // the controller is still coming up
		fill(next, image.Rect(0, 40, 5, 50), color.Black)
		update(t, dev, next, false)
		shows(t, p, next)
		lawful(t, p)
	})
}

func TestBrownOutInARefresh(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		dev, p, next := scene(t, name)
		for i, share := range []int{0, 3, 30} { // per cent of the refresh
			fill(next, image.Rect(i*8, 40, i*8+5, 50), color.Black)
			start := time.Now()
			update(t, dev, next, false) // now the driver knows how long it takes
			took := time.Since(start)

			fill(next, image.Rect(i*20, 80, i*20+15, 85), color.Black)
			full, partial := p.Refreshes()
			done := make(chan bool)
			go func() {
				defer close(done)
				for {
					time.Sleep(time.Millisecond)
					if f, q := p.Refreshes(); f+q > full+partial {
						time.Sleep(took * time.Duration(share) / 100)
						p.BrownOut()
						return
					}
				}
			}()
			fails(t, dev, next, limit, name, "cut short")
			<-done
			if p.Interrupted() != i+1 {
				t.Fatal("no refresh was interrupted")
			}
			repaired(t, dev, p, next)
		}
	})
}

func TestTheContextEndsInARefresh(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		dev, p, next := scene(t, name)
		ctx, cancel := context.WithTimeout(context.Background(), 400*time.Millisecond)
		defer cancel()
		start := time.Now()
		err := dev.Update(ctx, next, false)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		if took := time.Since(start); took != 400*time.Millisecond {
			t.Fatal("after", took)
		}
		repaired(t, dev, p, next)
		if p.Interrupted() > 0 {
			t.Fatal("the refresh was not left to end")
		}
		// Nor does sleep interrupt one.
		fill(next, image.Rect(0, 40, 5, 50), color.Black)
		again, stop := context.WithTimeout(context.Background(), 400*time.Millisecond)
		defer stop()
		if err := dev.Update(again, next, false); err == nil {
			t.Fatal("no error")
		}
		if err := dev.Halt(); err != nil {
			t.Fatal(err)
		}
		if p.Interrupted() > 0 {
			t.Fatal("the refresh was not left to end")
		}
		repaired(t, dev, p, next)
	})
}

// A new panel is reset first; a pulse of 2 ms and more does not begin with 1 ms left.
func TestNoPulseOutlastsTheContext(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		dev, _ := connect(t, epaper.Opts{Panel: name})
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		defer cancel()
		start := time.Now()
		err := dev.Update(ctx, page(dev.Bounds().Size()), false)
		if took := time.Since(start); took > time.Millisecond || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("after %v: %v", took, err)
		}
	})
}

func TestBusySticksForAWhile(t *testing.T) {
	const name = "waveshare-2in13-v4"
	eachTrait(t, name, func(t *testing.T) {
		dev, p, next := scene(t, name)
		p.StickBusy(1500 * time.Millisecond) // longer than one wait, shorter than two
		fails(t, dev, next, 2*time.Second, "after a reset")
		repaired(t, dev, p, next)
	})
}

// A bus is a port that limits the bytes of a transfer to most, and fails at one transfer.
type bus struct {
	spi.PortCloser
	spi.Conn
	most, failAt int
}

var errBus = errors.New("input/output error")

func (b *bus) String() string { return "SPI0.1" }
func (b *bus) MaxTxSize() int { return b.most }
func (b *bus) Connect(f physic.Frequency, mode spi.Mode, bits int) (c spi.Conn, err error) {
	b.Conn, err = b.PortCloser.Connect(f, mode, bits)
	return b, err
}

func (b *bus) Tx(w, r []byte) error {
	if len(w) > b.most {
		return fmt.Errorf("%d bytes are more than %d", len(w), b.most)
	}
	if b.failAt--; b.failAt == 0 {
		return errBus
	}
	return b.Conn.Tx(w, r)
}

func TestTheBusFails(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		p := emulate(t, name)
		pins := p.Pins()
		b := &bus{PortCloser: p.SPI(), most: 64}
		dev, err := epaper.New(b, &epaper.Opts{Panel: name, DC: pins.DC, Busy: pins.Busy, Hold: time.Sleep,
			Reset: pins.Reset})
		if err != nil {
			t.Fatal(err)
		}
		img := page(dev.Bounds().Size())
		update(t, dev, img, false)
		shows(t, p, img)
		step := 3
		if testing.Short() {
			step = 9
		}
		for n := 1; n < 30; n += step {
			fill(img, image.Rect(n, 100, n+2, 110), color.Black)
			b.failAt = n
			err := dev.Update(context.Background(), img, false)
			if !errors.Is(err, errBus) || !strings.Contains(err.Error(), name) {
				t.Fatalf("transfer %d: %v", n, err)
			}
			update(t, dev, img, false)
			shows(t, p, img)
		}
		lawful(t, p)
	})
}

// TestBrownOutInTheVeryFirstRefresh interrupts the first refresh after a start,
// when the driver has no earlier duration to compare with.
func TestBrownOutInTheVeryFirstRefresh(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		dev, p := connect(t, epaper.Opts{Panel: name})
		img := page(dev.Bounds().Size())
		time.AfterFunc(400*time.Millisecond, p.BrownOut)
		fails(t, dev, img, limit, name, "cut short")
		repaired(t, dev, p, img)
	})
}

// A lazyPin rises late, as on a busy machine.
type lazyPin struct {
	gpio.PinIO
	late time.Duration
}

func (l *lazyPin) Out(level gpio.Level) error {
	if level == gpio.High {
		time.Sleep(l.late)
	}
	return l.PinIO.Out(level)
}

// TestLongResetPulse checks that a reset pulse that takes too long, which cuts the power
// of some boards, does not spoil the picture: this update is a full refresh, the next
// one is not.
func TestLongResetPulse(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		p := emulate(t, name)
		reset := &lazyPin{PinIO: p.Pins().Reset}
		dev := attach(t, p, epaper.Opts{Panel: name, Reset: reset})
		img := page(dev.Bounds().Size())
		update(t, dev, img, false)
		for i, late := range []time.Duration{0, 18 * time.Millisecond, 0} {
			if err := dev.Sleep(context.Background()); err != nil {
				t.Fatal(err)
			}
			reset.late = late
			before, _ := p.Refreshes()
			fill(img, image.Rect(20*i, 60, 20*i+8, 70), color.Black)
			update(t, dev, img, false)
			shows(t, p, img)
			full, _ := p.Refreshes()
			if want := late > 0; !fullOnly(name) && (full > before) != want {
				t.Errorf("update %d, reset %v late: full refresh %v, want %v", i, late, full > before, want)
			}
		}
		lawful(t, p)
	})
}

// TestPowerPin checks that a panel on a driver board with a switch for its supply
// is on from the first picture until Halt.
func TestPowerPin(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		p := emulate(t, name)
		power := p.Power()
		dev := attach(t, p, epaper.Opts{Panel: name, Power: power})
		img := page(dev.Bounds().Size())
		for i := range 3 {
			fill(img, image.Rect(i*10, 60, i*10+5, 70), color.Black)
			update(t, dev, img, false)
			shows(t, p, img)
			if err := dev.Sleep(context.Background()); err != nil {
				t.Fatal(err)
			}
			if !power.Read() {
				t.Error("the supply is off while the panel sleeps: it may only be so after Halt")
			}
		}
		if err := dev.Halt(); err != nil {
			t.Fatal(err)
		}
		if power.Read() {
			t.Error("the supply is still on after Halt")
		}
		fill(img, image.Rect(80, 60, 88, 70), color.Black)
		update(t, dev, img, false)
		shows(t, p, img)
		lawful(t, p)
	})
}

// TestHaltWithoutSupply checks that nothing is sent to a panel whose supply is
// off: it sleeps already.
func TestHaltWithoutSupply(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		p := emulate(t, name)
		dev := attach(t, p, epaper.Opts{Panel: name, Power: p.Power()})
		for range 2 {
			if err := dev.Halt(); err != nil {
				t.Fatal(err)
			}
		}
		lawful(t, p)
	})
}

// TestTheBorderRests checks that the border is not driven while the panel is idle
// or sleeps: that would turn it grey.
func TestTheBorderRests(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		dev, p := connect(t, epaper.Opts{Panel: name})
		img := page(dev.Bounds().Size())
		update(t, dev, img, false)
		if p.BorderDriven() {
			t.Error("the border is driven between two pictures")
		}
		p.StickBusy(0)
		fill(img, image.Rect(0, 40, 5, 50), color.Black)
		fails(t, dev, img, limit, name)
		p.FreeBusy()
		if err := dev.Sleep(context.Background()); err != nil {
			t.Fatal(err)
		}
		if p.BorderDriven() {
			t.Error("the border is driven in sleep after an error")
		}
		lawful(t, p)
	})
}
