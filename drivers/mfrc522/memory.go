package mfrc522

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"tableside/drivers/nfc"
)

// Commands of NTAG213/215/216, rev. 3.2, section 10.
const (
	cmdRead  = 0x30 // 10.2
	cmdWrite = 0xA2 // 10.5
)

// Answers of four bits: NTAG213/215/216, rev. 3.2, 9.3.
const (
	ack         = 0xA
	nakArgument = 0x0
	nakLocked   = 0x4 // too many wrong passwords
	nakMemory   = 0x5
)

// maxTries is the number of times that a command is sent to a tag before an error is reported.
// A command that the tag refuses is sent again too, because the four bits of a refusal have no
// checksum.
const maxTries = 3

// errStale reports that a memory was used after the next Poll, Select, Init or Halt.
var errStale = errors.New("another tag may be selected by now")

// A memory is the memory of the tag that was selected last.
type memory struct {
	dev      *Dev
	uid      nfc.UID
	selected bool // whether the tag listens; after an error it has to be selected again
}

// Select switches the field on and selects the tag with the given UID. The field stays on
// until the next Poll, Init or Halt. If Select fails, it switches the field off.
func (d *Dev) Select(ctx context.Context, uid nfc.UID) (nfc.Memory, error) {
	d.tag = nil
	err := d.open(ctx)
	if err == nil {
		err = d.find(ctx, uid)
	}
	if err != nil {
		d.field(rfOff) // the error says enough
		return nil, fmt.Errorf("mfrc522: select %s: %w", uid, err)
	}
	d.tag = &memory{dev: d, uid: uid, selected: true}
	return d.tag, nil
}

// find selects the tag with the given UID among the tags in the field. It makes up to three
// attempts. If there is no such tag, the error is nfc.ErrNoTag.
func (d *Dev) find(ctx context.Context, uid nfc.UID) error {
	if uid.Len() == 0 {
		return nfc.ErrNoTag
	}
	var err error
	for range maxTries {
		// WUPA is sent up to twice, because a tag that is already selected, fully or in part,
		// does not answer the first one.
		here, failed := d.wakeTags(ctx, wupa, 2)
		if failed != nil {
			return failed
		}
		if !here {
			return cmp.Or(err, nfc.ErrNoTag)
		}
		if err = d.selectUID(ctx, uid); err == nil || !isTag(err) {
			return err
		}
	}
	return err
}

// selectUID selects the tag with the given UID, one cascade level after the other. Each level
// holds a part of the UID. The UID is known, so no anticollision is needed. If the tag does
// not answer, the error is nfc.ErrNoTag.
func (d *Dev) selectUID(ctx context.Context, uid nfc.UID) error {
	var all [10]byte
	b := uid.AppendTo(all[:0])
	for level := 0; ; level++ {
		var cl [5]byte
		last := len(b) <= 4
		if last {
			copy(cl[:4], b)
		} else {
			cl[0] = cascadeTag
			b = b[copy(cl[1:4], b):]
		}
		cl[4] = cl[0] ^ cl[1] ^ cl[2] ^ cl[3]
		more, err := d.choose(ctx, level, cl)
		switch {
		case errors.Is(err, errVanished):
			return nfc.ErrNoTag // other tags are there, this one is not
		case err != nil:
			return err
		case more == last:
			return nfc.ErrNoTag // a tag with a UID of another length
		case last:
			return nil
		}
	}
}

func isTag(err error) bool {
	return errors.Is(err, nfc.ErrUnreadable) || errors.Is(err, nfc.ErrNoTag) || errors.Is(err, nfc.ErrRefused)
}

// ReadPages reads the given page and the three after it.
func (m *memory) ReadPages(ctx context.Context, page byte, to *[16]byte) error {
	err := m.try(ctx, func(d *Dev) error {
		d.frame[0], d.frame[1] = cmdRead, page
		o, err := d.ask(ctx, question{n: d.seal(2), wantBits: 8 * (16 + 2), waitTicks: readTicks})
		if err != nil || o != heard || d.answerBits != 8*(16+2) {
			return d.refusal(o, err)
		}
		if !sealed(d.answer) {
			return errChecksum
		}
		copy(to[:], d.answer)
		return nil
	})
	if err != nil {
		return fmt.Errorf("mfrc522: read page %d: %w", page, err)
	}
	return nil
}

// WritePage writes one page. The tag's confirmation has no checksum.
func (m *memory) WritePage(ctx context.Context, page byte, data [4]byte) error {
	err := m.try(ctx, func(d *Dev) error {
		d.frame[0], d.frame[1] = cmdWrite, page
		copy(d.frame[2:], data[:])
		o, err := d.ask(ctx, question{n: d.seal(6), wantBits: 4, waitTicks: writeTicks})
		if err == nil && o == heard && d.answerBits == 4 && d.answer[0]&0x0F == ack {
			return nil
		}
		return d.refusal(o, err)
	})
	if err != nil {
		return fmt.Errorf("mfrc522: write page %d: %w", page, err)
	}
	return nil
}

// try calls the given function until it succeeds, at most three times. The function sends a
// command to the tag. After an error of the tag, try selects the tag again before the next
// call.
//
// If the chip fails, or if the tag cannot be selected again, try returns the error at once. If
// the memory is no longer valid, the error is errStale.
func (m *memory) try(ctx context.Context, do func(*Dev) error) error {
	d := m.dev
	if d.tag != m {
		return errStale
	}
	var err error
	for range maxTries {
		if !m.selected {
			if err := d.find(ctx, m.uid); err != nil {
				return err
			}
		}
		if err = do(d); err == nil {
			m.selected = true
			return nil
		}
		m.selected = false // after an error a tag is idle (9.3)
		if !isTag(err) {
			return err
		}
	}
	return err
}

// refusal returns err if it is not nil. Otherwise it returns the error for an unexpected
// answer.
func (d *Dev) refusal(o outcome, err error) error {
	switch {
	case err != nil:
		return err
	case o == silent:
		return nfc.ErrNoTag
	case o == heard && d.answerBits == 4:
		switch nak := d.answer[0] & 0x0F; nak {
		case nakArgument, nakLocked, nakMemory:
			return fmt.Errorf("NAK %Xh: %w", nak, nfc.ErrRefused)
		}
	}
	return errGarbled
}
