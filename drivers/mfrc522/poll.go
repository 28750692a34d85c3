package mfrc522

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tableside/drivers/nfc"
)

// Frames of ISO/IEC 14443-3: 6.4.1 (REQA, WUPA), 6.4.3 (HLTA), 6.5.3 (SEL).
const (
	reqa       = 0x26
	wupa       = 0x52
	hlta       = 0x50
	selCL1     = 0x93 // 95h and 97h on the next cascade levels
	nvbAll     = 0x70
	cascadeTag = 0x88
	sakCascade = 0x04 // the UID continues on the next level
	levels     = 3
)

const (
	fieldGuard = 5 * time.Millisecond    // before the first frame; ISO/IEC 14443-3, 5
	fieldOff   = 5100 * time.Microsecond // until tags lose their state; NFC Forum Digital 1.1, tFIELD_OFF

	maxTags  = 12 // in one poll
	maxFails = 3  // bad answers that a poll survives

	// pollLimit ends a poll, but not before minTries tags were tried: the
	// machine may have been slow.
	pollLimit = 250 * time.Millisecond
	minTries  = 4

	// When a tag was late in lateEnough polls in a row, the chip is slow: from then on every
	// poll gives tags the longer limit. One empty poll in longPollEvery asks again with the longer
	// limit, to find a chip with which tags are always late.
	lateEnough    = 3
	longPollEvery = 20
)

// Poll appends the UIDs of all tags in the field to the slice, and returns the slice. It
// switches the field on at first, and off at the end. Poll finds several tags one after the
// other. It puts each tag that it has found to sleep (HLTA), until no tag answers any more.
//
// The tags of the last poll are tried first, by their UIDs. These tags need no anticollision,
// and the last of them needs no HLTA.
func (d *Dev) Poll(ctx context.Context, seen []nfc.UID) ([]nfc.UID, error) {
	d.tag = nil
	before := len(seen)
	seen, err := d.poll(ctx, seen)
	if off := d.field(rfOff); err == nil {
		err = off
	}
	if err != nil {
		return seen, fmt.Errorf("mfrc522: poll: %w", err)
	}
	d.lastUIDs = append(d.lastUIDs[:0], seen[before:]...)
	return seen, nil
}

func (d *Dev) poll(ctx context.Context, seen []nfc.UID) ([]nfc.UID, error) {
	known := len(seen)
	began := time.Now()
	if err := d.open(ctx); err != nil {
		return seen, err
	}
	var trouble error
	// vanished says that a tag did not answer in time. late says that a tag answered, but
	// only within the longer limit.
	vanished, late := false, false
	defer func() { d.learn(late) }()
	d.waitTicks = quickTicks
	if d.latePolls >= lateEnough {
		d.waitTicks = slowTicks
	}
	// After a failure a tag may be in a state in which it ignores one REQA and
	// answers the next.
	command, asks, last := byte(wupa), 1, d.lastUIDs
	for tries, fails := 0, 0; ; tries++ {
		here, err := d.wakeTags(ctx, command, asks)
		if err == nil && !here && tries == 0 && d.longerIsDue() {
			d.waitTicks = slowTicks
			// Two, because a tag that received the first command ignores the next.
			here, err = d.wakeTags(ctx, command, 2)
			late = here
		}
		if err != nil || !here {
			return seen, cmp.Or(err, trouble)
		}
		if len(seen)-known >= maxTags || tries >= minTries && time.Since(began) > pollLimit {
			return seen, errTooMany
		}
		command = reqa
		var uid nfc.UID
		before := len(last) > 0
		if before {
			uid, last = last[0], last[1:]
			err = d.selectUID(ctx, uid)
		} else {
			uid, err = d.resolve(ctx)
		}
		switch {
		case err == nil:
			if !slices.Contains(seen[known:], uid) {
				seen = append(seen, uid)
			}
			// The last of the tags known from before stays selected: it ignores the next REQA
			// (ISO/IEC 14443-3, 6.3), and others answer.
			if !before || len(last) > 0 {
				if err := d.sleepTag(ctx); err != nil {
					return seen, err
				}
			}
			trouble, asks = nil, 1
			late = late || vanished
		case errors.Is(err, nfc.ErrNoTag): // another tag has answered
			trouble, asks = errVanished, 2
		case errors.Is(err, nfc.ErrUnreadable):
			trouble, asks = err, 2
			vanished = vanished || d.waitTicks == quickTicks && errors.Is(err, errVanished)
			d.waitTicks = slowTicks
			if fails++; fails > maxFails {
				return seen, trouble
			}
		default:
			return seen, err
		}
	}
}

// longerIsDue counts a poll that no tag has answered. It reports whether the poll should ask
// once more, with a longer time limit.
func (d *Dev) longerIsDue() bool {
	d.emptyPolls++
	return d.waitTicks == quickTicks && (d.latePolls > 0 || d.emptyPolls%longPollEvery == 0)
}

// learn records whether a tag was late in a poll. Once d.latePolls has reached lateEnough, it
// stays there.
func (d *Dev) learn(late bool) {
	switch {
	case d.latePolls >= lateEnough:
	case late:
		d.latePolls++
	default:
		d.latePolls = 0
	}
}

