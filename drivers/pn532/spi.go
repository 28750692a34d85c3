package pn532

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"time"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/drivers/nfc"
)

// The first byte of a transaction (UM0701-02, 6.2.5).
const (
	spiWrite  = 0x01
	spiStatus = 0x02
	spiRead   = 0x03
)

// spiSpeed is the speed of the SPI bus. The chip uses mode 0, at most 5 MHz, the lowest bit
// first (UM0701-02, 6.2.5). 1 MHz is enough and tolerates long wires.
const spiSpeed = 1 * physic.MegaHertz

// spiLink is the link over SPI. The chip wants the lowest bit first, but the controllers of
// the Raspberry Pi can only send the highest bit first. So spiLink reverses every byte.
type spiLink struct {
	name      string
	conn      spi.Conn
	statusAnd byte // bitwise AND of all status bytes since listen
	statusOr  byte
	w, r      [maxFrame + 1]byte
}

// NewSPI returns a chip that is alone on an SPI port.
func NewSPI(p spi.Port, opts *Opts) (*Dev, error) {
	c, err := p.Connect(spiSpeed, spi.Mode0, 8)
	if err != nil {
		return nil, fmt.Errorf("pn532: %w", err)
	}
	return newDev(&spiLink{name: p.String(), conn: c}, opts), nil
}

func (l *spiLink) String() string { return l.name }

// wakeBytes is the number of bytes that keep chip select low for 2 ms at spiSpeed. slowBytes
// is the number that keeps it low for 16 ms. Linux' spidev allows twice slowBytes in one
// transfer.
const (
	wakeBytes = 256
	slowBytes = 2048
)

// wake pulls chip select low, because the falling edge wakes the chip (UM0701-02, 7.2.11).
// Meanwhile it sends zeros, which the chip does not take for an operation. If slow is true,
// wake sends more zeros.
//
// The manual does not say how long chip select must be low. Other libraries hold chip select
// low for 2 ms and more (libnfc, pn532_spi.c).
func (l *spiLink) wake(slow bool) error {
	if slow {
		return l.conn.Tx(make([]byte, slowBytes), nil)
	}
	clear(l.w[:wakeBytes])
	return l.conn.Tx(l.w[:wakeBytes], nil)
}

func (l *spiLink) send(frame []byte) error {
	l.w[0] = bits.Reverse8(spiWrite)
	for i, b := range frame {
		l.w[1+i] = bits.Reverse8(b)
	}
	return l.conn.Tx(l.w[:1+len(frame)], nil)
}

// guess returns the length of the longest frame, because reading too much costs little. Even
// the longest answer whose length the driver cannot know takes only 0.3 ms: it describes two
// tags with UIDs of 7 bytes.
func (l *spiLink) guess() int { return maxFrame }

func (l *spiLink) ready() (bool, error) {
	l.w[0], l.w[1] = bits.Reverse8(spiStatus), 0
	if err := l.conn.Tx(l.w[:2], l.r[:2]); err != nil {
		return false, err
	}
	status := bits.Reverse8(l.r[1])
	l.statusAnd, l.statusOr = l.statusAnd&status, l.statusOr|status
	return isReady(status), nil
}

// fetch reads n bytes in one transaction. If n is more than the length of the longest frame,
// fetch reads only that length. If the frame is longer than n bytes, the rest is lost.
func (l *spiLink) fetch(n int) ([]byte, error) {
	n = min(n, maxFrame)
	clear(l.w[:1+n])
	l.w[0] = bits.Reverse8(spiRead)
	if err := l.conn.Tx(l.w[:1+n], l.r[:1+n]); err != nil {
		return nil, err
	}
	in := l.r[1 : 1+n]
	for i, b := range in {
		in[i] = bits.Reverse8(b)
	}
	return in, nil
}

func (l *spiLink) receive(ctx context.Context, w *wait, want int) ([]byte, error) {
	if err := w.begin(ctx); err != nil {
		return nil, err
	}
	for {
		ok, err := l.ready()
		if err != nil {
			return nil, err
		}
		if ok {
			w.done()
			return l.fetch(want)
		}
		if err := w.sleepAgain(ctx); err != nil {
			return nil, err
		}
	}
}

func (l *spiLink) drop(context.Context, *nfc.Clock, time.Duration) error {
	ok, err := l.ready()
	if ok && err == nil {
		_, err = l.fetch(shortRead)
	}
	return err
}

func (l *spiLink) listen() { l.statusAnd, l.statusOr = 0xFF, 0x00 }

func (l *spiLink) explain(err error) error {
	if l.statusAnd != l.statusOr || l.statusOr != 0x00 && l.statusOr != 0xFF || !errors.Is(err, errTimeout) {
		return err
	}
	return fmt.Errorf("SPI reads %02Xh and nothing else: %w", l.statusOr, ErrNotSPI)
}
