package pn532

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"tableside/drivers/nfc"
)

// Parameters of InListPassiveTarget (7.3.5).
const (
	maxTargets = 2    // the most it can find
	typeA      = 0x00 // 106 kbit/s type A

	// longAnswer is the length of the answer for two tags with UIDs of 7 bytes.
	longAnswer = 1 + maxTargets*(5+7)
)

// Poll finds the tags in the field and appends their UIDs to the slice seen. The chip finds at
// most two tags. After any error except nfc.ErrUnreadable, Poll appends nothing.
func (d *Dev) Poll(ctx context.Context, seen []nfc.UID) ([]nfc.UID, error) {
	d.begin()
	d.deselect()
	before := len(seen)
	seen, err := d.poll(ctx, seen)
	if err != nil {
		if !errors.Is(err, nfc.ErrUnreadable) {
			seen = seen[:before]
		}
		return seen, fmt.Errorf("pn532: poll: %w", err)
	}
	return seen, nil
}

func (d *Dev) poll(ctx context.Context, seen []nfc.UID) ([]nfc.UID, error) {
	before := len(seen)
	seen, unreadable, err := d.look(ctx, seen, before)
	if err == nil && unreadable == nil && len(seen)-before < d.lastCount {
		// A tag was taken away, or did not answer this time.
		seen, unreadable, err = d.look(ctx, seen, before)
	}
	if err == nil && unreadable == nil && len(seen) == before && d.lastCount > 0 {
		unreadable, err = d.findHidden(ctx)
	}
	if err != nil {
		return seen, err
	}
	d.lastCount = len(seen) - before
	if unreadable != nil {
		d.lastCount = max(d.lastCount, 1)
	}
	if err := d.fieldOff(ctx); err != nil {
		return seen, err
	}
	return seen, unreadable
}

// look lists the tags in the field once. It appends their UIDs to the slice seen, except those
// that are in seen[start:] already. If the answer makes no sense, the second result is an
// nfc.ErrUnreadable. The third result is an error of the chip.
func (d *Dev) look(ctx context.Context, seen []nfc.UID, start int) (_ []nfc.UID, unreadable, err error) {
	// A new tag may have come since the last poll. If the last answer was longer than guessed,
	// the next one probably is too.
	expect := max(d.listLen, min(longAnswer, d.link.guess()-overhead-2))
	data, err := d.list(ctx, expect, maxTargets, typeA)
	if err != nil {
		return seen, nil, err
	}
	d.listLen = len(data)
	seen, unreadable = appendTargets(seen, start, data)
	return seen, unreadable, nil
}

// list runs InListPassiveTarget and returns the parameters of the answer. The caller passes
// the probable length of the answer's parameters in bytes, and the parameters of the command.
// If the first try fails, list tries once more.
//
// Before each try, list switches the field off, because a tag that was found before would not
// answer again in the same field. Afterwards the field stays on.
func (d *Dev) list(ctx context.Context, size int, params ...byte) (data []byte, err error) {
	for range 2 {
		if dark := d.dark(ctx); dark != nil {
			return nil, cmp.Or(err, dark) // the first error
		}
		d.fieldOn = true
		data, err = d.commandWithoutRetry(ctx, cmdInListPassiveTarget, size, params...)
		if err == nil || ctx.Err() != nil {
			break
		}
	}
	return data, err
}

// A target is one tag in the answer to InListPassiveTarget.
type target struct {
	number byte
	uid    nfc.UID
}

// nextTarget parses the first target in the answer and returns the rest of the answer. A
// target consists of number, SENS_RES, SEL_RES, length of the UID, and UID. Nothing follows
// the UID, because automatic RATS is off. If the answer is cut off, or if the UID has an
// impossible length, ok is false.
func nextTarget(data []byte) (t target, rest []byte, ok bool) {
	if len(data) < 5 || len(data) < 5+int(data[4]) {
		return target{}, nil, false
	}
	n := 5 + int(data[4])
	uid, err := nfc.NewUID(data[5:n])
	return target{number: data[0], uid: uid}, data[n:], err == nil
}

// appendTargets appends the UIDs of tags to the slice seen, except those that are in
// seen[start:] already. The tags are those in data, an answer to InListPassiveTarget.
//
// The error is nfc.ErrUnreadable if the answer is empty or describes fewer tags than it
// announces. The error is the same if there are bytes after the last tag.
func appendTargets(seen []nfc.UID, start int, data []byte) ([]nfc.UID, error) {
	if len(data) == 0 {
		return seen, fmt.Errorf("an empty answer: %w", nfc.ErrUnreadable)
	}
	count, data := int(data[0]), data[1:]
	for range count {
		t, rest, ok := nextTarget(data)
		if !ok {
			return seen, fmt.Errorf("the answer describes no tag: %w", nfc.ErrUnreadable)
		}
		if !slices.Contains(seen[start:], t.uid) {
			seen = append(seen, t.uid)
		}
		data = rest
	}
	if len(data) > 0 {
		return seen, fmt.Errorf("the answer goes on behind its last tag: %w", nfc.ErrUnreadable)
	}
	return seen, nil
}

// Registers of the contactless unit (data sheet, 8.6.23). The mode registers choose between
// frames with and without checksums. The bit framing register says how many bits of the last
// byte are sent.
const (
	regTxMode     = 0x6302
	regRxMode     = 0x6303
	regBitFraming = 0x633D
	withCRC       = 0x80
	wupa          = 0x52 // ISO/IEC 14443-3, 6.4.1: seven bits
	wupaBits      = 7
)

// findHidden sends WUPA to find a tag that InListPassiveTarget hides because its answers are
// damaged. If a tag answers, the first result is an nfc.ErrUnreadable. The second result is an
// error of the chip.
func (d *Dev) findHidden(ctx context.Context) (unreadable, err error) {
	if err := d.setFraming(ctx, 0, wupaBits); err != nil {
		return nil, err
	}
	// A tag that was being selected takes the first for an error, is silent,
	// and answers the second.
	for range 2 {
		data, err := d.command(ctx, cmdInCommunicateThru, 1+2, wupa) // status, ATQA
		if err != nil {
			return nil, err
		}
		if len(data) == 0 || data[0]&statusMask != statusTimeout {
			unreadable = fmt.Errorf("no UID, but an answer to WUPA: %w", nfc.ErrUnreadable)
			break
		}
	}
	return unreadable, d.setFraming(ctx, withCRC, 0)
}

// setFraming sets how InCommunicateThru sends and receives. The mode is withCRC, or 0 for
// frames without checksums. lastBits says how many bits of the last byte are sent, where 0
// means all.
func (d *Dev) setFraming(ctx context.Context, mode, lastBits byte) error {
	_, err := d.command(ctx, cmdWriteRegister, 0,
		regTxMode>>8, regTxMode&0xFF, mode,
		regRxMode>>8, regRxMode&0xFF, mode,
		regBitFraming>>8, regBitFraming&0xFF, lastBits)
	return err
}
