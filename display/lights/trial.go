package lights

import (
	"context"
	"errors"
	"image/color"
	"math"
	"slices"
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
// error of ctx.
//
// A newer call of Test starts the colours from the beginning. Then both calls return the newer
// result.
func (o *Output) Test(ctx context.Context) error {
	drawn := make(chan error, 1)
	o.mu.Lock()
	o.testedAt, o.testers = time.Now(), append(o.testers, drawn)
	o.mu.Unlock()
	select {
	case o.retest <- struct{}{}:
	default:
	}
	select {
	case err := <-drawn:
		return err
	case <-time.After(testLimit):
		o.leaveTest(drawn)
		return ErrNotDriven
	case <-ctx.Done():
		o.leaveTest(drawn)
		return ctx.Err()
	}
}

// leaveTest removes the channel of a call of Test that does not wait any more. After that,
// answerTest sends nothing to the channel.
func (o *Output) leaveTest(channel chan<- error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.testers = slices.DeleteFunc(o.testers, func(to chan<- error) bool { return to == channel })
}

// answerTest sends err, the result of the test, to all calls of Test that wait.
func (o *Output) answerTest(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, to := range o.testers {
		to <- err
	}
	o.testers = nil
}

// testing returns the time since the newest test began, and whether that test still runs.
func (o *Output) testing() (age time.Duration, is bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	age = time.Since(o.testedAt)
	return age, age < testTime
}

// testColours appends to leds the colours that a test shows on n LEDs. The age is the time
// since the test began.
func testColours(leds []color.NRGBA, n int, age time.Duration) []color.NRGBA {
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
