package panel

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

	"tableside/display/displaytest"
	"tableside/engine"
)

const idle = 30 * time.Second

// A glass is a fake panel that records calls and returns the given errors.
type glass struct {
	picture image.Image
	done    []string
	fail    error
	awake   error // returned by Sleep
}

func (g *glass) Bounds() image.Rectangle { return image.Rect(0, 0, 250, 122) }
func (g *glass) String() string          { return "glass" }

func (g *glass) Update(_ context.Context, picture image.Image, full bool) error {
	g.picture = picture
	if full {
		g.done = append(g.done, "clean")
	} else {
		g.done = append(g.done, "show")
	}
	return g.fail
}

func (g *glass) Sleep(context.Context) error {
	g.done = append(g.done, "sleep")
	return g.awake
}

func TestOutputCleansAtTheEndOfARound(t *testing.T) {
	g := &glass{}
	out := NewOutput(g, NewPainter(), idle)
	show := func(f engine.Frame, want ...string) {
		t.Helper()
		g.done = nil
		if err := out.Show(t.Context(), f); (err != nil) != (g.fail != nil) || !slices.Equal(g.done, want) {
			t.Errorf("%v, %v; want %v", g.done, err, want)
		}
	}
	f := displaytest.Mutants2(engine.English)
	show(f, "clean") // what the panel showed before is unknown
	if g.picture.Bounds() != g.Bounds() || g.picture.At(1, 1) != color.Black {
		t.Error("the picture has not reached the glass")
	}
	show(f)
	f.View.Seats[0].Counters[0].Value++
	show(f, "show")
	f.View.Round++
	g.fail = errors.New("busy")
	show(f, "clean")
	g.fail = nil
	show(f, "clean") // retries the failed clean refresh
	f.View.Seats[0].Counters[0].Value++
	g.fail = errors.New("busy")
	show(f, "show")
	g.fail = nil
	show(f, "show") // retries, although the frame is the same
	show(f)
	f.View.Winners = []engine.Seat{"red"}
	show(f, "clean")
	f.View.Match = ""
	show(f, "clean")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g.done = nil
	if err := out.Show(ctx, f); err == nil || g.done != nil {
		t.Error("shown although the program ends")
	}
}

func TestOutputLetsTheGlassSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &glass{}
		out := NewOutput(g, NewPainter(), idle)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- out.Run(ctx) }()
		f := displaytest.Mutants2(engine.English)
		show := func() {
			t.Helper()
			if err := out.Show(ctx, f); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			time.Sleep(idle - time.Second)
			f.View.Seats[0].Counters[0].Value++
			show()
		}
		for range 10 { // readers report their health as long as the table is on
			time.Sleep(idle / 3)
			f.Status.Health = []engine.Part{{Name: "reader-red", Health: engine.OK, LastGood: time.Now()}}
			show()
		}
		f.View.Seats[0].Counters[0].Value++
		show()
		time.Sleep(2 * idle)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if want := []string{"clean", "show", "show", "sleep", "show", "sleep"}; !slices.Equal(g.done, want) {
			t.Errorf("%v, want %v", g.done, want)
		}
	})
}

// A panel whose Sleep fails makes Run fail, on every call, until the panel shows
// its picture again.
func TestOutputThatDoesNotSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &glass{awake: errors.New("busy")}
		out := NewOutput(g, NewPainter(), idle)
		if err := out.Show(t.Context(), displaytest.Mutants2(engine.English)); err != nil {
			t.Fatal(err)
		}
		g.done = nil
		if err := out.Run(t.Context()); !errors.Is(err, g.awake) {
			t.Errorf("%v", err)
		}
		g.fail = g.awake
		if err := out.Run(t.Context()); !errors.Is(err, g.fail) {
			t.Errorf("run again: %v", err)
		}
		g.fail, g.awake = nil, nil
		ctx, cancel := context.WithTimeout(t.Context(), 2*idle)
		defer cancel()
		if err := out.Run(ctx); err != nil {
			t.Errorf("when it works again: %v", err)
		}
		if want := []string{"sleep", "clean", "clean", "sleep"}; !slices.Equal(g.done, want) {
			t.Errorf("%v, want %v", g.done, want)
		}
	})
}

// A plugged is a fake panel that can be checked for its presence.
type plugged struct {
	glass
	mu   sync.Mutex
	gone error
}

func (p *plugged) Check(context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.gone
}

