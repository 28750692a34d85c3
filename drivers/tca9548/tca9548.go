// Package tca9548 drives the I²C switches TCA9548A and PCA9548A. A switch connects one bus to
// eight channels. So eight devices of the same address can be used. The data sheet is TI's
// TCA9548A, SCPS207F of November 2016.
//
// # Why not periph's driver
//
// periph's driver is devices/pca9548 v3.7.4. It rightly lets no other transaction come between
// the choice of a channel and the transaction on the channel. But it has these faults:
//   - It remembers the open channel for good. A brown-out or a reset of the switch closes
//     all channels. Then a device that is alone on the remembered channel is never reached
//     again.
//   - With two switches on one bus, a channel of each stays open, and devices of the same
//     address behind them answer together.
//   - Nothing frees a bus that a device on an open channel holds low, although the reset line
//     exists to free such a bus (8.4.1).
//   - A channel can be had only through the global registry, and errors lose their cause.
package tca9548

import (
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// perSwitch is the number of channels of a switch.
const perSwitch = 8

// First and Last are the lowest and the highest address of a switch. The pins A0 to A2 of a
// switch choose its address (8.5.3).
const (
	First = 0x70
	Last  = 0x77
)

// Opts describes how switches are wired.
type Opts struct {
	// Addresses holds the addresses of all switches on the bus. One Dev stands for all the
	// switches, because only one channel among them may be open.
	Addresses []uint16

	// Reset is the line RESET of all the switches. If the line is not wired, Reset is nil.
	// Then a device that holds an open channel low stops the whole bus.
	Reset gpio.PinOut
}

// DefaultOpts describes one switch whose pins A0 to A2 are connected to ground. Boards on
// sale are wired like that.
var DefaultOpts = Opts{Addresses: []uint16{First}}

// A Dev represents all switches on a bus. Several goroutines may call its methods and use its
// channels at the same time. A call takes as long as the bus needs. Time-outs are those of the
// host. On Linux, they are those of the I²C adapter.
type Dev struct {
	bus   i2c.Bus
	reset gpio.PinOut
	muxes []*mux

	// lock holds a value while the bus is in use. Unlike a sync.Mutex, lock serves callers in
	// the order in which they came. So a caller waits only for the callers before it.
	lock chan struct{}
	b    [1]byte
}

// A mux is one switch.
type mux struct {
	address   uint16
	maskKnown bool // mask is the value of the control register
	mask      byte
}

// New returns the switches on a bus. New fails if opts has no address, an address that no
// switch can have, or the same address twice. New sends nothing. The first use of a channel
// sends the first bytes.
func New(bus i2c.Bus, opts *Opts) (*Dev, error) {
	if len(opts.Addresses) == 0 {
		return nil, errors.New("tca9548: no switch")
	}
	d := &Dev{bus: bus, reset: opts.Reset, lock: make(chan struct{}, 1)}
	for _, address := range opts.Addresses {
		if address < First || address > Last {
			return nil, fmt.Errorf("tca9548: got address %02Xh, want 70h to 77h", address)
		}
		if d.mux(address) != nil {
			return nil, fmt.Errorf("tca9548: two switches at %02Xh", address)
		}
		d.muxes = append(d.muxes, &mux{address: address})
	}
	return d, nil
}

func (d *Dev) mux(address uint16) *mux {
	for _, m := range d.muxes {
		if m.address == address {
			return m
		}
	}
	return nil
}

// Channel returns channel n of the switch with this address, as a bus of its own. The channels
// are 0 to 7. If Opts.Addresses does not have the address, Channel fails.
func (d *Dev) Channel(address uint16, n int) (i2c.Bus, error) {
	m := d.mux(address)
	if m == nil {
		return nil, fmt.Errorf("tca9548: no switch at %02Xh was declared", address)
	}
	if n < 0 || n >= perSwitch {
		return nil, fmt.Errorf("tca9548: got channel %d, want 0 to 7", n)
	}
	name := fmt.Sprintf("%s, switch %02Xh, channel %d", d.bus, address, n)
	return &channel{dev: d, mux: m, mask: 1 << n, name: name}, nil
}

// Halt closes all channels of all switches.
func (d *Dev) Halt() error {
	d.lock <- struct{}{}
	defer func() { <-d.lock }()
	var failed error
	for _, m := range d.muxes {
		if err := d.control(m, 0); err != nil {
			failed = errors.Join(failed, fmt.Errorf("tca9548: close %02Xh: %w", m.address, err))
		}
	}
	return failed
}

func (d *Dev) String() string { return fmt.Sprintf("tca9548 on %s", d.bus) }

// A channel is one channel of a switch; it implements i2c.Bus.
type channel struct {
	dev  *Dev
	mux  *mux
	mask byte
	name string
}

func (c *channel) String() string { return c.name }

// SetSpeed returns an error, because all channels run at the speed of the bus.
func (c *channel) SetSpeed(physic.Frequency) error {
	return errors.New("tca9548: a channel has no speed of its own; set that of the bus")
}

// Tx does a transaction on the channel. If the channel is closed, Tx opens it first. No other
// transaction comes in between.
//
// If the transaction fails because the switch had closed the channel by itself, Tx tries once
// more. If the transaction fails and the switch does not answer, Tx resets all switches,
// provided that Opts.Reset is wired.
func (c *channel) Tx(addr uint16, w, r []byte) error {
	d := c.dev
	if d.mux(addr) != nil {
		return fmt.Errorf("tca9548: %02Xh is the address of a switch", addr)
	}
	d.lock <- struct{}{}
	defer func() { <-d.lock }()
	if err := c.tx(addr, w, r); err != nil {
		return fmt.Errorf("tca9548: %s: %w", c, err)
	}
	return nil
}

func (c *channel) tx(addr uint16, w, r []byte) error {
	d := c.dev
	trusted := c.mux.maskKnown && c.mux.mask == c.mask
	if !trusted {
		if err := d.choose(c); err != nil {
			return err
		}
	}
	err := d.bus.Tx(addr, w, r)
	if err == nil {
		return nil
	}
	// Did the device fail, or the switch?
	c.mux.maskKnown = false
	if failed := d.bus.Tx(c.mux.address, nil, d.b[:]); failed != nil {
		// The next caller must not have to wait for this fault.
		return errors.Join(err, d.pulse())
	}
	c.mux.maskKnown, c.mux.mask = true, d.b[0]
	if trusted && c.mux.mask != c.mask {
		// The switch had closed the channel, by a reset or a brown-out. The device
		// has received nothing, so the transaction can be repeated.
		if err := d.choose(c); err != nil {
			return err
		}
		return d.bus.Tx(addr, w, r)
	}
	return err
}

const resetLow = 10 * time.Microsecond // at least 6 ns, 6.8

// choose opens a channel and closes all others. If the switch does not obey and the reset line
// is wired, choose resets all switches and tries once more. The reset takes all devices behind
// the switches off the bus.
func (d *Dev) choose(c *channel) error {
	err := d.steer(c)
	if err != nil && d.reset != nil {
		if err := d.pulse(); err != nil {
			return err
		}
		err = d.steer(c)
	}
	if err != nil {
		return fmt.Errorf("open the channel: %w", err)
	}
	return nil
}

func (d *Dev) steer(c *channel) error {
	for _, m := range d.muxes {
		if m != c.mux && !(m.maskKnown && m.mask == 0) {
			// A switch that does not answer is tried again next time. It must not
			// keep the others from working.
			d.control(m, 0)
		}
	}
	return d.control(c.mux, c.mask)
}

// control writes a mask into the control register of the switch m (8.5.4). Each bit of the
// mask stands for a channel. If the bit is 1, the switch opens the channel, else closes it.
func (d *Dev) control(m *mux, mask byte) error {
	d.b[0] = mask
	err := d.bus.Tx(m.address, d.b[:], nil)
	m.maskKnown, m.mask = err == nil, mask
	return err
}

// pulse makes the reset line low for a moment, if it is wired. This closes all channels.
func (d *Dev) pulse() error {
	if d.reset == nil {
		return nil
	}
	for _, m := range d.muxes {
		m.maskKnown = false
	}
	if err := d.reset.Out(gpio.Low); err != nil {
		return fmt.Errorf("tca9548: reset line low: %w", err)
	}
	time.Sleep(resetLow)
	if err := d.reset.Out(gpio.High); err != nil {
		return fmt.Errorf("tca9548: reset line high: %w", err)
	}
	return nil
}

var _ i2c.Bus = (*channel)(nil)
