package doctor

import (
	"bytes"
	"image/color"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/cmd/tableside/bench"
	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/drivers/wled"
	"tableside/drivers/wled/wledtest"
	"tableside/engine"
)

// wledPorts adds a network with an emulated WLED to other ports.
type wledPorts struct {
	rig.Ports
	there *wledtest.WLED
}

// Network implements rig.Networked.
func (p wledPorts) Network(o *wled.Opts) { o.Dial, o.Resolve = p.there.Dial, p.there.Resolve }

// TestDoctorWLED tests the findings about a WLED.
func TestDoctorWLED(t *testing.T) {
	for _, test := range []struct {
		name      string
		do        func(*wledtest.WLED)
		try, ok   bool
		text, fix string
	}{
		{"there", func(w *wledtest.WLED) { w.Name = "Bar" }, false, true,
			`WLED 0.14.4 with 60 LEDs at 192.0.2.7, called "Bar"`, ""},
		{"shows", func(*wledtest.WLED) {}, true, true, "then a rainbow over 60", ""},
		{"blocked", func(w *wledtest.WLED) { w.Block(true) }, true, false, "shows nothing that is sent to its UDP port 4048",
			"firewall"},
		{"overridden", func(w *wledtest.WLED) { w.SetOverride(true) }, true, false, "its live override is on", `{"lor":0}`},
		{"overridden", func(w *wledtest.WLED) { w.SetOverride(true) }, false, false, "its live override is on", ""},
		{"away", (*wledtest.WLED).Kill, true, false, "wled: wled-table.local does not answer: nothing within 2s",
			"http://wled-table.local"},
		{"away", (*wledtest.WLED).Refuse, false, false, "no route to host", "is it on"},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := wledtest.New(60)
			test.do(w)
			defer w.Wait()
			c, err := bench.NewChips([]engine.Seat{"red"})
			if err != nil {
				t.Fatal(err)
			}
			var errs bytes.Buffer
			d := &doctor{Config: Config{Out: &errs, root: t.TempDir(), Try: test.try},
				ports: wledPorts{c.Bench, w}}
			began := time.Now()
			order := make(chan []color.NRGBA, 1)
			time.AfterFunc(orderTime-100*time.Millisecond, func() { order <- w.Colours()[:4] })
			strip := &config.Lights{Chip: "wled", Host: "wled-table.local", Count: 60}
			d.checkHardware(t.Context(), &config.Config{Wiring: config.Wiring{Lights: strip}}, false)
			f := findingOf(d.findings, "lights")
			if len(d.findings) != 1 || f.OK != test.ok || !strings.Contains(f.Text, test.text) ||
				!strings.Contains(f.Fix, test.fix) {
				t.Errorf("%s: %+v", test.name, d.findings)
			}
			if test.try && test.ok {
				want := []color.NRGBA{{R: 255, A: 255}, {G: 255, A: 255}, {B: 255, A: 255}, {A: 255}}
				if shown := <-order; !slices.Equal(shown, want) || w.LongestGap(began) > time.Second ||
					!strings.Contains(errs.String(), "one red, one green") {
					t.Errorf("it begins with %v; %s", shown, errs.String())
				}
			}
			if w.Live() {
				t.Errorf("%s: it is not given back", test.name)
			}
			time.Sleep(orderTime)
		})
	}
	// A WLED that is not found, and one with too few LEDs.
	for err, want := range map[error]string{wled.ErrUnknownName: "mDNS address",
		&rig.NoAvahiError{Err: io.EOF}: "apt install avahi-daemon"} {
		if got := wledFix(err, "x"); !strings.Contains(got, want) {
			t.Errorf("%v: %s", err, got)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		w := wledtest.New(30)
		defer w.Wait()
		d := &doctor{ports: wledPorts{nil, w}}
		d.wled(t.Context(), rig.NewParts(d.ports, &config.Wiring{}), &config.Lights{Host: "wled-table.local", Count: 60})
		if f := d.findings[0]; f.OK || f.Text != "WLED 0.14.4 with 30 LEDs, but [lights] count is 60" ||
			!strings.HasPrefix(f.Fix, "set count = 30") {
			t.Errorf("%+v", f)
		}
	})
}
