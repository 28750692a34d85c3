package mfrc522_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/drivers/mfrc522"
	"tableside/drivers/nfc"
)

// A babbler is a chip that repeats the bytes it was given as answers, over and
// over. Where a byte of the mask is 0, a register reads what was written to it,
// so that the driver gets further.
type babbler struct {
	answers, mask []byte
	at            int
	reg           [64]byte
}

func (b *babbler) String() string                    { return "babbler" }
func (b *babbler) Duplex() conn.Duplex               { return conn.Full }
func (b *babbler) Close() error                      { return nil }
func (b *babbler) LimitSpeed(physic.Frequency) error { return nil }

func (b *babbler) Connect(physic.Frequency, spi.Mode, int) (spi.Conn, error) { return b, nil }

func (b *babbler) Tx(w, r []byte) error {
	if w[0]&0x80 == 0 {
		for _, v := range w[1:] {
			b.reg[w[0]>>1&0x3F] = v
		}
		return nil
	}
	for i := range r[1:] {
		addr := w[i] >> 1 & 0x3F
		r[i+1] = b.next(addr)
	}
	return nil
}

func (b *babbler) next(addr byte) byte {
	if addr == 0x37 && len(b.mask)%2 == 0 {
		return 0x92
	}
	if len(b.answers) == 0 {
		return b.reg[addr]
	}
	b.at++
	if len(b.mask) > 0 && b.mask[b.at%len(b.mask)]&1 == 0 {
		switch addr {
		case 0x01, 0x04, 0x06, 0x09, 0x0A, 0x0C, 0x0E:
		default:
			return b.reg[addr]
		}
	}
	return b.answers[b.at%len(b.answers)]
}

func (b *babbler) TxPackets(packets []spi.Packet) error {
	for _, p := range packets {
		if err := b.Tx(p.W, p.R); err != nil {
			return err
		}
	}
	return nil
}

// FuzzAnswers checks that no values of registers make a call panic or hang.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add([]byte{0x00}, []byte{1})
	f.Add([]byte{0xFF}, []byte{1})
	f.Add([]byte{0x00}, []byte{0, 0})
	f.Add([]byte{0x60, 0x00, 0x02, 0x10, 0xA0}, []byte{0, 0})             // an answer of two bytes, for ever
	f.Add([]byte{0x61, 0x08, 0x05, 0x00, 0x05}, []byte{0, 0})             // a collision, for ever
	f.Add([]byte{0x41, 0x00, 0x00, 0x10, 0xA0}, []byte{0, 0})             // silence
	f.Add([]byte{0x60, 0x00, 0x40, 0x17, 0x20, 0x93, 0x88}, []byte{0, 0}) // a full FIFO
	f.Add([]byte{0x20, 0x92, 0x83, 0x40, 0x60, 0x05, 0x88, 4, 0xA1, 0xB2, 0x9F}, []byte{0, 1, 1, 0})
	f.Fuzz(func(t *testing.T, answers, mask []byte) {
		synctest.Test(t, func(t *testing.T) {
			dev, err := mfrc522.NewSPI(&babbler{answers: answers, mask: mask}, &mfrc522.DefaultOpts)
			if err != nil {
				t.Fatal(err)
			}
			bounded := func(what string, limit time.Duration, do func(context.Context) error) error {
				began := time.Now()
				err := do(t.Context())
				if took := time.Since(began); took > limit {
					t.Errorf("%s took %s: %v", what, took, err)
				}
				return err
			}
			bounded("init", patience, dev.Init)
			for range 2 {
				var seen []nfc.UID
				bounded("poll", 2*patience, func(ctx context.Context) (err error) {
					seen, err = dev.Poll(ctx, nil)
					return err
				})
				if len(seen) > 16 {
					t.Errorf("found %d tags", len(seen))
				}
			}
			bounded("select", 2*patience, func(ctx context.Context) error {
				m, err := dev.Select(ctx, uid("04A1B2C3D4E5F6"))
				if err == nil {
					var page [16]byte
					bounded("read", patience, func(ctx context.Context) error { return m.ReadPages(ctx, 4, &page) })
					bounded("write", patience, func(ctx context.Context) error { return m.WritePage(ctx, 4, [4]byte{}) })
				}
				return err
			})
			dev.Firmware()
			dev.Halt()
		})
	})
}
