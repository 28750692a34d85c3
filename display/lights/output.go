package lights

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"slices"
	"sync"
	"time"

	"periph.io/x/conn/v3/display"

	"tableside/engine"
)

// maxEvents is the largest number of events that wait while the strip cannot be reached. If
// there are more events, the oldest are dropped.
const maxEvents = 100

// An Output sends animated pictures of frames to a strip. Show takes a frame, and Run draws it.
type Output struct {
	strip  display.Drawer
	layout Layout
	ready  chan struct{}     // holds a value while the newest frame is not drawn
	tests  chan chan<- error // a test that begins, with the channel for its result

	mu         sync.Mutex
	shown      bool          // there is a frame
	undrawn    bool          // something that happened is not drawn yet
	frame      engine.Frame  // the newest, with the events that are to be shown
	happenedAt time.Time     // when something last happened in the frame
	colours    []color.NRGBA // on the strip
	testedAt   time.Time     // when the newest test began
}

// NewOutput returns an Output for a strip. If l.LEDs is 0, the number of LEDs is the width of
// the strip.
func NewOutput(strip display.Drawer, l Layout) *Output {
	if l.LEDs == 0 {
		l.LEDs = strip.Bounds().Dx()
	}
	return &Output{strip: strip, layout: l, ready: make(chan struct{}, 1), tests: make(chan chan<- error)}
}

// Show passes a frame to Run and returns without waiting. Show does not return the errors of
// the strip. Run returns these errors.
func (o *Output) Show(_ context.Context, f engine.Frame) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.shown || happened(o.frame, f) {
		if o.undrawn {
			f.Events = slices.Concat(o.frame.Events, f.Events)
			f.Events = f.Events[max(0, len(f.Events)-maxEvents):]
		}
		o.happenedAt, o.undrawn = time.Now(), true
	} else {
		f.Events = o.frame.Events // so that their effects continue
	}
	o.frame, o.shown = f, true
	select {
	case o.ready <- struct{}{}:
	default:
	}
	return nil
}

// Calm returns the colours for a picture of the strip on a page. If nothing was drawn yet,
// Calm returns nil.
//
// During a test, and for 4 s after something happened (12 s after a win), Calm returns the
// colours on the strip. At other times it returns the colours in which the animations end. So
// the page need not draw its picture again and again.
func (o *Output) Calm() []color.NRGBA {
	o.mu.Lock()
	defer o.mu.Unlock()
	lasts := breath
	if len(o.frame.View.Winners) > 0 {
		lasts = waveTime
	}
	if o.colours == nil || time.Since(o.happenedAt) < lasts || time.Since(o.testedAt) < testTime {
		return slices.Clone(o.colours)
	}
	return Draw(o.frame, o.layout, restAfter)
}

// resend is the time after which Run sends an unchanged picture again. A strip that was
// unplugged for a moment is dark and cannot report this. A WLED falls back to its own effect
// after 2.5 s without a frame, so the strip keeps its picture even if one frame is lost. A
// failing bus is reported within two seconds.
const resend = time.Second

// Run draws frames until ctx ends, and then turns the strip dark. If the strip fails, Run
// returns an error. The next Run then draws the newest frame again.
func (o *Output) Run(ctx context.Context) error {
	var last []color.NRGBA // the colours that were last sent
	var sent time.Time     // zero if it is not known what the strip shows
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		var tester chan<- error
		select {
		case <-ctx.Done():
			return o.send(make([]color.NRGBA, o.layout.LEDs))
		case tester = <-o.tests:
			o.beginTest()
		case <-o.ready:
		case <-timer.C:
		}
		leds, next := o.draw()
		if leds == nil {
			continue
		}
		if time.Since(sent) >= resend || !slices.Equal(leds, last) {
			if err := o.send(leds); err != nil {
				o.failTests(tester, err)
				return err
			}
			sent, last = time.Now(), leds
		}
		if tester != nil {
			tester <- nil
		}
		timer.Reset(max(min(next, resend-time.Since(sent)), 0))
	}
}

// draw returns the colours of this moment, and how long they stay. Before the first frame, it
// returns nil.
func (o *Output) draw() (leds []color.NRGBA, next time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.undrawn = false
	if age := time.Since(o.testedAt); age < testTime {
		return TrialColours(o.layout.LEDs, age), testStep
	}
	if !o.shown {
		return nil, 0
	}
	age := time.Since(o.happenedAt)
	if next = Next(o.frame, o.layout, age); next == 0 {
		next = resend
	}
	return Draw(o.frame, o.layout, age), next
}

// happened reports whether something happened after the frame prev and up to the frame f. An
// event, another match, an input or a receipt counts. A change in the health of a part does
// not count.
func happened(prev, f engine.Frame) bool {
	was, is := prev.Status.Receipt, f.Status.Receipt
	return len(f.Events) > 0 || prev.View.Match != f.View.Match || prev.View.Seq != f.View.Seq ||
		(was == nil) != (is == nil) || was != nil && was.N != is.N
}

// send sends the colours of the whole strip, because drivers for WS2812 put a partial picture
// in the wrong place.
func (o *Output) send(leds []color.NRGBA) error {
	picture := image.NewNRGBA(image.Rect(0, 0, len(leds), 1))
	for i, c := range leds {
		c.A = 255
		picture.SetNRGBA(i, 0, c)
	}
	if err := o.strip.Draw(o.strip.Bounds(), picture, image.Point{}); err != nil {
		return fmt.Errorf("lights: draw on %s: %w", o.strip, err)
	}
	o.mu.Lock()
	o.colours = leds
	o.mu.Unlock()
	return nil
}
