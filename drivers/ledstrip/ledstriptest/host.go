package ledstriptest

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
)

// A Host is the controller that a strip is connected to. The zero Host is SPI0 of a Raspberry
// Pi 3 with the configuration that "tableside doctor" asks for.
type Host struct {
	Core     physic.Frequency // the core clock that the kernel divides; 0 for 250 MHz
	Real     physic.Frequency // the true core clock, if core_freq is not fixed; 0 for Core
	Gap      int              // clocks for which the line is low after each byte: 1 on a Pi 4
	IdleHigh bool             // MOSI is high between transfers
	Bufsiz   int              // bytes of the longest transfer; 0 is spidev's 4096
	Aux      bool             // SPI1: only modes 0 and 2
}

// On connects the strip to another controller. Open connections use the new controller, but
// keep the clock and the mode that they asked for.
func (s *Strip) On(h Host) { s.do(func() { s.host = h }) }

// SPI returns the port that the strip is wired to, newly opened.
func (s *Strip) SPI() spi.PortCloser { return &port{strip: s} }

// A port is an open spidev file.
type port struct {
	strip *Strip

	mu    sync.Mutex
	limit physic.Frequency
	conn  *link
	shut  bool
}

func (p *port) String() string { return fmt.Sprintf("emulated-%s", p.strip.chip) }

// Close implements io.Closer.
func (p *port) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shut = true
	return nil
}

// LimitSpeed implements spi.PortCloser.
func (p *port) LimitSpeed(f physic.Frequency) error {
	if f <= 0 {
		return errors.New("ledstriptest: no speed")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limit = f
	return nil
}

// MaxTxSize implements conn.Limits.
func (p *port) MaxTxSize() int { return p.strip.bufsiz() }

// Connect implements spi.Port.
func (p *port) Connect(f physic.Frequency, mode spi.Mode, bits int) (spi.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.conn != nil:
		return nil, errors.New("ledstriptest: a port is connected once")
	case f < 100*physic.Hertz || f > physic.GigaHertz:
		return nil, fmt.Errorf("ledstriptest: invalid speed %s", f)
	case bits != 8:
		return nil, fmt.Errorf("ledstriptest: %d bits to the word", bits)
	case mode&^(spi.Mode3|spi.NoCS) != 0 || p.strip.aux() && mode&spi.Mode1 != 0:
		return nil, fmt.Errorf("ledstriptest: setting mode %v failed: invalid argument", mode)
	}
	p.conn = &link{port: p, clock: f, mode: mode}
	return p.conn, nil
}

// A link is a connection through a port. It holds the clock and the mode that the caller of
// Connect asked for.
type link struct {
	port  *port
	clock physic.Frequency
	mode  spi.Mode
}

func (l *link) String() string { return l.port.String() }

// Duplex implements conn.Conn.
func (l *link) Duplex() conn.Duplex { return conn.Full }

// MaxTxSize implements conn.Limits.
func (l *link) MaxTxSize() int { return l.port.MaxTxSize() }

// Tx implements conn.Conn. It returns when the last bit is sent.
func (l *link) Tx(w, r []byte) error {
	switch {
	case len(w) == 0 && len(r) == 0:
		return errors.New("ledstriptest: nothing to transfer")
	case len(w) != 0 && len(r) != 0 && len(w) != len(r):
		return fmt.Errorf("ledstriptest: %d bytes to write, but %d to read", len(w), len(r))
	case max(len(w), len(r)) > l.port.strip.bufsiz():
		return fmt.Errorf("ledstriptest: transfer of %d bytes: message too long", max(len(w), len(r)))
	}
	f, shut := l.speed()
	if shut {
		return errors.New("ledstriptest: file already closed")
	}
	clear(r)
	return l.port.strip.transfer(w, len(r), f, l.mode)
}

func (l *link) speed() (f physic.Frequency, shut bool) {
	l.port.mu.Lock()
	defer l.port.mu.Unlock()
	if l.port.limit > 0 {
		return min(l.clock, l.port.limit), l.port.shut
	}
	return l.clock, l.port.shut
}

// TxPackets implements spi.Conn. It sends all packets as one transfer, without a pause.
func (l *link) TxPackets(packets []spi.Packet) error {
	var w []byte
	for _, p := range packets {
		if p.BitsPerWord != 0 && p.BitsPerWord != 8 {
			return errors.New("ledstriptest: packets of other words than 8 bits")
		}
		w = append(w, p.W...)
		w = append(w, make([]byte, max(0, len(p.R)-len(p.W)))...)
		clear(p.R)
	}
	return l.Tx(w, nil)
}

func (s *Strip) bufsiz() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.host.Bufsiz > 0 {
		return s.host.Bufsiz
	}
	return 4096
}

func (s *Strip) aux() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.host.Aux
}

// A span is a time in picoseconds: a bit does not last a whole number of nanoseconds.
type span int64

const ns span = 1000

// bitTime returns the duration of one bit at a requested clock. The kernel divides the core
// clock by the smallest even number that makes the clock no faster than requested
// (spi-bcm2835.c). The controller of RP1 does the same.
func (h Host) bitTime(f physic.Frequency) span {
	core, really := h.Core, h.Real
	if core == 0 {
		core = 250 * physic.MegaHertz
	}
	if really == 0 {
		really = core
	}
	divider := (core + f - 1) / f
	divider = max(2, divider+divider%2)
	return span(int64(divider) * int64(1e9*ns) / int64(really/physic.Hertz))
}

// transfer puts the bits of one transfer on the wires and waits for the last bit. If another
// transfer is under way, the bits follow after the bits of that transfer. w holds the bytes to
// write, and n is the number of bytes that the host reads.
func (s *Strip) transfer(w []byte, n int, f physic.Frequency, mode spi.Mode) error {
	s.mu.Lock()
	if s.failure != nil {
		defer s.mu.Unlock()
		return s.failure
	}
	each := s.host.bitTime(f)
	clocks := len(w)*(8+s.host.Gap) + 8*max(0, n-len(w))
	begin := time.Now()
	if s.busyUntil.After(begin) {
		begin = s.busyUntil
	}
	end := begin.Add(time.Duration(span(clocks) * each / ns))
	s.busyUntil = end
	s.mu.Unlock()

	time.Sleep(time.Until(end))

	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.Transactions++
	s.counts.Written += len(w)
	s.counts.Read += n
	s.settle(begin)
	if !s.deaf() {
		s.decoder.mode(mode)
		s.decoder.bits(w, each, s.host.Gap)
	}
	s.decodedUntil = end
	if now := time.Now(); now.After(end) {
		s.settle(now)
	}
	return nil
}
