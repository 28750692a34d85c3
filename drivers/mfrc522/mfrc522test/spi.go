package mfrc522test

import (
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
)

const (
	maxSpeed = 10 * physic.MegaHertz // 8.1.2
	maxTx    = 4096                  // like spidev
	readBit  = 0x80

	// selectTime is the shortest time that a transaction takes besides its bits,
	// with spidev on a Raspberry Pi.
	selectTime = 10 * time.Microsecond

	// maxAhead is how far the host may run ahead of a real bus before it has to wait.
	maxAhead = 500 * time.Microsecond
)

// A port is the host's SPI port, to which the chip is wired. The port is as strict as
// sysfs-spi.
type port struct {
	chip      *Chip
	limit     physic.Frequency
	speed     physic.Frequency
	closed    bool
	busyUntil time.Time // by the bytes sent so far

	// The fields from here on describe the transaction that is under way.
	selected bool
	atStart  bool // none of its bytes has come yet
	address  byte // the first byte; while reading, the last one
	reading  bool
}

func (p *port) String() string { return p.chip.String() }

// Close makes later transfers fail.
func (p *port) Close() error {
	p.chip.mu.Lock()
	defer p.chip.mu.Unlock()
	p.closed = true
	return nil
}

func (p *port) LimitSpeed(f physic.Frequency) error {
	if f <= 0 {
		return errors.New("mfrc522test: no speed")
	}
	p.limit = f
	return nil
}

// Connect connects the host to the chip. The chip needs mode 0 (8.1.2), words of 8 bits, and a
// clock of at most 10 MHz. If the host asks for anything else, Connect returns an error.
func (p *port) Connect(f physic.Frequency, mode spi.Mode, bits int) (spi.Conn, error) {
	if p.limit != 0 && (f == 0 || p.limit < f) {
		f = p.limit
	}
	if mode != spi.Mode0 || bits != 8 {
		return nil, fmt.Errorf("mfrc522test: the chip needs mode 0 and 8 bits, not %s and %d", mode, bits)
	}
	if f == 0 || f > maxSpeed {
		return nil, fmt.Errorf("mfrc522test: %s is too fast; the chip takes %s", f, maxSpeed)
	}
	p.speed = f
	return p, nil
}

func (p *port) Duplex() conn.Duplex { return conn.Full }

func (p *port) MaxTxSize() int { return maxTx }

func (p *port) Tx(w, r []byte) error {
	return p.TxPackets([]spi.Packet{{W: w, R: r}})
}

// TxPackets transfers the packets in about the time that a real bus takes. A host that polls
// without a pause therefore sees time pass, in fake time too.
func (p *port) TxPackets(packets []spi.Packet) error {
	p.chip.mu.Lock()
	err := p.transfer(packets)
	wait := time.Until(p.busyUntil)
	p.chip.mu.Unlock()
	if wait > maxAhead {
		time.Sleep(wait)
	}
	return err
}

func (p *port) transfer(packets []spi.Packet) error {
	if p.closed {
		return errors.New("mfrc522test: the port is closed")
	}
	total := 0
	for _, k := range packets {
		if len(k.W) != len(k.R) && len(k.W) != 0 && len(k.R) != 0 {
			return fmt.Errorf("mfrc522test: %d bytes to write and %d to read", len(k.W), len(k.R))
		}
		total += max(len(k.W), len(k.R))
	}
	if total == 0 || total > maxTx {
		return fmt.Errorf("mfrc522test: %d bytes at once", total)
	}
	now := time.Now()
	if p.busyUntil.Before(now) {
		p.busyUntil = now
	}
	for _, k := range packets {
		p.busyUntil = p.busyUntil.Add(selectTime + time.Duration(8*max(len(k.W), len(k.R)))*p.speed.Period())
		if !p.selected {
			p.begin(now)
		}
		p.clock(k, now)
		p.selected = k.KeepCS
	}
	p.chip.signal(now)
	return nil
}

// begin handles a falling chip select.
func (p *port) begin(now time.Time) {
	c := p.chip
	c.counts.Transactions++
	if c.muteAfter == 0 && c.health == well {
		c.hang()
	}
	if c.muteAfter > 0 {
		c.muteAfter--
	}
	p.selected, p.atStart = true, true
	if c.working() {
		c.settle(now)
	}
}

// clock exchanges the bytes of a packet between host and chip.
func (p *port) clock(k spi.Packet, now time.Time) {
	c := p.chip
	n := max(len(k.W), len(k.R))
	atStart := p.atStart
	for i := range n {
		var in byte
		if k.W != nil {
			in = k.W[i]
		}
		out := p.byte(in, now)
		if k.R != nil {
			k.R[i] = out
		}
	}
	c.counts.Written += len(k.W)
	c.counts.Read += len(k.R)
	if k.R != nil && p.reading && c.working() {
		answer := k.R
		if atStart {
			answer = answer[1:] // the chip sends nothing during the address byte
		}
		c.garble(answer)
	}
}

// byte exchanges one byte in each direction (8.1.2.1, 8.1.2.2).
func (p *port) byte(in byte, now time.Time) (out byte) {
	c := p.chip
	switch {
	case c.health == dead:
		return 0xFF
	case !c.working():
		return 0x00
	}
	address := p.address >> 1 & 0x3F
	switch {
	case p.atStart:
		p.atStart, p.address, p.reading = false, in, in&readBit != 0
	case p.reading:
		if p.address&(readBit|1) == readBit { // otherwise it is no address to read (8.1.2.3)
			out = c.load(address, now)
		}
		p.address = in
	case p.address&1 == 0:
		c.store(address, in, now)
	}
	return out
}
