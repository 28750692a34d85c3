package pn532

import (
	"context"
	"errors"
	"time"

	"tableside/drivers/nfc"
)

// A link is how frames get to the chip and back.
type link interface {
	String() string

	// wake makes a sleeping chip listen. It may take two milliseconds until
	// it does. slow is for a chip that did not hear the usual way.
	wake(slow bool) error

	// send sends a frame.
	send(frame []byte) error

	// guess returns how many bytes of a frame are read at most when its
	// length is unknown.
	guess() int

	// receive waits for the chip and returns what it says: at least one frame,
	// if it is not damaged. Where the host has to say beforehand how much it
	// wants to read, that is want. The bytes are good until the next call.
	receive(ctx context.Context, w *wait, want int) ([]byte, error)

	// drop throws away what the chip may have said unasked. rest is the least
	// pause between two transactions.
	drop(ctx context.Context, c *nfc.Clock, rest time.Duration) error

	// listen forgets what explain knows.
	listen()

	// explain returns what the error of a chip that did not wake up comes
	// from, if nothing at all was heard since listen.
	explain(err error) error
}

// A queue is a link that keeps what the chip says until it is read, so that an
// acknowledgement and its answer can be read together.
type queue interface {
	// collect takes in what has come, without waiting.
	collect() error

	// waited reports whether receive had to wait since then.
	waited() bool
}

// Errors of Init when nothing at all is heard from the chip. They ask the
// question that people have to answer; their method Hint says what to do.
var (
	// ErrNotSPI reports that every byte read is FFh, or every one 00h.
	ErrNotSPI error = &unheard{"is the board switched to SPI, and is MISO connected?",
		"set the board's switches or jumpers to SPI and check MISO, MOSI, SCK and the chip select, " +
			"which the reader's spi names; docs/hardware.md draws them"}

	// ErrNotI2C reports that nobody acknowledges the chip's address.
	ErrNotI2C error = &unheard{"is the board switched to I2C, and are SDA and SCL connected?",
		"set the board's switches or jumpers to I2C and check SDA and SCL, and mux and channel where " +
			"it is behind a multiplexer; docs/hardware.md draws them"}

	// ErrNotUART reports that not a single byte comes.
	ErrNotUART error = &unheard{"is the board switched to UART (HSU), and is its TXD at the computer's RXD?",
		"set the board's switches or jumpers to UART (HSU), exchange TXD and RXD, and check that " +
			"the reader's serial is this port; docs/hardware.md draws them"}
)

// unheard is an error that asks a question and has a hint.
type unheard struct{ question, hint string }

func (u *unheard) Error() string { return u.question }

// Hint returns what to do.
func (u *unheard) Hint() string { return u.hint }

// shortRead is how much of a frame is read when its length is unknown: with
// the ready byte of I2C, or the first byte of SPI, 32 bytes (docs/decisions, 13).
const shortRead = 31

// errTimeout reports that the chip said nothing in time.
var errTimeout = errors.New("no answer")

// ready reads the status byte over SPI, and the first byte of each read over
// I2C: 01 says that there is something to read, 00 that there is not
// (UM0701-02, 6.2.4 and 6.2.5). A bus that nobody drives reads as FF.
func ready(b byte) bool { return b == 0x01 }
