package nfc

import (
	"bytes"
	"context"
	"fmt"
)

// The layout of a type 2 tag (NFC Forum Type 2 Tag 1.1, 2.1). Page 2 holds the static lock
// bytes, page 3 holds the capability container, and the data starts at page 4.
const (
	pageLen   = 4
	pageLocks = 2
	pageCC    = 3
	pageData  = 4
)

// The capability container (Type 2 Tag 1.1, 6.1). It holds a magic number, the version, the
// size of the data area in units of 8 bytes, and the access rights.
const (
	ccMagic   = 0xE1
	ccMajor   = 0x10 // version 1.x: the upper four bits
	ccUnit    = 8
	maxMemory = 256 * pageLen // pages are numbered with one byte
)

// These are the types of block in the data area (Type 2 Tag 1.1, 2.3). A block consists of its
// type, a length and a value.
const (
	tlvNull       = 0x00
	tlvMessage    = 0x03
	tlvTerminator = 0xFE
)

// An area is the data area of a tag. It holds the part that has been read so far.
type area struct {
	m        Memory
	mem      [maxMemory]byte // the tag's memory; it is read from page 3 on
	readEnd  int             // the index in mem at which the part that was read ends
	size     int             // of the data area, in bytes
	writable bool            // as the capability container says
}

// openArea reads the capability container and returns the data area that the container
// describes. If the tag is not formatted for NDEF messages, or if its messages may not be
// read, the error wraps ErrNoText.
func openArea(ctx context.Context, m Memory) (*area, error) {
	a := &area{m: m, readEnd: pageCC * pageLen}
	// The first read starts at the capability container: 12 bytes of data come
	// with it at no cost.
	if err := a.needMem(ctx, pageData*pageLen); err != nil {
		return nil, err
	}
	cc := a.mem[pageCC*pageLen:][:pageLen]
	if cc[0] != ccMagic || cc[1]&0xF0 != ccMajor {
		return nil, fmt.Errorf("the capability container is % X: %w", cc, ErrNoText)
	}
	if cc[3]&0xF0 != 0 {
		return nil, fmt.Errorf("reading is not granted: %w", ErrNoText)
	}
	a.writable = cc[3]&0x0F == 0
	a.size = min(int(cc[2])*ccUnit, maxMemory-pageData*pageLen)
	return a, nil
}

// data returns the data area; bytes that were not needed yet are 0.
func (a *area) data() []byte { return a.mem[pageData*pageLen:][:a.size] }

// need reads the first n bytes of the data area, unless they were read before.
func (a *area) need(ctx context.Context, n int) error {
	return a.needMem(ctx, pageData*pageLen+min(n, a.size))
}

func (a *area) needMem(ctx context.Context, n int) error {
	for a.readEnd < n {
		var four [16]byte
		if err := a.m.ReadPages(ctx, byte(a.readEnd/pageLen), &four); err != nil {
			return err
		}
		a.readEnd += copy(a.mem[a.readEnd:], four[:])
	}
	return nil
}

// A tlv holds the position of the NDEF message. If the tag has no message, it holds the
// position for a new one.
type tlv struct {
	present bool
	at      int // of its tag byte, in the data area
	value   int // of the message itself
	length  int
}

// find returns the position of the NDEF message. If there is no message, find returns the
// position for a new one.
func (a *area) find(ctx context.Context) (tlv, error) {
	free := 0 // the end of the last block that was no padding
	for at := 0; at < a.size; {
		if err := a.need(ctx, at+4); err != nil {
			return tlv{}, err
		}
		d := a.data()
		switch d[at] {
		case tlvNull:
			at++
			continue
		case tlvTerminator:
			return tlv{at: free}, nil
		}
		length, value := 0, at+2
		if value > a.size {
			break
		}
		length = int(d[at+1])
		if length == 0xFF { // the three-byte form
			if value+2 > a.size {
				break
			}
			length = int(d[value])<<8 | int(d[value+1])
			value += 2
		}
		if value+length > a.size {
			break // it ends beyond the tag: its content is meaningless
		}
		if d[at] == tlvMessage {
			return tlv{present: true, at: at, value: value, length: length}, nil
		}
		at = value + length
		free = at
	}
	return tlv{at: free}, nil
}

