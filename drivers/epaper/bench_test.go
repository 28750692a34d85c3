package epaper_test

import (
	"context"
	"image"
	"image/color"
	"testing"
	"testing/synctest"

	"tableside/drivers/epaper"
)

func paletted(gray *image.Gray) *image.Paletted {
	img := image.NewPaletted(gray.Rect, color.Palette{color.Black, color.White})
	for i, v := range gray.Pix {
		img.Pix[i] = v >> 7
	}
	return img
}

func TestNothingChangedAllocatesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dev, _ := connect(t, epaper.DefaultOpts)
		img := paletted(page(dev.Bounds().Size()))
		update(t, dev, img, false)
		if n := testing.AllocsPerRun(10, func() { update(t, dev, img, false) }); n > 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

// BenchmarkNothingChanged measures an update with the same picture, which most
// updates are.
func BenchmarkNothingChanged(b *testing.B) {
	for _, name := range epaper.Panels() {
		b.Run(name, func(b *testing.B) {
			dev, p := connect(b, epaper.Opts{Panel: name, Speed: 200})
			defer p.SPI().Close()
			p.SetSpeed(200)
			img := paletted(page(dev.Bounds().Size()))
			update(b, dev, img, false)
			b.ReportAllocs()
			for b.Loop() {
				if err := dev.Update(context.Background(), img, false); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// FuzzUpdate checks that the boxes of changes hold every difference of two
// pictures, within bounds.
func FuzzUpdate(f *testing.F) {
	f.Add([]byte{10, 20, 3, 4}, []byte{100, 200, 30, 10})
	f.Add([]byte{0, 0, 255, 255}, []byte{121, 249, 1, 1})
	f.Fuzz(func(t *testing.T, first, second []byte) {
		if len(first)+len(second) > 64 {
			return
		}
		synctest.Test(t, func(t *testing.T) {
			dev, p := connect(t, epaper.DefaultOpts)
			img := blank(dev.Bounds().Size())
			for _, marks := range [][]byte{nil, first, second} {
				for ; len(marks) >= 4; marks = marks[4:] {
					at := image.Pt(int(marks[0]), int(marks[1]))
					fill(img, image.Rectangle{at, at.Add(image.Pt(int(marks[2]), int(marks[3])))},
						color.Gray{Y: marks[0] ^ marks[3]<<3})
				}
				update(t, dev, img, false)
				shows(t, p, img)
			}
			lawful(t, p)
		})
	})
}
