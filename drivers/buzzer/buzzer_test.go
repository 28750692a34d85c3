package buzzer

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"periph.io/x/conn/v3/gpio"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const ms = time.Millisecond

// An recorder is a pin that records when it was on.
type recorder struct {
	gpio.PinOut
	on    bool
	since time.Time
	beeps []time.Duration
	calls int
	fail  func(call int, l gpio.Level) error
}

func (e *recorder) Out(l gpio.Level) error {
	e.calls++
	if e.fail != nil {
		if err := e.fail(e.calls, l); err != nil {
			return err
		}
	}
	if e.on && l == gpio.Low {
		e.beeps = append(e.beeps, time.Since(e.since))
	}
	if !e.on && l == gpio.High {
		e.since = time.Now()
	}
	e.on = bool(l)
	return nil
}

func TestPatterns(t *testing.T) {
	for p, want := range map[Pattern]string{
		Accepted: "[60ms]",
		Refused:  "[250ms 250ms]",
		Unknown:  "[60ms 60ms 60ms]",
	} {
		synctest.Test(t, func(t *testing.T) {
			pin := &recorder{}
			d, err := New(pin, &DefaultOpts)
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			if err := d.Play(t.Context(), p); err != nil {
				t.Error(err)
			}
			if got := fmt.Sprint(pin.beeps); got != want || pin.on {
				t.Errorf("%s: heard %s, want %s; on: %t", p, got, want, pin.on)
			}
			if took := time.Since(began); took > limit {
				t.Errorf("%s takes %v", p, took)
			}
		})
	}
}

func TestSilent(t *testing.T) {
	pin := &recorder{}
	d, err := New(pin, &Opts{Silent: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Play(t.Context(), Refused); err != nil || pin.beeps != nil || pin.calls != 1 {
		t.Errorf("%v, heard %v, %d calls", err, pin.beeps, pin.calls)
	}
}

// TestCancel checks that the buzzer is off at once, whenever it is interrupted.
func TestCancel(t *testing.T) {
	for cut := time.Duration(0); cut <= 600*ms; cut += 7 * ms {
		synctest.Test(t, func(t *testing.T) {
			pin := &recorder{}
			d, err := New(pin, &DefaultOpts)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), cut)
			defer cancel()
			began := time.Now()
			err = d.Play(ctx, Refused)
			if took := time.Since(began); took > cut {
				t.Errorf("cut short after %v: took %v", cut, took)
			}
			if pin.on {
				t.Errorf("cut short after %v: still on", cut)
			}
			if cut < 580*ms && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("cut short after %v: %v", cut, err)
			}
		})
	}
}

// TestPinFails checks that the buzzer is off in the end and the error is
// returned, whichever call fails.
func TestPinFails(t *testing.T) {
	broken := errors.New("broken")
	for failing := 2; failing <= 5; failing++ { // the first is New's
		synctest.Test(t, func(t *testing.T) {
			pin := &recorder{fail: func(call int, l gpio.Level) error {
				if call == failing {
					return broken
				}
				return nil
			}}
			d, err := New(pin, &DefaultOpts)
			if err != nil {
				t.Fatal(err)
			}
			err = d.Play(t.Context(), Refused)
			if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "buzzer: play refused: ") {
				t.Errorf("call %d fails: %v", failing, err)
			}
			if pin.on {
				t.Errorf("call %d fails: still on", failing)
			}
		})
	}
}

// TestSlowPin checks that the buzzer does not sound for longer than the limit
// with a slow pin.
func TestSlowPin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pin := &recorder{}
		d, err := New(pin, &DefaultOpts)
		if err != nil {
			t.Fatal(err)
		}
		pin.fail = func(int, gpio.Level) error { time.Sleep(400 * ms); return nil }
		began := time.Now()
		if err := d.Play(t.Context(), Unknown); err == nil || !strings.Contains(err.Error(), "1s") {
			t.Errorf("too long: %v", err)
		}
		if took := time.Since(began); took > limit+2*400*ms || pin.on {
			t.Errorf("took %v, on: %t", took, pin.on)
		}
	})
}

// TestOffIsTriedAgain checks that a pin that twice fails to turn off is tried a
// third time.
func TestOffIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lows := 0
		pin := &recorder{}
		d, err := New(pin, &DefaultOpts)
		if err != nil {
			t.Fatal(err)
		}
		pin.fail = func(call int, l gpio.Level) error {
			if l == gpio.Low {
				if lows++; lows <= 3 {
					return errors.New("not now")
				}
			}
			return nil
		}
		if err := d.Play(t.Context(), Accepted); err == nil || pin.on {
			t.Errorf("%v, on: %t", err, pin.on)
		}
	})
}

func TestPanicTurnsOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pin := &recorder{}
		d, err := New(pin, &DefaultOpts)
		if err != nil {
			t.Fatal(err)
		}
		pin.fail = func(call int, l gpio.Level) error {
			if call == 3 {
				panic("a bug")
			}
			return nil
		}
		defer func() {
			if recover() == nil || pin.on {
				t.Errorf("on: %t", pin.on)
			}
		}()
		_ = d.Play(t.Context(), Accepted)
	})
}

func TestRefuses(t *testing.T) {
	if _, err := New(nil, &DefaultOpts); err == nil {
		t.Error("no pin, no error")
	}
	d, err := New(&recorder{}, &DefaultOpts)
	if err != nil {
		t.Fatal(err)
	}
	broken := &recorder{fail: func(int, gpio.Level) error { return errors.New("broken") }}
	if _, err := New(broken, &DefaultOpts); err == nil {
		t.Error("a pin that cannot be turned off: no error")
	}
	if err := d.Halt(); err != nil {
		t.Error(err)
	}
}
