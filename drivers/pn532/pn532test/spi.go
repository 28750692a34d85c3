package pn532test

import (
	"errors"
	"fmt"
	"math/bits"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
)

// bufsiz is the greatest number of bytes in one transfer of spidev, the SPI driver of Linux.
// This is the default, which can be configured.
const bufsiz = 4096

// SPI returns the chip's SPI interface, which has the limits of spidev on a Raspberry Pi. It
// sends the highest bit first. One transfer has at most 4096 bytes. If both buffers are given,
// they must have the same length.
func (c *Chip) SPI() spi.PortCloser { return &spiPort{c} }

type spiPort struct{ c *Chip }

func (p *spiPort) String() string                    { return "pn532test" }
func (p *spiPort) Close() error                      { return nil }
func (p *spiPort) LimitSpeed(physic.Frequency) error { return nil }

// Connect connects to the chip with the given settings. The speed must be at most 5 MHz. The
// mode must be 0 (UM0701-02, 6.2.5), with the highest bit first. A word must have 8 bits.
// Otherwise Connect returns an error.
func (p *spiPort) Connect(f physic.Frequency, mode spi.Mode, bits int) (spi.Conn, error) {
	switch {
	case f > 5*physic.MegaHertz:
		return nil, fmt.Errorf("pn532test: %v is more than 5 MHz", f)
	case mode&spi.LSBFirst != 0:
		return nil, errors.New("pn532test: invalid argument: the controller sends the highest bit first")
	case mode != spi.Mode0:
		return nil, fmt.Errorf("pn532test: the chip talks %v, not %v", spi.Mode0, mode)
	case bits != 8:
		return nil, fmt.Errorf("pn532test: %d bits a word", bits)
	}
	return &spiConn{c: p.c, speed: f}, nil
}

type spiConn struct {
	c     *Chip
	speed physic.Frequency
	buf   [bufsiz]byte
}

func (s *spiConn) String() string      { return "pn532test" }
func (s *spiConn) Duplex() conn.Duplex { return conn.Full }
func (s *spiConn) MaxTxSize() int      { return bufsiz }
func (s *spiConn) TxPackets(ps []spi.Packet) error {
	for _, p := range ps {
		if p.KeepCS {
			return errors.New("pn532test: KeepCS is not supported")
		}
		if err := s.Tx(p.W, p.R); err != nil {
			return err
		}
	}
	return nil
}

// Tx holds chip select low for one transaction, which sends w and reads into r.
func (s *spiConn) Tx(w, r []byte) error {
	n := max(len(w), len(r))
	if len(w) != 0 && len(r) != 0 && len(w) != len(r) {
		return fmt.Errorf("pn532test: %d bytes out and %d in", len(w), len(r))
	}
	if n > bufsiz {
		return fmt.Errorf("pn532test: %d bytes at once", n)
	}
	if n == 0 {
		return nil
	}
	c := s.c
	c.mu.Lock()
	defer c.mu.Unlock()
	in := s.buf[:n]
	clear(in)
	for i, b := range w {
		in[i] = bits.Reverse8(b)
	}
	out := r
	if in[0] == 0x01 || len(r) == 0 {
		c.count(n, 0)
	} else {
		c.count(1, n-1)
	}
	switch {
	case !c.isPresent():
		fill(out, 0xFF) // nobody drives the line
	case c.asleep && !c.selected(time.Duration(8*n)*s.speed.Period()):
		fill(out, 0x00) // chip select was too short to wake it
	case !c.rouse():
		fill(out, 0x00)
	default:
		fill(out, 0x00)
		c.transact(in, out)
	}
	for i, b := range out {
		out[i] = bits.Reverse8(b)
	}
	return nil
}

func fill(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}

// transact executes the operation that the first byte of w names (UM0701-02, 6.2.5). The bytes
// in w come from the host. The bytes from the chip go into r.
func (c *Chip) transact(w, r []byte) {
	switch w[0] {
	case 0x01:
		c.readOffset = 0
		if c.written() {
			c.damage(w[1:])
			c.hear(w[1:], true)
		}
	case 0x02:
		c.recordLook(false)
		if c.nextOutput() != nil && len(r) > 1 {
			fill(r[1:], 0x01)
		}
	case 0x03:
		c.recordLook(false)
		o := c.nextOutput()
		if o == nil {
			fill(r, 0xAA) // read before it was ready
			return
		}
		if c.trait != Pieces {
			c.readOffset = 0
		}
		to := r[min(1, len(r)):]
		if c.readOffset > 0 {
			to = r
		}
		n := copy(to, o.b[c.readOffset:o.n])
		c.readOffset += n
		whole := c.readOffset == o.n
		c.damage(to[:n])
		if whole || c.trait != Pieces && c.trait != Repeats {
			c.readOffset = 0
			c.removeFirst()
		}
	}
}
