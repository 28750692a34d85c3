//go:build gpiosim

// This test needs a kernel with gpio-sim and the right to make chips:
// `make test-kernel` has one.

package buzzer

import (
	"context"
	"testing"
	"time"

	"github.com/warthog618/go-gpiosim"

	"tableside/drivers/gpiochip"
)

// TestKernelBuzzer checks that the pin of a real chip is on when it should be, and
// off after a sound that was cut short.
func TestKernelBuzzer(t *testing.T) {
	sim, err := gpiosim.NewSim(gpiosim.WithBank(gpiosim.NewBank("pinctrl-sim", 28)))
	if err != nil {
		t.Fatal(err)
	}
	defer sim.Close()
	pin := (&gpiochip.Chip{}).Pin(12)
	defer pin.Halt()
	d, err := New(pin, &DefaultOpts)
	if err != nil {
		t.Fatal(err)
	}
	on := func() bool {
		level, err := sim.Chips[0].Level(12)
		if err != nil {
			t.Error(err)
		}
		return level == gpiosim.LevelActive
	}
	if on() {
		t.Error("on before it was asked for")
	}
	done := make(chan error, 1)
	go func() { done <- d.Play(t.Context(), Refused) }()
	time.Sleep(100 * time.Millisecond)
	if !on() {
		t.Error("off in the middle of a beep")
	}
	if err := <-done; err != nil || on() {
		t.Errorf("over: %v, on: %t", err, on())
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := d.Play(ctx, Refused); err == nil || on() {
		t.Errorf("cut short: %v, on: %t", err, on())
	}
}
