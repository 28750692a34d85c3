package ssd1306test

import (
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// I2C returns the bus of the module. Nothing else is on that bus.
func (c *Chip) I2C() i2c.BusCloser { return &bus{chip: c} }

// A bus emulates an open i2c-dev file.
type bus struct{ chip *Chip }

func (b *bus) String() string { return "emulated-i2c" }

// Close implements i2c.BusCloser.
func (b *bus) Close() error { return nil }

// SetSpeed implements i2c.Bus.
func (b *bus) SetSpeed(f physic.Frequency) error {
	if f <= 0 || f > 400*physic.KiloHertz { // table 13-6: a cycle takes 2.5 us
		return fmt.Errorf("ssd1306test: invalid speed %s", f)
	}
	b.chip.do(func() { b.chip.speed = f })
	return nil
}

// Tx implements i2c.Bus. It returns only after the time that the bits take on the bus.
func (b *bus) Tx(addr uint16, w, r []byte) error {
	if addr > 0x7f {
		return errors.New("ssd1306test: an address of more than 7 bits")
	}
	c := b.chip
	until := c.occupy(addr, len(w), len(r))
	time.Sleep(time.Until(until))

	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts.Transactions++
	if !c.hears(addr) {
		return fmt.Errorf("ssd1306test: %#x: %w", addr, notAcknowledged)
	}
	if c.muteAfter > 0 {
		c.muteAfter--
	}
	c.counts.Written += len(w)
	c.counts.Read += len(r)
	if len(w) > 0 {
		c.write(w)
	}
	for i := range r {
		r[i] = c.status()
	}
	return nil
}

// occupy reserves the bus for a transfer of w bytes out and r bytes in. The transfer begins
// when all earlier transfers have ended. occupy returns the time at which the transfer ends.
func (c *Chip) occupy(addr uint16, w, r int) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	bytes := 1 // the address: an absent chip gets no more
	if c.hears(addr) {
		bytes += w + r
	}
	begin := time.Now()
	if c.busyUntil.After(begin) {
		begin = c.busyUntil
	}
	c.busyUntil = begin.Add(time.Duration(bytes) * 9 * c.speed.Period())
	return c.busyUntil
}

func (c *Chip) hears(addr uint16) bool {
	return addr == c.addr && !c.off && !c.dead && c.muteAfter != 0
}

// status returns the status byte, which is the only byte that a host can read. If the display
// is off, bit 6 is set (table 9-2).
func (c *Chip) status() byte {
	if c.regs.on {
		return 0
	}
	return 1 << 6
}

// write executes w, which holds all bytes of a transfer after the address. Each control byte
// is followed by commands or data (8.1.5.2).
func (c *Chip) write(w []byte) {
	if !c.awake() {
		return // it acknowledges, and does nothing
	}
	for len(w) > 0 {
		control := w[0]
		w = w[1:]
		if control&0x3f != 0 {
			c.violations.Control++
			return
		}
		announced := w
		if control&0x80 != 0 { // one byte, then another control byte
			announced = w[:min(1, len(w))]
		}
		w = w[len(announced):]
		for _, b := range announced {
			if control&0x40 != 0 {
				c.data(b)
			} else {
				c.command(b)
			}
		}
	}
}
