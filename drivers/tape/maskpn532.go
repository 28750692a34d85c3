package tape

import (
	"bytes"
	"math/bits"
)

// Frames of the PN532 are described in UM0701-02, 6.2.1; their contents in
// 7.3.5 (InListPassiveTarget) and 7.3.8 (InDataExchange).
const (
	toPN532, fromPN532 = 0xD4, 0xD5
	listTargets        = 0x4A
	exchangeData       = 0x40
	tagRead            = 0x30
)

// maskReversed returns a copy of b in which all frames are masked. In each byte of b, the
// lowest bit comes first, as over SPI.
func (m *mask) maskReversed(b []byte) []byte {
	m.buf = append(m.buf[:0], b...)
	for i, c := range m.buf {
		m.buf[i] = bits.Reverse8(c)
	}
	m.frames(m.buf)
	for i, c := range m.buf {
		m.buf[i] = bits.Reverse8(c)
	}
	return m.buf
}

// findFrame finds the next frame in b. The first result is the index of the first byte of the
// frame's data. This byte says in which direction the frame goes. The second result is the
// index of the frame's check byte. If the frame is cut off, this index is beyond b. For ACK
// and NACK, both results are the index of the last byte of the frame. If b holds no further
// frame, ok is false.
func findFrame(b []byte) (data, after int, ok bool) {
	at := bytes.Index(b, []byte{0x00, 0xFF})
	if at < 0 || at+4 > len(b) {
		return 0, 0, false
	}
	at += 2
	length := int(b[at])
	switch {
	case b[at] == 0x00 && b[at+1] == 0xFF, b[at] == 0xFF && b[at+1] == 0x00: // ACK, NACK
		return at + 2, at + 2, true
	case b[at] == 0xFF && b[at+1] == 0xFF: // an extended frame
		if at+5 > len(b) {
			return 0, 0, false
		}
		length = int(b[at+2])<<8 | int(b[at+3])
		at += 3
	}
	return at + 2, at + 2 + length, true
}

// frames masks, in place, all frames in b.
func (m *mask) frames(b []byte) {
	for {
		data, after, ok := findFrame(b)
		if !ok {
			return
		}
		end := min(after, len(b))
		if data < end {
			before := sum(b[data:end])
			m.frame(b[data:end])
			if after < len(b) { // a correct check byte stays correct, a wrong one wrong
				b[after] += before - sum(b[data:end])
			}
		}
		b = b[end:]
	}
}

func sum(b []byte) (s byte) {
	for _, c := range b {
		s += c
	}
	return s
}

// frame masks, in place, the data d of one frame.
func (m *mask) frame(d []byte) {
	if len(d) < 3 {
		return
	}
	switch head, rest := [2]byte{d[0], d[1]}, d[2:]; head {
	case [2]byte{toPN532, listTargets}:
		if len(rest) > 2 {
			m.maskWanted(rest[2:])
		}
	case [2]byte{fromPN532, listTargets + 1}:
		m.maskTargets(rest[1:])
	case [2]byte{toPN532, exchangeData}:
		if m.page = 0xFF; len(rest) == 3 && rest[1] == tagRead {
			m.page = rest[2]
		}
	case [2]byte{fromPN532, exchangeData + 1}:
		if len(rest) > 1 {
			m.maskMemory(m.page, rest[1:])
		}
	}
}

// maskWanted masks a UID in a command, which asks for the tag with this UID. It overwrites the
// UID with the masked UID. The bytes b are the UID with its cascade tags.
func (m *mask) maskWanted(b []byte) {
	var uid []byte
	for rest := b; len(rest) > 0; {
		n := 4
		if rest[0] == cascadeTag && len(rest) > 4 {
			uid = append(uid, rest[1:4]...)
		} else {
			n = len(rest)
			uid = append(uid, rest...)
		}
		rest = rest[n:]
	}
	uid = m.uid(uid)
	for rest := b; len(rest) > 0; {
		if rest[0] == cascadeTag && len(rest) > 4 {
			uid = uid[copy(rest[1:4], uid):]
			rest = rest[4:]
			continue
		}
		rest = rest[copy(rest, uid):]
		if len(uid) == 0 {
			return
		}
		uid = nil
	}
}

// maskTargets masks the UIDs in an answer to InListPassiveTarget. It overwrites each UID with
// the masked UID. The bytes b are the answer from its first tag on. If the last UID is cut
// off, its bytes become zeros.
func (m *mask) maskTargets(b []byte) {
	for len(b) > 5 {
		n, uid := int(b[4]), b[5:]
		if n > len(uid) {
			clear(uid)
			return
		}
		uid, b = uid[:n], uid[n:]
		if !bytes.Equal(m.tag, uid) {
			m.selects(uid)
		}
		copy(uid, m.uid(uid))
	}
}

// wholeFrames reports whether b ends at the end of a frame.
func wholeFrames(b []byte) bool {
	for len(b) > 0 {
		data, after, ok := findFrame(b)
		if !ok || after+1 > len(b) || after > data && after+2 > len(b) {
			return false
		}
		b = b[after+1:]
		if after > data {
			b = b[1:]
		}
	}
	return true
}
