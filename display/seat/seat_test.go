package seat

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"tableside/display/text/sample"
	"tableside/engine"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

var sizes = []image.Point{{128, 64}, {128, 32}}

// TestGolden draws every sample as the one who is asked sees it, and some as
// another does.
func TestGolden(t *testing.T) {
	for _, size := range sizes {
		for _, s := range sample.All() {
			for _, seat := range []engine.Seat{"red", "blue", "yellow"} {
				if s.Frame.View.Seat(seat) == nil && (seat != "red" || s.Frame.View.Match != "") {
					continue
				}
				name := fmt.Sprintf("%s-%s-%dx%d.png", s.Name, seat, size.X, size.Y)
				t.Run(name, func(t *testing.T) {
					compare(t, filepath.Join("testdata", name), NewPainter(seat).Draw(s.Frame, size))
				})
			}
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
			if (r != 0) != (got.ColorIndexAt(x, y) == uint8(lit)) {
				wrong++
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d pixels differ from %s", wrong, file)
	}
}
