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

// i2cLink is the link over I2C. Each read starts with the ready byte. If a read ends before
// the end of the frame, the rest of the frame may be lost. If a frame is longer than expected,
// the driver therefore sends a NACK, and the chip sends the frame again.
type i2cLink struct {
	dev      i2c.Dev
	answered bool  // the address was acknowledged since listen
	err      error // the last error of the bus
	r        [1 + maxFrame]byte
}

// NewI2C returns a chip on an I2C bus of at most 400 kHz. On a Raspberry Pi 1 to 4, use a slow
// bus or a bus driven by software. The hardware controller misreads the bus when the chip
// stretches the clock (raspberrypi/linux issue 4884).
func NewI2C(b i2c.Bus, opts *Opts) (*Dev, error) {
	return newDev(&i2cLink{dev: i2c.Dev{Bus: b, Addr: Address}}, opts), nil
}

func (l *i2cLink) String() string { return fmt.Sprintf("%s/0x%x", l.dev.Bus, l.dev.Addr) }

func (l *i2cLink) tx(w, r []byte) error {
	err := l.dev.Tx(w, r)
	if err != nil {
		l.err = err
	} else {
		l.answered = true
	}
	return err
}

// wake calls the chip by its address. The address wakes a sleeping chip (UM0701-02, 7.2.11). A
// chip that was asleep may not acknowledge yet, so wake ignores an error of the bus. A real
// fault shows again in the next transaction.
func (l *i2cLink) wake(bool) error {
	_ = l.tx(nil, l.r[:1])
	return nil
}

func (l *i2cLink) send(frame []byte) error { return l.tx(frame, nil) }

func (l *i2cLink) guess() int { return shortRead }

// receive waits for a frame and returns its bytes. The caller passes the number of bytes to
// read. The wait w sets the pace and the deadline.
//
// receive first reads the whole frame, because the frame is probably ready. If the frame is
// not ready, receive reads only the ready byte until the chip is ready. Then it reads the
// whole frame.
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
		if err == nil && isReady(l.r[0]) {
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
	if err := l.tx(nil, l.r[:1]); err != nil || !isReady(l.r[0]) {
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
