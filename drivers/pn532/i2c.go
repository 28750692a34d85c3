package pn532

import (
	"context"
	"fmt"
	"time"

	"periph.io/x/conn/v3/i2c"

	"tableside/drivers/nfc"
)

// Address is the chip's I2C address (UM0701-02, 6.2.4: 48h with the
// direction bit). It cannot be changed.
const Address = 0x24

// i2cLink is the link over I2C. Each read starts with the ready byte. A read that ends before
// the frame does may lose the rest of the frame. So the driver sends NACK for a frame that
// turns out longer than expected, and the chip sends it again.
type i2cLink struct {
	dev      i2c.Dev
	answered bool  // the address was acknowledged since listen
	err      error // the last error of the bus
	r        [1 + maxFrame]byte
}

// NewI2C returns a chip on an I2C bus of at most 400 kHz. On a Raspberry Pi 1 to 4, use a slow
// bus or a bus driven by software: the hardware controller misreads the bus when the chip
// stretches the clock (raspberrypi/linux issue 4884).
func NewI2C(b i2c.Bus, opts *Opts) (*Dev, error) {
	return newDev(&i2cLink{dev: i2c.Dev{Bus: b, Addr: Address}}, opts), nil
}

func (l *i2cLink) String() string { return fmt.Sprintf("%s/0x%x", l.dev.Bus, l.dev.Addr) }

// tx writes w, then reads r. It records whether the chip acknowledged its address, which
// explain needs.
func (l *i2cLink) tx(w, r []byte) error {
	err := l.dev.Tx(w, r)
	if err != nil {
		l.err = err
	} else {
		l.answered = true
	}
	return err
}

// wake calls the chip by its address. That wakes a sleeping chip (UM0701-02, 7.2.11), which
// may not acknowledge yet. So wake ignores an error of the bus; a real fault shows again in
// the next transaction.
func (l *i2cLink) wake(bool) error {
	_ = l.tx(nil, l.r[:1])
	return nil
}

func (l *i2cLink) send(frame []byte) error { return l.tx(frame, nil) }

func (l *i2cLink) guess() int { return shortRead }

// receive first reads the whole frame, because it is probably ready. If it is not, receive
// reads only the ready byte, again and again until the frame is ready, and then the whole
// frame. size is the number of bytes to read. The wait w sets the pace and the deadline.
func (l *i2cLink) receive(ctx context.Context, w *wait, size int) ([]byte, error) {
	if err := w.begin(ctx); err != nil {
		return nil, err
	}
	whole := 1 + min(size, maxFrame)
	n := whole
	for {
		// A busy chip does not answer to its address: that counts as not ready,
		// unless it lasts.
		err := l.tx(nil, l.r[:n])
		if err == nil && ready(l.r[0]) {
			w.done()
			if n == whole {
				return l.r[1:n], nil
			}
			n = whole
			if err := w.rest(ctx); err != nil {
				return nil, err
			}
			continue
		}
		n = 1
		if again := w.sleepAgain(ctx); again != nil {
			if err != nil && again == errTimeout {
				return nil, err
			}
			return nil, again
		}
	}
}

func (l *i2cLink) drop(ctx context.Context, c *nfc.Clock, rest time.Duration) error {
	if err := l.tx(nil, l.r[:1]); err != nil || !ready(l.r[0]) {
		return err
	}
	if err := c.Sleep(ctx, rest); err != nil {
		return err
	}
	return l.tx(nil, l.r[:1+shortRead])
}

func (l *i2cLink) listen() { l.answered, l.err = false, nil }

func (l *i2cLink) explain(err error) error {
	if l.answered || l.err == nil {
		return err
	}
	return fmt.Errorf("nobody answers at address %02Xh (%w): %w", Address, l.err, ErrNotI2C)
}
