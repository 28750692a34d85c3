package lights

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/display/text/sample"
	"tableside/engine"
)

var update = flag.Bool("update", false, "write the golden files anew")

const ms = time.Millisecond

// after is a frame that answers an input.
func after(f engine.Frame, o engine.Outcome, seat engine.Seat, events ...engine.Event) engine.Frame {
	f.Status.Receipt = &engine.Receipt{Outcome: o, Seat: seat, N: 1}
	f.Events = events
	return f
}

var scenes = []struct {
	name   string
	frame  engine.Frame
	layout Layout
	times  []time.Duration
}{
	{"mutants-4-one-led-a-space", sample.Mutants4(engine.English), Layout{LEDs: 12}, []time.Duration{0, 400 * ms, 600 * ms, 700 * ms, 1400 * ms, 2000 * ms, 2100 * ms}},
	{"mutants-4-five-leds-a-space", sample.Mutants4(engine.English), Layout{LEDs: 60}, []time.Duration{0, 550 * ms, 750 * ms, 2000 * ms, rest}},
	{"mutants-16-reversed", sample.Mutants16(engine.English), Layout{LEDs: 16, Reverse: true}, []time.Duration{0, 700 * ms, 1400 * ms, 2100 * ms}},
	{"mutants-too-few-leds", sample.Mutants4(engine.English), Layout{LEDs: 7}, []time.Duration{0}},
	{"mindbug-bars", sample.Mindbug(engine.English), Layout{LEDs: 24}, []time.Duration{0, 550 * ms, 2000 * ms}},
	{"tally-bars", sample.Tally(engine.English), Layout{LEDs: 40}, []time.Duration{0, 550 * ms, 2000 * ms}},
	{"accepted", after(sample.Mutants2(engine.English), engine.Accepted, "red"), Layout{LEDs: 24}, []time.Duration{0, 80 * ms, 160 * ms, 240 * ms, 320 * ms, 400 * ms, 420 * ms}},
	{"accepted-bars", after(sample.Mindbug(engine.English), engine.Accepted, "blue"), Layout{LEDs: 24}, []time.Duration{0, 80 * ms, 240 * ms, 420 * ms}},
	{"refused", after(sample.Mutants2(engine.English), engine.Refused, "red"), Layout{LEDs: 12}, []time.Duration{0, 80 * ms, 240 * ms, 360 * ms, 480 * ms, 560 * ms}},
	{"unknown", after(sample.Mutants2(engine.English), engine.Unknown, "red"), Layout{LEDs: 12}, []time.Duration{0, 80 * ms, 160 * ms, 320 * ms, 480 * ms, 640 * ms}},
	{"undo", after(sample.Mutants2(engine.English), engine.Accepted, "red", engine.Event{Name: "undo", Seat: "red"}), Layout{LEDs: 24}, []time.Duration{0, 120 * ms, 240 * ms, 360 * ms, 480 * ms, 600 * ms}},
	{"winner", sample.Winner(engine.English), Layout{LEDs: 24}, []time.Duration{0, 600 * ms, 1200 * ms, 2400 * ms, 3200 * ms, party}},
	{"shared-win", sample.SharedWin(engine.English), Layout{LEDs: 24}, []time.Duration{0, 1600 * ms, party}},
	{"empty", sample.Empty(engine.English), Layout{LEDs: 12}, []time.Duration{0}},
	{"nothing-kept", sample.Trouble(engine.English), Layout{LEDs: 12}, []time.Duration{0, warning}},
}

// TestGolden holds every scene against a row of colours for each moment, and
// some against a picture.
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
			compare(t, filepath.Join("testdata", s.name+".txt"), []byte(rows.String()))
			if slices.Contains([]string{"mutants-4-five-leds-a-space", "mindbug-bars", "refused"}, s.name) {
				var b bytes.Buffer
				if err := png.Encode(&b, below(strips)); err != nil {
					t.Fatal(err)
				}
				comparePicture(t, filepath.Join("testdata", s.name+".png"), b.Bytes())
			}
		})
	}
}

// below puts pictures below one another.
func below(all []*image.NRGBA) *image.NRGBA {
	w, h := all[0].Rect.Dx(), all[0].Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, w, h*len(all)))
	for i, p := range all {
		draw.Draw(out, image.Rect(0, i*h, w, (i+1)*h), p, image.Point{}, draw.Src)
	}
	return out
}

func compare(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (make it with -update, then look at it)", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs:\n%s\nwant:\n%s", file, got, want)
	}
}

// comparePicture compares the pixels: encoders may change. One step of a
// colour is the difference between processors that fuse a multiplication
// with an addition and those that do not.
func comparePicture(t *testing.T, file string, data []byte) {
	t.Helper()
	if *update {
		compare(t, file, data)
		return
	}
	stored, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := png.Decode(bytes.NewReader(stored))
	if err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if got.Bounds() != want.Bounds() {
		t.Fatalf("%s is %v, want %v", file, got.Bounds(), want.Bounds())
	}
	for y := range got.Bounds().Dy() {
		for x := range got.Bounds().Dx() {
			a, b := color.NRGBAModel.Convert(got.At(x, y)).(color.NRGBA), color.NRGBAModel.Convert(want.At(x, y)).(color.NRGBA)
			if apart(a.R, b.R) > 1 || apart(a.G, b.G) > 1 || apart(a.B, b.B) > 1 {
				t.Fatalf("%s: pixel %d,%d is %v, want %v", file, x, y, a, b)
			}
		}
	}
}

func apart(a, b uint8) int { return max(int(a), int(b)) - min(int(a), int(b)) }
