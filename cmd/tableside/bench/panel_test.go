package bench

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tableside/device"
	"tableside/engine"
)

// TestSlowPanelIsPutAway tests that a slow panel that is stopped in the middle of a
// refresh ends it, and that its power is off then.
func TestSlowPanelIsPutAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := NewChips([]engine.Seat{"red"})
		if err != nil {
			t.Fatal(err)
		}
		c.Wiring.Panel.Model = "inky-phat-4colour"
		if err := c.Bench.PutPanel(c.Wiring.Panel); err != nil {
			t.Fatal(err)
		}
		if err := c.Configure(&device.Config{Dir: t.TempDir()}); err != nil {
			t.Fatal(err)
		}
		part := slices.IndexFunc(c.Parts.All, func(p device.Part) bool { return p.Name == "panel" })
		output := c.Parts.All[part].Output
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
		defer stop()
		if err := output.Show(ctx, engine.Frame{Lang: engine.English}); err == nil {
			t.Fatal("shown within five seconds")
		}
		began := time.Now()
		if err := c.Halt(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took < 15*time.Second || took > 20*time.Second {
			t.Error("put away after", took)
		}
		if n := c.Bench.Glass.Interrupted(); n > 0 {
			t.Error("the refresh was interrupted")
		}
		if words, n := c.Bench.Glass.Violations(); n > 0 { // sleep with the power on is one
			t.Error(words)
		}
	})
}
