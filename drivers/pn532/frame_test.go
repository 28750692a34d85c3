package pn532

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"tableside/drivers/nfc"
)

// answerFrame returns an answer as the chip would send it.
func answerFrame(code byte, params ...byte) []byte {
	f := appendFrame(nil, code, params...)
	at := bytes.IndexByte(f, toChip)
	f[at] = fromChip
	f[len(f)-2]-- // one more in the sum, one less in the checksum
	return f
}

// TestFrames tests the frames in UM0701-02: 6.2.1 and the examples of 7.2.2 and
// 7.3.1.
func TestFrames(t *testing.T) {
	if got, want := appendFrame(nil, 0x02), []byte{0x00, 0x00, 0xFF, 0x02, 0xFE, 0xD4, 0x02, 0x2A, 0x00}; !bytes.Equal(got,
		want) {
		t.Errorf("% X, want % X", got, want)
	}
	if got, want := appendFrame(nil, 0x32, 0x01, 0x00), []byte{0x00, 0x00, 0xFF, 0x04, 0xFC, 0xD4, 0x32, 0x01, 0x00, 0xF9,
		0x00}; !bytes.Equal(got, want) {
		t.Errorf("% X, want % X", got, want)
	}
	long := bytes.Repeat([]byte{0x5A}, 253)
	if got := appendFrame(nil, 0x40, long...); !bytes.Equal(got[:7],
		[]byte{0x00, 0x00, 0xFF, 0xFF, 0x01, 0xD4, 0x40}) || len(got) != maxFrame {
		t.Errorf("% X…, %d bytes", got[:7], len(got))
	}
	for _, c := range []struct {
		name string
		raw  []byte
		kind kind
		data []byte
		err  error
	}{
		{"ack", ackFrame, ackKind, nil, nil},
		{"nack", nackFrame, nackKind, nil, nil},
		{"syntax error", []byte{0, 0, 0xFF, 1, 0xFF, 0x7F, 0x81, 0}, errorKind, nil, nil},
		{"version", []byte{0, 0, 0xFF, 6, 0xFA, 0xD5, 3, 0x32, 1, 6, 7, 0xE8, 0}, answerKind, []byte{3, 0x32, 1, 6, 7}, nil},
		{"no preamble", []byte{0, 0xFF, 6, 0xFA, 0xD5, 3, 0x32, 1, 6, 7, 0xE8, 0}, answerKind, []byte{3, 0x32, 1, 6, 7}, nil},
		{"long preamble", append(make([]byte, 9), 0, 0, 0xFF, 6, 0xFA, 0xD5, 3, 0x32, 1, 6, 7, 0xE8, 0), answerKind,
			[]byte{3, 0x32, 1, 6, 7}, nil},
		{"the longest", answerFrame(0x41, long...), answerKind, append([]byte{0x41}, long...), nil},
		{"nothing", nil, noFrame, nil, errShort},
		{"padding", make([]byte, 30), noFrame, nil, errShort},
		{"cut off", []byte{0, 0, 0xFF, 6, 0xFA, 0xD5, 3, 0x32, 1, 6, 7, 0xE8}, noFrame, nil, errShort},
		{"floating", bytes.Repeat([]byte{0xFF}, 30), noFrame, nil, errFrame},
		{"length", []byte{0, 0, 0xFF, 6, 0xFB, 0xD5, 3, 0x32, 1, 6, 7, 0xE8, 0}, noFrame, nil, errFrame},
		{"sum", []byte{0, 0, 0xFF, 6, 0xFA, 0xD5, 3, 0x32, 1, 7, 7, 0xE8, 0}, noFrame, nil, errFrame},
		{"from the host", appendFrame(nil, 0x02), noFrame, nil, errFrame},
		{"no data", []byte{0, 0, 0xFF, 0, 0, 0, 0}, noFrame, nil, errFrame},
		{"extended", []byte{0, 0, 0xFF, 0xFF, 0xFF, 0x01, 0x0A, 0xF5, 0, 0}, noFrame, nil, errFrame},
		{"no postamble", []byte{0, 0, 0xFF, 6, 0xFA, 0xD5, 3, 0x32, 1, 6, 7, 0xE8, 1}, noFrame, nil, errFrame},
		// A zero was lost: the sum is right, but the byte after it is missing.
		{"lost zero", []byte{0, 0, 0xFF, 4, 0xFC, 0xD5, 0x4B, 1, 0xDF, 0}, noFrame, nil, errShort},
	} {
		k, data, used, err := parse(c.raw)
		if k != c.kind || !bytes.Equal(data, c.data) || !errors.Is(err, c.err) {
			t.Errorf("%s: %v, % X, %v", c.name, k, data, err)
		}
		if err == nil && used != len(c.raw) || errors.Is(err, errShort) && used <= len(c.raw) {
			t.Errorf("%s: used %d of %d", c.name, used, len(c.raw))
		}
	}
}

