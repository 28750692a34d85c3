package main

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/drivers/wled"
	"tableside/drivers/wled/wledtest"
	"tableside/engine"
)

// wledPorts are ports beside which there is a network with a WLED.
type wledPorts struct {
	rig.Ports
	there *wledtest.WLED
}

func (p wledPorts) Network(o *wled.Opts) { o.Dial, o.Resolve = p.there.Dial, p.there.Resolve }

// askEvery is how often a WLED is asked.
const askEvery = 30 * time.Second

// sitLit begins a match at a table whose strip hangs on a WLED.
func sitLit(t *testing.T, w *wledtest.WLED, count int) *benched {
	t.Cleanup(w.Wait)
	return sitAt(t, scoring, func(c *chips) {
		c.Wiring.Lights = &config.Lights{Chip: "wled", Host: "wled-table.local", Count: count}
		c.Ports = wledPorts{c.Ports, w}
	})
}

// longestGap is the longest time without a frame since a moment.
func longestGap(w *wledtest.WLED, since time.Time) (longest time.Duration) {
	for _, at := range w.Frames() {
		if at.After(since) {
			longest, since = max(longest, at.Sub(since)), at
		}
	}
	return max(longest, time.Since(since))
}

// TestWLEDPlays holds a strip on a WLED against a wired one at a table where the
// same happens, once nothing moves any more. In between no second passes
// without a frame, and the WLED is asked no more than every 30 seconds. In the
// end it is on its own again.
func TestWLEDPlays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wledtest.New(demoLights)
		t.Cleanup(func() { // after the table has ended
			if w.Live() || w.Colours()[0] != wledtest.Orange {
				t.Error("the strip is not WLED's own again")
			}
			if v := w.Violations(); v != (wledtest.Violations{}) {
				t.Errorf("%+v", v)
			}
		})
		tables := []*benched{sit(t, scoring), sitLit(t, w, demoLights)}
		time.Sleep(2 * time.Second)
		began := time.Now()
		for _, b := range tables {
			if r := b.table.Input(t.Context(), engine.Input{Seat: "red", Verb: engine.Choose, Args: []string{"+40"}}); r.Outcome != engine.Accepted {
				t.Fatalf("%+v", r)
			}
		}
		time.Sleep(10*time.Minute + 10*time.Second)
		got, want := w.Colours(), tables[0].bench.strip.Colours()
		if !slices.Equal(got, want) || !slices.ContainsFunc(got, func(c color.NRGBA) bool { return c != color.NRGBA{A: 255} }) {
			t.Errorf("the WLED shows\n%v, a wired strip\n%v", got, want)
		}
		if gap := longestGap(w, began); gap > time.Second {
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

// TestWLEDFaults: what breaks is told, and works again soon after it was
// mended; meanwhile the match goes on, and nobody floods the network.
func TestWLEDFaults(t *testing.T) {
	for _, f := range []struct {
		name           string
		broken, mended func(*wledtest.WLED)
		told, again    time.Duration
		most           int // packets within 20 s, once it is told
		reason         string
	}{
		{"no route", (*wledtest.WLED).Refuse, (*wledtest.WLED).Revive, 2 * time.Second, 5 * time.Second, 0,
			"wled: wled-table.local does not answer: no route to host"},
		{"switched off", (*wledtest.WLED).Kill, (*wledtest.WLED).Revive, askEvery + 3*time.Second, 7 * time.Second, 0,
			"wled: wled-table.local does not answer: nothing within 2s"},
		{"firewall", func(w *wledtest.WLED) { w.Block(true) }, func(w *wledtest.WLED) { w.Block(false) },
			askEvery + time.Second, askEvery + time.Second, 20 * 31,
			"WLED answers, and shows nothing that is sent to its UDP port 4048"},
		{"another device", func(w *wledtest.WLED) {
			w.Answer(func(r http.ResponseWriter) { io.WriteString(r, "<html>") })
		}, func(w *wledtest.WLED) { w.Answer(nil) }, askEvery + time.Second, 5 * time.Second, 0,
			"wled: wled-table.local answers, but not as a WLED does"},
	} {
		t.Run(f.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := wledtest.New(demoLights)
				b := sitLit(t, w, demoLights)
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

// TestWLEDWarns: what works, and not as it should, is degraded for as long as it
// lasts; a WLED that is too busy to answer is well.
func TestWLEDWarns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wledtest.New(10)
		w.Kill()
		b := sitLit(t, w, demoLights)
		time.Sleep(10 * time.Second)
		if p := b.health("lights"); p.Health != engine.Degraded && p.Health != engine.Broken {
			t.Errorf("nobody is there: %+v", p)
		}
		w.Revive()
		time.Sleep(time.Minute)
		if p := b.health("lights"); p.Health != engine.Degraded || p.Reason != "WLED 0.14.4 with 10 LEDs, and [lights] count is 24" {
			t.Errorf("%+v", p)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		w := wledtest.New(demoLights)
		b := sitLit(t, w, demoLights)
		time.Sleep(time.Second)
		w.Busy()
		time.Sleep(5 * time.Minute)
		if p := b.health("lights"); p.Health != engine.OK || p.Firmware != "WLED 0.14.4 with 24 LEDs" {
			t.Errorf("%+v", p)
		}
		w.Answer(nil)
	})
}

// TestDoctorWLED: the doctor finds a WLED, or says what to do.
func TestDoctorWLED(t *testing.T) {
	for _, test := range []struct {
		name      string
		do        func(*wledtest.WLED)
		try, ok   bool
		text, fix string
	}{
		{"there", func(w *wledtest.WLED) { w.Name = "Bar" }, false, true, `WLED 0.14.4 with 60 LEDs at 192.0.2.7, called "Bar"`, ""},
		{"shows", func(*wledtest.WLED) {}, true, true, "then a rainbow over 60", ""},
		{"blocked", func(w *wledtest.WLED) { w.Block(true) }, true, false, "shows nothing that is sent to its UDP port 4048", "firewall"},
		{"away", (*wledtest.WLED).Kill, true, false, "wled: wled-table.local does not answer: nothing within 2s", "http://wled-table.local"},
		{"away", (*wledtest.WLED).Refuse, false, false, "no route to host", "is it on"},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := wledtest.New(60)
			test.do(w)
			defer w.Wait()
			c, err := newChips([]engine.Seat{"red"})
			if err != nil {
				t.Fatal(err)
			}
			var errs bytes.Buffer
			d := &doctor{program: &program{err: &errs}, ports: wledPorts{c.bench, w}, root: t.TempDir(), try: test.try}
			began := time.Now()
			order := make(chan []color.NRGBA, 1)
			time.AfterFunc(tryOrder-100*time.Millisecond, func() { order <- w.Colours()[:4] })
			strip := &config.Lights{Chip: "wled", Host: "wled-table.local", Count: 60}
			d.hardware(t.Context(), &config.Config{Wiring: config.Wiring{Lights: strip}}, false)
			f := said(d.findings, "lights")
			if len(d.findings) != 1 || f.OK != test.ok || !strings.Contains(f.Text, test.text) || !strings.Contains(f.Fix, test.fix) {
				t.Errorf("%s: %+v", test.name, d.findings)
			}
			if test.try && test.ok {
				want := []color.NRGBA{{R: 255, A: 255}, {G: 255, A: 255}, {B: 255, A: 255}, {A: 255}}
				if shown := <-order; !slices.Equal(shown, want) || longestGap(w, began) > time.Second || !strings.Contains(errs.String(), "one red, one green") {
					t.Errorf("it begins with %v; %s", shown, errs.String())
				}
			}
			if w.Live() {
				t.Errorf("%s: it is not given back", test.name)
			}
			time.Sleep(tryOrder)
		})
	}
	// What was not found, and one with too few LEDs.
	for err, want := range map[error]string{wled.ErrUnknownName: "mDNS address", &rig.NoAvahi{Err: io.EOF}: "apt install avahi-daemon"} {
		if got := mendWLED(err, "x"); !strings.Contains(got, want) {
			t.Errorf("%v: %s", err, got)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		w := wledtest.New(30)
		defer w.Wait()
		d := &doctor{ports: wledPorts{nil, w}}
		d.wled(t.Context(), rig.NewParts(d.ports, &config.Wiring{}), &config.Lights{Host: "wled-table.local", Count: 60})
		if f := d.findings[0]; f.OK || f.Text != "WLED 0.14.4 with 30 LEDs, and [lights] count is 60" || !strings.HasPrefix(f.Fix, "set count = 30") {
			t.Errorf("%+v", f)
		}
	})
}
