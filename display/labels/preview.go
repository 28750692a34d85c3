package labels

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// perMM is the number of pixels per millimetre in a preview.
const perMM = 4

// A preview is a picture on which a page is drawn.
type preview struct {
	img *image.Gray
	ink color.Gray
}

// Preview writes the first page of the labels to w as a PNG. It returns the number of pages
// for all the labels.
func (s Sheet) Preview(w io.Writer, labels []Label) (int, error) {
	d, g, err := s.begin(labels)
	if err != nil {
		return 0, err
	}
	pages := g.pages(len(labels))
	img := image.NewGray(image.Rect(0, 0, int(s.Paper.W*perMM), int(s.Paper.H*perMM)))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	p := &page{doc: d, preview: &preview{img: img}}
	if err := s.fill(p, g, labels[:min(g.perPage(), len(labels))], 1, pages); err != nil {
		return 0, err
	}
	return pages, png.Encode(w, img)
}

// rect fills a rectangle, given in millimetres. The filled rectangle is at least one pixel
// wide and one pixel high.
func (v *preview) rect(x, y, w, h float64) {
	px := func(mm float64) int { return int(math.Round(mm * perMM)) }
	r := image.Rect(px(x), px(y), px(x+w), px(y+h))
	r.Max = image.Pt(max(r.Max.X, r.Min.X+1), max(r.Max.Y, r.Min.Y+1))
	draw.Draw(v.img, r, image.NewUniform(v.ink), image.Point{}, draw.Src)
}

func (v *preview) text(f *opentype.Font, size, x, y float64, text string) {
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size * perMM, DPI: 72})
	if err != nil {
		return // NewFace fails only for other options
	}
	d := font.Drawer{Dst: v.img, Src: image.NewUniform(v.ink), Face: face,
		Dot: fixed.Point26_6{X: fixed.Int26_6(x * perMM * 64), Y: fixed.Int26_6(y * perMM * 64)}}
	d.DrawString(text)
}
