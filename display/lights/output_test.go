package lights

import (
	"context"
	"errors"
	"image"
	"image/color"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	periphtest "periph.io/x/conn/v3/display/displaytest"

	"tableside/display/displaytest"
	"tableside/engine"
)

// A fake is a strip that records when it is drawn. It can be slow and can fail.
type fake struct {
	periphtest.Drawer
	takes time.Duration
	fail  error

	mu    sync.Mutex
	draws []time.Time
}

// drawn returns the times of the draws since its last call.
func (s *fake) drawn() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	draws := s.draws
	s.draws = nil
	return draws
}

func (s *fake) Draw(r image.Rectangle, src image.Image, at image.Point) error {
	time.Sleep(s.takes)
	if s.fail != nil {
		return s.fail
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.draws = append(s.draws, time.Now())
	return s.Drawer.Draw(r, src, at)
}

func newFake(leds int) *fake {
	return &fake{Drawer: periphtest.Drawer{Img: image.NewNRGBA(image.Rect(0, 0, leds, 1))}}
}

func run(t *testing.T, o *Output) (stop func() error) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- o.Run(ctx) }()
	synctest.Wait()
	return func() error {
		cancel()
		return <-ended
	}
}

func TestOutputIsQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFake(24)
		o := NewOutput(s, Layout{})
		stop := run(t, o)
		time.Sleep(time.Hour)
		if n := len(s.drawn()); n != 0 {
			t.Errorf("drawn %d times before the first frame", n)
		}
		o.Show(t.Context(), displaytest.Empty(engine.English))
		time.Sleep(time.Hour)
		if n, most := len(s.drawn()), int(time.Hour/resend)+1; n < most-1 || n > most {
			t.Errorf("an empty table was drawn %d times, want %d: once, and for a strip that was unplugged", n, most)
		}

		// A match is animated, with at most 30 frames a second, until there is
		// no input for a while.
		o.Show(t.Context(), displaytest.Mutants4(engine.English))
		time.Sleep(time.Minute)
		if n := len(s.drawn()); n < 60 || n > 30*60+1 {
			t.Errorf("drawn %d times in a minute", n)
		}
		time.Sleep(restAfter)
		s.drawn()
		time.Sleep(time.Hour)
		if n := len(s.drawn()); n > int(time.Hour/resend)+1 {
			t.Errorf("drawn %d times in an hour without input", n)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
		if lit(s) {
			t.Error("the strip is left on")
		}
	})
}

