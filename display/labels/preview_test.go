package labels

import (
	"bytes"
	"image/png"
	"slices"
	"testing"

	"tableside/display/qr"
)

// TestPreview tests that a preview shows the first page: its codes are those of the sheet.
func TestPreview(t *testing.T) {
	size, err := FindSize("sleeve")
	if err != nil {
		t.Fatal(err)
	}
	s := Sheet{Paper: Papers[0], Size: size, Footer: func(int, int) string { return "Mindbug, 1/2" }}
	var b bytes.Buffer
	pages, err := s.Preview(&b, some(10))
	if err != nil || pages != 2 {
		t.Fatalf("%d pages, %v", pages, err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds().Size(); got.X != 840 || got.Y != 1188 || b.Cap() > 300<<10 {
		t.Errorf("%v, %d bytes", got, b.Cap())
	}
	read := qr.Read(img)
	if !slices.ContainsFunc(read, func(s qr.Sight) bool { return s.Text == "tableside:mindbug/card-0.1" }) {
		t.Errorf("read %+v", read)
	}
}
