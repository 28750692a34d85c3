package lights

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/display/displaytest"
	"tableside/engine"
	"tableside/engine/enginetest"
)

const ms = time.Millisecond

func after(f engine.Frame, o engine.Outcome, seat engine.Seat, events ...engine.Event) engine.Frame {
	f.Status.Receipt = &engine.Receipt{Outcome: o, Seat: seat, N: 1}
	f.Events = events
	return f
}

func foreseen(f engine.Frame) engine.Frame {
	f.Status.Chances = &engine.Chances{Of: 100, List: []engine.Chance{{Seat: "red", Mean: .68}, {Seat: "blue", Mean: .32}}}
	return f
}

var scenes = []struct {
	name   string
	frame  engine.Frame
	layout Layout
	times  []time.Duration
}{
	{"mutants-4-one-led-a-space", displaytest.Mutants4(engine.English), Layout{LEDs: 12},
		[]time.Duration{0, 400 * ms, 600 * ms, 700 * ms, 1400 * ms, 2000 * ms, 2100 * ms}},
	{"mutants-4-five-leds-a-space", displaytest.Mutants4(engine.English), Layout{LEDs: 60},
		[]time.Duration{0, 550 * ms, 750 * ms, 2000 * ms, restAfter}},
	{"mutants-16-reversed", displaytest.Mutants16(engine.English), Layout{LEDs: 16, Reverse: true},
		[]time.Duration{0, 700 * ms, 1400 * ms, 2100 * ms}},
	{"mutants-too-few-leds", displaytest.Mutants4(engine.English), Layout{LEDs: 7}, []time.Duration{0}},
	{"mindbug-bars", displaytest.Mindbug(engine.English), Layout{LEDs: 24}, []time.Duration{0, 550 * ms, 2000 * ms}},
	{"tally-bars", displaytest.Tally(engine.English), Layout{LEDs: 40}, []time.Duration{0, 550 * ms, 2000 * ms}},
	{"accepted", after(displaytest.Mutants2(engine.English), engine.Accepted, "red"), Layout{LEDs: 24},
		[]time.Duration{0, 80 * ms, 160 * ms, 240 * ms, 320 * ms, 400 * ms, 420 * ms}},
	{"accepted-bars", after(displaytest.Mindbug(engine.English), engine.Accepted, "blue"), Layout{LEDs: 24},
		[]time.Duration{0, 80 * ms, 240 * ms, 420 * ms}},
	{"refused", after(displaytest.Mutants2(engine.English), engine.Refused, "red"), Layout{LEDs: 12},
		[]time.Duration{0, 80 * ms, 240 * ms, 360 * ms, 480 * ms, 560 * ms}},
	{"unknown", after(displaytest.Mutants2(engine.English), engine.Unknown, "red"), Layout{LEDs: 12},
		[]time.Duration{0, 80 * ms, 160 * ms, 320 * ms, 480 * ms, 640 * ms}},
	{"undo", after(displaytest.Mutants2(engine.English), engine.Accepted, "red", engine.Event{Name: "undo", Seat: "red"}),
		Layout{LEDs: 24}, []time.Duration{0, 120 * ms, 240 * ms, 360 * ms, 480 * ms, 600 * ms}},
	{"chances", foreseen(displaytest.Mutants2(engine.English)), Layout{LEDs: 34, Chances: 10}, []time.Duration{0, restAfter}},
	{"winner", displaytest.Winner(engine.English), Layout{LEDs: 24},
		[]time.Duration{0, 600 * ms, 1200 * ms, 2400 * ms, 3200 * ms, waveTime}},
	{"shared-win", displaytest.SharedWin(engine.English), Layout{LEDs: 24}, []time.Duration{0, 1600 * ms, waveTime}},
	{"hurry", displaytest.Timed(engine.English), Layout{LEDs: 24}, []time.Duration{0, 2 * blink, 4 * blink, restAfter}},
	{"empty", displaytest.Empty(engine.English), Layout{LEDs: 12}, []time.Duration{0}},
	{"nothing-kept", displaytest.Trouble(engine.English), Layout{LEDs: 12}, []time.Duration{0, warningBlink}},
}

// TestGolden compares every scene with a row of colours for each moment, and
// some scenes with a picture.
func TestGolden(t *testing.T) {
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			var rows strings.Builder
			var strips []*image.NRGBA
			for _, since := range s.times {
				leds := Draw(s.frame, s.layout, since)
				fmt.Fprintf(&rows, "%9v", since)
				for _, c := range leds {
					if c == (color.NRGBA{A: 255}) {
						rows.WriteString(" ------")
						continue
					}
					fmt.Fprintf(&rows, " %02x%02x%02x", c.R, c.G, c.B)
				}
				rows.WriteByte('\n')
				strips = append(strips, Picture(leds))
			}
			enginetest.Golden(t, filepath.Join("testdata", s.name+".txt"), rows.String())
			if slices.Contains([]string{"mutants-4-five-leds-a-space", "mindbug-bars", "refused"}, s.name) {
				displaytest.Golden(t, filepath.Join("testdata", s.name+".png"), below(strips))
			}
		})
	}
}

func below(all []*image.NRGBA) *image.NRGBA {
	w, h := all[0].Rect.Dx(), all[0].Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, w, h*len(all)))
	for i, p := range all {
		draw.Draw(out, image.Rect(0, i*h, w, (i+1)*h), p, image.Point{}, draw.Src)
	}
	return out
}
