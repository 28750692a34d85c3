package lights

import (
	"context"
	"image/color"
	"math"
	"time"
)

// A test shows one red, one green and one blue LED, which tells the order of the
// colours, and then a rainbow.
const (
	testOrder = 3 * time.Second
	testTakes = 8 * time.Second
	testStep  = 40 * time.Millisecond
	testTurn  = 2 * time.Second // of the rainbow
)

// Test shows the test colours for a while instead of the table. Run reports errors.
func (o *Output) Test(context.Context) error {
	o.mu.Lock()
	o.tested = time.Now()
	o.mu.Unlock()
	select {
	case o.retest <- struct{}{}:
	default:
	}
	return nil
}

// testing returns how long the test has been going on, and whether it is.
func (o *Output) testing() (since time.Duration, is bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	since = time.Since(o.tested)
	return since, since < testTakes
}

// testColours appends the colours of a test to leds.
func testColours(leds []color.NRGBA, n int, since time.Duration) []color.NRGBA {
	first := []color.NRGBA{{R: 255, A: 255}, {G: 255, A: 255}, {B: 255, A: 255}}
	for i := range n {
		c := color.NRGBA{A: 255}
		switch {
		case since >= testOrder:
			c = Hue((since-testOrder).Seconds()/testTurn.Seconds() + float64(i)/float64(n))
		case i < len(first):
			c = first[i]
		}
		leds = append(leds, c)
	}
	return leds
}

// Hue returns a colour of the rainbow; a turn of 1 is the whole colour circle.
func Hue(turn float64) color.NRGBA {
	part := func(shift float64) uint8 {
		return uint8(255 * (0.5 + 0.5*math.Cos(2*math.Pi*(turn-shift))))
	}
	return color.NRGBA{R: part(0), G: part(1.0 / 3), B: part(2.0 / 3), A: 255}
}
