package pn532test

import (
	"bytes"
	"errors"
	"math/bits"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func uid(t testing.TB, s string) nfc.UID {
	t.Helper()
	u, err := nfc.ParseUID(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// A host sends bytes to the chip over SPI, as in the manual.
type host struct {
	*testing.T
	field *nfctest.Field
	chip  *Chip
	conn  spi.Conn
}

// onSPI runs a test in fake time, on a chip that was just powered.
func onSPI(t *testing.T, test func(h *host)) {
	synctest.Test(t, func(t *testing.T) {
		h := &host{T: t, field: new(nfctest.Field)}
		h.chip = New(h.field)
		var err error
		if h.conn, err = h.chip.SPI().Connect(physic.MegaHertz, spi.Mode0, 8); err != nil {
			t.Fatal(err)
		}
		time.Sleep(bootTime)
		test(h)
	})
}

// tx is one transaction; it returns what came in after the first byte.
func (h *host) tx(out ...byte) []byte {
	h.Helper()
	w, r := make([]byte, len(out)), make([]byte, len(out))
	for i, b := range out {
		w[i] = bits.Reverse8(b)
	}
	if err := h.conn.Tx(w, r); err != nil {
		h.Fatal(err)
	}
	for i, b := range r {
		r[i] = bits.Reverse8(b)
	}
	return r[1:]
}

func (h *host) status() byte       { h.Helper(); return h.tx(2, 0)[0] }
func (h *host) write(frame []byte) { h.Helper(); h.tx(append([]byte{1}, frame...)...) }
func (h *host) read(n int) []byte {
	h.Helper()
	return h.tx(append([]byte{3}, make([]byte, n)...)...)
}

// await waits until the chip is ready and reads.
func (h *host) await(n int) []byte {
	h.Helper()
	for range 1000 {
		if h.status() == 1 {
			return h.read(n)
		}
		time.Sleep(100 * time.Microsecond)
	}
	h.Fatal("the chip is never ready")
	return nil
}

func frame(tfi byte, data ...byte) []byte {
	n := byte(len(data) + 1)
	f := append([]byte{0, 0, 0xFF, n, -n, tfi}, data...)
	sum := tfi
	for _, b := range data {
		sum += b
	}
	return append(f, -sum, 0)
}

// command sends a command and fails unless it gets this answer.
func (h *host) command(cmd []byte, answer ...byte) {
	h.Helper()
	h.write(frame(0xD4, cmd...))
	if got := h.await(6); !bytes.Equal(got, ackBytes) {
		h.Fatalf("% X: acknowledged with % X", cmd, got)
	}
	want := frame(0xD5, answer...)
	if answer == nil {
		want = errorBytes
	}
	if got := h.await(len(want)); !bytes.Equal(got, want) {
		h.Errorf("% X: answered % X, want % X", cmd, got, want)
	}
}

func (h *host) wake() {
	h.Helper()
	h.status()
	time.Sleep(bootTime)
	h.command([]byte{0x14, 0x01}, 0x15)
}

func (h *host) silent(what string) {
	h.Helper()
	time.Sleep(time.Second)
	if got := h.status(); got != 0 {
		h.Errorf("%s: status %02X, want silence", what, got)
	}
}

func TestSleepsAtFirst(t *testing.T) {
	onSPI(t, func(h *host) {
		h.write(frame(0xD4, 0x14, 0x01))
		h.silent("a command to a chip asleep")
		h.write(frame(0xD4, 0x02))
		h.silent("low battery mode")
		h.command([]byte{0x14, 0x01}, 0x15)
		h.command([]byte{0x02}, 0x03, 0x32, 0x01, 0x06, 0x07)
		h.command([]byte{0x16, 0x20}, 0x17, 0x00)
		h.status() // wakes it
		time.Sleep(bootTime)
		h.write(frame(0xD4, 0x02))
		h.silent("after PowerDown")
		h.command([]byte{0x14, 0x01}, 0x15)
	})
}

func TestDialogue(t *testing.T) {
	onSPI(t, func(h *host) {
		h.wake()
		version := frame(0xD5, 0x03, 0x32, 0x01, 0x06, 0x07)
		h.write(frame(0xD4, 0x02))
		if got := h.read(6); bytes.Equal(got, ackBytes) {
			h.Error("readable before it is ready")
		}
		if got := h.await(6); !bytes.Equal(got, ackBytes) {
			h.Fatalf("% X", got)
		}
		if got := h.status(); got != 0 {
			h.Error("the answer takes no time")
		}
		if got := h.await(5); !bytes.Equal(got, version[:5]) {
			h.Errorf("% X", got)
		}
		h.silent("the rest of a frame that was cut off")
		for range 2 {
			h.write([]byte{0, 0, 0xFF, 0xFF, 0, 0})
			if got := h.await(len(version) + 3); !bytes.Equal(got, append(version, 0, 0, 0)) {
				h.Errorf("asked again: % X", got)
			}
		}
		h.write(frame(0xD4, 0x02))
		h.write(ackBytes)
		h.silent("a command that was given up")
	})
}

func TestIgnoresDamage(t *testing.T) {
	onSPI(t, func(h *host) {
		h.wake()
		for i := 1; i < 8; i++ { // all but preamble and postamble, which may be anything
			f := frame(0xD4, 0x02)
			f[i] ^= 0x10
			h.write(f)
			h.silent("a damaged frame")
		}
		h.write(frame(0xD5, 0x02))
		h.silent("a frame with the chip's own TFI")
		h.write(frame(0xD4, 0x02)[:6])
		h.write(frame(0xD4, 0x02)[6:])
		h.silent("a frame in two transactions")
		h.command([]byte{0x02}, 0x03, 0x32, 0x01, 0x06, 0x07)
	})
}

func TestRefuses(t *testing.T) {
	onSPI(t, func(h *host) {
		h.wake()
		for _, cmd := range [][]byte{
			{0x5E}, {0x8C}, {0x4A}, {0x4A, 0x03, 0x00}, {0x4A, 0x00, 0x00}, {0x4A, 0x01, 0x09},
			{0x4A, 0x01, 0x00, 1, 2, 3}, {0x32}, {0x32, 0x03, 0x00}, {0x32, 0x05, 0x00}, {0x14, 0x09},
			{0x06, 0x63}, {0x08, 0x63, 0x02}, {0x12}, {0x00, 0x33}, {0x40}, {0x52}, {0x60, 0x01},
		} {
			h.command(cmd)
		}
		h.command([]byte{0x40, 0x01, 0x30, 0x00}, 0x41, statusContext)
		h.command([]byte{0x54, 0x01}, 0x55, statusContext)
		h.command([]byte{0x44, 0x01}, 0x45, statusContext)
		h.command([]byte{0x44, 0x00}, 0x45, 0x00)
	})
}

func TestSmallCommands(t *testing.T) {
	onSPI(t, func(h *host) {
		h.wake()
		h.command([]byte{0x00, 0x00, 'h', 'i'}, 0x01, 0x00, 'h', 'i')
		h.command([]byte{0x00, 0x01}, 0x01, 0x00)
		h.command([]byte{0x08, 0x63, 0x3D, 0x07, 0x63, 0x0D, 0x10}, 0x09)
		h.command([]byte{0x06, 0x63, 0x0D, 0x63, 0x3D}, 0x07, 0x10, 0x07)
		h.command([]byte{0x12, 0x00}, 0x13)
		h.command([]byte{0x04}, 0x05, 0x00, 0x00, 0x00, 0x00)
		h.command([]byte{0x32, 0x01, 0x01}, 0x33)
		if !h.field.Power() {
			h.Error("the field is off")
		}
		h.command([]byte{0x32, 0x01, 0x00}, 0x33)
		if h.field.Power() {
			h.Error("the field is on")
		}
	})
}

// TestRetries checks that the chip waits for a tag endlessly, as after reset,
// until the retries are set.
func TestRetries(t *testing.T) {
	onSPI(t, func(h *host) {
		h.wake()
		list := frame(0xD4, 0x4A, 0x01, 0x00)
		h.write(list)
		h.await(6)
		h.silent("an empty field")
		h.field.Put(nfctest.NewClassic(uid(h, "DEADBEEF")))
		want := frame(0xD5, 0x4B, 0x01, 0x01, 0x00, 0x04, 0x08, 0x04, 0xDE, 0xAD, 0xBE, 0xEF)
		if got := h.await(len(want)); !bytes.Equal(got, want) {
			h.Errorf("% X, want % X", got, want)
		}
		h.field.Take(h.field.Tags()[0])
		h.command([]byte{0x32, 0x05, 0xFF, 0x01, 0x02}, 0x33)
		h.command([]byte{0x4A, 0x01, 0x00}, 0x4B, 0x00)
	})
}

func TestTags(t *testing.T) {
	onSPI(t, func(h *host) {
		h.wake()
		h.command([]byte{0x32, 0x05, 0xFF, 0x01, 0x00}, 0x33)
		ntag, classic := nfctest.NewNTAG213(uid(h, "04A1B2C3D4E5F6")), nfctest.NewClassic(uid(h, "DEADBEEF"))
		h.field.Put(ntag)
		listNtag := []byte{0x00, 0x44, 0x00, 0x07, 0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6}
		h.command([]byte{0x4A, 0x02, 0x00}, append([]byte{0x4B, 1, 1}, listNtag...)...)
		// With one attempt, the tag takes REQA for a mistake while it is awake.
		h.command([]byte{0x4A, 0x02, 0x00}, 0x4B, 0)
		page3 := ntag.Bytes()[12:28]
		h.command([]byte{0x32, 0x01, 0x00}, 0x33)
		h.field.Put(classic)
		h.command([]byte{0x4A, 0x02, 0x00}, append([]byte{0x4B, 2, 1, 0x00, 0x44, 0x08, 4, 0xDE, 0xAD, 0xBE, 0xEF, 2},
			listNtag...)...)
		h.command([]byte{0x40, 0x02, 0x30, 0x03}, append([]byte{0x41, 0x00}, page3...)...)
		h.command([]byte{0x40, 0x01, 0x30, 0x03}, 0x41, statusFormat)
		h.command([]byte{0x40, 0x02, 0x30, 0x03}, append([]byte{0x41, 0x00}, page3...)...)
		h.command([]byte{0x40, 0x02, 0xA2, 0x05, 1, 2, 3, 4}, 0x41, 0x00)
		if got := ntag.Bytes()[20:24]; !bytes.Equal(got, []byte{1, 2, 3, 4}) {
			h.Errorf("page 5 is % X", got)
		}
		h.command([]byte{0x40, 0x03, 0x30, 0x03}, 0x41, statusContext)
		h.field.Take(ntag)
		h.command([]byte{0x40, 0x02, 0x30, 0x03}, 0x41, statusTimeout)
		h.command([]byte{0x52, 0x00}, 0x53, 0x00)
		h.command([]byte{0x40, 0x02, 0x30, 0x03}, 0x41, statusContext)
		h.command([]byte{0x32, 0x01, 0x00}, 0x33)
		h.field.Put(ntag)
		// By its UID, with the cascade tag.
		h.command([]byte{0x4A, 0x01, 0x00, 0x88, 0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6},
			append([]byte{0x4B, 1, 1}, listNtag...)...)
		h.command([]byte{0x42, 0x60}, 0x43, 0x00, 0, 4, 4, 2, 1, 0, 0x0F, 3)
	})
}

// TestExtendedFrame checks that more than 255 bytes come in an extended frame.
func TestExtendedFrame(t *testing.T) {
	onSPI(t, func(h *host) {
		h.wake()
		tag := nfctest.NewNTAG216(uid(h, "04A1B2C3D4E5F6"))
		h.field.Put(tag)
		h.command([]byte{0x4A, 0x01, 0x00}, 0x4B, 1, 1, 0, 0x44, 0, 7, 0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6)
		h.write(frame(0xD4, 0x42, 0x3A, 0, 63))
		h.await(6)
		got := h.await(8 + 3 + 256 + 2)
		if want := []byte{0, 0, 0xFF, 0xFF, 0xFF, 1, 3, 0xFC, 0xD5, 0x43, 0x00}; !bytes.Equal(got[:11], want) ||
			!bytes.Equal(got[11:267], tag.Bytes()[:256]) {
			h.Errorf("% X", got)
		}
	})
}

func TestSPIRefuses(t *testing.T) {
	c := New(new(nfctest.Field))
	for _, try := range []struct {
		f    physic.Frequency
		mode spi.Mode
		bits int
	}{{6 * physic.MegaHertz, spi.Mode0, 8}, {physic.MegaHertz, spi.Mode0 | spi.LSBFirst, 8},
		{physic.MegaHertz, spi.Mode3, 8}, {physic.MegaHertz, spi.Mode0, 16}} {
		if _, err := c.SPI().Connect(try.f, try.mode, try.bits); err == nil {
			t.Errorf("connected with %+v", try)
		}
	}
	conn, err := c.SPI().Connect(physic.MegaHertz, spi.Mode0, 8)
	if err != nil {
		t.Fatal(err)
	}
	if conn.Tx([]byte{0x40}, make([]byte, 2)) == nil {
		t.Error("more in than out")
	}
	if conn.Tx(make([]byte, 4097), nil) == nil {
		t.Error("more than spidev sends")
	}
}

func TestI2C(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(new(nfctest.Field))
		bus := c.I2C()
		r := make([]byte, 16)
		time.Sleep(bootTime)
		if err := bus.Tx(address, nil, r[:1]); !errors.Is(err, errNoDevice) {
			t.Errorf("asleep: %v", err)
		}
		time.Sleep(bootTime)
		if err := bus.Tx(0x25, nil, r[:1]); !errors.Is(err, errNoDevice) {
			t.Errorf("another address: %v", err)
		}
		if err := bus.Tx(address, frame(0xD4, 0x14, 0x01), nil); err != nil {
			t.Fatal(err)
		}
		if err := bus.Tx(address, nil, r[:7]); err != nil || r[0] != 0 || bytes.Equal(r[1:7], ackBytes) {
			t.Errorf("before it is ready: % X, %v", r[:7], err)
		}
		time.Sleep(time.Millisecond)
		for range 2 { // the ready byte alone takes nothing
			if err := bus.Tx(address, nil, r[:1]); err != nil || r[0] != 1 {
				t.Errorf("% X, %v", r[:1], err)
			}
		}
		if err := bus.Tx(address, nil, r[:7]); err != nil || r[0] != 1 || !bytes.Equal(r[1:7], ackBytes) {
			t.Errorf("% X, %v", r[:7], err)
		}
		want := Counts{Written: 6 + len(frame(0xD4, 0x14, 0x01)) + 1, Read: 7 + 1 + 1 + 7, Transactions: 7, Longest: 7}
		if got := c.Wire(); got != want {
			t.Errorf("counted %+v, want %+v", got, want)
		}
	})
}

func TestUARTWakesOnTheFifthEdge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(new(nfctest.Field))
		u := c.UART()
		defer u.Close()
		u.SetReadTimeout(10 * time.Millisecond)
		time.Sleep(bootTime)
		say := func(b []byte, want ...byte) {
			t.Helper()
			if _, err := u.Write(b); err != nil {
				t.Fatal(err)
			}
			var got []byte
			p := make([]byte, 100)
			for {
				n, err := u.Read(p)
				if err != nil {
					t.Fatal(err)
				}
				if n > fifoSize {
					t.Errorf("%d bytes at once", n)
				}
				if n == 0 {
					break
				}
				got = append(got, p[:n]...)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("% X: % X, want % X", b, got, want)
			}
		}
		sam := frame(0xD4, 0x14, 0x01)
		answer := append(bytes.Clone(ackBytes), frame(0xD5, 0x15)...)
		say([]byte{0x00, 0x00, 0x00}) // three edges
		// its two zeros wake the chip, and are gone
		say(sam)
		say(sam, answer...)                                                                        // awake
		say(frame(0xD4, 0x16, 0x10), append(bytes.Clone(ackBytes), frame(0xD5, 0x17, 0x00)...)...) // asleep again
		say(append([]byte{0x55, 0x00, 0x00}, sam...), answer...)
	})
}

