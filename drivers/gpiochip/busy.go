// Package gpiochip takes lines of the kernel's GPIO chips, /dev/gpiochipN. It uses version 2
// of the kernel's interface. Package drivers/keys listens to such lines for keys. A Pin is one
// line, for example for a reset, D/C, BUSY or a buzzer.
//
// The package replaces the pins of periph's host, because these take pins away from kernel
// drivers. Where the program may open /dev/gpiomem, periph's bcm283x v3.8.5 silently writes
// the registers of the pins. Where the program may not open that file, as in the service, the
// kernel does not give a taken pin to periph's gpioioctl. The error of gpioioctl then does not
// say who holds the pin.
//
// The package uses github.com/warthog618/go-gpiocdev for the definitions of the interface, and
// to find chips and lines.
package gpiochip

import (
	"fmt"
	"syscall"
)

// BusyError reports who holds a line.
type BusyError struct {
	Line int
	// Consumer is the name that the holder of the line gives itself. It is "" if the holder
	// gives no name, or if the pin has another function.
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
