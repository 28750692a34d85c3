package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tableside/engine"
	"tableside/mqtt"
)

// BenchmarkHallResults starts a hall when each of 200 tables offers a match of Mutants.
func BenchmarkHallResults(b *testing.B) {
	const tables = 200
	addr, kill := startMosquittoToKill(b)
	defer kill()
	journal, err := os.ReadFile("testdata/games/mutants-second-edition.journal")
	if err != nil {
		b.Fatal(err)
	}
	read, err := engine.ParseJournal("mutants", journal)
	if err != nil {
		b.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(journal); err != nil || w.Close() != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	for n := range tables {
		table := fmt.Sprint("club-", n+1)
		client, err := mqtt.New(mqtt.Config{Brokers: []string{addr}, Table: table, Hall: "club"})
		if err != nil {
			b.Fatal(err)
		}
		view := engine.EmptyView()
		view.Table = table
		client.Show(ctx, engine.Frame{View: view})
		client.Offer(read.Setup.MatchID(), packed.Bytes())
		all.Go(func() { client.Run(ctx) })
	}
	for range b.N {
		data := b.TempDir()
		began := time.Now()
		p := startClub(b, addr, data)
		for kept := 0; kept < tables; time.Sleep(10 * time.Millisecond) {
			files, err := filepath.Glob(filepath.Join(data, "matches", "*.journal"))
			if kept = len(files); err != nil || time.Since(began) > time.Minute {
				b.Fatalf("%d matches of %d, %v", kept, tables, err)
			}
		}
		b.ReportMetric(float64(p.processor().Milliseconds())/tables, "cpu-ms/match")
		b.ReportMetric(time.Since(began).Seconds(), "s/all")
		b.ReportMetric(float64(len(journal)), "bytes/journal")
		b.ReportMetric(float64(p.resident("VmHWM"))/1e6, "MB")
		p.kill()
	}
}
