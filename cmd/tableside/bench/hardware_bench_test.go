package bench

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/device"
	"tableside/device/reader"
	"tableside/display/displaytest"
	"tableside/display/lights"
	"tableside/engine"
)

// BenchmarkHardware measures the cost of four readers polled 20 times a second, with
// a tag on each, and a strip of 60 LEDs that moves as in a match, 30 frames a second.
// "%core" is the processor time of everything over the elapsed time. "%chips" is the
// part of the emulated reader chips, which is measured for as long afterwards, because
// measuring takes time itself; "%net" is the rest. The strip's port discards what it is
// sent: a strip does not answer.
func BenchmarkHardware(b *testing.B) {
	b.Run("plain", func(b *testing.B) { benchHardware(b, "") })
	b.Run("recorded", func(b *testing.B) { benchHardware(b, filepath.Join(b.TempDir(), "a.tape")) })
}

// benchHardware records to a file where one is named.
func benchHardware(b *testing.B, file string) {
	c, err := NewChips([]engine.Seat{"red", "blue", "yellow"})
	if err != nil {
		b.Fatal(err)
	}
	c.Bench.Buses[c.Wiring.Lights.SPI] = wireOnly{}
	c.Wiring.Lights.Count = 60
	chips := newMeter(c.Bench)
	chips.on.Store(false)
	c.Ports = chips
	if file != "" {
		r, err := (&rig.TapeFile{Name: file, Version: "test"}).Record(chips, c.Wiring)
		if err != nil {
			b.Fatal(err)
		}
		defer func() {
			if err := r.Close(); err != nil {
				b.Error(err)
			}
		}()
		c.Ports = r
	}
	for i := range c.Wiring.Readers {
		c.Wiring.Readers[i].Every = 50 * time.Millisecond
	}
	know := func(string, string) (device.Meaning, bool) { return device.Meaning{}, false }
	p, err := rig.AllParts(c.Ports, &config.Wiring{Readers: c.Wiring.Readers}, reader.NewBoard(), know)
	if err != nil {
		b.Fatal(err)
	}
	dev, err := p.OpenStrip(c.Wiring.Lights)
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	var running []func() error
	for _, part := range p.All {
		running = append(running, background(ctx, func(ctx context.Context) error {
			return part.Source.Run(ctx, func(device.Signal) <-chan engine.Receipt { return nil })
		}))
	}
	for place, field := range c.Bench.Fields {
		tag, err := c.hands.ensureTag(place, "")
		if err != nil {
			b.Fatal(err)
		}
		field.Put(tag)
	}
	out := lights.NewOutput(dev, lights.Layout{}) // 30 frames a second while a match is played
	running = append(running, background(ctx, out.Run))
	if err := out.Show(ctx, displaytest.Mutants4(engine.English)); err != nil {
		b.Fatal(err)
	}
	began, spent, seconds := time.Now(), processorTime(b), 0
	for b.Loop() {
		time.Sleep(time.Second)
		seconds++
	}
	core := 100 * float64(processorTime(b)-spent) / float64(time.Since(began))
	chips.on.Store(true)
	began = time.Now()
	time.Sleep(time.Duration(seconds) * time.Second)
	share := 100 * float64(chips.spent.Load()) / float64(time.Since(began))
	b.ReportMetric(core, "%core")
	b.ReportMetric(share, "%chips")
	b.ReportMetric(core-share, "%net")
	b.ReportMetric(0, "ns/op")
	stop()
	for _, stop := range running {
		if err := stop(); err != nil {
			b.Error(err)
		}
	}
}

// A wireOnly port has nothing at its end.
type wireOnly struct{}

func (wireOnly) String() string                                              { return "wire" }
func (w wireOnly) Connect(physic.Frequency, spi.Mode, int) (spi.Conn, error) { return w, nil }
func (wireOnly) Duplex() conn.Duplex                                         { return conn.Half }
func (wireOnly) Tx(_, _ []byte) error                                        { return nil }
func (wireOnly) TxPackets([]spi.Packet) error                                { return nil }

func processorTime(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
