//go:build linux

package gpiochip

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"periph.io/x/conn/v3/gpio"
)

// TestNoChip checks that a missing chip blocks nothing and is an error that names
// the chip.
func TestNoChip(t *testing.T) {
	pin := (&Chip{Label: "no such chip"}).Pin(17)
	for what, err := range map[string]error{"out": pin.Out(gpio.High), "in": pin.In(gpio.PullUp, gpio.NoEdge)} {
		if !errors.Is(err, syscall.ENODEV) && !errors.Is(err, syscall.EACCES) {
			t.Errorf("%s: got %v", what, err)
		}
	}
	if pin.Read() != gpio.Low {
		t.Error("it reads high")
	}
	if all, err := (&Chip{Label: "no such chip"}).Holders([]int{17}); err == nil {
		t.Errorf("who has its line: got %v", all)
	}
	if err := pin.Halt(); err != nil {
		t.Error(err)
	}
}

// TestNoEdges checks that a request for edges is refused.
func TestNoEdges(t *testing.T) {
	pin := (&Chip{}).Pin(17)
	for _, edge := range []gpio.Edge{gpio.RisingEdge, gpio.FallingEdge, gpio.BothEdges} {
		if err := pin.In(gpio.PullUp, edge); err == nil || !strings.Contains(err.Error(), "line 17: a pin reads no edges") {
			t.Errorf("%v: got %v", edge, err)
		}
	}
	if err := pin.In(gpio.Pull(9), gpio.NoEdge); err == nil {
		t.Error("a pull that is none")
	}
}
