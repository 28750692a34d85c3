package main

import (
	"context"
	"log/slog"
	"os"
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
	"tableside/display/lights"
	"tableside/display/text/sample"
	"tableside/engine"
	"tableside/engine/mutants"
)

// BenchmarkHardware is what four readers polled 20 times a second, with a tag
// on each, and a strip of 60 LEDs that moves as in a match, 30 frames a second,
// cost: "%core" is the processor time of everything, the emulation of the
// readers' chips included, over the time that has passed. What the strip is sent
// goes nowhere: nothing comes back from one.
func BenchmarkHardware(b *testing.B) {
	b.Run("plain", func(b *testing.B) { benchHardware(b, "") })
	b.Run("recorded", func(b *testing.B) { benchHardware(b, filepath.Join(b.TempDir(), "a.tape")) })
}

// benchHardware records to a file where one is named.
func benchHardware(b *testing.B, file string) {
	c, err := newChips([]engine.Seat{"red", "blue", "yellow"})
	if err != nil {
		b.Fatal(err)
	}
	c.bench.buses[c.Wiring.Lights.SPI] = wireOnly{}
	c.Wiring.Lights.Count = 60
	if file != "" {
		r, err := rig.Record(file, "test", c.bench, c.Wiring)
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
		c.Wiring.Readers[i].Poll = 50 * time.Millisecond
	}
	know := func(string, string) (device.Meaning, bool) { return device.Meaning{}, false }
	p, err := rig.All(c.Ports, &config.Wiring{Readers: c.Wiring.Readers}, know)
	if err != nil {
		b.Fatal(err)
	}
	dev, err := p.OpenStrip(c.Wiring.Lights)
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	var running []*running
	for _, part := range p.All {
		running = append(running, start(ctx, part.Name, func(ctx context.Context) error {
			return part.Source.Run(ctx, func(device.Signal) <-chan engine.Receipt { return nil })
		}))
	}
	for place, field := range c.bench.fields {
		tag, err := c.hands.tags.tag(place, "")
		if err != nil {
			b.Fatal(err)
		}
		field.Put(tag)
	}
	out := lights.NewOutput(dev, lights.Layout{}) // 30 frames a second while a match is played
	running = append(running, start(ctx, "lights", out.Run))
	if err := out.Show(ctx, sample.Mutants4(engine.English)); err != nil {
		b.Fatal(err)
	}
	began, spent := time.Now(), processorTime(b)
	for b.Loop() {
		time.Sleep(time.Second)
	}
	b.ReportMetric(100*float64(processorTime(b)-spent)/float64(time.Since(began)), "%core")
	b.ReportMetric(0, "ns/op")
	stop()
	for _, r := range running {
		if err := r.stop(); err != nil {
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

// processorTime is what this process has used so far.
func processorTime(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkPollToTap is our own time from a poll that has found a card to the
// accepted tap: presence, catalogue, rules, journal and frame. The journal
// lies in memory, so that no disk is in it.
func BenchmarkPollToTap(b *testing.B) {
	dir := b.TempDir()
	if memory, err := os.MkdirTemp("/dev/shm", "tableside-"); err == nil {
		dir = memory
		b.Cleanup(func() { os.RemoveAll(memory) })
	}
	know := func(tag, _ string) (device.Meaning, bool) { return device.Meaning{Box: "mutants", Name: tag}, true }
	table, err := device.New(device.Config{Name: "bench", Dir: dir, Games: mutants.Games(), Tags: know, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	chip := &instant{tapped: make(chan struct{}), found: make(chan time.Time, 1)}
	answers := make(chan (<-chan engine.Receipt), 1)
	source := device.SourceFunc(func(ctx context.Context, emit device.Emit) error {
		r := reader.New(reader.Config{Name: "reader", Place: "red", Seat: "red", Chip: chip, Every: time.Millisecond, Know: know, Anew: true})
		return r.Run(ctx, func(s device.Signal) <-chan engine.Receipt {
			answer := emit(s)
			if _, on := s.(device.TagOn); on {
				answers <- answer
			}
			return answer
		})
	})
	table.Add(device.Part{Name: "reader", Source: source})
	running := start(b.Context(), "table", table.Run)
	setup := engine.Setup{Game: "mutants/second-edition", Options: map[string]string{"data": "stand-in"}, First: "red",
		Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}}}
	if r := table.Do(b.Context(), engine.Order{Do: "begin", Setup: setup}); r.Outcome != engine.Accepted {
		b.Fatalf("%+v", r)
	}
	next := engine.Input{Seat: engine.Table, Verb: engine.Key, Args: []string{"next"}}
	for range 2 { // the gene pools stay hidden
		table.Input(b.Context(), next)
	}
	var own durations
	for b.Loop() {
		chip.tapped <- struct{}{}
		began := <-chip.found
		r := <-<-answers
		own = append(own, time.Since(began))
		if r.Outcome != engine.Accepted {
			b.Fatalf("%+v", r)
		}
		table.Input(b.Context(), engine.Input{Seat: engine.Table, Verb: engine.Undo})
	}
	b.ReportMetric(own.at(50), "µs-median")
	b.ReportMetric(own.at(99), "µs-p99")
	b.ReportMetric(0, "ns/op")
	if err := running.stop(); err != nil {
		b.Error(err)
	}
}

// An instant chip finds a card in one poll after it was told so.
type instant struct {
	tapped chan struct{}
	found  chan time.Time
	empty  int // polls since
}

func (c *instant) Init(context.Context) error                   { return nil }
func (c *instant) Text(context.Context, string) (string, error) { return "", reader.ErrNoText }
func (c *instant) Firmware() string                             { return "instant" }
func (c *instant) Poll(_ context.Context, seen []string) ([]string, bool, error) {
	if c.empty++; c.empty > 5 { // it was lifted
		select {
		case <-c.tapped:
			c.empty = 0
			c.found <- time.Now()
			return append(seen, "zombie.1"), false, nil
		default:
		}
	}
	return seen, false, nil
}
