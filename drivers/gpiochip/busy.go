// Package gpiochip takes lines of the kernel's GPIO chips, /dev/gpiochipN, through
// version 2 of the kernel's interface. Keys listen on them (drivers/keys), and
// a Pin is one line for a reset, D/C, BUSY or a buzzer.
//
// It replaces the pins of periph's host, for two reasons. Where the program may
// open /dev/gpiomem, periph's bcm283x v3.8.5 writes the registers of the pins,
// and so silently takes pins away from kernel drivers; where it may not, as in
// the service, periph's gpioioctl is refused those pins. And gpioioctl's error
// for a taken pin does not say who holds it.
//
// The package uses github.com/warthog618/go-gpiocdev for the definitions of the
// interface and to find chips and lines.
package gpiochip

import (
	"fmt"
	"syscall"
)

// BusyError reports who holds a line.
type BusyError struct {
	Line int
	// Consumer is the holder's name for itself; "" if it has none, or if the pin has another
	// function.
	Consumer string
}

func (e *BusyError) Error() string {
	if e.Consumer == "" {
		return fmt.Sprintf("line %d is in use by the kernel, perhaps for a bus of an overlay", e.Line)
	}
	return fmt.Sprintf("line %d is held by %q", e.Line, e.Consumer)
}

// Unwrap returns syscall.EBUSY, for errors.Is.
func (e *BusyError) Unwrap() error { return syscall.EBUSY }
