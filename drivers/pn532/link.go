package pn532

import (
	"context"
	"errors"
	"time"

	"tableside/drivers/nfc"
)

// A link carries frames to the chip and back.
type link interface {
	String() string

	// wake makes a sleeping chip listen, which may take two milliseconds. If slow is true,
	// wake uses a slower way, for a chip that did not react to the usual one.
	wake(slow bool) error

	// send sends a frame.
	send(frame []byte) error

	// guess returns the greatest number of bytes that the driver reads at once while it does
	// not know how long the frame is.
	guess() int

	// receive waits for the chip and returns the bytes it sends: at least a whole frame, unless
	// bytes were damaged or lost. want is how many bytes to read, on links where the host
	// decides that beforehand; a longer frame is then cut off. The bytes are valid until the
	// next call. If the chip is silent until the end of w, the error is errTimeout or, over
	// I2C, the error of the bus.
	receive(ctx context.Context, w *wait, want int) ([]byte, error)

	// drop discards the bytes from the chip that nobody has read, such as the answer to an
	// aborted command. Between two transactions, drop pauses for at least the given time.
	drop(ctx context.Context, c *nfc.Clock, rest time.Duration) error

	// listen clears the record of what was received, which explain uses.
	listen()

	// explain returns the error to report for a chip that did not wake up. The caller passes
	// the error of the failed attempt as err. If nothing at all was received since the last
	// call of listen, explain returns an error such as ErrNotSPI. Otherwise it returns err.
	explain(err error) error
}

// Errors that Init returns if nothing at all is received from the chip. The text of each error
// is a question that people can answer by looking at the board. The method Hint of the error
// returns advice on what to do.
var (
	// ErrNotSPI reports that all status bytes were FFh, or that all were 00h.
	ErrNotSPI error = &unheardError{"is the board switched to SPI, and is MISO connected?",
		"set the board's switches or jumpers to SPI and check MISO, MOSI, SCK and the chip select, " +
			"which the reader's spi names; docs/hardware.md draws them"}

	// ErrNotI2C reports that no device acknowledges the chip's address.
	ErrNotI2C error = &unheardError{"is the board switched to I2C, and are SDA and SCL connected?",
		"set the board's switches or jumpers to I2C and check SDA and SCL, and mux and channel where " +
			"it is behind a multiplexer; docs/hardware.md draws them"}

	// ErrNotUART reports that not a single byte comes.
	ErrNotUART error = &unheardError{"is the board switched to UART (HSU), and is its TXD at the computer's RXD?",
		"set the board's switches or jumpers to UART (HSU), exchange TXD and RXD, and check that " +
			"the reader's serial is this port; or cut its power for a moment, if another program has changed " +
			"its speed; docs/hardware.md draws them"}
)

// An unheardError is the error for a link on which the host receives nothing from the chip. The
// text of the error is a question.
type unheardError struct{ question, hint string }

func (u *unheardError) Error() string { return u.question }

// Hint returns what the owner can do about the error.
func (u *unheardError) Hint() string { return u.hint }

// shortRead is the number of bytes that the driver reads if it does not know the length of a
// frame. One more byte comes before them, which is the ready byte of I2C or the first byte of
// SPI. So a short read has 32 bytes in all (docs/decisions, 13).
const shortRead = 31

// errTimeout reports that the chip sent nothing in time.
var errTimeout = errors.New("no answer")

// isReady reports whether the chip has something to read. Over SPI, b is the status byte. Over
// I2C, b is the first byte of each read. The byte is 01 if the chip is ready and 00 if it is
// not (UM0701-02, 6.2.4 and 6.2.5). A floating bus reads as FF.
func isReady(b byte) bool { return b == 0x01 }
