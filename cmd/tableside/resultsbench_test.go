package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tableside/device/history"
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
	result, err := history.Finish(read.Setup.MatchID(), journal, allGames(), engine.English, nil)
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	for n := range tables {
		f := result
		f.Table, f.Hall = fmt.Sprint("club-", n+1), "club"
		client, err := mqtt.New(mqtt.Config{Brokers: []string{addr}, Table: f.Table})
		if err != nil {
			b.Fatal(err)
		}
		view := engine.EmptyView()
		view.Table = f.Table
		client.Show(ctx, engine.Frame{View: view})
		client.Offer(&f, journal)
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
