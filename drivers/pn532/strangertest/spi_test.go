//go:build linux

package strangertest

import (
	"context"
	"errors"
	"math/bits"

	stranger "github.com/ZaparooProject/go-pn532"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
)

// go-pn532 v0.26.1 cannot work over SPI with any chip, for three reasons that no
// chip causes:
//
//   - it asks for a frame with one byte out and more in, which Linux' spidev, as
//     periph drives it, refuses: both have the same length;
//   - it reads seven bytes of an answer, up to TFI and the code, and then expects
//     the rest to begin with TFI again, where a chip gives what comes next
//     (libnfc), or begins anew, or has nothing more;
//   - it hands on an answer without its code, which the rest of the library
//     expects there, as the other two transports hand it on.
//
// lenient and coded work around these. So the SPI tests cover its wake-up,
// frames, status reads, bit order and pauses on the chip.

// lenient is a port that reads each frame in one go and returns the pieces that
// go-pn532 asks for.
type lenient struct {
	spi.PortCloser
	conn spi.Conn
	rest []byte // rest of an answer, from TFI on, after a read of its beginning
}

func (l *lenient) Connect(f physic.Frequency, mode spi.Mode, n int) (spi.Conn, error) {
	conn, err := l.PortCloser.Connect(f, mode, n)
	if err != nil {
		return nil, err
	}
	l.conn = conn
	return &lenientConn{Conn: conn, l: l}, nil
}

type lenientConn struct {
	spi.Conn
	l *lenient
}

const (
	ackRead    = 1 + 6 // number of bytes it asks for
	headerRead = 1 + 7
	mostRead   = 1 + 64
)

func (c *lenientConn) Tx(w, r []byte) error {
	if len(w) != 1 || len(r) == 0 {
		return c.Conn.Tx(w, r)
	}
	if w[0] != bits.Reverse8(0x03) {
		return errors.New("strangertest: that is no read")
	}
	clear(r)
	if len(r) != ackRead && len(r) != headerRead || c.l.rest != nil {
		copy(r[1:], c.l.rest)
		c.l.rest = nil
		return nil
	}
	out, in := make([]byte, mostRead), make([]byte, mostRead)
	out[0] = w[0]
	if err := c.Conn.Tx(out, in); err != nil {
		return err
	}
	copy(r[1:], in[1:])
	if len(r) == headerRead {
		c.l.rest = in[1+5:]
	}
	return nil
}

// coded is the transport with the code before each answer.
type coded struct{ stranger.Transport }

func (c *coded) SendCommand(ctx context.Context, cmd byte, args []byte) ([]byte, error) {
	answer, err := c.Transport.SendCommand(ctx, cmd, args)
	if err != nil {
		return nil, err
	}
	return append([]byte{cmd + 1}, answer...), nil
}
