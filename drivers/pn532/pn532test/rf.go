package pn532test

import (
	"time"

	"tableside/drivers/nfc/nfctest"
)

// What commands report (UM0701-02, 7.1).
const (
	statusOK       = 0x00
	statusTimeout  = 0x01
	statusCRC      = 0x02
	statusParity   = 0x03
	statusFraming  = 0x05
	statusCollided = 0x06
	statusTooLong  = 0x07 // for the buffer
	statusParam    = 0x10
	statusFormat   = 0x13
	statusContext  = 0x27
)

// Frames of ISO/IEC 14443-3, 6.4 and 6.5.
const (
	reqa       = 0x26
	wupa       = 0x52
	hlta       = 0x50
	selCL1     = 0x93
	nvbNone    = 0x20
	nvbAll     = 0x70
	cascadeTag = 0x88
	sakCascade = 0x04
	sakPart4   = 0x20
)

// A target is a tag that InListPassiveTarget has found.
type target struct {
	atqa   [2]byte // as on the air
	sak    byte
	levels [3][5]byte // what was selected at each cascade level
	depth  int
	uid    [10]byte
	uidLen int
}

// air sends a frame of whole bytes with a checksum.
func (c *Chip) air(b ...byte) nfctest.Answer {
	var buf [maxData + 2]byte
	frame := append(buf[:0], b...)
	crc := nfctest.CRCA(frame)
	frame = append(frame, crc[0], crc[1])
	return c.heard(c.field.Transceive(frame, 0))
}

// heard takes the time of a frame.
func (c *Chip) heard(a nfctest.Answer) nfctest.Answer {
	if a.OK {
		c.later(frameDelay)
	} else {
		c.later(quietDelay)
	}
	return a
}

// wake sends REQA or WUPA.
func (c *Chip) wake(cmd byte) (atqa [2]byte, ok bool) {
	frame := [1]byte{cmd}
	a := c.heard(c.field.Transceive(frame[:], 7))
	if a.Bits != 16 || a.Parity {
		return atqa, false
	}
	return [2]byte(a.Data), true
}

// identify finds the bits of one tag at a cascade level. Where tags differ it
// goes on with those that sent 1.
func (c *Chip) identify(level int) (cl [5]byte, ok bool) {
	var frame [7]byte
	frame[0] = byte(selCL1 + 2*level)
	for bits := 0; bits < 40; {
		frame[1] = byte(nvbNone + bits/8<<4 + bits%8)
		a := c.heard(c.field.Transceive(frame[:2+(bits+7)/8], bits%8))
		if a.Bits != 40-bits || a.Parity {
			return cl, false
		}
		n := a.Bits
		if a.Collision >= 0 {
			n = a.Collision + 1
		}
		for i := range n {
			frame[2+bits/8] |= a.Data[i/8] >> (i % 8) & 1 << (bits % 8)
			bits++
		}
	}
	cl = [5]byte(frame[2:])
	return cl, cl[0]^cl[1]^cl[2]^cl[3] == cl[4]
}

// choose selects at a cascade level.
func (c *Chip) choose(level int, cl [5]byte) (sak byte, ok bool) {
	a := c.air(byte(selCL1+2*level), nvbAll, cl[0], cl[1], cl[2], cl[3], cl[4])
	if a.Bits != 24 || a.Collision >= 0 || a.Parity || nfctest.CRCA(a.Data[:1]) != [2]byte(a.Data[1:3]) {
		return 0, false
	}
	return a.Data[0], true
}

// activate finds one tag among those that answer REQA. known are the bytes of
// its cascade levels, if the host gave any.
func (c *Chip) activate(known []byte) (t target, ok bool) {
	if t.atqa, ok = c.wake(reqa); !ok {
		return t, false
	}
	for level := range 3 {
		var cl [5]byte
		if len(known) >= 4 {
			copy(cl[:], known[:4])
			cl[4] = cl[0] ^ cl[1] ^ cl[2] ^ cl[3]
			known = known[4:]
		} else if cl, ok = c.identify(level); !ok {
			return t, false
		}
		if t.sak, ok = c.choose(level, cl); !ok {
			return t, false
		}
		t.levels[level] = cl
		t.depth = level + 1
		if t.sak&sakCascade == 0 {
			t.uidLen += copy(t.uid[t.uidLen:], cl[:4])
			return t, true
		}
		if cl[0] != cascadeTag {
			return t, false
		}
		t.uidLen += copy(t.uid[t.uidLen:], cl[1:4])
	}
	return t, false
}

