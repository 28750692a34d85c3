//go:build gpiosim

// Package gpiochiptest makes simulated GPIO chips in a real kernel. It needs the kernel's
// gpio-sim and the right to make chips. The command `make test-kernel` provides both.
package gpiochiptest

import (
	"testing"

	"github.com/warthog618/go-gpiosim"
)

// Header returns a chip that looks like a Raspberry Pi's. Line 7 is taken.
func Header(t *testing.T) *gpiosim.Sim {
	t.Helper()
	sim, err := gpiosim.NewSim(gpiosim.WithBank(gpiosim.NewBank("pinctrl-sim", 28,
		gpiosim.WithHoggedLine(7, "spi0 CS1", gpiosim.HogDirectionInput))))
	if err != nil {
		t.Fatal(err)
	}
	return sim
}
