// Package evdev reads keys from the input devices of the Linux kernel. Such a device is a
// keyboard, a number pad, a presenter, a gamepad, or a card or barcode reader that sends what
// it reads as keys.
//
// The package grabs a device, so that a pressed key reaches neither the console nor a desktop.
// A device is chosen by its name below /dev/input/by-id or by its USB numbers. It is never
// chosen by /dev/input/eventN, because the number N changes from one start to the next.
//
// The package reads /dev/input/eventN itself (Linux, Documentation/input/input.rst and
// include/uapi/linux/input.h). It does not read sticks and wheels: an axis needs limits and a
// rest position, which cheap gamepads report wrongly. The only axes that it reads are those of
// a pad that the kernel reports as a hat. Such a pad counts as four keys.
package evdev

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// A Host lists and opens the input devices of a computer.
type Host interface {
	List() ([]Info, error)
	// Open opens and grabs a device: nobody else gets its events.
	Open(path string) (File, error)
}

// A File is an open input device. Read returns whole events. Once the device has been pulled
// out, Read returns an error. Close ends a blocked Read.
type File interface {
	io.ReadCloser
	SetReadDeadline(time.Time) error
}

// Opts describes what is read from a device.
type Opts struct {
	Device string // as Find takes it
	Lines  bool   // the device types lines; otherwise each key counts by itself
}

// A Kind is a kind of event.
type Kind uint8

const (
	Press Kind = iota + 1 // a key went down; Text is its name, such as KEY_F1
	Line                  // a line was typed and ended with Enter or Tab
	Torn                  // Text was typed, then nothing for a second; or the line is too long
	Flood                 // more than floodRate presses or lines came within a second: from now on they are ignored
	Calm                  // after Flood there was nothing for a second
)

// An Event is something that happened on a device.
type Event struct {
	Kind Kind
	Text string
	At   time.Duration // on the kernel's monotonic clock
}

// Dev reads one device. Each Run and Probe looks for it again.
type Dev struct {
	host Host
	opts Opts
}

// New returns a Dev, or the error of CheckDevice for opts.Device. It opens nothing.
func New(host Host, opts *Opts) (*Dev, error) {
	if err := CheckDevice(opts.Device); err != nil {
		return nil, fmt.Errorf("evdev: %w", err)
	}
	return &Dev{host, *opts}, nil
}

// Halt does nothing: Run owns the device and gives it back when it returns.
func (d *Dev) Halt() error { return nil }

// String returns "evdev{…}" with the device of Opts.
func (d *Dev) String() string { return "evdev{" + d.opts.Device + "}" }

// quietTime is how long a device must send nothing before an unfinished line is reported
// (Torn), or before a flood is over (Calm).
const quietTime = time.Second

// Run opens the device and passes every event to emit until the context ends. Then Run returns
// nil.
//
// If the device is not plugged in or is pulled out, the error wraps ErrAbsent. If the device
// cannot be told from others, the error wraps ErrAmbiguous. Run also returns an error if the
// device cannot be opened or read. The next Run looks for the device again.
//
// Run itself calls emit, so emit must not block.
func (d *Dev) Run(ctx context.Context, emit func(Event)) error {
	file, err := d.open()
	if err != nil {
		return err
	}
	defer file.Close()
	defer context.AfterFunc(ctx, func() { file.Close() })()
	t := typist{typesLines: d.opts.Lines, emit: emit}
	for buffer := make([]byte, 64*eventSize); ; {
		deadline := time.Time{}
		if t.isWaiting() {
			deadline = time.Now().Add(quietTime)
		}
		if err := file.SetReadDeadline(deadline); err != nil && ctx.Err() == nil {
			return fmt.Errorf("evdev: %s: %w", d.opts.Device, err)
		}
		n, err := file.Read(buffer)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			t.handleSilence()
		case isGone(err):
			return fmt.Errorf("evdev: %s: %w", d.opts.Device, ErrAbsent)
		case err != nil:
			return fmt.Errorf("evdev: %s: %w", d.opts.Device, err)
		}
		split(buffer[:n], eventSize, t.event)
	}
}

// Probe opens and grabs the device for a moment, and returns its description. If the device is
// found but cannot be opened, Probe returns both the description and an error. Probe fails
// while Run has the device.
func (d *Dev) Probe() (Info, error) {
	info, err := d.find()
	if err != nil {
		return Info{}, err
	}
	file, err := d.host.Open(info.Path)
	if err != nil {
		return info, fmt.Errorf("evdev: %s: %w", d.opts.Device, err)
	}
	return info, file.Close()
}

func (d *Dev) find() (Info, error) {
	all, err := d.host.List()
	if err != nil {
		return Info{}, fmt.Errorf("evdev: %w", err)
	}
	info, err := Find(all, d.opts.Device)
	if err != nil {
		return Info{}, fmt.Errorf("evdev: %s: %w", d.opts.Device, err)
	}
	return info, nil
}

func (d *Dev) open() (File, error) {
	info, err := d.find()
	if err != nil {
		return nil, err
	}
	file, err := d.host.Open(info.Path)
	if err != nil {
		return nil, fmt.Errorf("evdev: %s: %w", d.opts.Device, err)
	}
	return file, nil
}
