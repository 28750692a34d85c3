package seat

import (
	"fmt"
	"image"
	"math/rand/v2"
	"strings"
	"testing"

	"tableside/display/canvas"
	"tableside/display/text/sample"
	"tableside/engine"
)

// allSizes are those of screens there are, and some that nobody sells.
var allSizes = []image.Point{{128, 64}, {128, 32}, {128, 128}, {256, 64}, {96, 48}, {128, 47}, {64, 48}, {40, 20}, {7, 7}, {1, 1}, {0, 0}}

// TestNothingMeets draws every sample and many made-up frames at every size:
// words stay apart from one another and none is cut but by an ellipsis.
func TestNothingMeets(t *testing.T) {
	frames := 40
	if testing.Short() {
		frames = 10
	}
	for _, seat := range []engine.Seat{"red", "seat0", "nobody"} {
		p := NewPainter(seat)
		for _, size := range allSizes {
			for _, s := range sample.All() {
				prove(t, p, fmt.Sprintf("%s at %v for %s", s.Name, size, seat), s.Frame, size)
			}
			chance := rand.New(rand.NewPCG(uint64(size.X), uint64(size.Y)))
			for i := range frames {
				prove(t, p, fmt.Sprintf("frame %d at %v for %s", i, size, seat), madeUp(chance), size)
			}
		}
	}
}

func prove(t *testing.T, p *Painter, name string, f engine.Frame, size image.Point) {
	t.Helper()
	c := canvas.NewTight(size, Glow)
	p.paint(c, f)
	if size.X < 128 || size.Y < 32 {
		return // little can be written there; it must only not fail
	}
	for _, s := range c.Cut {
		t.Errorf("%s: %q is cut", name, s)
	}
	if len(c.Words) == 0 {
		t.Errorf("%s: nothing is written", name)
	}
	for i, a := range c.Words {
		for _, b := range c.Words[:i] {
			if a.Overlaps(b) {
				t.Errorf("%s: words at %v lie on words at %v", name, a, b)
			}
		}
	}
}

// madeUp is a frame as some game might make it.
func madeUp(chance *rand.Rand) engine.Frame {
	words := []string{"a", "Élan", "Zombie", "Gorthaur the Cruel", "Reptireur d'élite", "Anticonstitutionnellement", "Où ça,\u00a0«\u00a0là\u00a0»\u00a0?",
		"WWWWWWWWWWWWWWWWWWWWWWWW", "Ågot Ünsal Ğ", "李小龍", "jpqy", "À l'Île"}
	word := func() string { return words[chance.IntN(len(words))] }
	sentence := func() string {
		s := make([]string, 1+chance.IntN(12))
		for i := range s {
			s[i] = word()
		}
		return strings.Join(s, " ")
	}
	v := engine.View{Match: "m", Title: word(), Round: chance.IntN(12), Rounds: chance.IntN(12)}
	for i := range 1 + chance.IntN(4) {
		seat := engine.SeatView{ID: engine.Seat(fmt.Sprint("seat", i)), Name: word()}
		for range chance.IntN(8) {
			seat.Counters = append(seat.Counters, engine.Counter{Name: word(), Value: chance.IntN(200_000) - 99_999>>chance.IntN(17)})
		}
		v.Seats = append(v.Seats, seat)
	}
	someone := func() engine.Seat { return v.Seats[chance.IntN(len(v.Seats))].ID }
	if chance.IntN(4) > 0 {
		v.Turn = engine.Null(someone())
	}
	for range chance.IntN(3) {
		p := engine.Prompt{Seat: someone(), Text: sentence()}
		if chance.IntN(4) == 0 {
			p.Seat = engine.Table
		}
		for range chance.IntN(9) {
			p.Options = append(p.Options, engine.Answer{Text: word(), Input: "red key " + engine.Keys[chance.IntN(len(engine.Keys))]})
		}
		v.Prompts = append(v.Prompts, p)
	}
	v.Tracks = []engine.Track{{ID: word(), First: 0, Last: 9, Stacks: map[int][]engine.Seat{chance.IntN(10): {someone()}}}}
	f := engine.Frame{View: v, Lang: engine.Languages[chance.IntN(2)], Status: engine.Status{Keeping: chance.IntN(5) > 0, Cursor: chance.IntN(12) - 1}}
	switch chance.IntN(8) {
	case 0:
		f.View.Match, f.View.Seats, f.View.Turn, f.Status.Unfinish = "", nil, "", "m"
	case 1:
		f.View.Winners = []engine.Seat{someone(), someone()}[:1+chance.IntN(2)]
	case 2:
		f.Status.Receipt = &engine.Receipt{Outcome: engine.Refused, Seat: someone(), Spoken: sentence(), Override: chance.IntN(2) == 0}
	}
	return f
}

// TestWhoIsAsked holds that a screen speaks to its own seat: only that one is
// asked its question, told why it was refused, and called by the filled
// header.
func TestWhoIsAsked(t *testing.T) {
	called := func(f engine.Frame, seat engine.Seat) bool {
		img := NewPainter(seat).Draw(f, image.Pt(128, 64))
		return img.ColorIndexAt(0, 0) == uint8(lit)
	}
	for name, test := range map[string]struct {
		frame engine.Frame
		want  map[engine.Seat]bool
	}{
		"one is asked":       {sample.Mutants4(engine.English), map[engine.Seat]bool{"yellow": true, "red": false, "blue": false, "green": false}},
		"out of turn":        {sample.MindbugBlock(engine.English), map[engine.Seat]bool{"red": true, "blue": false}},
		"everybody is asked": {sample.SharedWin(engine.English), map[engine.Seat]bool{"red": true, "blue": true}},
		"one is refused":     {sample.Refused(engine.English), map[engine.Seat]bool{"red": true, "blue": false}},
		"before a match":     {sample.Empty(engine.English), map[engine.Seat]bool{"red": true, "blue": true}},
		"nobody is asked":    {sample.Winner(engine.English), map[engine.Seat]bool{"red": false, "blue": false}},
	} {
		for seat, want := range test.want {
			if got := called(test.frame, seat); got != want {
				t.Errorf("%s: %s is called: %v", name, seat, got)
			}
		}
	}
	// The cursor moves among the answers of the first prompt only.
	f := sample.Mutants16(engine.English)
	second := f.View.Prompts[0]
	second.Seat = "red"
	f.View.Prompts = append(f.View.Prompts, second)
	for seat, want := range map[engine.Seat]int{"blue": 6, "red": -1} {
		s := screen{Frame: f, Painter: NewPainter(seat)}
		if q := s.ask(); q.cursor != want {
			t.Errorf("%s has the cursor at %d, want %d", seat, q.cursor, want)
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	p := NewPainter("yellow")
	f := sample.Mutants4(engine.French)
	b.ReportAllocs()
	for b.Loop() {
		p.Draw(f, image.Pt(128, 64))
	}
}
