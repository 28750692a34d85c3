package simulated

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"sync"

	"periph.io/x/conn/v3/display"
	"periph.io/x/devices/v3/ssd1306/image1bit"
)

// A Screen keeps the picture of a panel or a strip, for pages and tests. Its
// methods may be called from any goroutine.
type Screen struct {
	name   string
	model  color.Model
	bounds image.Rectangle

	mu      sync.Mutex
	picture *image.RGBA // a new one for each Draw: a picture handed out stays
	draws   int
}

var _ display.Drawer = (*Screen)(nil)

// NewPanel returns a one-bit screen such as e-paper, white at first.
func NewPanel(width, height int) *Screen {
	s := newScreen("panel", width, height, image1bit.BitModel)
	draw.Draw(s.picture, s.bounds, image.White, image.Point{}, draw.Src)
	return s
}

// NewStrip returns a row of lights of any colour, dark at first.
func NewStrip(lights int) *Screen {
	s := newScreen("strip", lights, 1, color.NRGBAModel)
	draw.Draw(s.picture, s.bounds, image.Black, image.Point{}, draw.Src)
	return s
}

func newScreen(name string, width, height int, model color.Model) *Screen {
	bounds := image.Rect(0, 0, width, height)
	return &Screen{name: name, model: model, bounds: bounds, picture: image.NewRGBA(bounds)}
}

func (s *Screen) String() string {
	return fmt.Sprintf("simulated %s %dx%d", s.name, s.bounds.Dx(), s.bounds.Dy())
}

// Halt leaves the picture as it is, as e-paper does.
func (s *Screen) Halt() error { return nil }

// ColorModel returns the colours that the screen can show.
func (s *Screen) ColorModel() color.Model { return s.model }

// Bounds returns the size; it begins at 0, 0.
func (s *Screen) Bounds() image.Rectangle { return s.bounds }

// Draw shows a part of src, in the screen's own colours.
func (s *Screen) Draw(r image.Rectangle, src image.Image, sp image.Point) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := image.NewRGBA(s.bounds)
	copy(next.Pix, s.picture.Pix)
	draw.Draw(next, r, modelled{src, s.model}, sp, draw.Src)
	s.picture = next
	s.draws++
	return nil
}

// Update shows a whole picture, as a panel does. One that equals the last is not
// drawn again.
func (s *Screen) Update(_ context.Context, picture image.Image, _ bool) error {
	before := s.Image()
	same := true
	for y := s.bounds.Min.Y; y < s.bounds.Max.Y && same; y++ {
		for x := s.bounds.Min.X; x < s.bounds.Max.X && same; x++ {
			same = before.At(x, y) == color.RGBAModel.Convert(s.model.Convert(picture.At(x, y)))
		}
	}
	if same && s.Draws() > 0 {
		return nil
	}
	return s.Draw(s.bounds, picture, image.Point{})
}

// Sleep leaves the picture as it is, too.
func (s *Screen) Sleep(context.Context) error { return nil }

// Image returns what the screen shows. It is not changed afterwards.
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

// modelled converts an image to the colours of a screen.
type modelled struct {
	image.Image
	model color.Model
}

func (m modelled) ColorModel() color.Model { return m.model }

func (m modelled) At(x, y int) color.Color { return m.model.Convert(m.Image.At(x, y)) }