// open switches the field off and on, and waits until tags can answer.
func (d *Dev) open(ctx context.Context) error {
	if !d.ready {
		return errors.New("the chip is not initialised")
	}
	if d.rf != rfOff {
		if err := d.field(rfOff); err != nil {
			return err
		}
	}
	if rest := fieldOff - time.Since(d.offAt); rest > 0 {
		if err := d.clock.Sleep(ctx, rest); err != nil {
			return err
		}
	}
	if err := d.field(rfOn); err != nil {
		return err
	}
	return d.clock.Sleep(ctx, fieldGuard)
}

func (d *Dev) field(rf byte) error {
	d.wire.set(regTxControl, rf)
	if d.rf = rf; rf == rfOff {
		d.offAt = time.Now()
	}
	return d.wire.flush()
}

// wakeTags sends a command up to n times, until a tag answers. The command is reqa or wupa.
// wakeTags reports whether a tag answered. A damaged answer counts too.
func (d *Dev) wakeTags(ctx context.Context, command byte, n int) (bool, error) {
	for range n {
		d.frame[0] = command
		// The answer, ATQA, is ignored: several tags may give different ones,
		// and clones give wrong ones.
		o, err := d.ask(ctx, question{n: 1, lastBits: 7, wantBits: 16, waitTicks: d.waitTicks, blind: true})
		if err != nil || o != silent {
			return err == nil, err
		}
	}
	return false, nil
}

// resolve selects one of the tags that have answered and returns the tag's UID. If the tag
// cannot be selected, the error wraps nfc.ErrUnreadable. Any other error concerns the chip.
func (d *Dev) resolve(ctx context.Context) (nfc.UID, error) {
	var uid [10]byte
	n := 0
	for level := range levels {
		cl, err := d.anticollision(ctx, level)
		if err != nil {
			return nfc.UID{}, err
		}
		more, err := d.choose(ctx, level, cl)
		if err != nil {
			return nfc.UID{}, err
		}
		if !more { // the tag decides, not the cascade tag: a UID may begin with 88h
			n += copy(uid[n:], cl[:4])
			return nfc.NewUID(uid[:n])
		}
		if cl[0] != cascadeTag {
			return nfc.UID{}, errGarbled
		}
		n += copy(uid[n:], cl[1:4])
	}
	return nfc.UID{}, errGarbled // a fourth level
}

// anticollision finds the four bytes of a tag on a cascade level, and their check byte
// (6.5.3). If a bit of several tags collides, anticollision continues with the tags that have
// a 1 there.
func (d *Dev) anticollision(ctx context.Context, level int) (cl [5]byte, err error) {
	for known := 0; ; {
		whole, odd := known/8, known%8
		n := 2 + whole
		if odd != 0 {
			n++
		}
		d.frame[0], d.frame[1] = selCL1+2*byte(level), byte(2+whole)<<4|byte(odd)
		copy(d.frame[2:], cl[:])
		o, err := d.ask(ctx, question{n: n, lastBits: odd, align: odd, wantBits: 40 - 8*whole, waitTicks: d.waitTicks})
		if err != nil {
			return cl, err
		}
		switch o {
		case silent:
			return cl, errVanished
		case garbled:
			return cl, errGarbled
		}
		// The first bits of d.answer do not belong to this answer: RxAlign skips them.
		if len(d.answer) > 0 {
			mask := byte(1)<<odd - 1
			d.answer[0] = d.answer[0]&^mask | cl[whole]&mask
			copy(cl[whole:], d.answer)
		}
		if o == heard {
			if d.answerBits != 40-8*whole {
				return cl, errGarbled
			}
			if cl[4] != cl[0]^cl[1]^cl[2]^cl[3] {
				return cl, errChecksum
			}
			return cl, nil
		}
		// CollPos counts in the FIFO, including the bits that RxAlign skips (as
		// NXP's reader library assumes, and as the MFRC631 data sheet, 9.6.4,
		// says of that chip).
		at := 8*whole + d.coll
		if at <= known || at > 32 {
			return cl, errCollision
		}
		keep(&cl, at)
		known = at
	}
}

// keep keeps the first bits-1 bits of a UID, sets the next one to 1, and clears the rest.
func keep(cl *[5]byte, bits int) {
	for i := range cl {
		if from := 8 * i; from >= bits {
			cl[i] = 0
		} else if bits-from < 8 {
			cl[i] &= 1<<(bits-from) - 1
		}
	}
	cl[(bits-1)/8] |= 1 << ((bits - 1) % 8)
}

// choose selects the tag that has the given bytes on a cascade level. It reports whether the
// tag's UID continues on the next level.
func (d *Dev) choose(ctx context.Context, level int, cl [5]byte) (more bool, err error) {
	d.frame[0], d.frame[1] = selCL1+2*byte(level), nvbAll
	copy(d.frame[2:], cl[:])
	o, err := d.ask(ctx, question{n: d.seal(7), wantBits: 24, waitTicks: d.waitTicks})
	switch {
	case err != nil:
		return false, err
	case o == silent:
		return false, errVanished
	case o != heard || d.answerBits != 24:
		return false, errGarbled
	case !sealed(d.answer):
		return false, errChecksum
	}
	return d.answer[0]&sakCascade != 0, nil
}

// sleepTag puts the selected tag to sleep. Silence is its answer (6.4.3), so
// the chip does not listen.
func (d *Dev) sleepTag(ctx context.Context) error {
	d.frame[0], d.frame[1] = hlta, 0
	n := d.seal(2)
	if err := d.start(cmdTransmit, question{n: n}); err != nil {
		return err
	}
	return d.clock.Sleep(ctx, airTime(8*n)+frameDelay+margin)
}
