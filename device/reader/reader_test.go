package reader

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
)

const second = time.Second

// settle waits for a time, and then until all goroutines are idle.
func settle(wait time.Duration) {
	time.Sleep(wait)
	synctest.Wait()
}

func TestTapAndLift(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, tab := &chip{}, &table{}
		stop := start(tab, newReader(c, "red", nil))
		defer stop()
		expect := func(want string) {
			t.Helper()
			settle(second)
			if got := tab.heard(); got != want {
				t.Errorf("heard %q, want %q", got, want)
			}
		}
		expect("")
		c.lay("C1")
		expect("red+C1")
		expect("")
		c.lay("C2", "C1")
		expect("red+C2")
		c.lay("C3")
		expect("red+C3, red-C1, red-C2")
		c.lay()
		expect("red-C3")
		c.lay("B2", "B1")
		expect("red+B1, red+B2")
		c.with(func(c *chip) { c.blurred, c.lying = true, nil })
		expect("")
		c.with(func(c *chip) { c.blurred = false })
		expect("red-B1, red-B2")
	})
}

// TestPace checks that the first poll that finds a tag reports its tap.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, tab := &chip{}, &table{}
		stop := start(tab, newReader(c, "red", nil))
		defer stop()
		settle(second + time.Millisecond)
		_, before, _ := c.counts()
		settle(10 * second)
		if _, n, _ := c.counts(); n != before+200 {
			t.Errorf("%d polls in 10 s", n-before)
		}
		c.lay("C1")
		settle(defaultEvery)
		if got := tab.heard(); got != "red+C1" {
			t.Errorf("after one poll: %q", got)
		}
		c.lay()
		settle(3 * defaultEvery)
		if got := tab.heard(); got != "" {
			t.Errorf("after three polls: %q", got)
		}
		settle(defaultEvery)
		if got := tab.heard(); got != "red-C1" {
			t.Errorf("after four polls: %q", got)
		}
	})
}

func TestText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, tab := &chip{texts: map[string]string{
			"T1": "tableside:mutants/bat.1", "T2": "hello", "T3": "tableside:mutants/bat.2", "T4": "tableside:mutants/bat.3",
			"K1": "tableside:key/undo",
		}, garbled: map[string]int{"T3": 3, "T4": 1000}}, &table{}
		stop := start(tab, newReader(c, "red", nil))
		defer stop()
		settle(second)
		for _, step := range []struct {
			tag, want string
			asked     int
		}{
			{"C1", "red+C1, red-C1", 0}, // it is in the catalogue
			{"T1", "red+T1 tableside:mutants/bat.1, red-T1 tableside:mutants/bat.1", 1},
			{"T2", "red+T2 hello, red-T2 hello", 1},
			{"T3", "red+T3 tableside:mutants/bat.2, red-T3 tableside:mutants/bat.2", 4},
			{"T4", "red+T4, red-T4", maxTextTries},
			{"B1", "red+B1, red-B1", 1}, // a blank tag
		} {
			_, _, before := c.counts()
			c.lay(step.tag)
			settle(second)
			c.lay()
			settle(second)
			_, _, asked := c.counts()
			if got := tab.heard(); got != step.want || asked-before != step.asked {
				t.Errorf("%s: heard %q, asked %d times", step.tag, got, asked-before)
			}
		}
		// A key has its own policy, although only its text identifies it.
		c.lay("K1")
		settle(second)
		c.lay()
		settle(6 * defaultEvery)
		c.lay("K1")
		settle(second)
		if got := tab.heard(); got != "red+K1 tableside:key/undo" {
			t.Errorf("heard %q", got)
		}
	})
}

// TestFaultsAreNoTaps checks that no fault leads to a tap or a lift of a card
// that stays.
func TestFaultsAreNoTaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, tab := &chip{}, &table{}
		r := newReader(c, "red", nil)
		stop := start(tab, r)
		settle(second)
		c.lay("C1")
		settle(second)
		if got := tab.heard(); got != "red+C1" {
			t.Fatalf("heard %q", got)
		}
		for name, fault := range map[string]func(*chip){
			"dead":        func(c *chip) { c.dead = true },
			"mute":        func(c *chip) { c.mute = true },
			"every third": func(c *chip) { c.faulty = 3 },
			"blurred":     func(c *chip) { c.blurred, c.lying = true, nil },
			"brown-out":   func(c *chip) { c.ready = false },
			"stuck":       func(c *chip) { c.stuck = make(chan struct{}) },
		} {
			c.with(fault)
			settle(7 * second)
			c.with(func(c *chip) {
				if c.stuck != nil {
					close(c.stuck)
				}
				c.dead, c.mute, c.faulty, c.blurred, c.stuck, c.lying = false, false, 0, false, nil, []string{"C1"}
			})
			settle(7 * second)
			if got := tab.heard(); got != "" {
				t.Errorf("%s: heard %q", name, got)
			}
			if h := tab.health(); h.Health != engine.OK {
				t.Errorf("%s: health afterwards %+v", name, h)
			}
		}
		// The source itself ends and is run again; meanwhile the card is changed.
		stop()
		stop = start(tab, r)
		settle(second)
		if got := tab.heard(); got != "" {
			t.Errorf("run again: heard %q", got)
		}
		stop()
		c.lay("C2")
		stop = start(tab, r)
		settle(second)
		if got := tab.heard(); got != "red+C2, red-C1" {
			t.Errorf("run again with another card: heard %q", got)
		}
		stop()
		// A restarted program finds the card that was there.
		stop = start(tab, newReader(c, "red", nil))
		settle(second)
		if got := tab.heard(); got != "" {
			t.Errorf("a new program: heard %q", got)
		}
		c.lay()
		settle(second)
		c.lay("C2")
		settle(second)
		if got := tab.heard(); got != "red-C2, red+C2" {
			t.Errorf("a new program, then: heard %q", got)
		}
		stop()
		// Without earlier cards it is a tap.
		fresh := newReader(c, "red", nil)
		fresh.TapInitial = true
		stop = start(tab, fresh)
		settle(second)
		if got := tab.heard(); got != "red+C2" {
			t.Errorf("on a bench: heard %q", got)
		}
		stop()
	})
}

