package main

import (
	"image/color"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/display/web/setup"
	"tableside/drivers/epaper"
	"tableside/drivers/epaper/epapertest"
	"tableside/drivers/ledstrip"
	"tableside/drivers/ledstrip/ledstriptest"
	"tableside/engine"
)

// TestSetUpOutputs tests that a panel and a strip on the header are chosen, tested,
// replaced and removed while the table runs, and that a part that finds no pin is
// refused.
func TestSetUpOutputs(t *testing.T) {
	t.Parallel()
	p := plugIn(t)
	glass, err := epapertest.New("waveshare-2in13-v4")
	if err != nil {
		t.Fatal(err)
	}
	wires := glass.Pins()
	p.bench.Buses["SPI0.0"] = glass.SPI()
	p.bench.Pins["GPIO25"], p.bench.Pins["GPIO24"], p.bench.Pins["GPIO17"] = wires.DC, wires.Busy, wires.Reset
	stop := p.run()
	accepted := func(o setup.Order) {
		t.Helper()
		if code, why := p.order(o); code != http.StatusOK {
			t.Errorf("%+v: %d %s", o, code, why)
		}
	}
	works := func(part, kind string) {
		t.Helper()
		p.until(part+" works", func(s setup.State) bool {
			return slices.ContainsFunc(s.Parts, func(p setup.Part) bool {
				return p.Name == part && p.Device == kind && p.Health == engine.OK
			})
		})
	}
	if s := p.state(); len(s.Panels) < 10 || !slices.Contains(s.Strips, "apa102") {
		t.Errorf("panels %v, strips %v", s.Panels, s.Strips)
	}
	accepted(setup.Order{Do: "panel", Model: "waveshare-2in13-v4"})
	works("panel", "waveshare-2in13-v4")
	if code, why := p.order(setup.Order{Do: "lights", Chip: "ws2812", Count: 30}); code != http.StatusConflict ||
		!strings.HasSuffix(why, ": SPI0.0: used by both panel and lights") {
		t.Errorf("a strip beside the panel: %d %s", code, why)
	}
	if code, why := p.order(setup.Order{Do: "test", Part: "reader-table"}); code != http.StatusConflict ||
		why != "reader-table has no test picture" {
		t.Errorf("a reader shows a picture: %d %s", code, why)
	}
	black := func() bool { // two points of the test picture
		picture := glass.Glass()
		return isBlack(picture.At(20, 12)) && isBlack(picture.At(0, 60))
	}
	accepted(setup.Order{Do: "test", Part: "panel"})
	seen := false // the answer may come late
	p.until("a test picture", func(s setup.State) bool {
		seen = seen || black()
		return seen && s.Last.OK && strings.HasPrefix(s.Last.Text, "Look at the panel")
	})
	accepted(setup.Order{Do: "panel", Model: "waveshare-2in13-v4", Power: true}) // there is no GPIO18
	p.until("the panel is ill", func(s setup.State) bool {
		return slices.ContainsFunc(s.Parts, func(p setup.Part) bool { return p.Name == "panel" && p.Health != engine.OK })
	})
	accepted(setup.Order{Do: "panel", Model: "waveshare-2in13-v4"})
	works("panel", "waveshare-2in13-v4")
	accepted(setup.Order{Do: "remove", Part: "panel"})

	strip := ledstriptest.New(ledstrip.WS2812, 30)
	p.bench.Buses["SPI0.0"] = strip.SPI()
	accepted(setup.Order{Do: "lights", Chip: "ws2812", Count: 30, Limit: 500})
	works("lights", "ws2812")
	accepted(setup.Order{Do: "test", Part: "lights"})
	p.until("test colours", func(s setup.State) bool {
		lit := strip.Colours()
		return strings.HasPrefix(s.Last.Text, "Sent to the strip: ") &&
			lit[0].R > 0 && lit[0].G == 0 && lit[1].G > 0 && lit[3].R == 0
	})
	accepted(setup.Order{Do: "remove", Part: "lights"})
	stop()
	kept, err := os.ReadFile(filepath.Join(p.data, config.SetupFile))
	if err != nil || strings.Contains(string(kept), "[panel]") || strings.Contains(string(kept), "[lights]") {
		t.Errorf("kept:\n%s%v", kept, err)
	}
}

// TestSetUpInky tests that an Inky on the header is used where nothing is configured: it
// says so, until somebody removes it.
func TestSetUpInky(t *testing.T) {
	t.Parallel()
	p := plugIn(t)
	glass, err := epapertest.New("inky-phat")
	if err != nil {
		t.Fatal(err)
	}
	glass.SetSpeed(10) // it takes 1.5 s instead of 15; to the driver, less than half a second is a fault
	wires := glass.Pins()
	p.bench.Buses["SPI0.0"] = glass.SPI()
	p.bench.Pins["GPIO22"], p.bench.Pins["GPIO17"], p.bench.Pins["GPIO27"] = wires.DC, wires.Busy, wires.Reset
	p.bench.Wires.Put(epaper.InkyAddress, epapertest.NewEEPROM(epapertest.Inky(250, 122, 7, 12, 10)))
	stop := p.run()
	defer stop()
	drawn := func() (ink int) {
		picture := glass.Glass()
		for y := range picture.Rect.Dy() {
			for x := range picture.Rect.Dx() {
				if isBlack(picture.At(x, y)) {
					ink++
				}
			}
		}
		return ink
	}
	p.until("the panel says something", func(s setup.State) bool {
		if !s.Open || !slices.ContainsFunc(s.Parts, func(p setup.Part) bool {
			return p.Name == "panel" && p.Device == "inky-phat" && p.Health == engine.OK && !p.Written
		}) {
			return false
		}
		ink := drawn()
		return ink > 1000 && ink < 250*122/2
	})
	if code, why := p.order(setup.Order{Do: "remove", Part: "panel"}); code != http.StatusOK {
		t.Errorf("%d %s", code, why)
	}
	if s := p.state(); !slices.ContainsFunc(s.Found, func(f setup.Found) bool { return f.Kind == rig.FoundPanel }) {
		t.Errorf("it was removed, and is not offered: %+v", s.Found)
	}
}

func isBlack(c color.Color) bool { return color.GrayModel.Convert(c).(color.Gray).Y < 64 }