// retrySelect tries to activate as often as RFConfiguration says. 0xFF is
// without an end: the caller comes back.
func (c *Chip) retrySelect(known []byte) (t target, ok bool) {
	tries := int(c.retries)
	if c.retries == 0xFF {
		tries = 0
	}
	for range tries + 1 {
		if t, ok = c.activate(known); ok {
			return t, true
		}
	}
	return t, false
}

// find looks for up to n tags.
func (c *Chip) find(n int, known []byte) {
	c.release()
	c.fieldOn()
	for i := range n {
		var ok bool
		if i == 0 {
			c.targets[0], ok = c.retrySelect(known)
		} else {
			c.sleepCurrent() // so that the others can be heard
			c.targets[i], ok = c.activate(nil)
		}
		if !ok {
			break
		}
		c.listed = i + 1
		c.current = i + 1
	}
}

// sleepCurrent sends the tag that listens to sleep.
func (c *Chip) sleepCurrent() {
	if c.current != 0 {
		c.air(hlta, 0x00)
		c.current = 0
	}
}

// listPassiveTargets is 7.3.5.
func (c *Chip) listPassiveTargets(p []byte) outcome {
	if len(p) < 2 || p[0] < 1 || p[0] > 2 {
		return refused
	}
	max, speed, known := int(p[0]), p[1], p[2:]
	switch speed {
	case 0x00: // 106 kbit/s type A
	case 0x01, 0x02, 0x03, 0x04: // FeliCa, type B, Jewel: there are no such tags here
		c.fieldOn()
		c.later(quietDelay)
		if c.retries == 0xFF {
			return waiting
		}
		c.answer = append(c.answer, 0)
		return done
	default:
		return refused
	}
	if len(known)%4 != 0 || len(known) > 12 {
		return refused
	}
	c.find(max, known)
	if c.listed == 0 && c.retries == 0xFF {
		return waiting
	}
	c.answer = append(c.answer, byte(c.listed))
	for i := range c.listed {
		c.describe(i)
	}
	return done
}

// describe appends a target as 7.3.5 lays it out: SENS_RES with its high byte
// first.
func (c *Chip) describe(i int) {
	t := &c.targets[i]
	c.answer = append(c.answer, byte(i+1), t.atqa[1], t.atqa[0], t.sak, byte(t.uidLen))
	c.answer = append(c.answer, t.uid[:t.uidLen]...)
}

// autoPoll is 7.3.13, for type A: so many polls for each type, at a pace of
// 150 ms times the period.
func (c *Chip) autoPoll(p []byte) outcome {
	if len(p) < 3 || p[1] < 1 || p[1] > 15 {
		return refused
	}
	polls, period, types := int(p[0]), time.Duration(p[1])*150*time.Millisecond, p[2:]
	kind := types[c.polls%len(types)]
	if kind == 0x00 || kind == 0x10 { // any type A, MIFARE
		retries := c.retries
		c.retries = 0
		c.find(1, nil)
		c.retries = retries
	}
	if c.listed > 0 {
		c.answer = append(c.answer, 1, 0x10, byte(5+c.targets[0].uidLen))
		c.describe(0)
		return done
	}
	c.polls++
	c.later(period)
	if polls == 0xFF || c.polls < polls*len(types) {
		return waiting
	}
	c.answer = append(c.answer, 0)
	return done
}

// switchTo makes a target the one that listens: WUPA wakes all that sleep,
// SELECT picks one, and the others fall asleep again.
func (c *Chip) switchTo(n int) (status byte) {
	if n < 1 || n > c.listed {
		return statusContext
	}
	if c.current == n {
		return statusOK
	}
	c.sleepCurrent()
	t := &c.targets[n-1]
	if _, ok := c.wake(wupa); !ok {
		return statusTimeout
	}
	for level := range t.depth {
		if _, ok := c.choose(level, t.levels[level]); !ok {
			return statusTimeout
		}
	}
	c.current = n
	return statusOK
}

