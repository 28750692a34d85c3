//go:build !linux

package evdev

import "errors"

// A Kernel stands for the input devices of this computer. Its methods fail on this system,
// because the package needs Linux.
type Kernel struct{ Root string }

var errNotLinux = errors.New("keyboards and readers that type need Linux")

// List returns an error.
func (Kernel) List() ([]Info, error) { return nil, errNotLinux }

// Open returns an error.
func (Kernel) Open(string) (File, error) { return nil, errNotLinux }

func isGone(error) bool { return false }