func (p *plugged) set(gone error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone = gone
}

func TestOutputAsksWhetherTheGlassIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &plugged{}
		out := NewOutput(g, NewPainter(), time.Hour)
		if err := out.Show(t.Context(), displaytest.Mutants2(engine.English)); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- out.Run(t.Context()) }()
		time.Sleep(10*time.Second + checkEvery/2)
		gone := errors.New("nobody at that address")
		g.set(gone)
		time.Sleep(time.Second)
		select {
		case err := <-ended:
			if !errors.Is(err, gone) {
				t.Error(err)
			}
		default:
			t.Error("the missing panel is not noticed within two seconds")
		}
		g.set(nil)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { ended <- out.Run(ctx) }()
		synctest.Wait()
		cancel()
		err := <-ended
		// One clean refresh at first, ten repeats in case the panel lost its
		// picture, and a clean refresh when it is back.
		if err != nil || len(g.done) != 12 || g.done[0] != "clean" || g.done[10] != "show" || g.done[11] != "clean" {
			t.Errorf("%v, %v", g.done, err)
		}
	})
}

// A slow is a fake panel that takes long to refresh and then keeps each picture
// for some time.
type slow struct {
	glass
	began []time.Duration // of each refresh, since the first
	first time.Time
}

const refresh, stand = 20 * time.Second, 30 * time.Second

func (s *slow) Pause() time.Duration { return stand }

func (s *slow) Update(ctx context.Context, picture image.Image, full bool) error {
	if s.first.IsZero() {
		s.first = time.Now()
	}
	s.began = append(s.began, time.Since(s.first))
	select {
	case <-time.After(refresh):
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.glass.Update(ctx, picture, full)
}

// During the pause after a picture Show does not block; then the newest picture
// is shown, once.
func TestOutputPausesAfterPictures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &slow{}
		out := NewOutput(g, NewPainter(), time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- out.Run(ctx) }()
		f := displaytest.Mutants2(engine.English)
		begun := time.Now()
		show := func(took time.Duration) {
			t.Helper()
			start := time.Now()
			if err := out.Show(ctx, f); err != nil {
				t.Fatal(err)
			}
			if got := time.Since(start); got != took {
				t.Errorf("Show took %v, want %v", got, took)
			}
		}
		counter := &f.View.Seats[0].Counters[0].Value
		show(refresh) // until 20 s, pause until 50 s
		for range 5 {
			time.Sleep(5 * time.Second)
			*counter++
			show(0)
		}
		newest := NewPainter().Draw(f, g.Bounds().Size())
		time.Sleep(5*time.Second + refresh + time.Second) // 71 s: shown by itself
		synctest.Wait()
		if got, ok := g.picture.(*image.Paletted); !ok || !slices.Equal(got.Pix, newest.Pix) {
			t.Error("not the newest picture")
		}
		time.Sleep(time.Minute)
		*counter++
		show(refresh)                   // no pause is left: from 131 s until 151 s
		time.Sleep(10 * time.Second)    // 161 s
		*counter++                      // there
		show(0)                         //
		*counter--                      // and back
		show(0)                         //
		time.Sleep(2*stand + 2*refresh) // the driver sees that nothing has changed
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		want := []time.Duration{0, 50 * time.Second, 131 * time.Second, 181 * time.Second}
		if !slices.Equal(g.began, want) {
			t.Errorf("refreshed at %v, want %v (begun %v ago)", g.began, want, time.Since(begun))
		}
	})
}

// A slow panel that fails while a picture is pending shows that picture when it
// works again.
func TestOutputFailsWithPendingPicture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &slow{}
		out := NewOutput(g, NewPainter(), time.Hour)
		f := displaytest.Mutants2(engine.English)
		if err := out.Show(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		f.View.Seats[0].Counters[0].Value++
		if err := out.Show(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		g.fail = errors.New("busy")
		if err := out.Run(t.Context()); !errors.Is(err, g.fail) {
			t.Error(err)
		}
		g.fail = nil
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := out.Run(ctx); err != nil {
			t.Error(err)
		}
		want := NewPainter().Draw(f, g.Bounds().Size())
		if got, ok := g.picture.(*image.Paletted); !ok || !slices.Equal(got.Pix, want.Pix) || len(g.began) != 3 {
			t.Errorf("refreshes at %v, want 3, the last with the pending picture", g.began)
		}
	})
}
