package tape

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// A mask works on the transfers of one part of a tape. It replaces bytes that must not be on
// the tape. The bytes that a method returns are valid until the next call of a method.
type mask struct {
	salt       *[32]byte
	keepPrefix string // of texts that may be kept

	maskedUIDs map[[11]byte][10]byte // by UID and length
	tag        []byte                // UID of the last selected tag
	textKept   bool                  // the tag's text may be kept
	lastRead   []byte                // from the tag
	page       byte                  // the requested page
	lastFrame  []byte                // MFRC522: sent to tags
	buf        []byte
}

// selects records that the driver talks to another tag from now on. The caller passes as uid
// what is known of the tag's UID, which may be nothing.
func (m *mask) selects(uid []byte) {
	m.tag = append(m.tag[:0], uid...)
	m.textKept, m.lastRead = false, m.lastRead[:0]
}

// maxMaskedUIDs is the largest number of masked UIDs that a mask remembers. It is more than the
// number of cards in a box.
const maxMaskedUIDs = 4096

// secret returns n bytes that it derives from the mask's salt and from the given bytes.
func (m *mask) secret(n int, from ...byte) []byte {
	h := hmac.New(sha256.New, m.salt[:])
	h.Write(from)
	return h.Sum(nil)[:n]
}

// cascadeTag is the byte before a UID that continues on the next level (ISO/IEC 14443-3,
// 6.5.4). A masked UID of 7 bytes must not have this value as its fourth byte. Otherwise the
// UID would seem to continue.
const cascadeTag = 0x88

// uid returns the masked UID that replaces a UID on the tape. The first byte of the UID stays.
// In a UID of 7 or 10 bytes, the second byte stays too. A reader learns the third byte before
// the later ones, so the change of the third byte depends only on the first two.
//
// If the length of the UID is not 4, 7 or 10 bytes, uid returns the UID unchanged.
func (m *mask) uid(uid []byte) []byte {
	var key [11]byte
	key[10] = byte(len(uid))
	n := copy(key[:10], uid)
	if n != len(uid) {
		return uid
	}
	if masked, ok := m.maskedUIDs[key]; ok {
		return bytes.Clone(masked[:n])
	}
	masked := bytes.Clone(uid)
	switch n {
	case 4:
		copy(masked[1:], m.secret(3, uid...))
	case 7:
		masked[2] ^= m.secret(1, uid[:2]...)[0]
		copy(masked[3:], m.secret(4, uid...))
		if masked[3] == cascadeTag {
			masked[3]++
		}
	case 10:
		masked[2] ^= m.secret(1, uid[:2]...)[0]
		copy(masked[3:], m.secret(3, uid[:6]...))
		copy(masked[6:], m.secret(4, uid...))
	}
	if m.maskedUIDs == nil || len(m.maskedUIDs) >= maxMaskedUIDs {
		m.maskedUIDs = map[[11]byte][10]byte{}
	}
	var to [10]byte
	copy(to[:], masked)
	m.maskedUIDs[key] = to
	return masked
}

// maskOut returns the bytes w in the form that goes onto the tape, in which secret bytes are
// masked. The computer sends w to the chip c in a transfer of the kind v.
func (m *mask) maskOut(c Chip, v Verb, w []byte) []byte {
	switch {
	case c == PN532 && v == SPI:
		return m.maskReversed(w)
	case c == PN532 && (v == I2C || v == Send):
		m.buf = append(m.buf[:0], w...)
		m.frames(m.buf)
		return m.buf
	case c == MFRC522 && v == SPI && len(w) > 1 && w[0] == fifoWrite:
		m.buf = append(m.buf[:0], w...)
		m.ask(m.buf[1:])
		return m.buf
	}
	return w
}

