package seat

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"sync"
	"time"

	"tableside/display/panel"
	"tableside/engine"
)

// A Glass is a small screen.
type Glass interface {
	// Bounds begin at 0, 0.
	Bounds() image.Rectangle
	// Update shows a picture; one like the one before costs nothing, or now
	// and then everything, for a screen that has lost it.
	Update(ctx context.Context, picture image.Image, full bool) error
	// Check asks whether the screen is there.
	Check(ctx context.Context) error
	// Sleep turns the screen dark; the next Update wakes it.
	Sleep(ctx context.Context) error
	String() string
}

const (
	// again is how often the screen is looked after: it has to be missed
	// within two seconds.
	again = time.Second

	// rest is how long a picture stays. OLEDs age where they shine.
	rest = 15 * time.Minute
)

// An Output shows frames on the screen at a seat.
type Output struct {
	painter panel.Drawer

	mu      sync.Mutex // held while the glass works
	glass   Glass
	picture *image.Paletted // what the glass shows, or should; nil before the first
	since   time.Time       // how long already
	asleep  bool
}

// NewOutput shows frames on a screen.
func NewOutput(glass Glass, painter panel.Drawer) *Output {
	return &Output{painter: painter, glass: glass}
}

// Show draws the frame and returns when the glass has it. A screen that sleeps
// wakes when there is something else to see.
func (o *Output) Show(ctx context.Context, f engine.Frame) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	picture := o.painter.Draw(f, o.glass.Bounds().Size())
	if o.picture == nil || !bytes.Equal(o.picture.Pix, picture.Pix) {
		o.picture, o.since, o.asleep = picture, time.Now(), false
	}
	return o.update(ctx)
}

func (o *Output) update(ctx context.Context) error {
	if o.picture == nil || o.asleep {
		return nil
	}
	if err := o.glass.Update(ctx, o.picture, false); err != nil {
		return fmt.Errorf("seat: show on %s: %w", o.glass, err)
	}
	return nil
}

// Run looks after the screen until the context ends: one that was unplugged is
// missed, and when it is back it gets its picture; one on which nothing has
// changed for a while goes dark. Run tells what is wrong, once, and nil when
// all is well again.
func (o *Output) Run(ctx context.Context, tell func(error)) error {
	ticker := time.NewTicker(again)
	defer ticker.Stop()
	ill := false
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		err := o.tend(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if (err != nil) != ill {
			ill = !ill
			tell(err)
		}
	}
}

func (o *Output) tend(ctx context.Context) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.glass.Check(ctx); err != nil {
		return fmt.Errorf("seat: %s: %w", o.glass, err)
	}
	if o.picture == nil || o.asleep || time.Since(o.since) < rest {
		return o.update(ctx)
	}
	if err := o.glass.Sleep(ctx); err != nil {
		return fmt.Errorf("seat: let %s sleep: %w", o.glass, err)
	}
	o.asleep = true
	return nil
}
