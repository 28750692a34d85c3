package keystest

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"
)

// Pins sets the levels of lines. Board is one implementation. Another is in the tests that use
// a chip simulated by the kernel.
type Pins interface {
	Set(line int, high bool) error
}

// A bounce holds the largest number of times that a contact bounces, and the time within which
// it does so.
type bounce struct {
	maxCount int
	duration time.Duration
}

// These are the bounces of contacts. Buttons bounce a few times within some milliseconds. The
// data sheet of an encoder allows chatter for up to 3 ms at one turn a second (TE
// Connectivity, DPL12 data sheet, WR 11/2016). The chatter covers an angle, so it takes a
// fifth of that time at five turns a second.
var (
	switchBounce  = bounce{maxCount: 6, duration: 3 * time.Millisecond}
	encoderBounce = bounce{maxCount: 3, duration: 600 * time.Microsecond}
)

// A Finger presses the button on one line. The contact bounces at random, but the bounces are
// the same for the same seed. A Finger is safe for concurrent use: presses wait for each
// other.
type Finger struct {
	contact
	mu sync.Mutex
}

// NewFinger returns a finger above the button of a line.
func NewFinger(pins Pins, line int, seed uint64) *Finger {
	return &Finger{contact: contact{
		pins: pins, line: line, high: true, bounce: switchBounce,
		chance: rand.New(rand.NewPCG(seed, uint64(line))),
	}}
}

// Press presses the button, holds it for the given time, and releases it. If the context ends
// earlier, Press releases the button at once and returns the context's error.
func (f *Finger) Press(ctx context.Context, hold time.Duration) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.move(ctx, false)
	if err == nil {
		err = pause(ctx, hold)
	}
	return errors.Join(err, f.move(ctx, true))
}

// Down presses the button and leaves it pressed.
func (f *Finger) Down(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.move(ctx, false)
}

// Up releases the button.
func (f *Finger) Up(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.move(ctx, true)
}

// cycle holds the levels of A and B in the quarters of a cycle, clockwise.
var cycle = [4]struct{ a, b bool }{{true, true}, {false, true}, {false, false}, {true, false}}

// A Knob is the knob of an encoder whose two contacts are on two lines. It is safe for
// concurrent use.
type Knob struct {
	PerDetent int           // quarters of a cycle from detent to detent: 4 unless changed
	Step      time.Duration // from quarter to quarter: 2 ms unless changed, five turns a second with 24 detents

	mu    sync.Mutex
	a, b  contact
	place int // in the cycle
}

// NewKnob returns a knob whose two contacts are on the lines a and b. The knob rests in a
// detent in which both contacts are open.
func NewKnob(pins Pins, a, b int, seed uint64) *Knob {
	chance := rand.New(rand.NewPCG(seed, uint64(a)<<32|uint64(b)))
	return &Knob{
		PerDetent: 4,
		Step:      2 * time.Millisecond,
		a:         contact{pins: pins, line: a, high: true, bounce: encoderBounce, chance: chance},
		b:         contact{pins: pins, line: b, high: true, bounce: encoderBounce, chance: chance},
	}
}

// Turn turns the knob by a number of detents: clockwise, or back if detents is negative.
func (k *Knob) Turn(ctx context.Context, detents int) error {
	return k.Quarters(ctx, detents*k.PerDetent)
}

// Quarters turns the knob by n quarters of a cycle: clockwise, or back if n is
// negative.
func (k *Knob) Quarters(ctx context.Context, n int) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	way := 1
	if n < 0 {
		way, n = -1, -n
	}
	for range n {
		k.place = (k.place + way) & 3
		to := cycle[k.place]
		err := errors.Join(k.a.move(ctx, to.a), k.b.move(ctx, to.b), pause(ctx, k.Step))
		if err != nil {
			return err
		}
	}
	return nil
}

// A contact opens and closes one line.
type contact struct {
	pins   Pins
	line   int
	high   bool
	bounce bounce
	chance *rand.Rand
}

// move gives the line a level after some bounces. If the context ends, move cuts the bounces
// short. It also cuts them short if the machine is so busy that they would last as long as a
// press.
//
// The level is set even then. move returns the error of Set, or else the context's error.
func (c *contact) move(ctx context.Context, high bool) error {
	if c.high == high {
		return nil
	}
	c.high = high
	if err := c.pins.Set(c.line, high); err != nil {
		return err
	}
	began := time.Now()
	n := c.chance.IntN(c.bounce.maxCount + 1)
	for range n {
		apart := time.Duration(c.chance.Int64N(int64(c.bounce.duration)/int64(2*n))) + 1
		if pause(ctx, apart) != nil || time.Since(began) > c.bounce.duration {
			break
		}
		if err := c.pins.Set(c.line, !high); err != nil {
			return err
		}
		_ = pause(ctx, apart/2) // even if ctx ends, the level has to be right at the end
		if err := c.pins.Set(c.line, high); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// pause waits. If the context ends first, pause returns the context's error.
func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