// dataExchange is 7.3.8.
func (c *Chip) dataExchange(n int, data []byte) {
	status := c.switchTo(n)
	if status != statusOK {
		c.fail(status)
		return
	}
	if len(data) == 0 {
		c.fail(statusParam)
		return
	}
	if data[0] == mifareWrite && len(data) == 18 {
		// The 16 bytes are a frame of their own, once the address is accepted.
		if a := c.air(data[:2]...); a.Bits != 4 || a.Data[0] != ackNibble {
			c.tagSaid(a)
			return
		}
		data = data[2:]
	}
	c.tagSaid(c.air(data...))
}

// Of type 2 tags (NFC Forum Type 2 Tag 1.1, 5.1) and MIFARE.
const (
	mifareWrite = 0xA0
	ackNibble   = 0x0A
)

// tagSaid reports a tag's answer.
func (c *Chip) tagSaid(a nfctest.Answer) {
	switch {
	case !a.OK:
		c.fail(statusTimeout)
	case a.Parity:
		c.fail(statusParity)
	case a.Bits == 4 && a.Data[0] == ackNibble:
		c.ok(nil)
	case a.Bits == 4: // NAK: shorter than any answer
		c.fail(statusFormat)
	case a.Bits%8 != 0:
		c.fail(statusFraming)
	case a.Bits < 24 || nfctest.CRCA(a.Data[:a.Bits/8-2]) != [2]byte(a.Data[a.Bits/8-2:]):
		c.fail(statusCRC)
	case a.Bits/8-2 > maxData-3:
		c.fail(statusTooLong)
	default:
		c.ok(a.Data[:a.Bits/8-2])
	}
}

func (c *Chip) ok(data []byte) {
	c.lastError = statusOK
	c.answer = append(c.answer, statusOK)
	c.answer = append(c.answer, data...)
}

func (c *Chip) fail(status byte) {
	c.lastError = status
	c.answer = append(c.answer, status)
}

// communicateThru is 7.3.9: a frame as the registers say. Without a frame the
// chip only listens, to tags that talk first; here are none.
func (c *Chip) communicateThru(data []byte) {
	c.fieldOn()
	if len(data) == 0 {
		c.later(quietDelay)
		c.fail(statusTimeout)
		return
	}
	tx := c.registers[regTxMode&0xFF]
	rx := c.registers[regRxMode&0xFF]
	bits := int(c.registers[regBitFraming&0xFF] & 0x07)
	if tx&0x03 != 0 || tx&0x70 != 0 || c.registers[regManualRCV&0xFF]&parityDisable != 0 {
		c.later(quietDelay)
		c.fail(statusTimeout) // not a frame that type A tags understand
		return
	}
	var a nfctest.Answer
	if tx&modeCRC != 0 {
		a = c.air(data...)
	} else {
		a = c.heard(c.field.Transceive(data, bits))
	}
	control := &c.registers[regControl&0xFF]
	*control = *control&^0x07 | byte(a.Bits%8)
	bytes := (a.Bits + 7) / 8
	switch {
	case !a.OK:
		c.fail(statusTimeout)
	case a.Collision >= 0:
		c.fail(statusCollided)
	case a.Parity:
		c.fail(statusParity)
	case rx&modeCRC == 0:
		c.ok(a.Data[:bytes])
	case a.Bits%8 != 0:
		c.fail(statusFraming)
	case bytes < 3 || nfctest.CRCA(a.Data[:bytes-2]) != [2]byte(a.Data[bytes-2:]):
		c.fail(statusCRC)
	default:
		c.ok(a.Data[:bytes-2])
	}
}

// handle is InSelect, InDeselect and InRelease (7.3.10 to 7.3.12); target 0 is
// all of them.
func (c *Chip) handle(code byte, n int) {
	switch {
	case code == cmdInSelect:
		if status := c.switchTo(n); status != statusOK {
			c.fail(status)
			return
		}
	case n > c.listed:
		c.fail(statusContext)
		return
	default:
		if n == 0 || n == c.current {
			c.sleepCurrent()
		}
		if code == cmdInRelease && (n == 0 || c.listed == 1) {
			c.release()
		}
	}
	c.ok(nil)
}
