package tape

import (
	"bytes"
	"strconv"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/drivers/pn532"
)

// isRepeatable reports whether a transfer may be repeated any number of times. A transfer may
// be repeated if it only shows that the chip is not ready. It may also be repeated if it asks
// a multiplexer for a channel. The number of such transfers depends on the computer. The
// caller passes whether the transfer has failed.
func (c Chip) isRepeatable(v Verb, w, r []byte, failed bool) bool {
	switch {
	case v == Receive:
		return len(r) == 0 && !failed
	case v == Mux: // a channel may be open already, and failures are retried
		return true
	case c == PN532 && v == I2C: // a chip that is busy may not answer to its address
		return len(w) == 0 && len(r) > 0 && (failed || len(r) == 1 || r[0] != 0x01)
	case c == PN532 && v == SPI: // reading the status; the lowest bit comes first
		return len(w) == 2 && len(r) == 2 && w[0] == 0x40 && r[1] != 0x80 && !failed
	case c == MFRC522 && v == SPI && !failed && len(r) == len(w):
		return mfrc522Waits(w, r)
	}
	return false
}

// ackFrame is the frame that the computer sends to abort a command of a PN532. The chip does
// not answer the frame. SPI puts one byte before the frame. It also reverses the bits of each
// byte, which changes no byte of this frame.
var ackFrame = []byte{0x00, 0x00, 0xff, 0x00, 0xff, 0x00}

// startsWork reports whether a line of the tape makes the chip begin to work. A transfer
// starts work if it sends bytes other than ackFrame and receives none. A change of a pin
// starts work unless the pin is Busy. Opening a channel of a multiplexer starts nothing.
func (c Chip) startsWork(l *Line) bool {
	switch l.Verb {
	case SPI, I2C, Send:
		return len(l.R) == 0 && !(c == PN532 && bytes.HasSuffix(l.W, ackFrame))
	case Pin:
		return l.Name != Busy
	}
	return false
}

// mfrc522Waits reports whether a transfer says only that the chip is not ready. The bytes in w
// went out, and those in r came in. The chip is not ready while it is asleep, during an
// exchange with a tag, and during its self-test.
func mfrc522Waits(w, r []byte) bool {
	switch {
	case len(w) == 6 && string(w) == "\x88\x8c\x94\x98\x9c\x00": // ComIrqReg and more: RxIRq, TimerIRq
		return r[1]&0x21 == 0
	case len(w) == 4 && string(w) == "\xee\x82\xee\x00": // VersionReg around CommandReg: PowerDown
		return r[1] != r[3] || r[1] == 0x00 || r[1] == 0xFF || r[2]&0x10 != 0
	case len(w) == 2 && string(w) == "\x94\x00": // FIFOLevelReg alone
		return r[1] != 64
	}
	return false
}

// exchange records a transfer of the kind v: w went out, r came in, and err is its error.
func (t *Track) exchange(v Verb, w, r []byte, err error) {
	if t.r.ended.Load() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.body = append(append(t.body[:0], verbs[v]...), ' ')
	t.appendTransfer(v, w, r)
	t.failure(err)
	t.emit(t.chip.isRepeatable(v, w, r, err != nil))
}

// appendTransfer appends the bytes of a transfer to t.body. The bytes in w went out, and those
// in r came in. UIDs in w and in r are masked.
func (t *Track) appendTransfer(v Verb, w, r []byte) {
	t.body = appendBytes(t.body, t.mask.maskOut(t.chip, v, w))
	if len(r) > 0 {
		t.body = append(t.body, " > "...)
		t.body = appendBytes(t.body, t.mask.maskIn(t.chip, v, w, r))
	}
}

func (t *Track) failure(err error) {
	if err != nil {
		t.body = append(t.body, " ! "...)
		t.body = strconv.AppendQuote(t.body, t.mask.text(err.Error()))
	}
}

// SPI returns a port that works like p and records its transfers.
func (t *Track) SPI(p spi.Port) spi.Port {
	if p, ok := p.(spi.PortCloser); ok {
		return &spiCloser{spiPort{t, p}, p}
	}
	return &spiPort{t, p}
}

type spiPort struct {
	track *Track
	port  spi.Port
}

// A spiCloser is a port that can be closed.
type spiCloser struct {
	spiPort
	closer spi.PortCloser
}

func (p *spiCloser) Close() error                        { return p.closer.Close() }
func (p *spiCloser) LimitSpeed(f physic.Frequency) error { return p.closer.LimitSpeed(f) }
func (p *spiPort) String() string                        { return p.port.String() }
func (p *spiPort) MaxTxSize() int                        { return maxTransfer(p.port) }
func (p *spiPort) Connect(f physic.Frequency, mode spi.Mode, bits int) (spi.Conn, error) {
	c, err := p.port.Connect(f, mode, bits)
	if err != nil {
		return nil, err
	}
	return &spiConn{p.track, c}, nil
}

