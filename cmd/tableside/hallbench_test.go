package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tableside/device"
	"tableside/device/hall"
	"tableside/engine"
	"tableside/engine/mutants"
	"tableside/mqtt"
)

// BenchmarkHall follows a thousand tables with the real client through mosquitto, each of
// which publishes two states of a match of Mutants a second, while one page is open.
func BenchmarkHall(b *testing.B) {
	const tables, pace, lasts = 1000, 500 * time.Millisecond, 15 * time.Second
	addr, kill := startMosquittoToKill(b)
	defer kill()
	ctx, cancel := context.WithCancel(b.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	view := mutantsView(b)
	for n := range tables {
		name := fmt.Sprint("club-", n+1)
		client, err := mqtt.New(mqtt.Config{Brokers: []string{addr}, Table: name})
		if err != nil {
			b.Fatal(err)
		}
		all.Go(func() { client.Run(ctx) })
		all.Go(func() {
			tick := time.NewTicker(pace)
			defer tick.Stop()
			f := engine.Frame{View: view, Lang: engine.English}
			for f.View.Table = name; ctx.Err() == nil; f.View.Seq++ {
				client.Show(ctx, f)
				select {
				case <-tick.C:
				case <-ctx.Done():
				}
			}
		})
	}
	for range b.N {
		p := startTable(b, "hall", "--http", "127.0.0.1:0", "--broker", addr)
		began := time.Now()
		for known := 0; known < tables; time.Sleep(50 * time.Millisecond) {
			data, err := p.get("/api/tables")
			var list hall.List
			if err == nil {
				err = json.Unmarshal(data, &list)
			}
			if err != nil || time.Since(began) > time.Minute {
				b.Fatalf("%d tables, %v", known, err)
			}
			known = len(list.Tables)
		}
		b.ReportMetric(time.Since(began).Seconds(), "s-until-all")
		open, leave := context.WithTimeout(ctx, lasts)
		before, bytes := processorTime(b, p), bytesRead(b, p)
		readFor(open, b, p.page+"/api/live")
		used := processorTime(b, p) - before
		b.ReportMetric(100*used.Seconds()/lasts.Seconds(), "%-of-a-core")
		// A broker drops states for a hall that a busy machine keeps from reading.
		b.ReportMetric(float64(bytesRead(b, p)-bytes)/1e6/lasts.Seconds(), "MB/s-read")
		b.ReportMetric(float64(p.resident("VmHWM"))/1e6, "MB-at-most")
		leave()
		p.interrupt()
	}
	b.ReportMetric(0, "ns/op")
}

// mutantsView returns a view of a match that has begun.
func mutantsView(b *testing.B) engine.View {
	table, err := device.New(device.Config{Name: "club", Dir: b.TempDir(), Games: mutants.Games()})
	if err != nil {
		b.Fatal(err)
	}
	defer background(b, table.Run)()
	setup := engine.Setup{Game: "mutants/second-edition", Options: map[string]string{"data": "stand-in"}, First: "red",
		Seats: []engine.Player{{Seat: "red", Name: "Alice"}, {Seat: "blue", Name: "Max"}}}
	if r := table.Do(b.Context(), engine.Order{Do: "begin", Setup: setup}); r.Outcome != engine.Accepted {
		b.Fatalf("%+v", r)
	}
	return table.Frame().View
}

// readFor reads an address until the context ends.
func readFor(ctx context.Context, b *testing.B, url string) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		b.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); !errors.Is(err, context.DeadlineExceeded) {
		b.Error(err)
	}
}

// processorTime returns what a process has used so far: proc_pid_stat(5), utime and stime
// in hundredths of a second.
func processorTime(b *testing.B, p *process) time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	fields, ticks := strings.Fields(rest), 0
	for _, field := range fields[11:13] {
		n, err := strconv.Atoi(field)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// bytesRead returns how much a process has read so far: proc_pid_io(5), rchar.
func bytesRead(b *testing.B, p *process) int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", p.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	line, _, _ := strings.Cut(string(data), "\n")
	n, err := strconv.Atoi(strings.TrimPrefix(line, "rchar: "))
	if err != nil {
		b.Fatal(err)
	}
	return n
}
