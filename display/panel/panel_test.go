package panel

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tableside/display/text/sample"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

var sizes = []image.Point{{250, 122}, {296, 128}, {400, 300}}

// Large glass is written in a type of its own; a few pictures show it.
var (
	large  = image.Pt(648, 480)
	atSize = []string{"genegrafter-fr", "mindbug-fr", "mutants-4-fr", "tally-en"}
)

func TestGolden(t *testing.T) {
	p := NewPainter()
	for _, size := range append(sizes, large) {
		for _, s := range sample.All() {
			if size == large && !slices.Contains(atSize, s.Name) {
				continue
			}
			name := fmt.Sprintf("%s-%dx%d.png", s.Name, size.X, size.Y)
			t.Run(name, func(t *testing.T) {
				compare(t, filepath.Join("testdata", name), p.Draw(s.Frame, size))
			})
		}
	}
}

// compare holds a picture against its golden file, pixel by pixel.
func compare(t *testing.T, file string, got *image.Paletted) {
	t.Helper()
	if *update {
		var b bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, got); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (make it with -update, then look at it)", err)
	}
	want, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if want.Bounds() != got.Bounds() {
		t.Fatalf("picture is %v, want %v", got.Bounds(), want.Bounds())
	}
	wrong := 0
	for y := range got.Rect.Dy() {
		for x := range got.Rect.Dx() {
			r, _, _, _ := want.At(x, y).RGBA()
			if (r == 0) != (got.ColorIndexAt(x, y) == uint8(black)) {
				wrong++
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d pixels differ from %s", wrong, file)
	}
}
