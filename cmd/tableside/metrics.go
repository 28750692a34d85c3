package main

import (
	"fmt"
	"io"
	"runtime/metrics"
	"time"

	"tableside/device"
	"tableside/engine"
)

// writeMetrics writes the text format of Prometheus.
func writeMetrics(w io.Writer, t *device.Table, began time.Time) {
	gauge := func(name, help string, value any) {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s gauge\n%s %v\n", name, help, name, name, value)
	}
	f := t.Frame()
	b := thisBuild()
	fmt.Fprintf(w, "# HELP tableside_build_info Which program this is.\n# TYPE tableside_build_info gauge\n")
	fmt.Fprintf(w, "tableside_build_info{version=%q,commit=%q,go=%q} 1\n", b.Version, b.Commit, b.Go)
	gauge("tableside_uptime_seconds", "Since the program began.", time.Since(began).Round(time.Millisecond).Seconds())
	gauge("tableside_match_playing", "1 while a match is at the table.", count(f.View.Match != ""))
	gauge("tableside_match_seq", "Accepted inputs of the match.", f.View.Seq)
	gauge("tableside_keeping", "1 while inputs reach the disk.", count(f.Status.Keeping))
	if f.Status.Receipt != nil {
		gauge("tableside_receipts", "Answers given since the program began.", f.Status.Receipt.N)
	}
	fmt.Fprintf(w, "# HELP tableside_part_up 1 while the part works, 0.5 degraded, 0 failed.\n# TYPE tableside_part_up gauge\n")
	for _, p := range f.Status.Health {
		fmt.Fprintf(w, "tableside_part_up{part=%q} %v\n", p.Name, map[engine.Health]float64{engine.OK: 1, engine.Degraded: 0.5}[p.Health])
	}
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/sched/goroutines:goroutines"}}
	metrics.Read(samples)
	gauge("go_memory_bytes", "Memory mapped by the runtime.", samples[0].Value.Uint64())
	gauge("go_goroutines", "Goroutines.", samples[1].Value.Uint64())
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
