package host

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
)

// TestCollectorWaitsForRest checks that memory is collected once the table rests, and not
// while frames follow each other.
func TestCollectorWaitsForRest(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // no collection comes by itself
	synctest.Test(t, func(t *testing.T) {
		c := NewCollector()
		running := start(t.Context(), "collector", func(ctx context.Context) error { c.Run(ctx); return nil })
		defer running.stop()
		runtime.GC()
		before := forced()

		time.Sleep(10 * restDelay)
		synctest.Wait()
		if n := forced() - before; n != 0 {
			t.Errorf("got %d collections while nothing was allocated, want none", n)
		}
		fill()
		for range 10 {
			if err := c.Show(t.Context(), engine.Frame{}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(restDelay / 2)
		}
		synctest.Wait()
		if n := forced() - before; n != 0 {
			t.Errorf("got %d collections while frames came, want none", n)
		}
		time.Sleep(10 * restDelay)
		synctest.Wait()
		if n := forced() - before; n != 1 {
			t.Errorf("got %d collections at rest, want 1", n)
		}
	})
}

// garbage keeps the compiler from allocating nothing.
var garbage []byte

// fill allocates until half of what may be allocated is.
func fill() {
	for !halfwayToCollection() {
		garbage = make([]byte, 1<<16)
	}
}

// forced returns how many collections a program has asked for.
func forced() uint64 {
	cycles := []metrics.Sample{{Name: "/gc/cycles/forced:gc-cycles"}}
	metrics.Read(cycles)
	return cycles[0].Value.Uint64()
}
