package qr

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"slices"
	"testing"

	"tableside/display/qr/qrtest"
)

func code(t testing.TB, text string, scale int) image.Image {
	t.Helper()
	c, err := New(text, Medium)
	if err != nil {
		t.Fatal(err)
	}
	return c.Picture(scale)
}

// sheet returns a picture of 640 by 480 with these texts in rows.
func sheet(t testing.TB, texts []string, scale int) *image.Gray {
	t.Helper()
	page := image.NewGray(image.Rect(0, 0, 640, 480))
	draw.Draw(page, page.Rect, image.White, image.Point{}, draw.Src)
	at := image.Pt(10, 10)
	for _, text := range texts {
		c := code(t, text, scale)
		if at.X+c.Bounds().Dx() > 630 {
			at = image.Pt(10, at.Y+c.Bounds().Dy()+10)
		}
		draw.Draw(page, c.Bounds().Add(at), c, image.Point{}, draw.Src)
		at.X += c.Bounds().Dx() + 10
	}
	return page
}

// blurred returns the picture with each pixel the mean of those around it.
func blurred(img *image.Gray) *image.Gray {
	out, wide := image.NewGray(img.Rect), img.Stride
	for i := wide + 1; i < len(img.Pix)-wide-1; i++ {
		sum := 0
		for row := i - wide; row <= i+wide; row += wide {
			sum += int(img.Pix[row-1]) + int(img.Pix[row]) + int(img.Pix[row+1])
		}
		out.Pix[i] = uint8(sum / 9)
	}
	return out
}

// compressed returns the picture after it was sent as a JPEG.
func compressed(t testing.TB, img image.Image) image.Image {
	t.Helper()
	var file bytes.Buffer
	if err := jpeg.Encode(&file, img, &jpeg.Options{Quality: 60}); err != nil {
		t.Fatal(err)
	}
	back, err := jpeg.Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func cards(n int) (texts []string) {
	for i := range n {
		texts = append(texts, fmt.Sprintf("tableside:mutants/zombie.%d", i+1))
	}
	return texts
}

// TestReadSeveral reads codes that lie beside each other, sharp, blurred and turned.
func TestReadSeveral(t *testing.T) {
	texts := cards(6)
	sharp := sheet(t, texts, 4)
	tinted := image.NewRGBA(sharp.Rect)
	draw.Draw(tinted, tinted.Rect, sharp, image.Point{}, draw.Src)
	for name, img := range map[string]image.Image{
		"blurred": blurred(sharp), "in colour": tinted, "turned and tilted": qrtest.Seen(sharp, 0.3, 0.1),
		"as a JPEG": compressed(t, sharp), "in colour, as a JPEG": compressed(t, tinted),
	} {
		var got []string
		for _, s := range Read(img) {
			got = append(got, s.Text)
			for _, p := range s.Corners {
				if !p.In(img.Bounds()) {
					t.Errorf("%s: a corner at %v", name, p)
				}
			}
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, texts) {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

// TestReadNothing checks pictures without a code, and those that would keep the reader
// busy for ever.
func TestReadNothing(t *testing.T) {
	torn := sheet(t, cards(1), 4)
	draw.Draw(torn, image.Rect(50, 0, 640, 480), image.White, image.Point{}, draw.Src)
	// A page full of corner patterns.
	busy := image.NewGray(image.Rect(0, 0, 1280, 720))
	for y := range 720 {
		for x := range 1280 {
			u, v := x%9-4, y%9-4
			if far := max(u, -u, v, -v); far == 4 || far == 2 {
				busy.SetGray(x, y, color.Gray{Y: 255})
			}
		}
	}
	for name, img := range map[string]image.Image{
		"empty": image.NewGray(image.Rect(0, 0, 0, 0)), "a pixel": image.NewGray(image.Rect(0, 0, 1, 1)),
		"white": image.White, "torn": torn, "busy": busy, "narrow": image.NewGray(image.Rect(0, 0, 1280, 3)),
	} {
		if name == "white" {
			img = sheet(t, nil, 4)
		}
		if got := Read(img); len(got) > 0 {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	img := compressed(b, sheet(b, cards(1), 4))
	for b.Loop() {
		if len(Read(img)) != 1 {
			b.Fatal("the code was not read")
		}
	}
}
