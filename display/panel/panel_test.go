package panel

import (
	"bytes"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tableside/display/displaytest"
	"tableside/engine"
)

var sizes = []image.Point{{250, 122}, {296, 128}, {400, 300}}

// Large panels use a larger type; a few pictures show it.
var (
	large  = image.Pt(800, 480)
	atSize = []string{"genegrafter-en", "genegrafter-fr", "mindbug-fr", "mindbug-boosts-en", "mutants-2-fr",
		"mutants-4-fr", "mutants-16-fr", "tally-en", "boss-fr", "empty-en", "join-fr", "winner-fr", "trouble-fr"}
)

func TestGolden(t *testing.T) {
	p := NewPainter()
	for _, size := range append(sizes, large) {
		for _, s := range displaytest.Samples() {
			if size == large && !slices.Contains(atSize, s.Name) {
				continue
			}
			name := fmt.Sprintf("%s-%dx%d.png", s.Name, size.X, size.Y)
			t.Run(name, func(t *testing.T) {
				displaytest.Golden(t, filepath.Join("testdata", name), p.Draw(s.Frame, size))
			})
		}
	}
}

// TestTroubleIsSeen checks that at least a sign says that nothing is being saved, however
// little room a picture leaves.
func TestTroubleIsSeen(t *testing.T) {
	p := NewPainter()
	for _, s := range displaytest.Samples() {
		troubled := s.Frame
		troubled.Status.Keeping = s.Frame.View.Match == ""
		s.Frame.Status.Keeping = true
		for _, size := range append(sizes, large) {
			calm, warned := p.Draw(s.Frame, size), p.Draw(troubled, size)
			if s.Frame.View.Match != "" && bytes.Equal(calm.Pix, warned.Pix) {
				t.Errorf("%s, %dx%d: nobody sees that nothing is being saved", s.Name, size.X, size.Y)
			}
		}
	}
}

// TestClock checks that a panel shows whole minutes, and that they neither stay when the
// match is over nor appear on a glass that flashes with each picture.
func TestClock(t *testing.T) {
	f := displaytest.Timed(engine.English)
	for _, size := range sizes[:2] {
		name := fmt.Sprintf("clock-%dx%d.png", size.X, size.Y)
		displaytest.Golden(t, filepath.Join("testdata", name), NewPainter().Draw(f, size))
	}
	later := f
	later.View.Clock = f.View.Clock.After(58 * time.Second)
	same := func(a, b engine.Frame) bool {
		return bytes.Equal(NewPainter().Draw(a, sizes[1]).Pix, NewPainter().Draw(b, sizes[1]).Pix)
	}
	if !same(f, later) {
		t.Error("the panel shows seconds")
	}
	later.View.Clock = f.View.Clock.After(60 * time.Second)
	if same(f, later) {
		t.Error("the panel does not show another minute")
	}
	over := displaytest.Winner(engine.English)
	timed := over
	timed.View.Clock = f.View.Clock
	if !same(over, timed) {
		t.Error("the panel shows minutes after the match")
	}
}

// TestSheet checks that a panel shows the score sheet where there is room beside what
// players need, with whole rows, and that it is left out otherwise.
func TestSheet(t *testing.T) {
	view := func(rounds int) engine.View {
		v := engine.View{Match: "1", Game: "tally/score", Title: "Tally", Phase: "over", Round: rounds,
			Winners: []engine.Seat{"red"}, Sheet: &engine.Sheet{Columns: [][]engine.Seat{{"red"}, {"blue"}}}}
		for _, seat := range []engine.Seat{"red", "blue"} {
			v.Seats = append(v.Seats, engine.SeatView{ID: seat, Counters: engine.Counters{{Name: "score", Value: 7}}})
		}
		for n := range rounds {
			v.Sheet.Rows = append(v.Sheet.Rows, engine.SheetRow{ID: fmt.Sprintf("round-%d", n+1), Round: n + 1,
				Cells: engine.Counters{{Name: "red", Value: n}}})
		}
		return v
	}
	drawn := func(rounds int, size image.Point) int {
		for _, p := range NewPainter().compose(engine.Frame{View: view(rounds), Status: engine.Status{Keeping: true}}, size) {
			if p.name == "sheet" {
				return p.bounds.Dy()
			}
		}
		return 0
	}
	few, many := drawn(4, image.Pt(400, 300)), drawn(40, image.Pt(400, 300))
	if few == 0 || many < few || drawn(0, image.Pt(400, 300)) != 0 || drawn(40, image.Pt(250, 122)) != 0 {
		t.Errorf("4 rounds take %d, 40 take %d; none and a small panel %d, %d", few, many,
			drawn(0, image.Pt(400, 300)), drawn(40, image.Pt(250, 122)))
	}
}

// TestCodeApart checks that the code for phones has four white modules towards the words: at its
// left or, on an upright glass, above it.
func TestCodeApart(t *testing.T) {
	p, drawn := NewPainter(), 0
	f := displaytest.Join(engine.English)
	for _, size := range allSizes {
		picture := p.Draw(f, size)
		for _, part := range p.compose(f, size) {
			if part.name != "code" {
				continue
			}
			drawn++
			dark := image.Rectangle{}
			for y := part.bounds.Min.Y; y < part.bounds.Max.Y; y++ {
				for x := part.bounds.Min.X; x < part.bounds.Max.X; x++ {
					if picture.ColorIndexAt(x, y) != 0 {
						dark = dark.Union(image.Rect(x, y, x+1, y+1))
					}
				}
			}
			module := 1 // pixels; a code begins with a dark corner of seven modules
			for picture.ColorIndexAt(dark.Min.X+module, dark.Min.Y) != 0 {
				module++
			}
			module /= 7
			if white := dark.Min.Sub(part.bounds.Min); size.X >= size.Y && white.X < 4*module ||
				size.X < size.Y && white.Y < 4*module {
				t.Errorf("%v: %v pixels at the left and above, with %d to a module", size, white, module)
			}
		}
	}
	if drawn < 5 {
		t.Errorf("only %d glasses have a code", drawn)
	}
}
