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

// commandsOfStrangers are the commands of other people's programs from a chip that was just
// powered to the first look for a tag, with the answers.
var commandsOfStrangers = map[string][][2][]byte{
	// nfcpy 1.0: nfc.clf.pn532, init and Device
	"nfcpy": {
		{{0x02}, version}, {{0x14, 0x01, 0x00, 0x00}, {0x15}}, {{0x10, 0x07}, {0x11}}, {{0x02}, version},
		{{0x12, 0x00}, {0x13}}, {{0x32, 0x02, 0x00, 0x0B, 0x0A}, {0x33}}, {{0x32, 0x04, 0x00}, {0x33}},
		{{0x32, 0x05, 0x01, 0x00, 0x01}, {0x33}},
		{{0x32, 0x0A, 0x59, 0xF4, 0x3F, 0x11, 0x4D, 0x85, 0x61, 0x6F, 0x26, 0x62, 0x87}, {0x33}},
		{{0x32, 0x0B, 0x69, 0xFF, 0x3F, 0x11, 0x41, 0x85, 0x61, 0x6F}, {0x33}}, {{0x32, 0x0C, 0xFF, 0x04, 0x85}, {0x33}},
		{{0x32, 0x0D, 0x85, 0x15, 0x8A, 0x85, 0x08, 0xB2, 0x85, 0x01, 0xDA}, {0x33}}, {{0x32, 0x01, 0x02}, {0x33}},
	},
	// elechouse/PN532: getFirmwareVersion, SAMConfig
	"elechouse": {{{0x02}, version}, {{0x14, 0x01, 0x14, 0x01}, {0x15}}},
}

// TestCommandsOfStrangers sends these commands over SPI to a willing chip, which answers them all,
// and to a strict one, which does not answer the first.
func TestCommandsOfStrangers(t *testing.T) {
	for name, commands := range commandsOfStrangers {
		t.Run(name, func(t *testing.T) {
			onSPI(t, func(h *host) {
				h.chip.SetTrait(Willing)
				h.status() // wakes it
				time.Sleep(bootTime)
				for _, c := range commands {
					h.command(c[0], c[1]...)
				}
				h.field.Put(nfctest.NewClassic(uid(h, "DEADBEEF")))
				h.command([]byte{0x4A, 0x01, 0x00}, 0x4B, 1, 1, 0x00, 0x04, 0x08, 4, 0xDE, 0xAD, 0xBE, 0xEF)
			})
			onSPI(t, func(h *host) {
				h.status()
				time.Sleep(bootTime)
				h.write(frame(0xD4, commands[0][0]...))
				h.silent("a strict chip in low battery mode")
			})
		})
	}
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