func TestResetLine(t *testing.T) {
	onSPI(t, func(h *host) {
		h.wake()
		reset := h.chip.Reset()
		h.command([]byte{0x32, 0x01, 0x01}, 0x33)
		reset.Out(gpio.Low)
		if h.field.Power() || reset.Read() != gpio.Low {
			h.Error("in reset the field is on")
		}
		if got := h.tx(2, 0)[0]; got != 0xFF {
			h.Errorf("in reset: %02X", got)
		}
		reset.Out(gpio.High)
		time.Sleep(bootTime)
		h.write(frame(0xD4, 0x02))
		h.silent("after reset")
		h.command([]byte{0x14, 0x01}, 0x15)
	})
}

func TestFaults(t *testing.T) {
	onSPI(t, func(h *host) {
		h.wake()
		version := []byte{0x03, 0x32, 0x01, 0x06, 0x07}
		h.chip.MuteAfter(2)
		h.command([]byte{0x02}, version...)
		h.command([]byte{0x02}, version...)
		h.write(frame(0xD4, 0x02))
		h.silent("mute")
		h.chip.Revive()
		time.Sleep(bootTime)
		h.wake()

		h.chip.StaleAck()
		h.write(frame(0xD4, 0x02))
		if got := h.await(6); !bytes.Equal(got, ackBytes) {
			h.Errorf("% X", got)
		}
		if got := h.await(13); !bytes.Equal(got[:6], ackBytes) {
			h.Errorf("after a stale acknowledgement: % X", got)
		}
		h.await(13)

		h.chip.Corrupt(3)
		h.write(frame(0xD4, 0x02))
		h.await(6)
		if got := h.await(13); bytes.Equal(got, frame(0xD5, version...)) {
			h.Error("the third frame is not damaged")
		}
		h.write([]byte{0, 0, 0xFF, 0xFF, 0, 0})
		if got := h.await(13); !bytes.Equal(got, frame(0xD5, version...)) {
			h.Errorf("asked again: % X", got)
		}
		h.chip.Corrupt(0)

		h.chip.Kill()
		if got := h.status(); got != 0xFF {
			h.Errorf("dead: %02X", got)
		}
		h.chip.Revive()
		h.chip.Unplug()
		if got := h.status(); got != 0xFF {
			h.Errorf("unplugged: %02X", got)
		}
		h.chip.Plug()
		time.Sleep(bootTime)
		h.wake()
		h.chip.BrownOut()
		time.Sleep(2 * bootTime)
		h.write(frame(0xD4, 0x02))
		h.silent("after a brown-out")
	})
}

