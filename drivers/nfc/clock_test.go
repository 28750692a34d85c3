package nfc

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestClock checks that a pause is never shorter than asked for, and is one that
// wakes Go's scheduler once.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Clock
		for want, took := range map[time.Duration]time.Duration{
			-time.Millisecond:       0,
			0:                       0,
			time.Nanosecond:         1050 * time.Microsecond,
			990 * time.Microsecond:  1050 * time.Microsecond,
			time.Millisecond:        1050 * time.Microsecond,
			1001 * time.Microsecond: 2050 * time.Microsecond,
			5 * time.Millisecond:    5050 * time.Microsecond,
		} {
			began := time.Now()
			if err := c.Sleep(t.Context(), want); err != nil || time.Since(began) != took {
				t.Errorf("%v: got %v after %v, want %v", want, err, time.Since(began), took)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Millisecond)
		defer cancel()
		began := time.Now()
		err := c.Sleep(ctx, time.Minute)
		if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took > 3*time.Millisecond {
			t.Errorf("got %v after %v", err, took)
		}
		if err := c.Sleep(ctx, -1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after its end: %v", err)
		}
	})
}
