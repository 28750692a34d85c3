package pn532test

import (
	"bytes"
	"errors"
	"math/bits"
	"testing"
	"testing/synctest"
	"time"

	"tableside/drivers/nfc/nfctest"
)

var version = []byte{0x03, 0x32, 0x01, 0x06, 0x07}

// TestPiecesOverSPI reads a frame over SPI in pieces: the rest is lost, the frame
// repeated, or continued, by the chip's trait.
func TestPiecesOverSPI(t *testing.T) {
	whole := frame(0xD5, version...)
	for trait, want := range map[Trait][]byte{
		Strict:  nil,
		Repeats: append([]byte{0x00}, whole...), // nothing comes along with the byte that asks
		Pieces:  whole[5:],
	} {
		onSPI(t, func(h *host) {
			h.wake()
			h.chip.SetTrait(trait)
			h.write(frame(0xD4, 0x02))
			h.await(6)
			if got := h.await(5); !bytes.Equal(got, whole[:5]) {
				h.Errorf("%s: the first piece is % X", trait, got)
			}
			if want == nil {
				h.silent("strict")
				return
			}
			w, r := make([]byte, len(want)), make([]byte, len(want))
			w[0] = 0xC0 // 03, the lowest bit first
			if err := h.conn.Tx(w, r); err != nil {
				h.Fatal(err)
			}
			for i := range r {
				r[i] = bits.Reverse8(r[i])
			}
			if !bytes.Equal(r, want) {
				h.Errorf("%s: the second piece is % X, want % X", trait, r, want)
			}
			h.silent("a frame that was read to its end")
		})
	}
}

func TestSlowToWakeOverSPI(t *testing.T) {
	for trait, least := range map[Trait]int{Strict: 1, Fussy: 250, Sleepy: 1250} { // bytes of 8 µs
		for _, n := range []int{1, 249, 250, 1249, 1250} {
			onSPI(t, func(h *host) {
				h.chip.SetTrait(trait)
				if err := h.conn.Tx(make([]byte, n), nil); err != nil {
					h.Fatal(err)
				}
				time.Sleep(sleepyBoot)
				h.write(frame(0xD4, 0x14, 0x01))
				time.Sleep(5 * time.Millisecond)
				if got := h.status() == 1; got != (n >= least) {
					h.Errorf("%s: after chip select of %d bytes it listens: %t", trait, n, got)
				}
			})
		}
	}
}

func TestTraitsOverI2C(t *testing.T) {
	over := func(trait Trait, test func(tx func(w []byte, n int) []byte)) {
		synctest.Test(t, func(t *testing.T) {
			c := New(new(nfctest.Field))
			c.SetTrait(trait)
			bus := c.I2C()
			time.Sleep(sleepyBoot)
			r := make([]byte, 32)
			err := bus.Tx(address, nil, r[:1])
			if stretches := trait == Stretches; (err == nil) != stretches || err != nil && !errors.Is(err, errNoDevice) {
				t.Errorf("%s: asleep: %v", trait, err)
			}
			time.Sleep(sleepyBoot)
			test(func(w []byte, n int) []byte {
				t.Helper()
				if err := bus.Tx(address, w, r[:n]); err != nil {
					t.Fatal(err)
				}
				return r[:n]
			})
		})
	}
	sam := frame(0xD4, 0x14, 0x01)
	over(Repeats, func(tx func([]byte, int) []byte) {
		tx(sam, 0)
		time.Sleep(time.Millisecond)
		for range 2 {
			if got := tx(nil, 4); !bytes.Equal(got, []byte{1, 0, 0, 0xFF}) {
				t.Errorf("a short read: % X", got)
			}
		}
		if got := tx(nil, 7); !bytes.Equal(got[1:], ackBytes) {
			t.Errorf("% X", got)
		}
	})
	for _, early := range []bool{false, true} {
		over(Fussy, func(tx func([]byte, int) []byte) {
			tx(sam, 0)
			time.Sleep(fussyQuiet)
			tx(nil, 1)
			if !early {
				time.Sleep(fussyQuiet)
			}
			if got := tx(nil, 7); bytes.Equal(got[1:], ackBytes) == early {
				t.Errorf("early %t: % X", early, got)
			}
		})
	}
	over(Stretches, func(tx func([]byte, int) []byte) {
		tx(sam, 0)
		time.Sleep(time.Millisecond)
		if got := tx(nil, 7); !bytes.Equal(got[1:], ackBytes) {
			t.Errorf("% X", got)
		}
	})
}

// TestCounts checks the counts of the longest read and of NACKs.
func TestCounts(t *testing.T) {
	onSPI(t, func(h *host) {
		h.wake()
		h.write(frame(0xD4, 0x02))
		h.await(6)
		h.await(20)
		for range 2 {
			h.write([]byte{0, 0, 0xFF, 0xFF, 0, 0})
			h.await(13)
		}
		if got := h.chip.Wire(); got.Longest != 20 || got.Nacks != 2 {
			h.Errorf("%+v", got)
		}
	})
}
