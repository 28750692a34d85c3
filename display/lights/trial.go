package lights

import (
	"context"
	"errors"
	"image/color"
	"math"
	"time"
)

// Durations of a test. A test first shows one red, one green and one blue LED, in this order.
// If people see another order, the strip has another order of colours than the driver expects.
// Then the test shows a rainbow.
const (
	testOrderTime = 3 * time.Second       // of the three LEDs
	testTime      = 8 * time.Second       // of the whole test
	testStep      = 40 * time.Millisecond // between two pictures
	testTurn      = 2 * time.Second       // one turn of the rainbow
)

// testLimit is how long Test waits for Run to show the test colours. Test does not give up at
// once, because Run may be about to start again.
const testLimit = 5 * time.Second

// ErrNotDriven reports that Run does not draw on the strip now.
var ErrNotDriven = errors.New("lights: nothing is drawn on the strip now; its part says why")

// Test makes the strip show test colours for 8 s, in place of the table. Test returns when the
// first colours were sent to the strip. If the sending failed, Test returns the error. If
// nothing is sent within testLimit, it returns ErrNotDriven. If ctx ends first, it returns the
// error of ctx. A newer call of Test starts the colours from the beginning.
func (o *Output) Test(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, testLimit, ErrNotDriven)
	defer cancel()
	drawn := make(chan error, 1)
	for tests := o.tests; ; tests = nil {
		select {
		case tests <- drawn:
		case err := <-drawn:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (o *Output) beginTest() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.testedAt = time.Now()
}

// failTests tells a test, if there is one, and those that wait for their turn, why nothing is
// shown.
func (o *Output) failTests(test chan<- error, err error) {
	for {
		if test != nil {
			test <- err
		}
		select {
		case test = <-o.tests:
		default:
			return
		}
	}
}

// TrialColours returns the colours that a test shows on n LEDs. The age is the time since the
// test began.
func TrialColours(n int, age time.Duration) []color.NRGBA {
	var leds []color.NRGBA
	first := []color.NRGBA{{R: 255, A: 255}, {G: 255, A: 255}, {B: 255, A: 255}}
	for i := range n {
		c := color.NRGBA{A: 255}
		switch {
		case age >= testOrderTime:
			c = Hue((age-testOrderTime).Seconds()/testTurn.Seconds() + float64(i)/float64(n))
		case i < len(first):
			c = first[i]
		}
		leds = append(leds, c)
	}
	return leds
}

// Hue returns a colour of the rainbow. The turn is the position on the colour circle, where 1
// is the whole circle.
func Hue(turn float64) color.NRGBA {
	part := func(shift float64) uint8 {
		return uint8(255 * (0.5 + 0.5*math.Cos(2*math.Pi*(turn-shift))))
	}
	return color.NRGBA{R: part(0), G: part(1.0 / 3), B: part(2.0 / 3), A: 255}
}
