package bench

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"io"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/device"
	"tableside/drivers/wled"
	"tableside/drivers/wled/wledtest"
	"tableside/engine"
)

// askEvery is the interval of the polls of a WLED.
const askEvery = 30 * time.Second

// wledPorts adds a network with an emulated WLED to other ports.
type wledPorts struct {
	rig.Ports
	there *wledtest.WLED
}

// Network implements rig.Networked.
func (p wledPorts) Network(o *wled.Opts) { o.Dial, o.Resolve = p.there.Dial, p.there.Resolve }

// sitLit begins a match at a table with its strip on a WLED and without readers, whose
// polls would take most of the time.
func sitLit(t *testing.T, w *wledtest.WLED, count int) *benched {
	t.Cleanup(w.Wait)
	return sitAt(t, scoring, func(c *Chips) {
		keepReaders(c)
		c.Wiring.Lights = &config.Lights{Chip: "wled", Host: "wled-table.local", Count: count}
		c.Ports = wledPorts{c.Ports, w}
	})
}

// TestWLEDPlays tests that a strip on a WLED ends with the picture of a wired one after
// the same match. Meanwhile no second passes without a frame, and the WLED is polled
// no more than every 30 seconds. At the end it shows its own effects again.
func TestWLEDPlays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wledtest.New(DemoLights)
		t.Cleanup(func() { // after the table has ended
			if w.Live() || w.Colours()[0] != wledtest.Orange {
				t.Error("the strip is not WLED's own again")
			}
			if v := w.Violations(); v != (wledtest.Violations{}) {
				t.Errorf("%+v", v)
			}
		})
		wired := sitAt(t, scoring, func(c *Chips) { keepReaders(c) })
		tables := []*benched{wired, sitLit(t, w, DemoLights)}
		time.Sleep(2 * time.Second)
		began := time.Now()
		for _, b := range tables {
			if r := b.table.Input(t.Context(), engine.Input{Seat: "red", Verb: engine.Choose,
				Args: []string{"+40"}}); r.Outcome != engine.Accepted {
				t.Fatalf("%+v", r)
			}
		}
		time.Sleep(10*time.Minute + 10*time.Second)
		got, want := w.Colours(), wired.Bench.Strip.Colours()
		if !slices.Equal(got, want) || !slices.ContainsFunc(got,
			func(c color.NRGBA) bool { return c != color.NRGBA{A: 255} }) {
			t.Errorf("the WLED shows\n%v, a wired strip\n%v", got, want)
		}
		if gap := w.LongestGap(began); gap > time.Second {
			t.Errorf("%v without a frame", gap)
		}
		if asks := len(w.Asks()); asks < 20 || asks > 22 {
			t.Errorf("asked %d times in ten minutes", asks)
		}
		p := tables[1].health("lights")
		if p.Health != engine.OK || p.Firmware != "WLED 0.14.4 with 24 LEDs" || time.Since(p.LastGood) > askEvery {
			t.Errorf("%+v", p)
		}
	})
}

// TestWLEDFaults tests that a fault is reported, that the strip works again soon after
// its end, and that meanwhile the match goes on and the network is not flooded.
func TestWLEDFaults(t *testing.T) {
	for _, f := range []struct {
		name           string
		broken, mended func(*wledtest.WLED)
		told, again    time.Duration
		most           int // packets within 20 s after the report
		reason         string
	}{
		{"no route", (*wledtest.WLED).Refuse, (*wledtest.WLED).Revive, 2 * time.Second, 5 * time.Second, 0,
			"wled: wled-table.local does not answer: no route to host"},
		{"switched off", (*wledtest.WLED).Kill, (*wledtest.WLED).Revive, askEvery + 3*time.Second, 7 * time.Second, 0,
			"wled: wled-table.local does not answer: nothing within 2s"},
		{"firewall", func(w *wledtest.WLED) { w.Block(true) }, func(w *wledtest.WLED) { w.Block(false) },
			askEvery + time.Second, askEvery + time.Second, 20 * 31,
			"WLED answers, but shows nothing that is sent to its UDP port 4048"},
		{"another device", func(w *wledtest.WLED) {
			w.Answer(func(r http.ResponseWriter) { io.WriteString(r, "<html>") })
		}, func(w *wledtest.WLED) { w.Answer(nil) }, askEvery + time.Second, 5 * time.Second, 0,
			"wled: wled-table.local answers, but not as a WLED does"},
	} {
		t.Run(f.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := wledtest.New(DemoLights)
				b := sitLit(t, w, DemoLights)
				b.within(time.Second, "lights", true)
				time.Sleep(3 * time.Second)
				f.broken(w)
				b.within(f.told, "lights", false)
				time.Sleep(20 * time.Second) // the table gets used to it
				before := w.Packets()
				time.Sleep(20 * time.Second)
				if n := w.Packets() - before; n > f.most {
					t.Errorf("%d packets to nobody", n)
				}
				if p := b.health("lights"); p.Health == engine.OK || p.Reason != f.reason {
					t.Errorf("%+v, want %s", p, f.reason)
				}
				f.mended(w)
				b.within(f.again, "lights", true)
				b.changes("the strip", func() string { return fmt.Sprint(w.Colours()) })
			})
		})
	}
}