// TestRepeats checks that the strip gets a frame every second, animated or not:
// a WLED falls back to its own effect after 2.5 s, and one frame may be lost on
// the network.
func TestRepeats(t *testing.T) {
	for name, f := range map[string]engine.Frame{"empty": displaytest.Empty(engine.English),
		"match": displaytest.Mutants4(engine.English), "other": displaytest.Mindbug(engine.English)} {
		synctest.Test(t, func(t *testing.T) {
			s := newFake(24)
			o := NewOutput(s, Layout{})
			stop := run(t, o)
			o.Show(t.Context(), f)
			time.Sleep(restAfter + time.Minute)
			last := time.Now().Add(-restAfter - time.Minute)
			for _, at := range s.drawn() {
				if gap := at.Sub(last); gap > time.Second {
					t.Fatalf("%s: %v without a frame", name, gap)
				}
				last = at
			}
			if err := stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

func lit(s *fake) bool {
	for x := range s.Img.Rect.Dx() {
		if c := s.Img.NRGBAAt(x, 0); c.R|c.G|c.B != 0 {
			return true
		}
	}
	return false
}

// TestReceiptsAtOnce checks that every receipt shows within 100 ms, even on a
// strip that is busy with the previous frame.
func TestReceiptsAtOnce(t *testing.T) {
	for _, outcome := range []engine.Outcome{engine.Accepted, engine.Refused, engine.Unknown} {
		for _, f := range []engine.Frame{displaytest.Mutants4(engine.English), displaytest.Mindbug(engine.English),
			displaytest.Empty(engine.English)} {
			synctest.Test(t, func(t *testing.T) {
				s := newFake(24)
				s.takes = 5 * ms
				o := NewOutput(s, Layout{})
				stop := run(t, o)
				o.Show(t.Context(), f)
				time.Sleep(10*time.Second + 3*ms)
				// The same moment without a receipt.
				plain := Draw(f, o.layout, 0)
				asked := time.Now()
				if o.Show(t.Context(), after(f, outcome, "red")); time.Since(asked) != 0 {
					t.Error("Show blocked")
				}
				time.Sleep(100 * ms)
				draws := s.drawn()
				if len(draws) == 0 || !draws[len(draws)-1].After(asked) || slices.Equal(shownBy(o), plain) {
					t.Errorf("%s does not show within 100 ms", outcome)
				}
				if err := stop(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func TestOutputKeepsEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFake(24)
		o := NewOutput(s, Layout{})
		undone := after(displaytest.Mutants2(engine.English), engine.Accepted, "red", engine.Event{Name: "undo"})
		// Two frames before anything is drawn: the events of the first are
		// not lost.
		o.Show(t.Context(), undone)
		o.Show(t.Context(), displaytest.Mutants2(engine.English))
		stop := run(t, o)
		if want := Draw(undone, o.layout, 0); !slices.Equal(shownBy(o), want) {
			t.Errorf("shows %v, want %v", shownBy(o), want)
		}
		// A change of health does not restart the effect.
		time.Sleep(200 * ms)
		sick := undone
		sick.Events = nil
		sick.Status.Health = []engine.Part{{Name: "panel", Health: engine.Broken}}
		sick.Status.Receipt = nil
		o.Show(t.Context(), sick)
		synctest.Wait()
		if want := Draw(undone, o.layout, 200*ms); !slices.Equal(shownBy(o), want) {
			t.Errorf("shows %v, want %v", shownBy(o), want)
		}
		stop()
	})
}

// TestOldEffectsStay checks that frames in which nothing happens, of which several come before the
// strip is drawn, do not play the last effect again.
func TestOldEffectsStay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := NewOutput(newFake(24), Layout{})
		stop := run(t, o)
		f := after(displaytest.Mutants2(engine.English), engine.Accepted, "red", engine.Event{Name: "undo"})
		o.Show(t.Context(), f)
		time.Sleep(30 * time.Second)
		still := f
		still.Events = nil
		for range 3 {
			o.Show(t.Context(), still)
		}
		synctest.Wait()
		if want := Draw(f, o.layout, 30*time.Second); !slices.Equal(shownBy(o), want) {
			t.Errorf("shows %v, want %v", shownBy(o), want)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestOutputForgetsOldEvents checks that a strip which is away for long needs no more memory
// for it.
func TestOutputForgetsOldEvents(t *testing.T) {
	o := NewOutput(newFake(24), Layout{})
	for range 3 * maxEvents {
		o.Show(t.Context(), after(displaytest.Mutants2(engine.English), engine.Accepted, "red", engine.Event{Name: "undo"}))
	}
	if n := len(o.frame.Events); n != maxEvents {
		t.Errorf("%d events wait", n)
	}
}

// A picture of the strip rests when the strip only breathes, until something happens.
func TestPictureRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFake(24)
		o := NewOutput(s, Layout{})
		f := after(displaytest.Mutants2(engine.English), engine.Accepted, "red")
		o.Show(t.Context(), f)
		stop := run(t, o)
		time.Sleep(200 * ms)
		if want := Draw(f, o.layout, 200*ms); !slices.Equal(o.Calm(), want) {
			t.Errorf("at first it shows %v, want the effect, %v", o.Calm(), want)
		}
		time.Sleep(breath)
		calm, lit := o.Calm(), shownBy(o)
		time.Sleep(breath / 4)
		if slices.Equal(lit, shownBy(o)) {
			t.Fatal("the strip does not breathe")
		}
		if !slices.Equal(calm, o.Calm()) {
			t.Errorf("shows %v, then %v", calm, o.Calm())
		}
		no := after(f, engine.Refused, "red")
		no.Status.Receipt.N++
		o.Show(t.Context(), no)
		time.Sleep(50 * ms)
		if slices.Equal(calm, o.Calm()) {
			t.Error("does not show that something has happened")
		}
		stop()
	})
}

func TestOutputFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFake(24)
		s.fail = errors.New("unplugged")
		o := NewOutput(s, Layout{})
		o.Show(t.Context(), displaytest.Mutants2(engine.English))
		if err := o.Run(t.Context()); !errors.Is(err, s.fail) {
			t.Fatalf("error is %v", err)
		}
		s.fail = nil
		stop := run(t, o) // draws without a new frame
		if !lit(s) {
			t.Error("the strip stays dark after it came back")
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestSeatsDiffer checks that seats can be distinguished without colour, by
// their rhythms.
func TestSeatsDiffer(t *testing.T) {
	rhythm := func(seat int) string {
		var b []byte
		for at := time.Duration(0); at < breath; at += tick {
			b = append(b, "_#"[min(1, int(winking(seat, at)*2))])
		}
		return string(b)
	}
	seen := map[string]int{}
	for i := range 8 {
		r := rhythm(i)
		if j, twice := seen[r]; twice {
			t.Errorf("seats %d and %d have the same rhythm: %s", i, j, r)
		}
		seen[r] = i
	}
}

// TestDrawAnything checks that odd frames on odd strips do not panic and give
// the right number of lights.
func TestDrawAnything(t *testing.T) {
	odd := displaytest.Mutants2(engine.English)
	odd.View.Tracks = []engine.Track{{ID: "power", First: 1, Last: 12,
		Stacks: map[int][]engine.Seat{-3: {"red"}, 99: {"nobody", "blue"}}}}
	odd.View.Seats[0].Colour = ""
	odd.View.Seats[1].Counters = nil
	frames := []engine.Frame{odd, {}, {View: engine.View{Match: "m", Winners: []engine.Seat{"nobody"}}},
		{View: engine.View{Match: "m"}}}
	for _, s := range displaytest.Samples() {
		for _, o := range []engine.Outcome{"", engine.Accepted, engine.Refused, engine.Unknown, engine.Failed} {
			frames = append(frames, after(s.Frame, o, "red"))
		}
	}
	for _, f := range frames {
		for _, leds := range []int{0, 1, 2, 3, 7, 12, 60, 144} {
			for _, track := range []string{"", "score", "none"} {
				for at := time.Duration(0); at < 2*time.Second; at += 190 * ms {
					l := Layout{LEDs: leds, Track: track}
					got := Draw(f, l, at)
					if len(got) != leds {
						t.Fatalf("%d lights for %d LEDs", len(got), leds)
					}
					Next(f, l, at)
				}
			}
		}
	}
}

// TestReverse checks that a reversed strip shows the same from the other end.
func TestReverse(t *testing.T) {
	f := displaytest.Mutants4(engine.English)
	a, b := Draw(f, Layout{LEDs: 24}, 0), Draw(f, Layout{LEDs: 24, Reverse: true}, 0)
	slices.Reverse(b)
	if !slices.Equal(a, b) {
		t.Errorf("%v\nreversed is\n%v", a, b)
	}
}

func TestColours(t *testing.T) {
	for _, seat := range []engine.Seat{"red", "blue", "yellow", "green", "white", "black", "orange", "purple"} {
		l := colourOf(engine.Colour(seat, 0))
		if max(l.r, l.g, l.b) < 0.2 || max(l.r, l.g, l.b) > 1 {
			t.Errorf("%s has the light %v", seat, l)
		}
	}
	if got := (color.NRGBA{level(0.5), level(0.003), level(0), 255}); got != (color.NRGBA{128, 1, 0, 255}) {
		t.Errorf("levels are %v", got)
	}
}

func BenchmarkDraw(b *testing.B) {
	f := displaytest.Mutants4(engine.English)
	for b.Loop() {
		Draw(f, Layout{LEDs: 60}, time.Second)
	}
}

func BenchmarkPicture(b *testing.B) {
	leds := Draw(displaytest.Mutants4(engine.English), Layout{LEDs: 60}, time.Second)
	for b.Loop() {
		Picture(leds)
	}
}

// shownBy returns the colours that were sent to the strip last.
func shownBy(o *Output) []color.NRGBA {
	synctest.Wait() // what is due at this moment is drawn first
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.colours)
}
