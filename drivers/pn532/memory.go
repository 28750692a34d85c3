package pn532

import (
	"context"
	"errors"
	"fmt"

	"tableside/drivers/nfc"
)

// Status codes of InDataExchange and InCommunicateThru (7.1).
const (
	statusMask     = 0x3F // the other bits say whether more of the answer follows
	statusOK       = 0x00
	statusTimeout  = 0x01
	statusCRC      = 0x02
	statusParity   = 0x03
	statusBitCount = 0x04
	statusFraming  = 0x05
	statusCollided = 0x06
	statusOverflow = 0x09
	statusProtocol = 0x0B
	statusFormat   = 0x13 // also a NAK, which is too short for an answer
	statusRefused  = 0x14 // a NAK to a MIFARE command
	statusBCC      = 0x23
	statusContext  = 0x27 // no such target any more
)

// statusError returns the error for a status byte of the chip, or nil for statusOK. If the
// status concerns the tag, the error wraps nfc.ErrNoTag, nfc.ErrUnreadable or nfc.ErrRefused.
// If the status is unknown, the error wraps none of these.
func statusError(status byte) error {
	var err error
	switch status &= statusMask; status {
	case statusOK:
		return nil
	case statusTimeout, statusContext:
		err = nfc.ErrNoTag
	case statusCRC, statusParity, statusBitCount, statusFraming, statusCollided,
		statusOverflow, statusProtocol, statusBCC:
		err = nfc.ErrUnreadable
	case statusFormat, statusRefused:
		err = nfc.ErrRefused
	default:
		return fmt.Errorf("status %02X", status)
	}
	return fmt.Errorf("status %02X: %w", status, err)
}

// Commands of type 2 tags (NFC Forum Type 2 Tag 1.1, 5.1).
const (
	tagRead  = 0x30
	tagWrite = 0xA2
)

// A memory gives access to the memory of the tag that the chip has selected.
type memory struct {
	d        *Dev
	uid      nfc.UID
	number   byte // the number of the tag in the chip
	selected bool // whether the tag listens; after an error it does not
	gone     bool // whether the memory was deselected
}

// errGone reports that a memory was used after the next Poll, Select, Init or Halt.
var errGone = errors.New("the tag is not selected any more")

// Select switches the field on and selects the tag with this UID. The field stays on until the
// next Poll, Init or Halt. Any memory that Select returned earlier is no longer valid.
//
// If the tag is not there, the error is nfc.ErrNoTag. If the tag's answer makes no sense, the
// error is nfc.ErrUnreadable. Any other error concerns the chip.
func (d *Dev) Select(ctx context.Context, uid nfc.UID) (nfc.Memory, error) {
	d.begin()
	d.deselect()
	m := &memory{d: d, uid: uid}
	err := m.find(ctx)
	if aboutTag(err) {
		err = m.find(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("pn532: select %v: %w", uid, err)
	}
	d.memory = m
	return m, nil
}

func (d *Dev) deselect() {
	if d.memory != nil {
		d.memory.gone = true
		d.memory = nil
	}
}

// find selects the tag by its UID. If the tag is not there, the error is nfc.ErrNoTag. If the
// answer is not from this tag, the error is nfc.ErrUnreadable. Any other error concerns the
// chip.
func (m *memory) find(ctx context.Context) error {
	m.selected = false
	// The chip is asked for the UID with its cascade tags (7.3.5).
	params := append(make([]byte, 0, 14), 1, typeA)
	rest := m.uid.Bytes()
	for len(rest) > 4 {
		params = append(params, cascadeTag, rest[0], rest[1], rest[2])
		rest = rest[3:]
	}
	params = append(params, rest...)
	data, err := m.d.list(ctx, 6+m.uid.Len(), params...)
	if err != nil {
		return err
	}
	if len(data) == 0 || data[0] == 0 {
		return nfc.ErrNoTag
	}
	t, _, ok := nextTarget(data[1:])
	if !ok || t.uid != m.uid {
		return fmt.Errorf("another tag answered: %w", nfc.ErrUnreadable)
	}
	m.selected, m.number = true, t.number
	return nil
}

// cascadeTag precedes three bytes of a UID if more bytes of the UID follow (ISO/IEC 14443-3,
// 6.5.4).
const cascadeTag = 0x88

// exchange sends a command to the tag and returns the answer without its status byte. The
// caller passes the probable length of the answer in bytes as size.
//
// After a bad answer or a refusal, the tag goes back to sleep. Then exchange selects the tag
// and sends the command again, up to three times in all. After an error of the chip, exchange
// does not try again.
func (m *memory) exchange(ctx context.Context, size int, params ...byte) (data []byte, err error) {
	if m.gone {
		return nil, errGone
	}
	m.d.begin()
	for range tries {
		if !m.selected {
			if err = m.find(ctx); err != nil {
				if aboutTag(err) {
					continue
				}
				return nil, err
			}
		}
		data, err = m.d.command(ctx, cmdInDataExchange, 1+size, append([]byte{m.number}, params...)...)
		if err != nil {
			m.selected = false
			return nil, err
		}
		if len(data) == 0 {
			err = fmt.Errorf("an empty answer: %w", nfc.ErrUnreadable)
		} else if err = statusError(data[0]); err == nil {
			return data[1:], nil
		}
		m.selected = false
	}
	return nil, err
}

func aboutTag(err error) bool {
	return errors.Is(err, nfc.ErrNoTag) || errors.Is(err, nfc.ErrUnreadable)
}

// ReadPages reads the given page and the three after it.
func (m *memory) ReadPages(ctx context.Context, page byte, to *[16]byte) error {
	data, err := m.exchange(ctx, 16, tagRead, page)
	if err == nil && len(data) != len(to) {
		err = fmt.Errorf("got %d bytes, want %d: %w", len(data), len(to), nfc.ErrUnreadable)
	}
	if err != nil {
		return fmt.Errorf("pn532: read page %d: %w", page, err)
	}
	copy(to[:], data)
	return nil
}

// WritePage writes one page.
func (m *memory) WritePage(ctx context.Context, page byte, data [4]byte) error {
	if _, err := m.exchange(ctx, 0, tagWrite, page, data[0], data[1], data[2], data[3]); err != nil {
		return fmt.Errorf("pn532: write page %d: %w", page, err)
	}
	return nil
}
