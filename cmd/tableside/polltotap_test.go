package main

import (
	"context"
	"log/slog"
	"os"
	"testing"
	"time"

	"tableside/device"
	"tableside/device/reader"
	"tableside/engine"
	"tableside/engine/mutants"
)

// BenchmarkPollToTap measures our own share of the time from a poll that finds a card
// to the accepted tap: presence, catalogue, rules, journal and frame. The journal is
// in memory, to leave out the disk.
func BenchmarkPollToTap(b *testing.B) {
	dir := b.TempDir()
	if memory, err := os.MkdirTemp("/dev/shm", "tableside-"); err == nil {
		dir = memory
		b.Cleanup(func() { os.RemoveAll(memory) })
	}
	know := func(tag, _ string) (device.Meaning, bool) { return device.Meaning{Box: "mutants", Name: tag}, true }
	table, err := device.New(device.Config{Name: "bench", Dir: dir, Games: mutants.Games(), Tags: know,
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	chip := &instant{tapped: make(chan struct{}), found: make(chan time.Time, 1)}
	answers := make(chan (<-chan engine.Receipt), 1)
	source := device.SourceFunc(func(ctx context.Context, emit device.Emit) error {
		r := reader.New(reader.Config{Name: "reader", Place: "red", Seat: "red", Chip: chip, Every: time.Millisecond,
			Know: know, TapInitial: true})
		return r.Run(ctx, func(s device.Signal) <-chan engine.Receipt {
			answer := emit(s)
			if _, on := s.(device.TagOn); on {
				answers <- answer
			}
			return answer
		})
	})
	table.Add(device.Part{Name: "reader", Source: source})
	stop := background(b, table.Run)
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
	stop()
}

// An instant chip finds a card in the first poll after it was put there.
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
