package tape

import (
	"io"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/drivers/keys"
)

// A Wire is what the wires of a part are connected to: a Track, which calls the function that it
// is given and records what it does, or a Player, which does not call it. What comes in is put
// into R or High.
type Wire interface {
	do(o *IO, real func() error) error
	Keys(c keys.Chip) keys.Chip // works like c, on this wire
}

// SPI returns a port that works like p, on the wire w.
func SPI(w Wire, p spi.Port) spi.Port { return spiPort{p, w} }

type spiPort struct {
	spi.Port
	wire Wire
}

func (p spiPort) Connect(f physic.Frequency, mode spi.Mode, bits int) (spi.Conn, error) {
	c, err := p.Port.Connect(f, mode, bits)
	return spiConn{c, p.wire}, err
}

func (p spiPort) Close() error {
	if c, ok := p.Port.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// MaxTxSize implements conn.Limits; 0 is unknown.
func (p spiPort) MaxTxSize() int {
	if l, ok := p.Port.(conn.Limits); ok {
		return l.MaxTxSize()
	}
	return 0
}

type spiConn struct {
	spi.Conn
	wire Wire
}

func (c spiConn) Tx(w, r []byte) error {
	return c.wire.do(&IO{Bus: SPIBus, W: w, R: r}, func() error { return c.Conn.Tx(w, r) })
}

// I2C returns a bus to one chip that works like b, on the wire w.
func I2C(w Wire, b i2c.Bus) i2c.Bus { return i2cBus{b, w} }

type i2cBus struct {
	i2c.Bus
	wire Wire
}

func (b i2cBus) Tx(address uint16, w, r []byte) error {
	return b.wire.do(&IO{Bus: I2CBus, W: w, R: r}, func() error { return b.Bus.Tx(address, w, r) })
}

// Pin returns a pin that works like p, on the wire w.
func Pin(w Wire, name string, p gpio.PinIO) gpio.PinIO { return pin{p, w, name} }

type pin struct {
	gpio.PinIO
	wire Wire
	name string
}

func (p pin) Out(l gpio.Level) error {
	return p.wire.do(&IO{Bus: out, Pin: p.name, High: bool(l)}, func() error { return p.PinIO.Out(l) })
}

func (p pin) Read() gpio.Level {
	o := &IO{Bus: in, Pin: p.name}
	_ = p.wire.do(o, func() error { o.High = bool(p.PinIO.Read()); return nil }) // never fails
	return gpio.Level(o.High)
}

// A Port is a serial port.
type Port interface {
	io.ReadWriteCloser
	SetReadTimeout(time.Duration) error
}

// Serial returns a serial port that works like p, on the wire w.
func Serial(w Wire, p Port) Port { return &serial{Port: p, wire: w} }

type serial struct {
	Port
	wire Wire
	wait time.Duration
}

func (s *serial) SetReadTimeout(d time.Duration) error {
	s.wait = d
	return s.Port.SetReadTimeout(d)
}

func (s *serial) Read(b []byte) (int, error) {
	o := &IO{Bus: receive, R: b, wait: s.wait}
	err := s.wire.do(o, func() error {
		n, err := s.Port.Read(b)
		o.R = b[:max(n, 0)]
		return err
	})
	return len(o.R), err
}

func (s *serial) Write(b []byte) (n int, err error) {
	n = len(b)
	err = s.wire.do(&IO{Bus: send, W: b}, func() error { n, err = s.Port.Write(b); return err })
	return n, err
}
