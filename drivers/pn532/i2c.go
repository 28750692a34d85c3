package pn532

import (
	"context"
	"fmt"

	"periph.io/x/conn/v3/i2c"
)

// Address is the chip's I2C address (UM0701-02, 6.2.4: 48h with the
// direction bit). It cannot be changed.
const Address = 0x24

// i2cLink talks I2C. Each read starts with the ready byte. A read that ends
// before the frame does loses the rest, so a frame that turns out longer than
// was thought is asked for again with NACK.
type i2cLink struct {
	dev i2c.Dev
	r   [1 + maxFrame]byte
}

// NewI2C returns a chip on an I2C bus of at most 400 kHz. On a Raspberry Pi 1
// to 4 the bus must be slow or made by software: their controller mistakes a
// stretched clock (raspberrypi/linux issue 4884).
func NewI2C(b i2c.Bus, opts *Opts) (*Dev, error) {
	return newDev(&i2cLink{dev: i2c.Dev{Bus: b, Addr: Address}}, opts), nil
}

func (l *i2cLink) String() string { return fmt.Sprintf("%s/0x%x", l.dev.Bus, l.dev.Addr) }

// wake calls the chip by its address. Asleep, it wakes from that (UM0701-02,
// 7.2.11) but does not answer, which the bus reports as an error; what is
// wrong in earnest is still wrong with the next transaction.
func (l *i2cLink) wake() error {
	_ = l.dev.Tx(nil, l.r[:1])
	return nil
}

func (l *i2cLink) send(frame []byte) error { return l.dev.Tx(frame, nil) }

// receive asks the first time for the whole frame, as it is probably there,
// and then for nothing but the ready byte.
func (l *i2cLink) receive(ctx context.Context, w *wait, want int) ([]byte, error) {
	if err := w.begin(ctx); err != nil {
		return nil, err
	}
	want = min(want, maxFrame)
	n := 1 + want
	for {
		err := l.dev.Tx(nil, l.r[:n])
		switch {
		case err != nil:
			// A chip that is busy does not answer to its address: that is no
			// different from not being ready, unless it lasts.
			n = 1
		case ready(l.r[0]) && n > 1:
			w.done()
			return l.r[1:n], nil
		case ready(l.r[0]):
			n = 1 + want
			continue
		default:
			n = 1
		}
		if again := w.again(ctx); again != nil {
			if err != nil && again == errTimeout {
				return nil, err
			}
			return nil, again
		}
	}
}

func (l *i2cLink) drop(context.Context, *clock) error {
	if err := l.dev.Tx(nil, l.r[:1]); err != nil || !ready(l.r[0]) {
		return err
	}
	return l.dev.Tx(nil, l.r[:])
}