func TestStatusError(t *testing.T) {
	for status, want := range map[byte]error{
		0x00: nil, 0x40: nil, 0x01: nfc.ErrNoTag, 0x02: nfc.ErrUnreadable, 0x03: nfc.ErrUnreadable,
		0x05: nfc.ErrUnreadable, 0x06: nfc.ErrUnreadable, 0x14: nfc.ErrRefused, 0x27: nfc.ErrNoTag,
	} {
		if err := statusError(status); !errors.Is(err, want) {
			t.Errorf("%02X: %v", status, err)
		}
	}
	if err := statusError(0x2D); err == nil || aboutTag(err) {
		t.Errorf("overheated: %v", err)
	}
}

// babble is a link to a chip that sends arbitrary bytes.
type babble struct {
	script []byte
	reads  int
}

func (b *babble) String() string                       { return "babble" }
func (b *babble) wake(bool) error                      { return nil }
func (b *babble) send([]byte) error                    { return nil }
func (b *babble) guess() int                           { return maxFrame }
func (b *babble) listen()                              {}
func (b *babble) explain(err error) error              { return err }
func (b *babble) Write(p []byte) (int, error)          { return len(p), nil }
func (b *babble) SetReadTimeout(d time.Duration) error { return nil }
func (b *babble) drop(context.Context, *nfc.Clock, time.Duration) error {
	return nil
}

// next cuts a piece off the script: its length, and its bytes.
func (b *babble) next() []byte {
	b.reads++
	if len(b.script) == 0 {
		return nil
	}
	n := min(1+int(b.script[0])%40, len(b.script))
	piece := b.script[1:n]
	b.script = b.script[n:]
	return piece
}

func (b *babble) receive(ctx context.Context, w *wait, _ int) ([]byte, error) {
	if piece := b.next(); len(piece) > 0 {
		return piece, nil
	}
	time.Sleep(time.Millisecond)
	return nil, errTimeout
}

// Read is for the serial link, which assembles frames itself.
func (b *babble) Read(p []byte) (int, error) {
	n := copy(p, b.next())
	if n == 0 {
		time.Sleep(time.Millisecond)
	}
	return n, nil
}

// FuzzFrame checks that a frame is read correctly or not at all, whatever the chip
// sends, and that no call hangs.
func FuzzFrame(f *testing.F) {
	script := func(frames ...[]byte) (s []byte) {
		for _, frame := range frames {
			s = append(append(s, byte(len(frame))), frame...)
		}
		return s
	}
	f.Add(ackFrame)
	f.Add(appendFrame(nil, 0x4A, 2, 0))
	f.Add(script(ackFrame, answerFrame(0x33), ackFrame,
		answerFrame(0x4B, 1, 1, 0, 0x44, 0, 7, 4, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6), ackFrame, answerFrame(0x33)))
	f.Add(script(ackFrame, answerFrame(0x33), ackFrame, answerFrame(0x4B, 2, 1, 0, 4, 8, 4, 1, 2, 3, 4, 2, 0, 4, 8, 200)))
	f.Add(script(ackFrame, nackFrame, []byte{0, 0, 0xFF, 1, 0xFF, 0x7F, 0x81, 0}))
	f.Fuzz(func(t *testing.T, raw []byte) {
		k, data, used, err := parse(raw)
		switch {
		case err == nil && used > len(raw):
			t.Fatalf("used %d of %d", used, len(raw))
		case errors.Is(err, errShort) && used <= len(raw):
			t.Fatalf("cut off at %d, and needs %d", len(raw), used)
		case k == answerKind:
			if again := answerFrame(data[0], data[1:]...); !bytes.HasSuffix(raw[:used], again[3+2:]) {
				t.Fatalf("read % X from % X", data, raw)
			}
		}
		synctest.Test(t, func(t *testing.T) {
			for _, open := range []func() *Dev{
				func() *Dev { return newDev(&babble{script: raw}, &DefaultOpts) },
				func() *Dev { d, _ := NewUART("babble", &babble{script: raw}, &DefaultOpts); return d },
			} {
				for _, call := range []func(*Dev) error{
					func(d *Dev) error { return d.Init(t.Context()) },
					func(d *Dev) error { _, err := d.Poll(t.Context(), nil); return err },
					func(d *Dev) error {
						m, err := d.Select(t.Context(), nfc.UID{})
						if err == nil {
							_, err = nfc.ReadText(t.Context(), m)
						}
						return err
					},
				} {
					start := time.Now()
					call(open())
					if took := time.Since(start); took > 3*time.Second {
						t.Fatalf("took %v", took)
					}
				}
			}
		})
	})
}
