package simulated

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"sync"

	"periph.io/x/conn/v3/display"
)

// A Screen holds the picture of a panel or a strip, for pages and tests. Its methods may be
// called from any goroutine.
type Screen struct {
	name   string
	bounds image.Rectangle
	blank  func() draw.Image // an empty picture in the screen's colours

	mu      sync.Mutex
	picture draw.Image // a new one for each Draw, because pictures handed out must not change
	draws   int
}

var _ display.Drawer = (*Screen)(nil)

// NewPanel returns a one-bit screen such as e-paper, white at first.
func NewPanel(width, height int) *Screen {
	bounds, colours := image.Rect(0, 0, width, height), color.Palette{color.White, color.Black}
	return newScreen("panel", bounds, image.White, func() draw.Image { return image.NewPaletted(bounds, colours) })
}

// NewStrip returns a row of lights of any colour, dark at first.
func NewStrip(lights int) *Screen {
	bounds := image.Rect(0, 0, lights, 1)
	return newScreen("strip", bounds, image.Black, func() draw.Image { return image.NewNRGBA(bounds) })
}

func newScreen(name string, bounds image.Rectangle, ground image.Image, blank func() draw.Image) *Screen {
	s := &Screen{name: name, bounds: bounds, blank: blank, picture: blank()}
	draw.Draw(s.picture, bounds, ground, image.Point{}, draw.Src)
	return s
}

func (s *Screen) String() string {
	return fmt.Sprintf("simulated %s %dx%d", s.name, s.bounds.Dx(), s.bounds.Dy())
}

// Halt does nothing: the picture stays, as on e-paper.
func (s *Screen) Halt() error { return nil }

// ColorModel returns the colours that the screen can show.
func (s *Screen) ColorModel() color.Model { return s.Image().ColorModel() }

// Bounds returns the rectangle of the screen, which begins at 0, 0.
func (s *Screen) Bounds() image.Rectangle { return s.bounds }

// Draw shows a part of src in the rectangle r of the screen, in the screen's own colours. The
// point sp of src comes to the upper left corner of r. The rest of the screen's picture stays.
func (s *Screen) Draw(r image.Rectangle, src image.Image, sp image.Point) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := s.blank()
	if !s.bounds.In(r) {
		draw.Draw(next, s.bounds, s.picture, image.Point{}, draw.Src)
	}
	draw.Draw(next, r, src, sp, draw.Src)
	s.picture = next
	s.draws++
	return nil
}

// Update shows a whole picture, as a panel does. A picture that equals the last one is not
// drawn again, even if a full refresh is asked for.
func (s *Screen) Update(_ context.Context, picture image.Image, _ bool) error {
	before, model := s.Image(), s.ColorModel()
	same := true
	for y := s.bounds.Min.Y; y < s.bounds.Max.Y && same; y++ {
		for x := s.bounds.Min.X; x < s.bounds.Max.X && same; x++ {
			same = before.At(x, y) == model.Convert(picture.At(x, y))
		}
	}
	if same && s.Draws() > 0 {
		return nil
	}
	return s.Draw(s.bounds, picture, image.Point{})
}

// Sleep does nothing: the picture stays, as on e-paper.
func (s *Screen) Sleep(context.Context) error { return nil }

// Image returns the picture on the screen. Later drawing does not change this picture.
func (s *Screen) Image() image.Image {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.picture
}

// Draws returns how often something was drawn.
func (s *Screen) Draws() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.draws
}
