package pn532

import (
	"context"
	"errors"
)

// A link is how frames get to the chip and back.
type link interface {
	String() string

	// wake makes a sleeping chip listen. It may take two milliseconds until
	// it does.
	wake() error

	// send sends a frame.
	send(frame []byte) error

	// receive waits for the chip and returns what it says: at least one frame,
	// if it is not damaged. Where the host has to say beforehand how much it
	// wants to read, that is want. The bytes are good until the next call.
	receive(ctx context.Context, w *wait, want int) ([]byte, error)

	// drop throws away what the chip may have said unasked.
	drop(ctx context.Context, c *clock) error
}

// errTimeout says that the chip said nothing in time.
var errTimeout = errors.New("no answer")

// ready reads the status byte over SPI, and the first byte of each read over
// I2C: 01 says that there is something to read, 00 that there is not
// (UM0701-02, 6.2.4 and 6.2.5). A bus that nobody drives reads as FF.
func ready(b byte) bool { return b == 0x01 }
