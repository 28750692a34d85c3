package lights

import (
	"context"
	"errors"
	"image/color"
	"testing"
	"testing/synctest"
	"time"

	"tableside/display/displaytest"
	"tableside/engine"
)

// TestTestColours checks that a test begins with one LED of each colour, goes on with a
// rainbow, and ends by itself.
func TestTestColours(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		strip := newFake(30)
		o := NewOutput(strip, Layout{})
		stop := run(t, o)
		f := displaytest.Mutants2(engine.English)
		if err := o.Show(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Second) // effects are over
		before := shownBy(o)
		for range 2 { // a second one changes nothing
			if err := o.Test(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Second)
		now := shownBy(o)
		for i, want := range []color.NRGBA{{R: 255, A: 255}, {G: 255, A: 255}, {B: 255, A: 255}, {A: 255}} {
			if now[i] != want {
				t.Errorf("LED %d: got %v, want %v", i, now[i], want)
			}
		}
		time.Sleep(testOrderTime)
		first := shownBy(o)
		time.Sleep(testStep)
		if second := shownBy(o); first[29] == (color.NRGBA{A: 255}) || first[29] == second[29] {
			t.Errorf("no rainbow runs: %v, then %v", first[29], second[29])
		}
		time.Sleep(testTime)
		if after := shownBy(o); len(after) != len(before) || after[0] == first[0] {
			t.Errorf("after the test: %v", after[:3])
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestTestOfABrokenStrip checks that a test says that nothing was shown, and why.
func TestTestOfABrokenStrip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		strip := newFake(30)
		o := NewOutput(strip, Layout{})
		if err := o.Show(t.Context(), displaytest.Mutants2(engine.English)); err != nil {
			t.Fatal(err)
		}
		if err := o.Test(t.Context()); !errors.Is(err, ErrNotDriven) {
			t.Errorf("nobody draws: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := o.Test(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("given up: %v", err)
		}
		strip.fail = errors.New("unplugged")
		ended := make(chan error, 1)
		go func() { ended <- o.Test(t.Context()) }()
		synctest.Wait()
		if err := o.Run(t.Context()); !errors.Is(err, strip.fail) {
			t.Errorf("Run: %v", err)
		}
		if err := <-ended; !errors.Is(err, strip.fail) {
			t.Errorf("it fails: %v", err)
		}
		strip.fail = nil
		for range 2 { // from two browsers
			go func() { ended <- o.Test(t.Context()) }()
		}
		time.Sleep(testLimit / 2) // until the table runs it again
		stop := run(t, o)
		for range 2 {
			if err := <-ended; err != nil {
				t.Errorf("it works again: %v", err)
			}
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}
