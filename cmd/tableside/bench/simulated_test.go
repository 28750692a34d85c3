package bench

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"tableside/device"
	"tableside/display/web"
	"tableside/engine"
	"tableside/engine/tally"
)

// TestSimulated tests what the page gets of readers and keys, and that the table has answered by
// then.
func TestSimulated(t *testing.T) {
	ctx := t.Context()
	h := NewSimulated([]engine.Player{{Seat: "left"}}, false)
	table, err := device.New(device.Config{
		Dir: t.TempDir(), Games: tally.Games(),
		Tags: func(tag, _ string) (device.Meaning, bool) {
			return device.Meaning{Name: tag}, strings.Contains(tag, ".")
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	h.table = table
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- table.Run(running) }()
	if r := table.Do(ctx, engine.Order{Do: "begin",
		Setup: engine.Setup{Game: "tally/score"}}); r.Outcome != engine.Accepted {
		t.Fatalf("begin: %+v", r)
	}
	if err := h.tap(ctx, "table", "stranger"); err != nil {
		t.Error(err)
	}
	if r := table.Frame().Status.Receipt; r.Outcome != engine.Unknown || r.Place != "table" || r.Seat != engine.Table {
		t.Errorf("tap: %+v", r)
	}
	for _, err := range []error{h.tap(ctx, "cellar", "x.1"), h.lift(ctx, "left", "x.1"), h.lift(ctx, "cellar", "x.1")} {
		if !errors.Is(err, web.ErrNoSuchPlace) {
			t.Errorf("what is not there: %v", err)
		}
	}
	if err := h.lift(ctx, "table", "stranger"); err != nil {
		t.Errorf("lift: %v", err)
	}
	if err := h.lift(ctx, "table", "stranger"); !errors.Is(err, web.ErrNoSuchPlace) {
		t.Errorf("lift of what was lifted: %v", err)
	}
	var presses sync.WaitGroup // at the same instant, all are answered
	for range 50 {
		presses.Go(func() {
			if err := h.press(ctx, "blue", "plus"); err != nil {
				t.Errorf("press: %v", err)
			}
		})
	}
	presses.Wait()
	if seq := table.Frame().View.Seq; seq != 50 {
		t.Errorf("seq %d", seq)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := h.press(ctx, "red", "plus"); err != nil {
		t.Errorf("a press at a table that is off: %v", err)
	}
}