// TestChangedDuringOutage checks that changes during an outage are reported
// afterwards.
func TestChangedDuringOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, tab := &chip{}, &table{}
		stop := start(tab, newReader(c, "red", nil))
		defer stop()
		settle(second)
		c.lay("C1")
		settle(second)
		c.with(func(c *chip) { c.dead, c.lying = true, []string{"C2"} })
		settle(time.Minute)
		c.with(func(c *chip) { c.dead = false })
		settle(5 * second)
		if got := tab.heard(); got != "red+C1, red+C2, red-C1" {
			t.Errorf("heard %q", got)
		}
	})
}

// TestMoved checks that a card that moves to another reader is lifted here before
// it is tapped there, however fast the move.
func TestMoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board, tab := NewBoard(), &table{}
		a, b := &chip{}, &chip{}
		stop := start(tab, newReader(a, "red", board), newReader(b, "blue", board))
		defer stop()
		settle(second)
		expect := func(want string) {
			t.Helper()
			settle(2 * second)
			if got := tab.heard(); got != want {
				t.Errorf("heard %q, want %q", got, want)
			}
		}
		a.lay("C1")
		expect("red+C1")
		a.lay()
		b.lay("C1")
		expect("red-C1, blue+C1")
		// Between both readers: it stays on the first.
		a.lay("C1")
		expect("")
		// And back.
		b.lay()
		expect("blue-C1, red+C1")
		// Its reader dies. The card is moved to the other one.
		a.with(func(c *chip) { c.dead, c.lying = true, nil })
		expect("")
		b.lay("C1")
		expect("red-C1, blue+C1")
		a.with(func(c *chip) { c.dead = false })
		settle(5 * second)
		expect("")
		// And back again.
		b.lay()
		a.lay("C1")
		expect("blue-C1, red+C1")
		// Something unreadable hides that it was taken away.
		a.with(func(c *chip) { c.blurred, c.lying = true, nil })
		b.lay("C1")
		expect("red-C1, blue+C1")
		a.with(func(c *chip) { c.blurred = false })
		expect("")
		// Both find it at the same moment.
		b.lay()
		expect("blue-C1")
		a.with(func(c *chip) { c.lying = []string{"T1"} })
		b.with(func(c *chip) { c.lying = []string{"T1"} })
		settle(2 * second)
		if got := tab.heard(); got != "red+T1" && got != "blue+T1" {
			t.Errorf("heard %q", got)
		}
	})
}

// TestReplaced checks that a card on a reader which is removed, and replaced for another seat, is
// neither lifted nor tapped by that, and that its lift is seen later.
func TestReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board, tab, c := NewBoard(), &table{}, &chip{}
		stop := start(tab, newReader(c, "red", board))
		settle(second)
		c.lay("C1")
		settle(second)
		stop()
		board.Remove("reader red")
		settle(second)
		stop = start(tab, newReader(c, "blue", board))
		defer stop()
		settle(second)
		if got := tab.heard(); got != "red+C1" {
			t.Errorf("heard %q", got)
		}
		c.lay()
		settle(second)
		if got := tab.heard(); got != "blue-C1" {
			t.Errorf("heard %q", got)
		}
	})
}

// TestPhone checks that a phone, which has another UID each time, is not a tag,
// but something unreadable.
func TestPhone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, tab := &chip{}, &table{}
		stop := start(tab, newReader(c, "red", nil))
		defer stop()
		settle(second)
		c.lay("C1")
		settle(second)
		for i := range 20 * 8 {
			c.lay([]string{"C1", "08A1B2C" + string(rune('0'+i%10))}[1:]...)
			settle(defaultEvery)
		}
		if got := tab.heard(); got != "red+C1" {
			t.Errorf("heard %q", got)
		}
		if h := tab.health(); h.Health != engine.Degraded || !strings.Contains(h.Reason, "cannot be read") {
			t.Errorf("health %+v", h)
		}
		c.lay("C1")
		settle(second)
		if h := tab.health(); h.Health != engine.OK || tab.heard() != "" {
			t.Errorf("health %+v", h)
		}
	})
}

// BenchmarkPoll measures a poll of a reader with two cards on it, without the
// chip.
func BenchmarkPoll(b *testing.B) {
	r := steady()
	b.ReportAllocs()
	for b.Loop() {
		r()
	}
}

// steady returns a function that polls as Run does, with two cards on the reader.
func steady() func() {
	r := newReader(&chip{lying: []string{"C1", "C2"}, ready: true}, "red", nil)
	tab := &table{}
	r.emit = tab.emit
	r.health.watch(tab.emit)
	r.ctx = context.Background()
	return func() {
		outcome, _ := r.poll()
		r.health.recordGood(outcome, true)
	}
}
