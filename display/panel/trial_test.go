package panel

import (
	"context"
	"errors"
	"image"
	"image/color"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tableside/display/displaytest"
	"tableside/engine"
)

// TestTestPicture checks that the test picture stays for a while, and that what happened
// meanwhile is shown after it.
func TestTestPicture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &glass{}
		out := NewOutput(g, NewPainter(), idle)
		go func() { _ = out.Run(t.Context()) }()
		done := func() []string { // the glass belongs to whoever has the turn
			if err := out.take(t.Context()); err != nil {
				t.Fatal(err)
			}
			defer out.give()
			return slices.Clone(g.done)
		}
		f := displaytest.Mutants2(engine.English)
		if err := out.Show(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		if err := out.Test(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := out.take(t.Context()); err != nil {
			t.Fatal(err)
		}
		if g.picture.At(40, 20) != (color.Gray{}) || g.picture.At(100, 5) == (color.Gray{}) {
			t.Error("this is not the test picture")
		}
		out.give()
		f.View.Round++
		time.Sleep(testStays - time.Second)
		if err := out.Show(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		if want := []string{"clean", "clean"}; !slices.Equal(done(), want) {
			t.Errorf("got %v, want %v", done(), want)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if want := []string{"clean", "clean", "clean"}; !slices.Equal(done(), want) {
			t.Errorf("after the test: got %v, want %v", done(), want)
		}
	})
}

// TestTestPictureOnASlowGlass checks that a test waits until the picture before it has
// stayed long enough, that it comes before a newer picture of the table, and that one
// that is given up leaves nothing undone.
func TestTestPictureOnASlowGlass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &slow{}
		out := NewOutput(g, NewPainter(), time.Hour)
		ran := make(chan error, 1)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { ran <- out.Run(ctx) }()
		f := displaytest.Mutants2(engine.English)
		show := func() {
			t.Helper()
			f.View.Seats[0].Counters[0].Value++
			if err := out.Show(ctx, f); err != nil {
				t.Fatal(err)
			}
		}
		test := func(ctx context.Context) <-chan error {
			done := make(chan error, 1)
			go func() { done <- out.Test(ctx) }()
			synctest.Wait()
			return done
		}
		show() // until 20 s, and has to stay until 50 s
		first := test(ctx)
		show()
		if err := <-first; err != nil {
			t.Error(err)
		}
		again := test(ctx) // at 70 s: it is there
		if err := <-again; err != nil {
			t.Error(err)
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		if picture, ok := g.picture.(*image.Paletted); !ok || out.view.Seq != f.View.Seq ||
			!slices.Equal(picture.Pix, NewPainter().Draw(f, g.Bounds().Size()).Pix) {
			t.Error("the newest picture does not come after the test")
		}
		show()
		given, giveUp := context.WithTimeout(ctx, stand/2)
		defer giveUp()
		late := test(given)
		show()
		if err := <-late; !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		time.Sleep(stand + refresh)
		synctest.Wait()
		s := time.Second
		want := []time.Duration{0, 50 * s, 70 * s, 120 * s, 390 * s, 440 * s}
		if !slices.Equal(g.began, want) {
			t.Errorf("refreshed at %v, want %v", g.began, want)
		}
		cancel()
		if err := <-ran; err != nil {
			t.Error(err)
		}
	})
}
