package host

import (
	"fmt"
	"io"
	"runtime"
	"runtime/metrics"
	"time"

	"tableside/engine"
)

// writeMetrics writes the metrics of the table in the text format of Prometheus.
func (h *Host) writeMetrics(w io.Writer) {
	gauge := func(name, help string, value any) {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s gauge\n%s %v\n", name, help, name, name, value)
	}
	f := h.table.Frame()
	fmt.Fprintf(w, "# HELP tableside_build_info Version, commit and Go version.\n# TYPE tableside_build_info gauge\n")
	fmt.Fprintf(w, "tableside_build_info{version=%q,commit=%q,go=%q} 1\n", h.Version, h.Commit, runtime.Version())
	gauge("tableside_uptime_seconds", "Time since the start.", time.Since(h.began).Round(time.Millisecond).Seconds())
	gauge("tableside_match_playing", "1 while a match is played, else 0.", map[bool]int{true: 1}[f.View.Match != ""])
	gauge("tableside_match_seq", "Number of accepted inputs in the match.", f.View.Seq)
	gauge("tableside_keeping", "1 while inputs are saved to disk, else 0.", map[bool]int{true: 1}[f.Status.Keeping])
	if f.Status.Receipt != nil {
		gauge("tableside_receipts", "Number of answers to inputs and commands since the start.", f.Status.Receipt.N)
	}
	parts := func(name, help, kind string, value func(engine.Part) (float64, bool)) {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
		for _, p := range f.Status.Health {
			if v, ok := value(p); ok {
				fmt.Fprintf(w, "%s{part=%q} %v\n", name, p.Name, v)
			}
		}
	}
	parts("tableside_part_up", "1 if the part works, 0.5 if it is degraded, 0 if it has failed.", "gauge",
		func(p engine.Part) (float64, bool) {
			return map[engine.Health]float64{engine.OK: 1, engine.Degraded: 0.5}[p.Health], true
		})
	parts("tableside_part_last_good_timestamp_seconds", "Time at which the part last worked.", "gauge",
		func(p engine.Part) (float64, bool) {
			return float64(p.LastGood.UnixMilli()) / 1000, !p.LastGood.IsZero()
		})
	parts("tableside_part_resets_total", "Number of times that the part was set up again after errors.", "counter",
		func(p engine.Part) (float64, bool) {
			return float64(p.Resets), !p.LastGood.IsZero() || p.Resets > 0
		})
	parts("tableside_part_error_ratio", "Share of the part's recent operations that failed.", "gauge",
		func(p engine.Part) (float64, bool) {
			return p.ErrorRate, !p.LastGood.IsZero() || p.Resets > 0
		})
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/sched/goroutines:goroutines"}}
	metrics.Read(samples)
	gauge("go_memory_bytes", "Memory mapped by the runtime.", samples[0].Value.Uint64())
	gauge("go_goroutines", "Goroutines.", samples[1].Value.Uint64())
}
