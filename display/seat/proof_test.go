package seat

import (
	"fmt"
	"image"
	"math/rand/v2"
	"testing"

	"tableside/display/canvas"
	"tableside/display/displaytest"
	"tableside/engine"
)

// allSizes lists the sizes of real screens, and some that do not exist.
var allSizes = []image.Point{{128, 64}, {128, 32}, {128, 128}, {256, 64}, {96, 48}, {128, 47}, {64, 48}, {40, 20},
	{7, 7}, {1, 1}, {0, 0}}

// TestNothingOverlaps draws every sample and many made-up frames at every size.
// Words must not overlap, and are cut only by an ellipsis.
func TestNothingOverlaps(t *testing.T) {
	frames := 40
	if testing.Short() {
		frames = 10
	}
	for _, seat := range []engine.Seat{"red", "seat0", "nobody"} {
		p := NewPainter(seat)
		for _, size := range allSizes {
			for _, s := range displaytest.Samples() {
				prove(t, p, fmt.Sprintf("%s at %v for %s", s.Name, size, seat), s.Frame, size)
			}
			chance := rand.New(rand.NewPCG(uint64(size.X), uint64(size.Y)))
			for i := range frames {
				prove(t, p, fmt.Sprintf("frame %d at %v for %s", i, size, seat), displaytest.MadeUp(chance), size)
			}
		}
	}
}

func prove(t *testing.T, p *Painter, name string, f engine.Frame, size image.Point) {
	t.Helper()
	c := canvas.NewTight(size, Glow)
	p.paint(c, f)
	if size.X < 128 || size.Y < 32 {
		return // too small for most text: drawing must only not panic
	}
	displaytest.CheckTexts(t, name, c.Proof)
	if len(c.Boxes) == 0 {
		t.Errorf("%s: nothing is written", name)
	}
}

// TestWhoIsAsked checks that only the screen of the seat concerned shows a
// question, or the reason of a refusal, with a filled header.
func TestWhoIsAsked(t *testing.T) {
	called := func(f engine.Frame, seat engine.Seat) bool {
		img := NewPainter(seat).Draw(f, image.Pt(128, 64))
		return img.ColorIndexAt(0, 0) == uint8(lit)
	}
	for name, test := range map[string]struct {
		frame engine.Frame
		want  map[engine.Seat]bool
	}{
		"one is asked": {displaytest.Mutants4(engine.English),
			map[engine.Seat]bool{"yellow": true, "red": false, "blue": false, "green": false}},
		"out of turn":        {displaytest.MindbugBlock(engine.English), map[engine.Seat]bool{"red": true, "blue": false}},
		"everybody is asked": {displaytest.SharedWin(engine.English), map[engine.Seat]bool{"red": true, "blue": true}},
		"one is refused":     {displaytest.Refused(engine.English), map[engine.Seat]bool{"red": true, "blue": false}},
		"before a match":     {displaytest.Empty(engine.English), map[engine.Seat]bool{"red": true, "blue": true}},
		"nobody is asked":    {displaytest.Winner(engine.English), map[engine.Seat]bool{"red": false, "blue": false}},
	} {
		for seat, want := range test.want {
			if got := called(test.frame, seat); got != want {
				t.Errorf("%s: %s has a filled header: %v, want %v", name, seat, got, want)
			}
		}
	}
	// The cursor moves among the answers of the first prompt only.
	f := displaytest.Mutants16(engine.English)
	second := f.View.Prompts[0]
	second.Seat = "red"
	f.View.Prompts = append(f.View.Prompts, second)
	for seat, want := range map[engine.Seat]int{"blue": 6, "red": -1} {
		s := screen{Frame: f, Painter: NewPainter(seat)}
		if q := s.ask(); q.Cursor != want {
			t.Errorf("%s has the cursor at %d, want %d", seat, q.Cursor, want)
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	p := NewPainter("yellow")
	f := displaytest.Mutants4(engine.French)
	b.ReportAllocs()
	for b.Loop() {
		p.Draw(f, image.Pt(128, 64))
	}
}