// FuzzHost checks that the chip works after any bytes of a host and a reset.
func FuzzHost(f *testing.F) {
	sam := frame(0xD4, 0x14, 0x01)
	f.Add(append([]byte{0x55, 0x55, 0, 0, 0}, sam...))
	f.Add(append(append([]byte{0x55}, sam...), frame(0xD4, 0x4A, 0x02, 0x00)...))
	f.Add(append(append([]byte{0x55}, sam...), frame(0xD4, 0x60, 0xFF, 0x01, 0x10)...))
	f.Add(append(append([]byte{0x55}, sam...), frame(0xD4, 0x08, 0x63, 0x02, 0x00, 0x63, 0x3D, 0x07)...))
	f.Add([]byte{0x55, 0, 0, 0xFF, 0xFF, 0xFF, 0x01, 0x09, 0xF6, 0xD4, 0x40})
	f.Fuzz(func(t *testing.T, said []byte) {
		synctest.Test(t, func(t *testing.T) {
			field := new(nfctest.Field)
			field.Put(nfctest.NewNTAG216(uid(t, "04A1B2C3D4E5F6")))
			field.Put(nfctest.NewClassic(uid(t, "DEADBEEF")))
			c := New(field)
			u := c.UART()
			defer u.Close()
			u.SetReadTimeout(500 * time.Millisecond)
			time.Sleep(bootTime)
			p := make([]byte, 64)
			listen := func() (heard []byte) {
				for range 1000 {
					n, err := u.Read(p)
					if err != nil {
						t.Fatal(err)
					}
					if n == 0 {
						break
					}
					heard = append(heard, p[:n]...)
				}
				return heard
			}
			for len(said) > 0 {
				n := min(len(said), 20)
				u.Write(said[:n])
				said = said[n:]
				listen()
			}
			c.Reset().Out(gpio.Low)
			c.Reset().Out(gpio.High)
			time.Sleep(bootTime)
			listen()
			u.Write([]byte{0x55, 0, 0})
			u.Write(sam)
			if got := listen(); !bytes.HasSuffix(got, frame(0xD5, 0x15)) {
				t.Fatalf("after a reset: % X", got)
			}
		})
	})
}
