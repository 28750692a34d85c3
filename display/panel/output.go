package panel

import (
	"context"
	"fmt"
	"image"
	"sync"
	"time"

	"tableside/engine"
)

// A Glass shows whole pictures: an e-paper panel, or a small screen.
type Glass interface {
	// Bounds begin at 0, 0.
	Bounds() image.Rectangle
	// Update shows a picture and returns when it is seen. A picture like the
	// one before costs nothing. With full, an e-paper panel is also cleaned
	// of the shadows that earlier pictures have left on it.
	Update(ctx context.Context, picture image.Image, full bool) error
	// Sleep saves the panel; the next Update wakes it.
	Sleep(ctx context.Context) error
	String() string
}

// A Drawer makes the picture of a frame, as Painter does.
type Drawer interface {
	Draw(f engine.Frame, size image.Point) *image.Paletted
}

// idle is how long nothing is shown before the glass may sleep. Makers of
// e-paper ask for that within minutes; a table that plays is not disturbed.
const idle = 30 * time.Second

// An Output shows frames on a glass.
type Output struct {
	painter Drawer
	shown   chan struct{} // holds one after something was shown

	mu     sync.Mutex // held while the glass works
	glass  Glass
	before engine.View // whose picture it shows
	clean  bool        // the next picture has to clean the glass
}

// NewOutput shows frames on a glass of any size.
func NewOutput(glass Glass, painter Drawer) *Output {
	return &Output{painter: painter, glass: glass, shown: make(chan struct{}, 1)}
}

// Show draws the frame and returns when the glass has it. At the end of a
// round the glass is cleaned: then everybody looks elsewhere.
func (o *Output) Show(ctx context.Context, f engine.Frame) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	v := f.View
	o.clean = o.clean || v.Match != o.before.Match || v.Round != o.before.Round || len(v.Winners) != len(o.before.Winners)
	o.before = v
	if err := o.glass.Update(ctx, o.painter.Draw(f, o.glass.Bounds().Size()), o.clean); err != nil {
		return fmt.Errorf("panel: show on %s: %w", o.glass, err)
	}
	o.clean = false
	select {
	case o.shown <- struct{}{}:
	default:
	}
	return nil
}

// Run lets the glass sleep when nothing was shown for a while, and when the
// context ends.
func (o *Output) Run(ctx context.Context) error {
	timer := time.NewTimer(idle)
	defer timer.Stop()
	for {
		select {
		case <-o.shown:
			timer.Reset(idle)
		case <-timer.C:
			if err := o.sleep(ctx); err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

func (o *Output) sleep(ctx context.Context) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.glass.Sleep(ctx); err != nil && ctx.Err() == nil {
		return fmt.Errorf("panel: let %s sleep: %w", o.glass, err)
	}
	return nil
}
