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

// An Output sends animated pictures of frames to a strip. Show puts a frame into the Output's
// mailbox, and Run draws the frame.
type Output struct {
	strip  display.Drawer
	layout Layout
	ready  chan struct{} // holds a value while the mailbox is full
	retest chan struct{} // holds a value when a test has begun

	picture *image.NRGBA // reused by Run for each frame

	mu         sync.Mutex
	mail       engine.Frame // the newest frame, with the events of earlier frames that Run did not take
	unread     bool
	colours    []color.NRGBA // on the strip, for Lights
	frame      engine.Frame  // on the strip, for Calm
	happenedAt time.Time     // when something last happened in the frame

	testedAt time.Time      // when the newest test began
	testers  []chan<- error // get the result, once each; every channel has room for it
}

// NewOutput returns an Output for a strip. If l.LEDs is 0, the number of LEDs is the width of
// the strip.
func NewOutput(strip display.Drawer, l Layout) *Output {
	if l.LEDs == 0 {
		l.LEDs = strip.Bounds().Dx()
	}
	return &Output{strip: strip, layout: l, ready: make(chan struct{}, 1), retest: make(chan struct{}, 1)}
}

// Show passes a frame to Run and returns without waiting. Show does not return the errors of
// the strip. Run returns these errors.
func (o *Output) Show(_ context.Context, f engine.Frame) error {
	o.mu.Lock()
	if o.unread {
		f.Events = slices.Concat(o.mail.Events, f.Events)
		f.Events = f.Events[max(0, len(f.Events)-maxEvents):]
	}
	o.mail, o.unread = f, true
	o.mu.Unlock()
	o.wake()
	return nil
}

func (o *Output) wake() {
	select {
	case o.ready <- struct{}{}:
	default:
	}
}

// Lights returns the colours that the strip shows now, for pictures of the strip. If nothing
// was drawn yet, Lights returns nil.
func (o *Output) Lights() []color.NRGBA {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.colours)
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
	var frame engine.Frame
	var happenedAt time.Time
	var picture strip
	var leds, last []color.NRGBA // the colours now, and the colours that were last sent
	var sent time.Time           // zero if it is not known what the strip shows
	timer := time.NewTimer(0)
	defer timer.Stop()
	if o.hasFrame() {
		o.wake()
	}
	shown := false
	for {
		select {
		case <-ctx.Done():
			return o.send(make([]color.NRGBA, o.layout.LEDs))
		case <-o.ready:
			f := o.take()
			if !shown || happened(frame, f) {
				happenedAt = time.Now()
			} else {
				f.Events = frame.Events // so that their effects continue
			}
			frame, shown = f, true
			o.mu.Lock()
			o.frame, o.happenedAt = frame, happenedAt
			o.mu.Unlock()
		case <-o.retest:
		case <-timer.C:
		}
		if !shown {
			continue
		}
		age := time.Since(happenedAt)
		testAge, testing := o.testing()
		if testing {
			leds = testColours(leds[:0], o.layout.LEDs, testAge)
		} else {
			leds = picture.draw(leds[:0], frame, o.layout, age)
		}
		if time.Since(sent) >= resend || !slices.Equal(leds, last) {
			if err := o.send(leds); err != nil {
				o.answerTest(err)
				return err
			}
			sent = time.Now()
			leds, last = last, leds
		}
		if testing {
			o.answerTest(nil)
		}
		wait := resend - time.Since(sent)
		if next := Next(frame, o.layout, age); next > 0 {
			wait = min(next, wait)
		}
		if testing {
			wait = min(testStep, wait)
		}
		timer.Reset(max(wait, 0))
	}
}

// happened reports whether something happened after the frame prev and up to the frame f. An
// event, another match, an input or a receipt counts. A change in the health of a part does
// not count.
func happened(prev, f engine.Frame) bool {
	was, is := prev.Status.Receipt, f.Status.Receipt
	return len(f.Events) > 0 || prev.View.Match != f.View.Match || prev.View.Seq != f.View.Seq ||
		(was == nil) != (is == nil) || was != nil && was.N != is.N
}

// hasFrame reports whether Show was ever called. If it was, a new Run has a frame to draw.
func (o *Output) hasFrame() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.mail.View.Schema != 0
}

func (o *Output) take() engine.Frame {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.unread = false
	return o.mail
}

// send sends the colours of the whole strip, because drivers for WS2812 put a partial picture
// in the wrong place.
func (o *Output) send(leds []color.NRGBA) error {
	if o.picture == nil || o.picture.Rect.Dx() != len(leds) {
		o.picture = image.NewNRGBA(image.Rect(0, 0, len(leds), 1))
	}
	for i, c := range leds {
		c.A = 255
		o.picture.SetNRGBA(i, 0, c)
	}
	if err := o.strip.Draw(o.strip.Bounds(), o.picture, image.Point{}); err != nil {
		return fmt.Errorf("lights: draw on %s: %w", o.strip, err)
	}
	o.mu.Lock()
	o.colours = append(o.colours[:0], leds...)
	o.mu.Unlock()
	return nil
}
