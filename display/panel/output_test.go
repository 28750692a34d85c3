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

	"tableside/display/text/sample"
	"tableside/engine"
)

const idle = 30 * time.Second

// A glass notes what is done to it, and fails when it is told to.
type glass struct {
	picture image.Image
	done    []string
	fail    error
	awake   error // why it does not fall asleep
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
	f := sample.Mutants2(engine.English)
	show(f, "clean") // nobody knows what the glass has shown before
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
	show(f, "clean") // which still has to be done
	f.View.Seats[0].Counters[0].Value++
	g.fail = errors.New("busy")
	show(f, "show")
	g.fail = nil
	show(f, "show") // again, although it is the same
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
		f := sample.Mutants2(engine.English)
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
		for range 10 { // readers tell of polls as long as the table stands there
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

// A glass that does not fall asleep is out of order until it shows its picture
// again, however long it is run again and again.
func TestOutputThatDoesNotSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &glass{awake: errors.New("busy")}
		out := NewOutput(g, NewPainter(), idle)
		if err := out.Show(t.Context(), sample.Mutants2(engine.English)); err != nil {
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

// A plugged glass can be asked whether it is there.
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
		if err := out.Show(t.Context(), sample.Mutants2(engine.English)); err != nil {
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
			t.Error("it is not noticed within two seconds")
		}
		g.set(nil)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { ended <- out.Run(ctx) }()
		synctest.Wait()
		cancel()
		err := <-ended
		// Shown at first, ten times lest it was lost, and anew when it is back.
		if err != nil || len(g.done) != 12 || g.done[0] != "clean" || g.done[10] != "show" || g.done[11] != "clean" {
			t.Errorf("%v, %v", g.done, err)
		}
	})
}
