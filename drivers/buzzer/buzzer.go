// Package buzzer sounds an active piezo buzzer on a GPIO pin. An active buzzer has an
// oscillator of its own, and sounds as long as its pin is high.
//
// A piezo disc without an oscillator ("passive") is not supported, because it needs a square
// wave of about 2 kHz. The library periph makes such a wave by DMA or the PWM block, for which
// the program would have to be root. The kernel's GPIO lines cannot make the wave. Toggling
// the pin in Go makes no tone either. On a busy machine, timers set for every 250 µs fired 806
// times in a second instead of 4,000.
//
// A transistor between pin and buzzer, with a pull-down at its base, keeps the buzzer silent
// while no program holds the line. No program holds the line before this program starts, or
// after it was killed in the middle of a beep.
package buzzer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/gpio"
)

// limit is how long a pattern may take; Play returns an error after that.
const limit = time.Second

var errSlow = fmt.Errorf("not over after %v", limit) // the pin or the machine is slow

// A Pattern is a sound with a meaning.
type Pattern uint8

const (
	Accepted Pattern = iota // one short beep
	Refused                 // two long ones
	Unknown                 // three short ones
)

// A beep is a time with sound, then a time without.
type beep struct{ on, off time.Duration }

// Times of the beeps and the pauses of a pattern. They are short enough for a pattern to be
// heard as one signal. They are long enough for its beeps to be distinguished, because a beep
// shorter than 50 ms is a click.
const (
	short = 60 * time.Millisecond
	long  = 250 * time.Millisecond
	pause = 80 * time.Millisecond
)

var patterns = [...][]beep{
	Accepted: {{short, 0}},
	Refused:  {{long, pause}, {long, 0}},
	Unknown:  {{short, pause}, {short, pause}, {short, 0}},
}

var names = [...]string{Accepted: "accepted", Refused: "refused", Unknown: "unknown"}

// String returns the pattern's name in lower case.
func (p Pattern) String() string { return names[p] }

// Opts are the options of a buzzer.
type Opts struct {
	Silent bool // Play returns at once and makes no sound
}

// DefaultOpts are the options of a buzzer that sounds.
var DefaultOpts = Opts{}

// Dev is a buzzer. Only one call may run at a time. To play something else, end the context of
// the running Play and wait until Play returns.
type Dev struct {
	pin  gpio.PinOut
	opts Opts
}

// New returns a buzzer on a pin, turned off. It fails if pin is nil or cannot be set.
func New(pin gpio.PinOut, opts *Opts) (*Dev, error) {
	if pin == nil {
		return nil, errors.New("buzzer: no pin")
	}
	d := &Dev{pin: pin, opts: *opts}
	if err := d.turnOff(); err != nil {
		return nil, fmt.Errorf("buzzer: %w", err)
	}
	return d, nil
}

// String returns "buzzer{…}" with the name of the pin.
func (d *Dev) String() string { return fmt.Sprintf("buzzer{%s}", d.pin) }

// Halt turns the buzzer off.
func (d *Dev) Halt() error {
	if err := d.turnOff(); err != nil {
		return fmt.Errorf("buzzer: %w", err)
	}
	return nil
}

// Play plays a pattern and returns when the pattern is over. If the context ends, if the pin
// fails, or after one second, Play stops and returns an error. Whatever goes wrong, Play tries
// to turn the buzzer off before it returns.
//
// If Opts.Silent is set, Play makes no sound.
func (d *Dev) Play(ctx context.Context, p Pattern) (err error) {
	if d.opts.Silent {
		return nil
	}
	defer func() {
		if err = errors.Join(err, d.turnOff()); err != nil {
			err = fmt.Errorf("buzzer: play %s: %w", p, err)
		}
	}()
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errSlow)
	defer cancel()
	for _, b := range patterns[p] {
		for _, phase := range [2]struct {
			level gpio.Level
			wait  time.Duration
		}{{gpio.High, b.on}, {gpio.Low, b.off}} {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := d.pin.Out(phase.level); err != nil {
				return err
			}
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(phase.wait):
			}
		}
	}
	return nil
}

// turnOff turns the buzzer off, in up to three attempts. A failure of the pin may be short,
// and a buzzer that does not stop is worse than most faults. If all attempts fail, turnOff
// returns the last error.
func (d *Dev) turnOff() error {
	var err error
	for range 3 {
		if err = d.pin.Out(gpio.Low); err == nil {
			return nil
		}
	}
	return err
}

var _ conn.Resource = (*Dev)(nil)
