package panel

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"time"
)

// testStays is the least time for which a test picture stays.
const testStays = 10 * time.Second

// Test shows the test picture for at least 10 s, and returns when the picture is visible. On a
// Pauser, Test first waits until the previous picture has stayed long enough. Pictures of
// the table that arrive during the test are shown after it.
func (o *Output) Test(ctx context.Context) error {
	if err := o.takeForTest(ctx); err != nil {
		return err
	}
	defer o.give()
	if err := o.glass.Update(ctx, TestPicture(o.glass.Bounds()), true); err != nil {
		o.failed = true
		return fmt.Errorf("panel: show on %s: %w", o.glass, err)
	}
	o.shownAt = time.Now()
	o.staysUntil = o.shownAt.Add(max(testStays, o.pause()))
	o.mustClean, o.failed, o.asleep, o.testShown, o.pending = true, false, false, true, o.picture != nil
	return nil
}

// takeForTest reserves the glass as soon as the glass may show a test picture. The caller must
// release the glass with give. If ctx ends first, takeForTest returns the error of ctx and
// does not reserve the glass.
//
// While takeForTest waits, newer pictures of the table wait too. Otherwise, on a Pauser,
// each of them would have to stay for a while and would delay the test again.
func (o *Output) takeForTest(ctx context.Context) error {
	o.waitingTests.Add(1)
	defer o.waitingTests.Add(-1)
	for {
		if err := o.take(ctx); err != nil {
			return err
		}
		left := time.Until(o.staysUntil)
		if left <= 0 || o.failed || o.testShown {
			return nil
		}
		o.give()
		select {
		case <-time.After(left):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// TestPicture returns a picture with a frame at its edge, a cross, and a filled top left
// corner. The picture shows at a glance whether the glass cuts it off, mirrors it or turns it.
func TestPicture(r image.Rectangle) image.Image {
	picture := image.NewGray(r)
	for y := range r.Dy() {
		for x := range r.Dx() {
			ink := x == 0 || y == 0 || x == r.Dx()-1 || y == r.Dy()-1 ||
				x*r.Dy()/r.Dx() == y || (r.Dx()-1-x)*r.Dy()/r.Dx() == y ||
				x < r.Dx()/5 && y < r.Dy()/5
			if !ink {
				picture.SetGray(r.Min.X+x, r.Min.Y+y, color.Gray{Y: 255})
			}
		}
	}
	return picture
}
