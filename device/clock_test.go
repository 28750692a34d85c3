package device

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
)

// lefts returns the seconds that red had left in each frame of an output, as it was shown.
func lefts(a *album) (all []float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, f := range a.frames {
		if s, _ := f.View.Clock.Seat("red"); s != nil {
			all = append(all, float64(*s.Left)/1000)
		}
	}
	return all
}

func timed(options map[string]string) engine.Order {
	return engine.Order{Do: "begin", Setup: engine.Setup{Game: "count/plain", Options: options,
		Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}}}}
}

// TestClockFrames checks that outputs get a frame with the clock of its moment at each minute,
// at the nudge and at the end of a seat's time, and no other.
func TestClockFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(t.TempDir()))
		panel := &album{}
		table.Add(Part{Name: "panel", Output: panel})
		table.order(timed(map[string]string{"clock-minutes": "3"}))
		time.Sleep(time.Hour) // nobody plays yet
		table.must("red key plus")
		time.Sleep(time.Hour)
		synctest.Wait()
		if got, want := lefts(panel), []float64{180, 180, 120, 60, 10, 0}; !slices.Equal(got, want) {
			t.Errorf("frames with %v seconds left, want %v", got, want)
		}
		table.must("red key plus")
		if s, _ := table.Frame().View.Clock.Seat("red"); *s.Left != (3*60-3600)*1000 {
			t.Errorf("%v ms left", *s.Left)
		}
		table.stop()
	})
}

// TestClockUndo checks that the time since a move that is undone is given back, that the
// time of a table that is switched off does not count, and that a table which reads the
// journal has the same clock.
func TestClockUndo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		left := func(table *running) time.Duration {
			f := table.Frame()
			s, _ := f.Clock(time.Now()).Seat("red")
			return time.Duration(*s.Left) * time.Millisecond
		}
		expect := func(table *running, what string, want time.Duration) {
			t.Helper()
			if got := left(table); got != want {
				t.Errorf("%s: %v left, want %v", what, got, want)
			}
		}
		table := start(t, configured(dir))
		table.order(timed(map[string]string{"clock-minutes": "10", "clock-turn": "45"}))
		table.must("red key plus")
		time.Sleep(20 * time.Second)
		table.must("red key plus")
		time.Sleep(40 * time.Second)
		expect(table, "before the undo", 9*time.Minute)
		table.must("table undo")
		expect(table, "after the undo", 9*time.Minute+40*time.Second)
		time.Sleep(5 * time.Second)
		table.must("table redo")
		expect(table, "after the redo", 9*time.Minute+35*time.Second)
		time.Sleep(5 * time.Second)
		if err := table.stop(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)

		table = start(t, configured(dir))
		table.order(engine.Order{Do: "resume"})
		expect(table, "continued", 9*time.Minute+35*time.Second) // from the last input on
		time.Sleep(5 * time.Second)
		expect(table, "later", 9*time.Minute+30*time.Second)
		if s, _ := table.Frame().View.Clock.Seat("red"); *s.Turn != 20_000 {
			t.Errorf("%d ms of the turn left, want 20000", *s.Turn)
		}
		table.stop()
	})
}

// TestNoClock checks that nothing ticks in a match without limits.
func TestNoClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(t.TempDir()))
		panel := &album{}
		table.Add(Part{Name: "panel", Output: panel})
		table.begin("red", "blue")
		table.must("red key plus")
		synctest.Wait()
		before := len(panel.frames)
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		if n := len(panel.frames); n != before || table.Frame().View.Clock != nil {
			t.Errorf("%d frames more, clock %v", n-before, table.Frame().View.Clock)
		}
		table.stop()
	})
}
