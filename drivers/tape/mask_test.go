package tape

import (
	"bytes"
	"encoding/hex"
	"math/bits"
	"testing"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// pn532Frame returns a frame with correct check bytes.
func pn532Frame(d ...byte) []byte {
	f := append([]byte{0, 0, 0xFF, byte(len(d)), -byte(len(d))}, d...)
	return append(f, -sum(d), 0)
}

func newMask(salt byte) *mask { return &mask{salt: &[32]byte{salt}, keepPrefix: "tableside:"} }

// TestMaskedUID checks that a masked UID has the length and the first bytes of
// the original, is always the same on one tape, and differs on the next.
func TestMaskedUID(t *testing.T) {
	for _, s := range []string{"30A75CE1", "04A1B2C3D4E5F6", "04A1B2C3D4E5F6070809"} {
		uid := unhex(t, s)
		m := newMask(1)
		a, again, other := m.uid(uid), m.uid(uid), newMask(2).uid(uid)
		if len(a) != len(uid) || !bytes.Equal(a, again) || bytes.Equal(a, uid) || bytes.Equal(a, other) || a[0] != uid[0] {
			t.Errorf("%s: %X, %X, %X", s, a, again, other)
		}
		if len(uid) > 4 && a[1] != uid[1] {
			t.Errorf("%s: %X", s, a)
		}
	}
}

// TestMaskedFrames checks that an answer with two tags keeps correct check
// bytes, that a damaged one stays damaged, and that one that is cut off has no
// part of a UID.
func TestMaskedFrames(t *testing.T) {
	first, second := unhex(t, "04A1B2C3D4E5F6"), unhex(t, "30A75CE1")
	data := append([]byte{0xD5, 0x4B, 2, 1, 0, 0x44, 0, 7}, first...)
	data = append(append(data, 2, 0, 4, 8, 4), second...)
	f := pn532Frame(data...)
	m := newMask(1)
	got := bytes.Clone(m.maskIn(PN532, I2C, nil, append([]byte{1}, f...)))
	data = append([]byte{0xD5, 0x4B, 2, 1, 0, 0x44, 0, 7}, m.uid(first)...)
	want := pn532Frame(append(append(data, 2, 0, 4, 8, 4), m.uid(second)...)...)
	if !bytes.Equal(got[1:], want) {
		t.Errorf("got  %x\nwant %x", got[1:], want)
	}
	damaged := bytes.Clone(f)
	damaged[20] ^= 0x10
	all := func(f []byte) byte { return sum(f[5 : len(f)-1]) }
	if got := m.maskIn(PN532, Receive, nil, damaged); all(got) != all(damaged) || all(got) == 0 {
		t.Errorf("damaged, it is %x", got)
	}
	cut := m.maskIn(PN532, Receive, nil, f[:18])
	if bytes.Contains(cut, first[2:5]) {
		t.Errorf("cut off, it is %x", cut)
	}
	// Over SPI the lowest bit comes first.
	turned := bytes.Clone(f)
	for i, c := range turned {
		turned[i] = bits.Reverse8(c)
	}
	spi := bytes.Clone(m.maskIn(PN532, SPI, make([]byte, len(f)), turned))
	for i, c := range spi {
		spi[i] = bits.Reverse8(c)
	}
	if !bytes.Equal(spi, want) {
		t.Errorf("over SPI it is %x", spi)
	}
	// A request for a tag has cascade tags in the UID.
	asked := m.maskOut(PN532, Send, pn532Frame(append([]byte{0xD4, 0x4A, 1, 0, 0x88}, first...)...))
	if wanted := pn532Frame(append([]byte{0xD4, 0x4A, 1, 0, 0x88}, m.uid(first)...)...); !bytes.Equal(asked, wanted) {
		t.Errorf("asked for, it is %x, want %x", asked, wanted)
	}
}

// TestMaskedPages checks that the first pages of an NTAG show its UID with
// check bytes, wherever a read begins.
func TestMaskedPages(t *testing.T) {
	uid := unhex(t, "04A1B2C3D4E5F6")
	pages := func(uid []byte) []byte {
		b := append(withCheck(uid[:3], 0x88), withCheck(uid[3:], 0)...)
		return append(b, 0x48, 0, 0, 0xE1, 0x10, 0x12, 0)
	}
	m := newMask(1)
	m.maskIn(PN532, I2C, nil, append([]byte{1}, pn532Frame(append([]byte{0xD5, 0x4B, 1, 1, 0, 0x44, 0, 7}, uid...)...)...))
	was, is := append(pages(uid), make([]byte, 12)...), append(pages(m.uid(uid)), make([]byte, 12)...)
	for page := range 4 {
		m.maskOut(PN532, I2C, pn532Frame(0xD4, 0x40, 1, 0x30, byte(page)))
		answer := func(b []byte) []byte { return pn532Frame(append([]byte{0xD5, 0x41, 0}, b[4*page:4*page+16]...)...) }
		if got := m.maskIn(PN532, I2C, nil, answer(was)); !bytes.Equal(got, answer(is)) {
			t.Errorf("from page %d:\ngot  %x\nwant %x", page, got, answer(is))
		}
	}
}

// TestMaskedAnticollision checks that the parts of a UID that an MFRC522
// receives, level by level, and those that it sends to select the tag match and
// have correct check bytes.
func TestMaskedAnticollision(t *testing.T) {
	for _, s := range []string{"30A75CE1", "04A1B2C3D4E5F6", "04A1B2C3D4E5F6070809"} {
		uid := unhex(t, s)
		m := newMask(1)
		want := m.uid(uid)
		m = newMask(1) // as if it were the first time
		var got []byte
		for level, rest := byte(0), uid; ; level++ {
			cl := append([]byte{cascadeTag}, rest[:min(3, len(rest))]...)
			last := len(rest) <= 4
			if last {
				cl = bytes.Clone(rest)
			}
			cl = append(cl, check(cl, 0))
			sel := selFirst + 2*level
			m.maskOut(MFRC522, SPI, []byte{fifoWrite, sel, 0x20})
			reads := []byte{fifoRead, fifoRead, fifoRead, fifoRead, fifoRead, 0}
			heard := bytes.Clone(m.maskIn(MFRC522, SPI, reads, append([]byte{0}, cl...)))[1:]
			frame := append([]byte{sel, nvbAll}, cl...)
			crc := crcA(frame)
			frame = append(frame, byte(crc), byte(crc>>8))
			said := m.maskOut(MFRC522, SPI, append([]byte{fifoWrite}, frame...))[1:]
			if !bytes.Equal(said[2:7], heard) || check(heard, 0) != 0 {
				t.Errorf("%s, level %d: heard %x, said %x", s, level, heard, said)
			}
			if crc := crcA(said[:7]); said[7] != byte(crc) || said[8] != byte(crc>>8) {
				t.Errorf("%s, level %d: the checksum of %x is %04x", s, level, said, crc)
			}
			if last {
				got = append(got, heard[:4]...)
				break
			}
			got = append(got, heard[1:4]...)
			rest = rest[3:]
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %x over the levels, %x at once", s, got, want)
		}
	}
}
