package host

import (
	"context"
	"runtime"
	"runtime/metrics"
	"time"

	"tableside/engine"
)

// atRest is the time without a new frame after which the table counts as resting: longer than
// outputs take to draw a frame, shorter than people take from one card to the next.
const atRest = 20 * time.Millisecond

// started is the time after which all that a table does at its start is done.
const started = time.Second

// Collector collects garbage while the table rests, so that hardly any tap has to wait for a
// collection. Once the table has started, it also gives back what only the start needed of the
// program's file. It is an output that draws nothing.
type Collector struct{ shown chan struct{} }

// NewCollector returns a collector that does nothing until it runs.
func NewCollector() *Collector { return &Collector{make(chan struct{}, 1)} }

// Show implements device.Output, and never waits.
func (c *Collector) Show(context.Context, engine.Frame) error {
	select {
	case c.shown <- struct{}{}:
	default:
	}
	return nil
}

// Run collects each time the table comes to rest, if a collection is worth while, until the
// context ends. Where memory cannot be given back it stays in use, and no error is reported.
func (c *Collector) Run(ctx context.Context) {
	rest := time.NewTimer(atRest)
	defer rest.Stop()
	start := time.NewTimer(started)
	defer start.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.shown:
			rest.Reset(atRest)
		case <-start.C:
			_ = releaseStart()
		case <-rest.C:
			if halfwayToCollection() {
				runtime.GC()
			}
		}
	}
}

// halfwayToCollection reports whether the heap has grown more than halfway to the next
// collection.
func halfwayToCollection() bool {
	heap := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/goal:bytes"},
	}
	metrics.Read(heap)
	live, now, goal := heap[0].Value.Uint64(), heap[1].Value.Uint64(), heap[2].Value.Uint64()
	return now > live && now-live > (goal-live)/2
}
