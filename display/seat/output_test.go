package seat

import (
	"context"
	"errors"
	"image"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tableside/display/text/sample"
	"tableside/engine"
)

// A fake is a screen that remembers, and that can be unplugged.
type fake struct {
	mu      sync.Mutex
	shows   *image.Paletted // nil is dark
	updates int
	gone    error
}

func (g *fake) String() string          { return "fake" }
func (g *fake) Bounds() image.Rectangle { return image.Rect(0, 0, 128, 64) }

func (g *fake) do(what func()) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.gone == nil {
		what()
	}
	return g.gone
}

func (g *fake) Update(_ context.Context, picture image.Image, _ bool) error {
	return g.do(func() { g.shows = picture.(*image.Paletted); g.updates++ })
}
func (g *fake) Check(context.Context) error { return g.do(func() {}) }
func (g *fake) Sleep(context.Context) error { return g.do(func() { g.shows = nil }) }

func (g *fake) plug(gone error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gone = gone
	g.shows = nil
}

func (g *fake) lit() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.shows != nil
}

// running is an output that runs, and what it tells.
func running(t *testing.T, g *fake) (*Output, chan error) {
	o := NewOutput(g, NewPainter("red"))
	told := make(chan error, 9)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- o.Run(ctx, func(err error) { told <- err }) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return o, told
}

// TestOutputComesBack holds that a screen that was unplugged is missed within
// two seconds, told of once, and shows its picture within two of its return.
func TestOutputComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &fake{}
		o, told := running(t, g)
		time.Sleep(time.Hour)
		if g.updates > 0 {
			t.Error("something is shown before there is a frame")
		}
		if err := o.Show(t.Context(), sample.Mutants2(engine.English)); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			gone := errors.New("gone")
			g.plug(gone)
			time.Sleep(2 * time.Second)
			select {
			case err := <-told:
				if !errors.Is(err, gone) || err.Error() != "seat: fake: gone" {
					t.Errorf("told %v", err)
				}
			default:
				t.Error("nobody was told")
			}
			if err := o.Show(t.Context(), sample.Mutants2(engine.French)); !errors.Is(err, gone) {
				t.Errorf("%v", err)
			}
			time.Sleep(time.Minute)
			if len(told) != 0 {
				t.Error("told twice")
			}
			g.plug(nil)
			time.Sleep(2 * time.Second)
			if err := <-told; err != nil || !g.lit() {
				t.Errorf("told %v; lit: %v", err, g.lit())
			}
		}
	})
}

// TestOutputRests holds that a screen goes dark when nothing has changed for a
// while, stays so, and wakes with something else to see.
func TestOutputRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &fake{}
		o, _ := running(t, g)
		f := sample.Mutants2(engine.English)
		for range 2 {
			if err := o.Show(t.Context(), f); err != nil {
				t.Fatal(err)
			}
			time.Sleep(rest - again)
			if !g.lit() {
				t.Error("dark too early")
			}
			time.Sleep(3 * again)
			if g.lit() {
				t.Error("lit all night")
			}
			if err := o.Show(t.Context(), f); err != nil || g.lit() {
				t.Errorf("the same picture: %v, lit: %v", err, g.lit())
			}
			time.Sleep(time.Hour)
			f.View.Seats[0].Counters[0].Value++
			f.View.Prompts = nil
		}
		over, cancel := context.WithCancel(t.Context())
		cancel()
		if err := o.Show(over, f); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}
