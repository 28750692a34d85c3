package panel

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"sync/atomic"
	"time"

	"tableside/engine"
)

// A Glass shows whole pictures: an e-paper panel, or a small screen.
type Glass interface {
	// Bounds returns the size of the glass, as a rectangle that begins at 0, 0.
	Bounds() image.Rectangle
	// Update shows a picture and returns when the picture is visible. A picture that
	// equals the one before costs nothing. If full is set, an e-paper panel is also
	// cleaned of the shadows of earlier pictures.
	Update(ctx context.Context, picture image.Image, full bool) error
	// Sleep puts the glass to sleep, to spare the glass. The next Update wakes it.
	Sleep(ctx context.Context) error
	String() string
}

// A Drawer draws the picture of a frame, like Painter.
type Drawer interface {
	Draw(f engine.Frame, size image.Point) *image.Paletted
}

// A Checker is a Glass whose presence can be checked. If the glass may have lost a picture,
// Update of a Checker may send the same picture again.
type Checker interface {
	Check(ctx context.Context) error
}

// A Pauser is a Glass that flashes for a long time with each new picture. Pause returns the
// least time for which a picture should stay visible.
type Pauser interface {
	Pause() time.Duration
}

// checkEvery is the time between two checks of a Checker. If a glass no longer answers,
// players should be told within two seconds.
const checkEvery = time.Second

// An Output shows frames on a glass.
type Output struct {
	painter Drawer
	idle    time.Duration

	// turn is a lock: it holds a value while a goroutine uses the glass. It is not a
	// mutex, because an update of a panel can take two seconds, and a goroutine that waits
	// for a mutex cannot be cancelled.
	turn         chan struct{}
	glass        Glass
	view         engine.View     // of the newest picture
	picture      *image.Paletted // the newest, perhaps not on the glass yet
	mustClean    bool            // with the next picture
	failed       bool            // the glass did not work; its picture must be shown again
	pending      bool            // the newest picture is shown once the one on the glass has stayed long enough
	staysUntil   time.Time       // until then the picture on the glass must stay
	shownAt      time.Time       // when the picture on the glass got there
	asleep       bool
	testShown    bool
	waitingTests atomic.Int32 // for the glass
}

// NewOutput returns an output for a glass of any size. If no new picture comes for the given
// time, Run lets the glass sleep.
func NewOutput(glass Glass, painter Drawer, idle time.Duration) *Output {
	return &Output{painter: painter, glass: glass, idle: idle, turn: make(chan struct{}, 1)}
}

// take waits until no other goroutine uses the glass, and reserves the glass for the caller.
// The caller must release it by calling give. If ctx ends first, take returns the error of
// ctx.
func (o *Output) take(ctx context.Context) error {
	select {
	case o.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (o *Output) give() { <-o.turn }

// Show draws the frame and returns when the glass shows the picture. When a match or a round
// begins or ends, the glass is also cleaned, because everybody looks elsewhere then.
//
// If the new picture equals the previous one, Show normally sends nothing. Therefore the
// frames that a card reader causes with every poll do not keep the glass awake, and do not
// wake it.
//
// On a Pauser, and during a test, a picture has to stay for a while. Until that time is
// over, Show only stores the new picture and returns immediately. Run shows the newest stored
// picture later.
//
// If the glass fails, Show returns the error. The next call of Show or Run shows the picture
// again.
func (o *Output) Show(ctx context.Context, f engine.Frame) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := o.take(ctx); err != nil {
		return err
	}
	defer o.give()
	if _, pauses := o.glass.(Pauser); pauses {
		f.View.Clock = nil // a glass that flashes so long must not show each minute
	}
	v := f.View
	o.mustClean = o.mustClean || v.Match != o.view.Match || v.Round != o.view.Round ||
		len(v.Winners) != len(o.view.Winners)
	o.view = v
	picture := o.painter.Draw(f, o.glass.Bounds().Size())
	if !o.mustClean && !o.failed && !o.pending && o.picture != nil && bytes.Equal(picture.Pix, o.picture.Pix) {
		return nil
	}
	o.picture = picture
	if o.pending = !o.failed && o.mustWait(); o.pending {
		return nil
	}
	return o.show(ctx)
}

func (o *Output) show(ctx context.Context) error {
	if err := o.glass.Update(ctx, o.picture, o.mustClean); err != nil {
		o.failed = true
		return fmt.Errorf("panel: show on %s: %w", o.glass, err)
	}
	o.mustClean, o.failed, o.asleep, o.pending, o.testShown = false, false, false, false, false
	o.shownAt = time.Now()
	o.staysUntil = o.shownAt.Add(o.pause())
	return nil
}

// mustWait reports whether a new picture must wait, because the picture on the glass has to
// stay longer or because a test comes first.
func (o *Output) mustWait() bool { return time.Now().Before(o.staysUntil) || o.waitingTests.Load() > 0 }

func (o *Output) pause() time.Duration {
	if pauser, ok := o.glass.(Pauser); ok {
		return pauser.Pause()
	}
	return 0
}

// Run looks after the glass each second. It shows the pictures that Show had to hold back. When
// no new picture has come for a while, it lets the glass sleep. If the glass is a Checker, Run
// checks whether the glass is still there.
//
// Run returns nil when ctx ends. If the glass fails, Run returns an error, and the next call
// of Run shows the picture again.
func (o *Output) Run(ctx context.Context) error {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for begins := true; ctx.Err() == nil; begins = false {
		if err := o.tend(ctx, begins); err != nil && ctx.Err() == nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	return nil
}

// tend does what is due. A picture that failed is shown again only when Run begins, because the
// caller of Show repeats it otherwise.
func (o *Output) tend(ctx context.Context, begins bool) error {
	if err := o.take(ctx); err != nil {
		return err
	}
	defer o.give()
	switch {
	case begins && o.failed && o.picture != nil:
		o.mustClean = true
		return o.show(ctx)
	case o.mustWait():
		return nil
	case o.pending:
		return o.show(ctx)
	case o.asleep:
		return nil
	case time.Since(o.shownAt) >= o.idle && !o.shownAt.IsZero():
		return o.sleep(ctx)
	}
	checker, ok := o.glass.(Checker)
	if !ok || begins {
		return nil
	}
	err := checker.Check(ctx)
	if err == nil && o.picture != nil {
		err = o.glass.Update(ctx, o.picture, false)
	}
	if err != nil {
		o.failed = true
		return fmt.Errorf("panel: %s: %w", o.glass, err)
	}
	return nil
}

// Sleep waits until the glass has finished its present work, and then puts it to sleep. When
// Show is next called with another picture, the glass wakes.
func (o *Output) Sleep(ctx context.Context) error {
	if err := o.take(ctx); err != nil {
		return err
	}
	defer o.give()
	return o.sleep(ctx)
}

func (o *Output) sleep(ctx context.Context) error {
	if err := o.glass.Sleep(ctx); err != nil {
		o.failed = true
		return fmt.Errorf("panel: let %s sleep: %w", o.glass, err)
	}
	o.asleep = true
	return nil
}
