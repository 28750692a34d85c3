// Package nfc holds what all reader chips and all tags have in common. It has UIDs, the
// interface of a reader, and text on a tag.
//
// Text is read from and written to NFC Forum type 2 tags (NTAG213, NTAG215, NTAG216, MIFARE
// Ultralight). Any ISO/IEC 14443 type A tag has a UID, which is enough to tell tags apart.
package nfc

import (
	"context"
	"errors"
)

// Errors that concern a tag and not its reader. The errors of readers and memories wrap them.
var (
	// ErrUnreadable reports that something is in the field but could not be
	// read: a collision, a wrong checksum, an answer that was cut off. It is
	// proof that a tag is there.
	ErrUnreadable = errors.New("a tag is there but cannot be read")

	// ErrNoTag reports that the tag is not in the field, or not any more.
	ErrNoTag = errors.New("the tag is not there")

	// ErrRefused reports that the tag is there, has understood, and has said no
	// (NAK): there is no such page, or it is protected.
	ErrRefused = errors.New("the tag refuses")
)

// A Reader is a reader chip. Only one goroutine at a time may use it.
type Reader interface {
	// Init resets the chip if its reset line is wired. It wakes the chip, checks what chip
	// it is and configures the chip. If another method returns an error that is not about
	// a tag, call Init again.
	Init(ctx context.Context) error

	// Poll switches the field on, appends the UIDs of all tags in it to seen,
	// and switches the field off. A reader chip finds at least two tags at once; a reader of
	// pcscd reports only one.
	//
	// No error and nothing appended is a clean empty poll. When the error is
	// ErrUnreadable, there is something in the field besides the tags that were appended,
	// if any. After any other error nothing is known.
	Poll(ctx context.Context, seen []UID) ([]UID, error)

	// Select switches the field on and selects one tag. The memory is good until the next
	// Poll, Select, Init or Halt. The error is ErrNoTag when no such tag is there.
	Select(ctx context.Context, uid UID) (Memory, error)

	// Firmware returns the version that Init found, for people: "PN532 1.6".
	Firmware() string

	// Halt switches the field off.
	Halt() error

	String() string
}

// A Memory is the memory of a selected type 2 tag: pages of four bytes.
type Memory interface {
	// ReadPages reads the given page and the three pages after it. After the last page,
	// the tag continues with page 0. If the tag has no such page or protects the page, the
	// error wraps ErrRefused.
	ReadPages(ctx context.Context, page byte, to *[16]byte) error

	// WritePage writes one page. The error is ErrRefused if the tag has no such page or
	// protects it.
	WritePage(ctx context.Context, page byte, data [4]byte) error
}
