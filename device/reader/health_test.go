package reader

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/device"
	"tableside/engine"
	"tableside/engine/tally"
)

// TestDies checks that a reader that dies is reported within two seconds, and as
// working within five seconds of its recovery, however and whenever it dies.
func TestDies(t *testing.T) {
	for name, kill := range map[string]func(*chip){
		"dead":  func(c *chip) { c.dead = true },
		"mute":  func(c *chip) { c.mute = true },
		"stuck": func(c *chip) { c.stuck = make(chan struct{}) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, tab := &chip{}, &table{}
				stop := start(tab, newReader(c, "red", nil))
				defer stop()
				settle(second)
				for i := range 60 {
					before := tab.health()
					if before.Health != engine.OK || before.Firmware != "fake 1.0" || before.Reason != "" {
						t.Fatalf("%d: before %+v", i, before)
					}
					c.with(kill)
					settle(2 * second)
					h := tab.health()
					if h.Health != engine.Broken || h.Reason == "" || h.LastGood.IsZero() ||
						time.Since(h.LastGood) > 2*second+defaultEvery {
						t.Fatalf("%d: two seconds after it died %+v", i, h)
					}
					settle(time.Duration(i) * 371 * time.Millisecond) // at any moment of its back-off
					c.with(func(c *chip) {
						if c.stuck != nil {
							close(c.stuck)
						}
						c.dead, c.mute, c.stuck = false, false, nil
					})
					settle(5 * second)
					if h := tab.health(); h.Health != engine.OK || h.Resets <= before.Resets {
						t.Fatalf("%d: five seconds after its recovery %+v", i, h)
					}
					settle(time.Duration(i) * 7 * time.Millisecond)
				}
			})
		})
	}
}

func TestReasons(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, tab := &chip{dead: true}, &table{}
		stop := start(tab, newReader(c, "red", nil))
		settle(2 * second)
		if h := tab.health(); h.Health != engine.Broken || h.Reason != "init: fake: the bus floats" || !h.LastGood.IsZero() ||
			h.Firmware != "" {
			t.Errorf("never there: %+v", h)
		}
		c.with(func(c *chip) { c.dead = false })
		settle(5 * second)
		c.with(func(c *chip) { c.mute = true })
		settle(2 * second)
		if h := tab.health(); h.Reason != "no answer within 500ms" {
			t.Errorf("mute: %+v", h)
		}
		c.with(func(c *chip) { c.mute = false })
		settle(5 * second)
		stop()
		c.with(func(c *chip) { c.stuck = make(chan struct{}) })
		stop = start(tab, newReader(c, "red", nil))
		settle(2 * second)
		if h := tab.health(); h.Reason != "no answer for 1.5s" {
			t.Errorf("stuck: %+v", h)
		}
		c.with(func(c *chip) { close(c.stuck); c.stuck = nil })
		stop()
	})
}

// TestBackOff checks that a chip that stays dead is tried again, more and more
// rarely.
func TestBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, tab := &chip{}, &table{}
		stop := start(tab, newReader(c, "red", nil))
		defer stop()
		settle(second)
		c.with(func(c *chip) { c.dead = true })
		settle(10 * second)
		inits, _, _ := c.counts()
		if inits < 8 || inits > 12 {
			t.Errorf("set up %d times in the first ten seconds", inits)
		}
		settle(time.Minute)
		again, _, _ := c.counts()
		if n := again - inits; n < 28 || n > 30 {
			t.Errorf("set up %d times in a minute", n)
		}
		tab.mu.Lock()
		defer tab.mu.Unlock()
		if n := len(tab.reports); n < 7 || n > 10 {
			t.Errorf("%d reports", n)
		}
	})
}

// TestBrownOutLoop checks that a chip that can be set up but not polled is tried
// rarely, too.
func TestBrownOutLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, tab := &chip{faulty: 1}, &table{}
		stop := start(tab, newReader(c, "red", nil))
		defer stop()
		settle(time.Minute)
		if inits, _, _ := c.counts(); inits > 35 {
			t.Errorf("set up %d times in a minute", inits)
		}
	})
}

// TestDegraded checks that errors are counted, and reported once if there are
// many.
func TestDegraded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, tab := &chip{}, &table{}
		stop := start(tab, newReader(c, "red", nil))
		defer stop()
		every := func(n int, wait time.Duration) engine.Part {
			c.with(func(c *chip) { c.faulty = n })
			settle(wait)
			return tab.health()
		}
		settle(second)
		if h := every(20, time.Minute); h.Health != engine.OK || h.ErrorRate < 0.04 || h.ErrorRate > 0.06 || h.Resets != 0 {
			t.Errorf("5 %% fail: %+v", h)
		}
		if h := every(3, 2*second); h.Health != engine.Degraded || !strings.Contains(h.Reason, "the bus floats") ||
			h.Resets != 0 {
			t.Errorf("33 %% fail: %+v", h)
		}
		reports := len(tab.reports)
		if h := every(6, 20*second); h.Health != engine.Degraded { // between the limits it stays
			t.Errorf("17 %% fail: %+v", h)
		}
		if n := len(tab.reports) - reports; n > 2 {
			t.Errorf("%d reports in 20 s of the same health", n)
		}
		if h := every(0, 2*second); h.Health != engine.OK || h.Reason != "" {
			t.Errorf("none fail: %+v", h)
		}
	})
}

