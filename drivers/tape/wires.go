package tape

import (
	"cmp"
	"context"
	"io"
	"strconv"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/drivers/keys"
)

// A Wire is what the wires of a part are connected to: a Track, which records what happens, or a
// Player, which plays what happened.
type Wire interface {
	// Do runs an operation of the driver and returns its error. The words are its name and its
	// arguments.
	Do(run func() error, words ...string) error
	// Keys returns a chip that works like c, on this wire.
	Keys(c keys.Chip) keys.Chip
	// do makes a transfer. Only a Track calls real. What comes in is put into R or High.
	do(o *IO, real func() error) error
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
	_ = p.wire.do(o, func() error { o.High = bool(p.PinIO.Read()); return nil })
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

func happened() error { return nil }

// Event tells a wire of an event that the driver of the keys derived from edges.
func Event(w Wire, e keys.Event) {
	_ = w.do(&IO{Bus: event, Words: []string{e.Kind.String(), e.Name}}, happened)
}

// Keys implements Wire. It records the edges on the GPIO lines, and levels that no edge explains.
func (t *Track) Keys(c keys.Chip) keys.Chip { return &recordedKeys{Chip: c, track: t} }

// recordedKeys are a chip and, once they are requested, its lines.
type recordedKeys struct {
	keys.Chip
	keys.Lines
	track *Track
	lines []int
	began time.Duration // when the clock of the chip was 0, since the tape began
}

func (k *recordedKeys) Request(ctx context.Context, lines []int) (_ keys.Lines, err error) {
	if k.Lines, err = k.Chip.Request(ctx, lines); err != nil {
		return nil, err
	}
	k.lines, k.began = lines, time.Since(k.track.r.began)-k.Now()
	return k, nil
}

func (k *recordedKeys) Next(ctx context.Context, edges []keys.Edge, wait time.Duration) (int, error) {
	n, err := k.Lines.Next(ctx, edges, wait)
	for _, e := range edges[:max(n, 0)] {
		at := (k.began + e.At).Microseconds()
		_ = k.track.do(&IO{T: at, Bus: edge, Pin: strconv.Itoa(e.Line), High: e.High, Seq: e.Seq}, happened)
	}
	return n, err
}

func (k *recordedKeys) Levels(ctx context.Context, high []bool) error {
	err := k.Lines.Levels(ctx, high)
	for i := 0; err == nil && i < len(high); i++ {
		_ = k.track.do(&IO{Bus: in, Pin: strconv.Itoa(k.lines[i]), High: high[i]}, happened)
	}
	return err
}

// Keys implements Wire. The clock of the chip shows the time on the tape. When the driver waits
// for an edge, the clock jumps ahead to the edge or to the end of the wait. At the end of the
// call comes its error: that of a chip that is gone, or io.EOF.
func (p *Player) Keys(keys.Chip) keys.Chip { return &playedKeys{Player: p} }

// playedKeys are a chip and, once they are requested, its lines.
type playedKeys struct {
	*Player
	now   time.Duration
	lines []int
}

func (k *playedKeys) String() string     { return "keys of a tape" }
func (k *playedKeys) Close() error       { return nil }
func (k *playedKeys) Now() time.Duration { return k.now }

func (k *playedKeys) Request(_ context.Context, lines []int) (keys.Lines, error) {
	k.now, k.lines = micros(k.call.T), lines
	return k, nil
}

func (k *playedKeys) Levels(_ context.Context, high []bool) error {
	k.skipInputs()
	for i, line := range k.lines {
		high[i] = k.levels[strconv.Itoa(line)]
	}
	return nil
}

// Next gets all edges before the next event, as the driver may have got them at once: also those
// after the end of the wait, because a busy machine ends it late.
func (k *playedKeys) Next(_ context.Context, edges []keys.Edge, wait time.Duration) (n int, err error) {
	until := k.now + wait
	for o := k.following(); n < len(edges) && o.Bus == edge && (n > 0 || micros(o.T) <= until); o = k.following() {
		line, _ := strconv.Atoi(o.Pin)
		edges[n] = keys.Edge{At: micros(o.T), Seq: o.Seq, Line: line, High: o.High}
		k.now = max(k.now, edges[n].At)
		k.take()
		n++
	}
	switch {
	case n > 0:
	case until <= micros(k.call.End):
		k.now = until
	default:
		err = cmp.Or(failure(k.call.Err), io.EOF)
	}
	return n, err
}
