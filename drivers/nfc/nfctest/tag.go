package nfctest

import (
	"context"
	"fmt"
	"sync"

	"tableside/drivers/nfc"
)

// A kind holds the properties of a type of tag.
type kind struct {
	name    string
	atqa    [2]byte // in the order in which they are sent
	sak     byte    // of the last cascade level
	pages   int     // 0: no type 2 memory
	cc      byte    // the size in the capability container, in units of 8 bytes
	dynamic int     // the page of the dynamic lock bytes; configuration follows
	span    int     // pages for each dynamic lock bit
	version [8]byte // the answer to GET_VERSION
}

// Kinds of tag. The values of the NTAGs are from the NTAG213/215/216 data sheet rev. 3.2.
// Section 8.5 gives the pages, 8.5.3 the dynamic locks, 8.5.4 the capability container, 9.4
// ATQA and SAK, and 10.1 the answer to GET_VERSION.
//
// The values of the Classic are from AN10833 (MIFARE type identification).
var (
	ntag213 = kind{"NTAG213", [2]byte{0x44, 0x00}, 0x00, 45, 0x12, 0x28, 2, [8]byte{0, 4, 4, 2, 1, 0, 0x0F, 3}}
	ntag215 = kind{"NTAG215", [2]byte{0x44, 0x00}, 0x00, 135, 0x3E, 0x82, 16, [8]byte{0, 4, 4, 2, 1, 0, 0x11, 3}}
	ntag216 = kind{"NTAG216", [2]byte{0x44, 0x00}, 0x00, 231, 0x6D, 0xE2, 16, [8]byte{0, 4, 4, 2, 1, 0, 0x13, 3}}
	classic = kind{name: "MIFARE Classic 1K", atqa: [2]byte{0x04, 0x00}, sak: 0x08}
)

// A state is a state in the diagram of ISO/IEC 14443-3, 6.3.
type state uint8

const (
	idle state = iota
	ready
	active
	halt
)

// A Tag is one tag. It may move between fields, but may be in only one field at a time.
// Several goroutines may call its methods.
type Tag struct {
	mu   sync.Mutex
	kind *kind
	uid  nfc.UID
	mem  []byte

	state      state
	level      int  // the cascade level to select next, in the state ready: 0, 1, 2
	halted     bool // whether it came out of halt (READY*, ACTIVE*): an error leads back there
	authed     bool // whether the password was given
	compatPage int  // of a COMPATIBILITY_WRITE whose second half is due, or -1
	writes     int
	spoilEvery int // answers; 0: none is spoilt
	answers    int

	out         []byte // the answer
	outBits     int
	parityError bool // in the answer
}

// NewNTAG213 returns an NTAG213 as it leaves the factory, with 144 bytes for data. The UID
// should have 7 bytes.
func NewNTAG213(uid nfc.UID) *Tag { return newNTAG(&ntag213, uid) }

// NewNTAG215 returns a tag with 496 bytes for data.
func NewNTAG215(uid nfc.UID) *Tag { return newNTAG(&ntag215, uid) }

// NewNTAG216 returns a tag with 872 bytes for data.
func NewNTAG216(uid nfc.UID) *Tag { return newNTAG(&ntag216, uid) }

// NewClassic returns a tag that can be selected and refuses everything else. A MIFARE Classic
// with unknown keys behaves like this. The UID should have 4 bytes.
func NewClassic(uid nfc.UID) *Tag {
	return &Tag{kind: &classic, uid: uid, compatPage: -1}
}

func newNTAG(k *kind, uid nfc.UID) *Tag {
	t := &Tag{kind: k, uid: uid, compatPage: -1, mem: make([]byte, k.pages*pageLen)}
	b := make([]byte, 7)
	copy(b, uid.Bytes())
	// Pages 0 to 2: the UID with its two check bytes (8.5.1).
	copy(t.mem, []byte{b[0], b[1], b[2], cascadeTag ^ b[0] ^ b[1] ^ b[2],
		b[3], b[4], b[5], b[6], b[3] ^ b[4] ^ b[5] ^ b[6], 0x48, 0, 0})
	copy(t.mem[3*pageLen:], []byte{0xE1, 0x10, k.cc, 0x00})
	// The first bytes of data at delivery (8.5.6).
	empty := []byte{0x03, 0x00, 0xFE, 0x00}
	if k == &ntag213 {
		empty = []byte{0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03, 0x00, 0xFE}
	}
	copy(t.mem[4*pageLen:], empty)
	// The configuration at delivery (8.5.7): no password protection.
	t.mem[k.dynamic*pageLen+3] = 0xBD
	copy(t.mem[t.config():], []byte{0x04, 0x00, 0x00, 0xFF, 0x00, 0x05, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF})
	return t
}

const pageLen = 4

func (t *Tag) config() int { return (t.kind.dynamic + 1) * pageLen }

// UID returns the tag's number.
func (t *Tag) UID() nfc.UID { return t.uid }

func (t *Tag) String() string { return t.kind.name + " " + t.uid.String() }

// Bytes returns a copy of all pages of the memory. The copy includes the password and its
// acknowledgement, which no reader sees.
func (t *Tag) Bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]byte(nil), t.mem...)
}

// Load writes b into the memory from an offset on, even where the memory is protected. It
// ignores bytes beyond the end of the memory. If the offset is outside the memory, Load does
// nothing.
func (t *Tag) Load(offset int, b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if offset >= 0 && offset < len(t.mem) {
		copy(t.mem[offset:], b)
	}
}

// Writes returns the number of pages written since the tag was created.
func (t *Tag) Writes() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.writes
}

// ReadPages reads the given page and the three pages after it. If the tag does not allow the
// reading, the error wraps nfc.ErrRefused. With ReadPages and WritePage, the tag is an
// [nfc.Memory] that needs no reader. The rules of the tag still apply.
func (t *Tag) ReadPages(ctx context.Context, page byte, to *[16]byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.mayRead(int(page)) {
		return fmt.Errorf("nfctest: read page %d: %w", page, nfc.ErrRefused)
	}
	t.readFour(int(page), to)
	return nil
}

// WritePage writes a page. The error is nfc.ErrRefused if the tag does not allow that.
func (t *Tag) WritePage(ctx context.Context, page byte, data [4]byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.write(int(page), data) {
		return fmt.Errorf("nfctest: write page %d: %w", page, nfc.ErrRefused)
	}
	return nil
}

// SetText writes text to the tag, as [nfc.WriteText] does.
func (t *Tag) SetText(text string) error {
	return nfc.WriteText(context.Background(), t, text)
}

// Text reads the text of the tag, as [nfc.ReadText] does.
func (t *Tag) Text() (string, error) {
	return nfc.ReadText(context.Background(), t)
}
