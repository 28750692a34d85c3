// Package tca9548test emulates an I²C bus with TCA9548A switches and devices behind them. The
// data sheet is SCPS207F of November 2016.
//
// The emulation behaves like the wires, so a transaction reaches all connected devices. If
// several open channels have devices with the same address, all the devices answer. A bit of
// the answer is 0 if any device answers 0. A device that holds its channel low holds the whole
// bus low while the channel is open.
package tca9548test

import (
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// Counts holds the numbers of transactions, of bytes written and of bytes read on the bus.
// Address bytes are not counted.
type Counts struct{ Written, Read, Transactions int }

// Timeout is how long a host waits for a bus that is held low.
const Timeout = 25 * time.Millisecond

// Bus.Tx returns these errors, wrapped.
var (
	errNoDevice = errors.New("no device acknowledges")
	errHeld     = errors.New("the bus is held low")
)

// A Bus is the host's bus. Several goroutines may call its methods, and those of its switches,
// at the same time. The transactions come one after the other.
type Bus struct {
	lock    chan struct{} // holds a value while the bus is in use
	devices devices
	muxes   []*Mux
	counts  Counts
	clashes int
	spare   []byte
}

// devices holds the devices that are wired together, on the bus itself or on one channel.
type devices []device

type device struct {
	address uint16
	bus     i2c.Bus // with the device on it
}

// NewBus returns a bus without devices and switches.
func NewBus() *Bus { return &Bus{lock: make(chan struct{}, 1)} }

func (b *Bus) hold() { b.lock <- struct{}{} }
func (b *Bus) free() { <-b.lock }

// Put connects a device to the bus itself, in front of all switches. The caller passes the
// device in the form of a bus, d. On this bus, the device must be alone and must answer to the
// given address.
func (b *Bus) Put(address uint16, d i2c.Bus) {
	b.hold()
	defer b.free()
	b.devices = append(b.devices, device{address, d})
}

// Mux connects a new switch to the bus and returns it. address must be 70h to 77h.
func (b *Bus) Mux(address uint16) (*Mux, error) {
	if address < 0x70 || address > 0x77 {
		return nil, fmt.Errorf("tca9548test: got address %02Xh, want 70h to 77h", address)
	}
	b.hold()
	defer b.free()
	m := &Mux{bus: b, address: address}
	m.reset = resetPin{gpio.INVALID, m, gpio.High}
	b.muxes = append(b.muxes, m)
	return m, nil
}

func (b *Bus) String() string { return "emulated I2C" }

// SetSpeed checks a speed and changes nothing. If the speed is not above 0, or if it is above
// 400 kHz, SetSpeed returns an error. A switch cannot follow a higher speed (6.6).
func (b *Bus) SetSpeed(f physic.Frequency) error {
	if f <= 0 || f > 400*physic.KiloHertz {
		return fmt.Errorf("tca9548test: %s; it goes up to 400kHz", f)
	}
	return nil
}

// Close does nothing.
func (b *Bus) Close() error { return nil }

// Wire returns how many bytes and transactions the bus has carried so far.
func (b *Bus) Wire() Counts {
	b.hold()
	defer b.free()
	return b.counts
}

// Clashes returns how often a transaction reached more than one device.
func (b *Bus) Clashes() int {
	b.hold()
	defer b.free()
	return b.clashes
}

// Tx does a transaction with all connected devices that have the address.
func (b *Bus) Tx(address uint16, w, r []byte) error {
	b.hold()
	defer b.free()
	b.counts.Transactions++
	if address > 0x7F {
		return fmt.Errorf("tca9548test: %02Xh is no address of 7 bits", address)
	}
	for _, m := range b.muxes {
		if m.stuck() {
			time.Sleep(Timeout)
			return fmt.Errorf("tca9548test: %02Xh: %w", address, errHeld)
		}
	}
	heard := 0
	err := b.devices.tx(b, address, w, r, &heard)
	for _, m := range b.muxes {
		if m.address == address && !m.isDown() {
			b.meet(&heard, r, func(r []byte) error { m.tx(w, r); return nil })
		}
	}
	for _, m := range b.muxes {
		for n := range m.channels {
			if m.openMask>>n&1 != 0 {
				err = errors.Join(err, m.channels[n].tx(b, address, w, r, &heard))
			}
		}
	}
	for _, m := range b.muxes {
		m.openMask = m.mask // a channel opens with the stop condition (8.5.4)
	}
	if heard == 0 {
		return fmt.Errorf("tca9548test: %02Xh: %w", address, errors.Join(errNoDevice, err))
	}
	b.counts.Written += len(w)
	b.counts.Read += len(r)
	if heard > 1 {
		b.clashes++
	}
	return nil
}

// tx does a transaction with the devices that have the address. It increases count by the
// number of devices that answered.
func (ds devices) tx(b *Bus, address uint16, w, r []byte, count *int) error {
	var failed error
	for _, d := range ds {
		if d.address == address {
			if err := b.meet(count, r, func(r []byte) error { return d.bus.Tx(address, w, r) }); err != nil {
				failed = err
			}
		}
	}
	return failed
}

// meet lets one more device take part in a transaction. It calls the function answer, which
// does the transaction with this device. If the device answers, meet adds 1 to count. If other
// devices have answered before, meet combines the bytes in r with those of this device. A bit
// is 0 if any device answers 0.
func (b *Bus) meet(count *int, r []byte, answer func([]byte) error) error {
	if *count == 0 {
		if err := answer(r); err != nil {
			return err
		}
		*count = 1
		return nil
	}
	b.spare = append(b.spare[:0], r...)
	if err := answer(b.spare); err != nil {
		return err
	}
	for i := range r {
		r[i] &= b.spare[i]
	}
	*count++
	return nil
}
