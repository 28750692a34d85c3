//go:build gpiosim

// These tests need a kernel with gpio-sim and the right to make chips:
// `make test-kernel` has one.

package gpiochip_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/warthog618/go-gpiocdev"
	"github.com/warthog618/go-gpiosim"
	"periph.io/x/conn/v3/gpio"

	"tableside/drivers/gpiochip"
	"tableside/drivers/gpiochip/gpiochiptest"
)

// info returns the kernel's public information about a line.
func info(t *testing.T, sim *gpiosim.Sim, line int) gpiocdev.LineInfo {
	t.Helper()
	chip, err := gpiocdev.NewChip(sim.Chips[0].DevPath())
	if err != nil {
		t.Fatal(err)
	}
	defer chip.Close()
	i, err := chip.LineInfo(line)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func level(t *testing.T, sim *gpiosim.Sim, line int) int {
	t.Helper()
	v, err := sim.Chips[0].Level(line)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestKernelOutput checks that an output drives its line from the first level on,
// under the name of the program, and remains an output while it is read.
func TestKernelOutput(t *testing.T) {
	sim := gpiochiptest.Header(t)
	defer sim.Close()
	pin := (&gpiochip.Chip{}).Pin(25)
	if info(t, sim, 25).Used {
		t.Error("taken before it is used")
	}
	for n, want := range []gpio.Level{gpio.High, gpio.Low, gpio.Low, gpio.High} {
		if err := pin.Out(want); err != nil {
			t.Fatal(err)
		}
		if got := level(t, sim, 25) == 1; got != bool(want) || pin.Read() != want {
			t.Errorf("%d: got %t on the wire and %v read, want %v", n, got, pin.Read(), want)
		}
		i := info(t, sim, 25)
		if !i.Used || i.Consumer != "tableside" || i.Config.Direction != gpiocdev.LineDirectionOutput {
			t.Errorf("%d: %+v", n, i)
		}
	}
	if n := testing.AllocsPerRun(100, func() { _ = errors.Join(pin.Out(gpio.Low), pin.Out(gpio.High)) }); n != 0 {
		t.Errorf("%v allocations for two levels", n)
	}
	if pin.String() != "GPIO25" {
		t.Errorf("it is called %s", pin)
	}
	if err := pin.Halt(); err != nil || info(t, sim, 25).Used {
		t.Errorf("given back: %v, %+v", err, info(t, sim, 25))
	}
	if err := pin.Out(gpio.Low); err != nil || level(t, sim, 25) != 0 {
		t.Errorf("taken again: %v", err)
	}
	pin.Halt()
}

// TestKernelInput checks that an input follows its line, that the kernel sets the
// pull that was asked for, and that a pin can turn from input to output and back.
func TestKernelInput(t *testing.T) {
	sim := gpiochiptest.Header(t)
	defer sim.Close()
	chip := &sim.Chips[0]
	pin := (&gpiochip.Chip{}).Pin(24)
	defer pin.Halt()
	if err := pin.In(gpio.PullNoChange, gpio.NoEdge); err != nil {
		t.Fatal(err)
	}
	for n, high := range []bool{true, false, true, true, false} {
		set := chip.Pulldown
		if high {
			set = chip.Pullup
		}
		if err := set(24); err != nil {
			t.Fatal(err)
		}
		if got := bool(pin.Read()); got != high {
			t.Errorf("%d: got %t, want %t", n, got, high)
		}
	}
	for pull, want := range map[gpio.Pull]gpiocdev.LineBias{gpio.PullUp: gpiocdev.LineBiasPullUp,
		gpio.PullDown: gpiocdev.LineBiasPullDown, gpio.Float: gpiocdev.LineBiasDisabled} {
		if err := pin.In(pull, gpio.NoEdge); err != nil {
			t.Fatal(err)
		}
		if got := info(t, sim, 24).Config.Bias; got != want {
			t.Errorf("%v: got %v, want %v", pull, got, want)
		}
	}
	if err := pin.Out(gpio.High); err != nil || level(t, sim, 24) != 1 ||
		info(t, sim, 24).Config.Direction != gpiocdev.LineDirectionOutput {
		t.Errorf("an output: %v, %+v", err, info(t, sim, 24))
	}
	if err := pin.In(gpio.PullDown, gpio.NoEdge); err != nil || pin.Read() ||
		info(t, sim, 24).Config.Direction != gpiocdev.LineDirectionInput {
		t.Errorf("an input again: %v, %+v", err, info(t, sim, 24))
	}
	fresh := (&gpiochip.Chip{}).Pin(23)
	defer fresh.Halt()
	if err := chip.Pullup(23); err != nil || fresh.Read() != gpio.High ||
		info(t, sim, 23).Config.Direction != gpiocdev.LineDirectionInput {
		t.Errorf("a first look: %v, %+v", err, info(t, sim, 23))
	}
}

// TestKernelBusyPin checks that the second request for a pin fails with the name
// of its holder, whichever of the two is this program, and that the holder keeps
// its line.
func TestKernelBusyPin(t *testing.T) {
	sim := gpiochiptest.Header(t)
	defer sim.Close()
	var busy *gpiochip.BusyError
	for n, use := range []func(*gpiochip.Pin) error{
		func(p *gpiochip.Pin) error { return p.Out(gpio.High) },
		func(p *gpiochip.Pin) error { return p.In(gpio.PullUp, gpio.NoEdge) },
	} {
		err := use((&gpiochip.Chip{}).Pin(7))
		if !errors.As(err, &busy) || !errors.Is(err, syscall.EBUSY) || err.Error() != `line 7 is held by "spi0 CS1"` {
			t.Errorf("%d: a kernel driver's line: got %v", n, err)
		}
	}
	all, err := (&gpiochip.Chip{}).Holders([]int{17, 7})
	if err != nil || all[0] != nil || all[1] == nil || all[1].Consumer != "spi0 CS1" || info(t, sim, 17).Used {
		t.Errorf("who has lines 17, which is free, and 7: got %v, %v", all, err)
	}
	if all, err := (&gpiochip.Chip{}).Holders([]int{28}); err == nil {
		t.Errorf("who has a line that is not there: got %v", all)
	}
	other, err := gpiocdev.RequestLine(sim.Chips[0].DevPath(), 17, gpiocdev.AsOutput(0), gpiocdev.WithConsumer("blinker"))
	if err != nil {
		t.Fatal(err)
	}
	pin := (&gpiochip.Chip{}).Pin(17)
	if err := pin.Out(gpio.High); err == nil || err.Error() != `line 17 is held by "blinker"` {
		t.Errorf("another program's line: got %v", err)
	}
	if pin.Read() != gpio.Low || level(t, sim, 17) != 0 || info(t, sim, 17).Consumer != "blinker" {
		t.Errorf("it was taken away: %+v", info(t, sim, 17))
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if err := pin.Out(gpio.High); err != nil || level(t, sim, 17) != 1 {
		t.Errorf("after it was given back: %v", err)
	}
	defer pin.Halt()
	if _, err := gpiocdev.RequestLine(sim.Chips[0].DevPath(), 17, gpiocdev.AsOutput(0)); !errors.Is(err, syscall.EBUSY) {
		t.Errorf("the other program: got %v, want EBUSY", err)
	}
	if got := info(t, sim, 17).Consumer; got != "tableside" {
		t.Errorf("it reads that %q has the line", got)
	}
	if err := (&gpiochip.Chip{}).Pin(28).Out(gpio.Low); err == nil || !strings.Contains(err.Error(), "no line 28") {
		t.Errorf("a line that is not there: %v", err)
	}
}

// TestKernelPinGoesAndComesBack checks that a removed chip is an error, and that
// the pin works again on its successor.
func TestKernelPinGoesAndComesBack(t *testing.T) {
	pin, input := (&gpiochip.Chip{}).Pin(4), (&gpiochip.Chip{}).Pin(5)
	for range 2 {
		sim := gpiochiptest.Header(t)
		if err := errors.Join(pin.Out(gpio.High), input.In(gpio.PullUp, gpio.NoEdge)); err != nil {
			t.Fatal(err)
		}
		if level(t, sim, 4) != 1 || !input.Read() {
			t.Error("not driven")
		}
		sim.Close()
		if err := pin.Out(gpio.Low); !errors.Is(err, syscall.ENODEV) {
			t.Errorf("the chip has gone: got %v", err)
		}
		if input.Read() {
			t.Error("a line that has gone reads high")
		}
		if err := input.In(gpio.PullUp, gpio.NoEdge); !errors.Is(err, syscall.ENODEV) {
			t.Errorf("it is still gone: got %v", err)
		}
	}
}
