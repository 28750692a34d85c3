package pn532test

import (
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// address is the chip's address (UM0701-02, 6.2.4).
const address = 0x24

// errNoDevice is the error that Linux reports when no device answers to an address.
var errNoDevice = errors.New("pn532test: remote I/O error")

// I2C returns a bus on which only the chip answers, at address 0x24.
func (c *Chip) I2C() i2c.BusCloser { return &i2cBus{c} }

type i2cBus struct{ c *Chip }

func (b *i2cBus) String() string { return "pn532test" }
func (b *i2cBus) Close() error   { return nil }

// SetSpeed returns an error for a speed of more than 400 kHz, and ignores other speeds.
func (b *i2cBus) SetSpeed(f physic.Frequency) error {
	if f > 400*physic.KiloHertz {
		return fmt.Errorf("pn532test: %v is more than 400 kHz", f)
	}
	return nil
}

// Tx writes the frame in w, then reads into r. Either may be empty. The first byte of a read
// is the ready byte, and a longer read also gets the frame.
func (b *i2cBus) Tx(addr uint16, w, r []byte) error {
	c := b.c
	c.mu.Lock()
	defer c.mu.Unlock()
	awake := addr == address && c.rouse()
	for addr == address && c.trait == Stretches && c.isPresent() && !awake { // the clock is held low
		c.mu.Unlock()
		time.Sleep(100 * time.Microsecond)
		c.mu.Lock()
		awake = c.rouse()
	}
	if !awake {
		c.count(1, 0) // the address, and nobody answers
		return errNoDevice
	}
	if len(w) > 0 {
		c.count(1+len(w), 0)
		var frame [maxFrame]byte
		n := copy(frame[:], w)
		if c.written() {
			c.damage(frame[:n])
			c.hear(frame[:n], true)
		}
	}
	if len(r) == 0 {
		return nil
	}
	c.count(1, len(r))
	c.recordLook(true)
	o := c.nextOutput()
	if o == nil {
		fill(r, 0xAA)
		r[0] = 0x00
		return nil
	}
	fill(r, 0x00)
	r[0] = 0x01
	if len(r) > 1 {
		n := copy(r[1:], o.b[:o.n])
		whole := n == o.n
		c.damage(r[1 : 1+n])
		if whole || c.trait != Repeats {
			c.removeFirst()
		}
	}
	return nil
}
