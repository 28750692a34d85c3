package panel

import (
	"context"
	"errors"
	"image"
	"image/color"
	"testing"

	"periph.io/x/conn/v3/display/displaytest"

	"tableside/display/text/sample"
	"tableside/engine"
)

// A glass counts what is drawn on it, and fails when it is told to.
type glass struct {
	displaytest.Drawer
	draws int
	fail  error
}

func (g *glass) Draw(r image.Rectangle, src image.Image, at image.Point) error {
	g.draws++
	if g.fail != nil {
		return g.fail
	}
	return g.Drawer.Draw(r, src, at)
}

func TestOutputDrawsOnlyChanges(t *testing.T) {
	g := &glass{Drawer: displaytest.Drawer{Img: image.NewNRGBA(image.Rect(0, 0, 250, 122))}}
	out := NewOutput(g)
	show := func(f engine.Frame, want int) {
		t.Helper()
		if err := out.Show(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		if g.draws != want {
			t.Fatalf("drawn %d times, want %d", g.draws, want)
		}
	}
	f := sample.Mutants2(engine.English)
	show(f, 1)
	f.View.Seq++ // nothing that the picture holds
	f.Status.Receipt = &engine.Receipt{Outcome: engine.Accepted, N: 1}
	show(f, 1)
	show(sample.Mindbug(engine.English), 2)
	if g.Img.At(1, 1) != (color.NRGBA{A: 255}) {
		t.Error("the picture has not reached the glass")
	}

	g.fail = errors.New("busy")
	if err := out.Show(t.Context(), f); !errors.Is(err, g.fail) {
		t.Fatalf("error is %v", err)
	}
	g.fail = nil
	show(sample.Mindbug(engine.English), 4) // after a failure nobody knows what the glass shows

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := out.Show(ctx, f); err == nil || g.draws != 4 {
		t.Error("drawn although the program ends")
	}
}