// maxTransfer returns the largest number of bytes that one transfer over link may have. The
// link is a port or a connection. If the limit is unknown, maxTransfer returns 0.
func maxTransfer(link any) int {
	if l, ok := link.(conn.Limits); ok {
		return l.MaxTxSize()
	}
	return 0
}

type spiConn struct {
	track *Track
	conn  spi.Conn
}

func (c *spiConn) String() string      { return c.conn.String() }
func (c *spiConn) Duplex() conn.Duplex { return c.conn.Duplex() }
func (c *spiConn) MaxTxSize() int      { return maxTransfer(c.conn) }

func (c *spiConn) Tx(w, r []byte) error {
	err := c.conn.Tx(w, r)
	c.track.exchange(SPI, w, r, err)
	return err
}

func (c *spiConn) TxPackets(p []spi.Packet) error {
	err := c.conn.TxPackets(p)
	c.track.recordPackets(p, err)
	return err
}

// recordPackets records the transfers of one system call in one line of the tape. The caller
// passes the error of the system call.
func (t *Track) recordPackets(p []spi.Packet, err error) {
	if t.r.ended.Load() || len(p) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.body = append(t.body[:0], "spi"...)
	for i := range p {
		if i > 0 {
			t.body = append(t.body, " |"...)
		}
		t.body = append(t.body, ' ')
		t.appendTransfer(SPI, p[i].W, p[i].R)
	}
	t.failure(err)
	t.emit(false)
}

// I2C does a transaction with the part's chip over the bus b. It records the transaction and
// returns its error. The chip has the address addr. The bytes in w go out, and the answer goes
// into r.
func (t *Track) I2C(b i2c.Bus, addr uint16, w, r []byte) error {
	err := b.Tx(addr, w, r)
	t.exchange(I2C, w, r, err)
	return err
}

// Mux records a request to a multiplexer to open the channel of the part. The caller passes
// the bytes of the request and its error.
func (t *Track) Mux(w []byte, err error) { t.exchange(Mux, w, nil, err) }

// Pin returns a pin that works like p and also records the changes of the pin's level. The
// records have the given name.
func (t *Track) Pin(name string, p gpio.PinIO) gpio.PinIO {
	return &pinIO{PinIO: p, track: t, name: name}
}

// A pinIO is a pin that remembers its level, so that only changes are recorded.
type pinIO struct {
	gpio.PinIO
	track      *Track
	name       string
	levelKnown bool
	level      gpio.Level
}

func (p *pinIO) Out(l gpio.Level) error {
	err := p.PinIO.Out(l)
	p.saw(l, err)
	return err
}

func (p *pinIO) Read() gpio.Level {
	l := p.PinIO.Read()
	p.saw(l, nil)
	return l
}

func (p *pinIO) saw(l gpio.Level, err error) {
	t := p.track
	if t.r.ended.Load() || p.levelKnown && p.level == l && err == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	p.levelKnown, p.level = err == nil, l
	t.body = append(append(append(t.body[:0], "pin "...), p.name...), ' ', level(l))
	t.failure(err)
	t.emit(false)
}

func level(high gpio.Level) byte {
	if high {
		return '1'
	}
	return '0'
}

// Serial returns a serial line that works like s and records its bytes.
func (t *Track) Serial(s pn532.Serial) pn532.Serial { return &serialLine{t, s} }

type serialLine struct {
	track *Track
	port  pn532.Serial
}

func (s *serialLine) SetReadTimeout(d time.Duration) error { return s.port.SetReadTimeout(d) }

func (s *serialLine) Write(p []byte) (int, error) {
	n, err := s.port.Write(p)
	t := s.track
	t.mu.Lock()
	t.receive()
	t.mu.Unlock()
	t.exchange(Send, p, nil, err)
	return n, err
}

func (s *serialLine) Read(p []byte) (int, error) {
	n, err := s.port.Read(p)
	t := s.track
	if t.r.ended.Load() {
		return n, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.serialData = append(t.serialData, p[:max(n, 0)]...)
	if err != nil || wholeFrames(t.serialData) {
		t.receive()
	}
	if err != nil || n == 0 && len(t.serialData) == 0 {
		t.body = append(t.body[:0], "rx -"...)
		t.failure(err)
		t.emit(err == nil)
	}
	return n, err
}

// receive records the bytes gathered so far from the serial line, in one line of the tape.
func (t *Track) receive() {
	if len(t.serialData) == 0 {
		return
	}
	t.body = append(t.body[:0], "rx "...)
	t.body = appendBytes(t.body, t.mask.maskIn(t.chip, Receive, nil, t.serialData))
	t.serialData = t.serialData[:0]
	t.emit(false)
}
