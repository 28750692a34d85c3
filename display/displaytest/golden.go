package displaytest

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"testing"

	"tableside/display/canvas"
	"tableside/engine/enginetest"
)

// Golden compares a picture with a PNG file, and fails the test if they differ. With the flag
// -update, Golden writes the file first. Golden compares pixels, not bytes of the file,
// because encoders may change. A channel of a colour may be one step off, because processors
// that fuse a multiplication with an addition round differently.
func Golden(t *testing.T, file string, got image.Image) {
	t.Helper()
	if enginetest.Updating() {
		var b bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, got); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (make it with -update, then look at it)", err)
	}
	want, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if got.Bounds() != want.Bounds() {
		t.Fatalf("%s: got a picture of %v, want %v", file, got.Bounds(), want.Bounds())
	}
	wrong := 0
	for y := want.Bounds().Min.Y; y < want.Bounds().Max.Y; y++ {
		for x := want.Bounds().Min.X; x < want.Bounds().Max.X; x++ {
			if !isNear(got.At(x, y), want.At(x, y)) {
				wrong++
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%s: %d pixels differ; run with -update to accept", file, wrong)
	}
}

func isNear(a, b color.Color) bool {
	m, n := color.NRGBAModel.Convert(a).(color.NRGBA), color.NRGBAModel.Convert(b).(color.NRGBA)
	return difference(m.R, n.R) <= 1 && difference(m.G, n.G) <= 1 && difference(m.B, n.B) <= 1 && m.A == n.A
}

func difference(a, b uint8) int { return max(int(a), int(b)) - min(int(a), int(b)) }

// CheckTexts fails the test if texts in a picture overlap, or if a text is cut without an
// ellipsis. The caller passes the Proof of the picture, which records where the texts are and
// which are cut. If the test fails, its message gives the name of the picture.
func CheckTexts(t *testing.T, name string, p *canvas.Proof) {
	t.Helper()
	for _, s := range p.CutTexts {
		t.Errorf("%s: %q is cut", name, s)
	}
	for i, a := range p.Boxes {
		for _, b := range p.Boxes[:i] {
			if a.Overlaps(b) {
				t.Errorf("%s: words at %v lie on words at %v", name, a, b)
			}
		}
	}
}