// maskIn returns the bytes r in the form that goes onto the tape, in which secret bytes are
// masked. The chip c sends r in a transfer of the kind v. In the same transfer, the computer
// sends w.
func (m *mask) maskIn(c Chip, v Verb, w, r []byte) []byte {
	switch {
	case c == PN532 && v == SPI:
		return m.maskReversed(r)
	case c == PN532 && (v == I2C || v == Receive):
		m.buf = append(m.buf[:0], r...)
		m.frames(m.buf)
		return m.buf
	case c == MFRC522 && v == SPI && len(r) > 1 && len(w) == len(r) && fifoReads(w):
		m.buf = append(m.buf[:0], r...)
		m.answer(m.buf[1:])
		return m.buf
	}
	return r
}

// text replaces each UID in a text by the masked UID.
func (m *mask) text(s string) string {
	return uids.ReplaceAllStringFunc(s, func(word string) string {
		b, err := hex.DecodeString(word)
		if err != nil || len(b) != 4 && len(b) != 7 && len(b) != 10 {
			return word
		}
		return strings.ToUpper(hex.EncodeToString(m.uid(b)))
	})
}

var uids = regexp.MustCompile(`\b[0-9A-F]{8,20}\b`)

// maskMemory masks bytes that were read from the memory of the tag. The given page is the
// first of these bytes' pages. maskMemory overwrites the UID of the tag, and any text that
// must not be on the tape.
func (m *mask) maskMemory(page byte, data []byte) {
	if len(m.tag) == 7 || len(m.tag) == 4 {
		m.ownUID(page, data)
	}
	m.lastRead = append(m.lastRead, data...)
	if i := bytes.LastIndex(m.lastRead, textRecord); i >= 0 && m.keepPrefix != "" {
		text := m.lastRead[i+len(textRecord):]
		n := min(len(text), len(m.keepPrefix))
		m.textKept = n > 0 && string(text[:n]) == m.keepPrefix[:n]
	}
	m.lastRead = append(m.lastRead[:0], m.lastRead[max(0, len(m.lastRead)-len(data)):]...)
	for i, b := range data {
		if at := int(page) + i/4; at >= firstData && b != 0 && !m.textKept {
			data[i] = filler
		}
	}
}

const (
	firstData = 4 // the first page for data (NFC Forum Type 2 Tag 1.1, 2.1)
	filler    = 'x'
)

// textRecord is the end of the header of our text records, which are in English. It holds the
// type, and then the length and the name of the language.
var textRecord = []byte("T\x02en")

// ownUID masks the UID of the tag in bytes that were read from the tag, beginning with the
// given page. It overwrites the UID. The UID is in pages 0 to 2, with check bytes after its
// third and its seventh byte (NTAG213/215/216 rev. 3.2, 8.5.1). In a UID of four bytes, one
// check byte follows the fourth byte.
func (m *mask) ownUID(page byte, data []byte) {
	masked := m.uid(m.tag)
	replace := func(was, is []byte) {
		for i := 0; i+len(was) <= len(data); i++ {
			if bytes.Equal(data[i:i+len(was)], was) {
				copy(data[i:], is)
			}
		}
	}
	if len(m.tag) == 4 {
		replace(withCheck(m.tag, 0), withCheck(masked, 0))
		return
	}
	replace(withCheck(m.tag[:3], cascadeTag), withCheck(masked[:3], cascadeTag))
	replace(withCheck(m.tag[3:], 0), withCheck(masked[3:], 0))
	if page == 2 && len(data) > 0 && data[0] == check(m.tag[3:], 0) {
		data[0] = check(masked[3:], 0)
	}
}

func withCheck(b []byte, first byte) []byte { return append(bytes.Clone(b), check(b, first)) }

// check returns the check byte of b, which is a part of a UID (ISO/IEC 14443-3, 6.5.3: BCC).
// If the check byte also covers a byte before b, the caller passes this byte as sum. Otherwise
// sum is 0.
func check(b []byte, sum byte) byte {
	for _, c := range b {
		sum ^= c
	}
	return sum
}
