package host

import (
	"context"
	"runtime"
	"runtime/metrics"
	"time"

	"tableside/engine"
)

// restDelay is the time without a new frame after which the collector assumes that the table
// rests. This time is longer than outputs take to draw a frame. It is shorter than the time
// between two cards that a person lays down.
const restDelay = 20 * time.Millisecond

// startDuration is the time that a table usually takes to start. After this time, the
// collector unmaps the program's file. If the start takes longer, the kernel maps again what
// the start still needs.
const startDuration = time.Second

// Collector collects garbage while the table rests, so that hardly any tap has to wait for a
// collection. Once the table has started, Collector also unmaps the program's file, because
// much of the file is needed only for the start. Collector is an output that draws nothing.
type Collector struct{ newFrame chan struct{} }

// NewCollector returns a collector. It does nothing before Run is called.
func NewCollector() *Collector { return &Collector{make(chan struct{}, 1)} }

// Show implements device.Output: it notes that there is a new frame. It never waits.
func (c *Collector) Show(context.Context, engine.Frame) error {
	select {
	case c.newFrame <- struct{}{}:
	default:
	}
	return nil
}

// Run collects garbage each time the table comes to rest, if a collection is worth while. It
// returns when the context ends. If the program's file cannot be unmapped, it stays mapped,
// and Run reports no error.
func (c *Collector) Run(ctx context.Context) {
	rest := time.NewTimer(restDelay)
	defer rest.Stop()
	start := time.NewTimer(startDuration)
	defer start.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.newFrame:
			rest.Reset(restDelay)
		case <-start.C:
			_ = releaseStart()
		case <-rest.C:
			if halfwayToCollection() {
				runtime.GC()
			}
		}
	}
}

// halfwayToCollection reports whether the heap has grown so much since the last collection
// that it is more than halfway to the size at which Go collects by itself.
func halfwayToCollection() bool {
	heap := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/goal:bytes"},
	}
	metrics.Read(heap)
	live, now, goal := heap[0].Value.Uint64(), heap[1].Value.Uint64(), heap[2].Value.Uint64()
	return now > live && now-live > (goal-live)/2
}
