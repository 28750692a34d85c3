package device

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tableside/device/history"
	"tableside/engine"
)

// BenchmarkInput measures apply, journal and show of one input after another.
// The difference to BenchmarkSync is the table's own share.
func BenchmarkInput(b *testing.B) {
	table, done := benchTable(b)
	defer done()
	in := engine.Input{Seat: "red", Verb: engine.Key, Args: []string{"plus"}}
	for b.Loop() {
		if r := table.Input(context.Background(), in); r.Outcome != engine.Accepted {
			b.Fatal(r)
		}
	}
}

// BenchmarkInputs measures the same with eight players who do not wait for each
// other: they share syncs.
func BenchmarkInputs(b *testing.B) {
	table, done := benchTable(b)
	defer done()
	in := engine.Input{Seat: "red", Verb: engine.Key, Args: []string{"plus"}}
	b.SetParallelism(8)
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if r := table.Input(context.Background(), in); r.Outcome != engine.Accepted {
				b.Error(r)
			}
		}
	})
}

// BenchmarkSync measures the disk alone: one line written and synced.
func BenchmarkSync(b *testing.B) {
	f, err := openFile(filepath.Join(b.TempDir(), "bare"), os.O_RDWR|os.O_CREATE)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	line := []byte(engine.Seal("12.345s red key plus"))
	var end int64
	for b.Loop() {
		if _, err := f.WriteAt(line, end); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
		end += int64(len(line))
	}
}

// BenchmarkReadBack measures a restart with a long evening on the disk.
func BenchmarkReadBack(b *testing.B) {
	data := []byte(head + strings.Repeat(engine.Seal("1s red key plus"), 2000))
	games := []engine.Game{countGame{}}
	for b.Loop() {
		if r, err := history.ReadBack(games, "", data); err != nil || r.Match.Seq() != 2000 {
			b.Fatal(err)
		}
	}
}

func benchTable(b *testing.B) (*Table, func()) {
	table, err := New(configured(b.TempDir()))
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- table.Run(ctx) }()
	order := engine.Order{Do: "begin", Setup: engine.Setup{Game: "count/plain", Seats: defaultSeats(nil, 2)}}
	if r := table.Do(ctx, order); r.Outcome != engine.Accepted {
		b.Fatal(r)
	}
	return table, func() {
		cancel()
		if err := <-ended; err != nil {
			b.Error(err)
		}
	}
}
