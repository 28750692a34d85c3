package panel

import (
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
