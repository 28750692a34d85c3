package panel

import (
	"bytes"
	"context"
	"fmt"
	"image"

	"periph.io/x/conn/v3/display"

	"tableside/engine"
)

// An Output shows frames on a panel. A picture in which no pixel has changed
// is not drawn again: a panel wears out, and a refresh takes two seconds.
type Output struct {
	painter *Painter
	glass   display.Drawer
	shown   *image.Paletted // what the glass holds; nil when that is not known
}

// NewOutput shows frames on a panel of any size.
func NewOutput(glass display.Drawer) *Output {
	return &Output{painter: NewPainter(), glass: glass}
}

// Show draws the frame and returns when the panel has it. After an error the
// next frame is drawn in any case. One goroutine calls it.
func (o *Output) Show(ctx context.Context, f engine.Frame) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	at := o.glass.Bounds()
	picture := o.painter.Draw(f, at.Size())
	if o.shown != nil && o.shown.Rect == picture.Rect && bytes.Equal(o.shown.Pix, picture.Pix) {
		return nil
	}
	o.shown = nil
	if err := o.glass.Draw(at, picture, image.Point{}); err != nil {
		return fmt.Errorf("panel: draw on %s: %w", o.glass, err)
	}
	o.shown = picture
	return nil
}