// TestWLEDTest tests that the test of the strip succeeds only if the WLED shows the test
// colours, and says otherwise why it does not.
func TestWLEDTest(t *testing.T) {
	const silent = "wled: wled-table.local does not answer: "
	for name, f := range map[string]struct {
		broken func(*wledtest.WLED)
		reason string
	}{
		"works":        {func(*wledtest.WLED) {}, ""},
		"no route":     {(*wledtest.WLED).Refuse, silent + "no route to host"},
		"switched off": {(*wledtest.WLED).Kill, silent + "nothing within 2s"},
		"firewall": {func(w *wledtest.WLED) { w.Block(true) },
			"WLED answers, but shows nothing that is sent to its UDP port 4048"},
		"override": {func(w *wledtest.WLED) { w.SetOverride(true) }, rig.ErrOverridden.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := wledtest.New(DemoLights)
				b := sitLit(t, w, DemoLights)
				b.within(time.Second, "lights", true)
				f.broken(w)
				time.Sleep(4 * time.Second) // the live mode has ended; nobody has asked yet
				for _, when := range []struct {
					name string
					wait time.Duration
				}{{"at once", 0}, {"when it is reported", 2 * askEvery}} {
					time.Sleep(when.wait)
					got, began := "", time.Now()
					if err := b.strip().Test(t.Context()); err != nil {
						got = err.Error()
					}
					if took := time.Since(began); got != f.reason || took > 10*time.Second {
						t.Errorf("%s: got %q after %v, want %q", when.name, got, took, f.reason)
					}
				}
			})
		})
	}
}

// TestWLEDTestEnds tests that a test of the strip ends with its context.
func TestWLEDTestEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := sitLit(t, wledtest.New(DemoLights), DemoLights)
		b.within(time.Second, "lights", true)
		const limit = 200 * time.Millisecond
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		began := time.Now()
		if err := b.strip().Test(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != limit {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

func (b *benched) strip() interface{ Test(context.Context) error } {
	i := slices.IndexFunc(b.Parts.All, func(p device.Part) bool { return p.Name == "lights" })
	return b.Parts.All[i].Output.(interface{ Test(context.Context) error })
}

// TestWLEDWarns tests that a WLED with a problem is degraded as long as that lasts,
// and that one that is only too busy to answer is OK.
func TestWLEDWarns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wledtest.New(10)
		w.Kill()
		b := sitLit(t, w, DemoLights)
		time.Sleep(10 * time.Second)
		if p := b.health("lights"); p.Health != engine.Degraded && p.Health != engine.Broken {
			t.Errorf("nobody is there: %+v", p)
		}
		w.Revive()
		time.Sleep(time.Minute)
		if p := b.health("lights"); p.Health != engine.Degraded ||
			p.Reason != "WLED 0.14.4 with 10 LEDs, but [lights] count is 24" {
			t.Errorf("%+v", p)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		w := wledtest.New(DemoLights)
		b := sitLit(t, w, DemoLights)
		time.Sleep(time.Second)
		w.Busy()
		time.Sleep(5 * time.Minute)
		if p := b.health("lights"); p.Health != engine.OK || p.Firmware != "WLED 0.14.4 with 24 LEDs" {
			t.Errorf("%+v", p)
		}
		w.Answer(nil)
	})
}