// TestReportsAreRare checks that unchanged health is reported every ten seconds.
func TestReportsAreRare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, tab := &chip{}, &table{}
		stop := start(tab, newReader(c, "red", nil))
		defer stop()
		settle(time.Minute + second)
		if n := len(tab.reports); n != 7 {
			t.Errorf("%d reports in a minute", n)
		}
		for i := 1; i < len(tab.when); i++ {
			if d := tab.when[i].Sub(tab.when[i-1]); d < reportEvery || d > reportEvery+defaultEvery {
				t.Errorf("a report after %v", d)
			}
		}
		if h := tab.health(); h.Name != "reader red" || time.Since(h.LastGood) > second {
			t.Errorf("health %+v", h)
		}
	})
}

// TestAtTable checks that a table shows the health of a reader, and plays on
// while it is dead.
func TestAtTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab, err := device.New(device.Config{Dir: t.TempDir(), Games: tally.Games(), Tags: know})
		if err != nil {
			t.Fatal(err)
		}
		c := &chip{texts: map[string]string{"T1": "tableside:key/plus"}}
		r := newReader(c, "red", nil)
		tab.Add(device.Part{Name: "reader red", Source: r})
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- tab.Run(ctx) }()
		if r := tab.Do(ctx,
			engine.Order{Do: "begin", Setup: engine.Setup{Game: "tally/score"}}); r.Outcome != engine.Accepted {
			t.Fatalf("%+v", r)
		}
		health := func() engine.Part {
			settle(0)
			for _, p := range tab.Frame().Status.Health {
				if p.Name == "reader red" {
					return p
				}
			}
			return engine.Part{}
		}
		settle(second)
		c.lay("T1")
		settle(second)
		if f := tab.Frame(); f.View.Seq != 1 || f.Status.Receipt.Place != "red" || f.Status.Receipt.Seat != "red" {
			t.Errorf("frame %+v", f.Status.Receipt)
		}
		settle(time.Minute)
		if h := health(); h.Health != engine.OK || h.Firmware != "fake 1.0" {
			t.Errorf("health %+v", h)
		}
		c.with(func(c *chip) { c.dead = true })
		settle(2 * second)
		if h := health(); h.Health != engine.Broken {
			t.Errorf("health %+v", h)
		}
		if r := tab.Input(ctx, engine.Input{Seat: "red", Verb: engine.Key,
			Args: []string{"plus"}}); r.Outcome != engine.Accepted {
			t.Errorf("%+v", r)
		}
		c.with(func(c *chip) { c.dead = false })
		settle(5 * second)
		if h := health(); h.Health != engine.OK || tab.Frame().View.Seq != 2 {
			t.Errorf("health %+v, seq %d", h, tab.Frame().View.Seq)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestOKMeansTaps checks that a reader is reported OK only when a tag that is laid on it
// would be tapped, whatever its first polls are.
func TestOKMeansTaps(t *testing.T) {
	for name, fault := range map[string]func(c *chip, on bool){
		"clean":   func(*chip, bool) {},
		"blurred": func(c *chip, on bool) { c.blurred = on },
		"dead":    func(c *chip, on bool) { c.dead = on },
	} {
		for after := range 30 {
			synctest.Test(t, func(t *testing.T) {
				c, tab := &chip{}, &table{}
				c.with(func(c *chip) { fault(c, true) })
				defer start(tab, newReader(c, "red", nil))()
				settle(time.Duration(after) * 30 * time.Millisecond)
				c.with(func(c *chip) { fault(c, false) })
				for tab.health().Health != engine.OK {
					settle(time.Millisecond)
				}
				c.lay("C1")
				settle(second)
				if got := tab.heard(); got != "red+C1" {
					t.Errorf("%s for %d polls: heard %q", name, after, got)
				}
			})
		}
	}
}

// TestSlowTexts checks that a poll of several new tags is not cut off because their
// texts together take longer than one call may.
func TestSlowTexts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, tab := &chip{slow: 300 * time.Millisecond}, &table{}
		defer start(tab, newReader(c, "red", nil))()
		settle(second)
		c.lay("T1", "T2")
		settle(second)
		if got, inits := tab.heard(), c.inits; got != "red+T1, red+T2" || inits != 1 {
			t.Errorf("heard %q, set up %d times", got, inits)
		}
	})
}