// WriteText replaces the message on a tag by a text. The new message is an NDEF message of one
// text record, in UTF-8, marked as English. Control blocks before the message stay. If the tag
// already holds the text, WriteText does not write at all.
//
// After writing, WriteText reads the tag back and compares. If the tag is locked, the error
// wraps ErrReadOnly. If the text does not fit, the error wraps ErrTooLong. If the tag is not
// formatted for NDEF messages, the error wraps ErrNoText.
//
// While the message is being written, its length on the tag is zero. The page with the length
// is written last. So a tag that is taken away too early is blank, and never half written.
func WriteText(ctx context.Context, m Memory, text string) error {
	a, err := openArea(ctx, m)
	if err != nil {
		return fmt.Errorf("nfc: write text: %w", err)
	}
	if !a.writable {
		return fmt.Errorf("nfc: write text: %w", ErrReadOnly)
	}
	t, err := a.find(ctx)
	if err != nil {
		return fmt.Errorf("nfc: write text: %w", err)
	}
	image, lengthAt, err := a.image(t.at, encodeText(text))
	if err != nil {
		return fmt.Errorf("nfc: write text: %w", err)
	}
	first := t.at / pageLen
	last := (t.at + len(image) - 1) / pageLen
	if err := a.need(ctx, (last+1)*pageLen); err != nil {
		return fmt.Errorf("nfc: write text: %w", err)
	}
	if bytes.Equal(a.data()[t.at:][:len(image)], image) {
		return nil
	}
	if err := a.locked(ctx, pageData+first, pageData+last); err != nil {
		return fmt.Errorf("nfc: write text: %w", err)
	}
	copy(a.data()[t.at:], image)
	if err := a.store(ctx, first, last, lengthAt); err != nil {
		return fmt.Errorf("nfc: write text: %w", err)
	}
	if err := a.verify(ctx, first, last); err != nil {
		return fmt.Errorf("nfc: write text: read back: %w", err)
	}
	return nil
}

// image returns the bytes to write into the data area from the position pos on. The bytes are
// the block with the message, filled up to the end of a page. lengthAt is the position of the
// block's length in the data area. If the block does not fit, the error wraps ErrTooLong.
func (a *area) image(pos int, msg []byte) (image []byte, lengthAt int, err error) {
	image = append(image, tlvMessage)
	if len(msg) < 0xFF {
		image = append(image, byte(len(msg)))
	} else {
		image = append(image, 0xFF, byte(len(msg)>>8), byte(len(msg)))
	}
	image = append(image, msg...)
	if pos+len(image) > a.size {
		room := max(a.size-pos-len(image)+len(msg), 0)
		return nil, 0, fmt.Errorf("%d bytes, and there is room for %d: %w", len(msg), room, ErrTooLong)
	}
	if pos+len(image) < a.size {
		image = append(image, tlvTerminator)
	}
	for (pos+len(image))%pageLen != 0 {
		image = append(image, 0)
	}
	return image, pos + 1, nil
}

// store writes the pages of the data area with the numbers from first to last. lengthAt is the
// position of the message's length. The page with the length is written twice: first with a
// length of 0, and after all other pages with the true length.
func (a *area) store(ctx context.Context, first, last, lengthAt int) error {
	commit := lengthAt / pageLen
	page := func(n int) (p [4]byte) {
		copy(p[:], a.data()[n*pageLen:])
		return p
	}
	write := func(n int, p [4]byte) error {
		return a.m.WritePage(ctx, byte(pageData+n), p)
	}
	blank := page(commit)
	blank[lengthAt%pageLen] = 0
	if err := write(commit, blank); err != nil {
		return err
	}
	for n := first; n <= last; n++ {
		if n == commit {
			continue
		}
		if err := write(n, page(n)); err != nil {
			return err
		}
	}
	return write(commit, page(commit))
}

// verify reads back the pages of the data area with the numbers from first to last. If these
// pages do not hold the bytes that were written, the error wraps ErrUnreadable.
func (a *area) verify(ctx context.Context, first, last int) error {
	for n := first; n <= last; n += 4 {
		var four [16]byte
		if err := a.m.ReadPages(ctx, byte(pageData+n), &four); err != nil {
			return err
		}
		want := a.data()[n*pageLen : min((n+4)*pageLen, (last+1)*pageLen)]
		if !bytes.Equal(four[:len(want)], want) {
			return fmt.Errorf("page %d: read back other bytes than were written: %w", pageData+n, ErrUnreadable)
		}
	}
	return nil
}

// locked returns ErrReadOnly when one of the pages from first to last is locked.
func (a *area) locked(ctx context.Context, first, last int) error {
	var four [16]byte
	if err := a.m.ReadPages(ctx, 0, &four); err != nil {
		return err
	}
	// Static lock bytes: one bit for each of pages 3 to 15 (NTAG213/215/216 rev. 3.2,
	// 8.5.2).
	static := uint32(four[pageLocks*pageLen+2]) | uint32(four[pageLocks*pageLen+3])<<8
	for p := first; p <= min(last, 15); p++ {
		if static>>p&1 != 0 {
			return fmt.Errorf("page %d: %w", p, ErrReadOnly)
		}
	}
	// Dynamic lock bytes come right after the data area: a bit for each two or
	// sixteen pages from 16 on (NTAG213/215/216 rev. 3.2, 8.5.3). The size
	// identifies which of the three tags it is.
	span := 0
	switch a.size {
	case 144:
		span = 2
	case 496, 872:
		span = 16
	}
	if last < 16 || span == 0 {
		return nil // other tags answer NAK when a page is locked
	}
	if err := a.m.ReadPages(ctx, byte(pageData+a.size/pageLen), &four); err != nil {
		return err
	}
	dynamic := uint32(four[0]) | uint32(four[1])<<8
	for p := max(first, 16); p <= last; p++ {
		if dynamic>>((p-16)/span)&1 != 0 {
			return fmt.Errorf("page %d: %w", p, ErrReadOnly)
		}
	}
	return nil
}
