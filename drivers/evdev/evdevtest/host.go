// Package evdevtest emulates the kernel's input devices for drivers/evdev. It does what
// evdev_read, evdev_pass_values and evdev_disconnect of drivers/input/evdev.c do.
package evdevtest

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"tableside/drivers/evdev"
)

// A Host is a computer with emulated devices.
type Host struct {
	mu      sync.Mutex
	devices []*Device
}

// List implements evdev.Host.
func (h *Host) List() ([]evdev.Info, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []evdev.Info
	for _, d := range h.devices {
		all = append(all, d.info)
	}
	return all, nil
}

// Open implements evdev.Host.
func (h *Host) Open(path string) (evdev.File, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, d := range h.devices {
		if d.info.Path == path {
			return d.open()
		}
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.ENOENT}
}

// Plug plugs a device in.
func (h *Host) Plug(info evdev.Info) *Device {
	d := &Device{host: h, info: info}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.devices = append(h.devices, d)
	return d
}

// A Device is an emulated input device.
type Device struct {
	host *Host
	info evdev.Info

	mu        sync.Mutex
	reader    *file
	timeShift time.Duration // added to the time stamps
}

// queueSize is the least number of events that the kernel holds for a reader
// (EVDEV_MIN_BUFFER_SIZE of evdev.c).
const queueSize = 64

var (
	errBusy = &os.SyscallError{Syscall: "EVIOCGRAB", Err: syscall.EBUSY}
	// epoch is when the emulated clock began to run.
	epoch = time.Unix(0, 0)
)

func (d *Device) open() (evdev.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.reader != nil {
		return nil, errBusy
	}
	d.reader = &file{device: d, changed: make(chan struct{}, 1)}
	return d.reader, nil
}

// Grabbed reports whether somebody has the device open.
func (d *Device) Grabbed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.reader != nil
}

// Unplug pulls the device out.
func (d *Device) Unplug() {
	d.host.mu.Lock()
	for i, other := range d.host.devices {
		if other == d {
			d.host.devices = append(d.host.devices[:i:i], d.host.devices[i+1:]...)
			break
		}
	}
	d.host.mu.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.reader != nil {
		d.reader.gone = true
		d.reader.wake()
	}
}

// Later adds shift to the time stamps of all further events.
func (d *Device) Later(shift time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.timeShift += shift
}

// Tap presses and releases keys, one after the other. A program that reads the device gets no
// event before the last key is released. If the device is not open, the events are lost.
func (d *Device) Tap(codes ...uint16) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, code := range codes {
		d.send(1, code, 1)
		d.send(1, code, 0)
	}
}

// Send sends an event and the end of its report. Nobody gets it unless the device is
// open.
func (d *Device) Send(kind, code uint16, value int32) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.send(kind, code, value)
}

func (d *Device) send(kind, code uint16, value int32) {
	if d.reader == nil {
		return
	}
	at := time.Since(epoch) + d.timeShift
	d.reader.put(event(at, kind, code, value))
	d.reader.put(event(at, 0, 0, 0))
	d.reader.wake()
}

// event returns the bytes of an event as the kernel gives it to this program. The bytes are
// the time in two longs, and then type, code and value.
func event(at time.Duration, kind, code uint16, value int32) []byte {
	order := binary.NativeEndian
	seconds, micros := uint64(at/time.Second), uint64(at%time.Second/time.Microsecond)
	var b []byte
	if unsafe.Sizeof(uintptr(0)) == 8 {
		b = order.AppendUint64(order.AppendUint64(b, seconds), micros)
	} else {
		b = order.AppendUint32(order.AppendUint32(b, uint32(seconds)), uint32(micros))
	}
	return order.AppendUint32(order.AppendUint16(order.AppendUint16(b, kind), code), uint32(value))
}

// A file is an open device. The device's mu guards its fields.
type file struct {
	device   *Device
	events   [][]byte
	gone     bool
	closed   bool
	deadline time.Time
	changed  chan struct{} // gets a value when a blocked Read has to look again
}

func (f *file) put(e []byte) {
	if len(f.events) == queueSize {
		f.events = append(f.events[:0], event(time.Since(epoch)+f.device.timeShift, 0, 3, 0))
	}
	f.events = append(f.events, e)
}

func (f *file) wake() {
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

var errSmall = errors.New("evdevtest: a Read must have room for an event")

// Read implements evdev.File.
func (f *file) Read(b []byte) (int, error) {
	for {
		n, wait, err := f.read(b)
		if n > 0 || err != nil {
			return n, err
		}
		select {
		case <-f.changed:
		case <-wait:
		}
	}
}

// read copies as many whole events as fit into b, and returns their number of bytes. If no
// event is queued, read returns 0 and a channel that gets a value at the deadline. If there is
// no deadline either, the channel is nil. The error says that the file is closed, that the
// device is gone, that the deadline has passed, or that b is too small for an event.
func (f *file) read(b []byte) (n int, wait <-chan time.Time, err error) {
	f.device.mu.Lock()
	defer f.device.mu.Unlock()
	switch {
	case f.closed:
		return 0, nil, os.ErrClosed
	case f.gone:
		return 0, nil, &fs.PathError{Op: "read", Path: f.device.info.Path, Err: syscall.ENODEV}
	}
	for len(f.events) > 0 && n+len(f.events[0]) <= len(b) {
		n += copy(b[n:], f.events[0])
		f.events = f.events[1:]
	}
	switch {
	case n > 0:
		return n, nil, nil
	case len(f.events) > 0:
		return 0, nil, errSmall
	case f.deadline.IsZero():
		return 0, nil, nil
	case !time.Now().Before(f.deadline):
		return 0, nil, os.ErrDeadlineExceeded
	}
	return 0, time.After(time.Until(f.deadline)), nil
}

// SetReadDeadline implements evdev.File.
func (f *file) SetReadDeadline(t time.Time) error {
	f.device.mu.Lock()
	defer f.device.mu.Unlock()
	f.deadline = t
	f.wake()
	return nil
}

// Close implements evdev.File.
func (f *file) Close() error {
	f.device.mu.Lock()
	defer f.device.mu.Unlock()
	if !f.closed {
		f.closed, f.device.reader = true, nil
		f.wake()
	}
	return nil
}
