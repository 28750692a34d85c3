package pn532test

import "tableside/drivers/nfc/nfctest"

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
)

// A target is a tag that InListPassiveTarget found.
type target struct {
	atqa   [2]byte // as on the air
	sak    byte
	levels [3][5]byte // what was selected at each cascade level
	depth  int
	uid    [10]byte
	uidLen int
}

// air sends the bytes b and their checksum as one frame, and returns the answer of the tags.
func (c *Chip) air(b ...byte) nfctest.Answer {
	var buf [maxData + 2]byte
	frame := append(buf[:0], b...)
	crc := nfctest.CRCA(frame)
	frame = append(frame, crc[0], crc[1])
	return c.addFrameTime(c.field.Transceive(frame, 0))
}

// addFrameTime lengthens the time of the command by the time of one frame to the tags. The
// caller passes the answer to the frame, which addFrameTime returns unchanged.
func (c *Chip) addFrameTime(a nfctest.Answer) nfctest.Answer {
	if a.OK {
		c.delayAnswer(frameDelay)
	} else {
		c.delayAnswer(quietDelay)
	}
	return a
}

func (c *Chip) wake(cmd byte) (atqa [2]byte, ok bool) {
	frame := [1]byte{cmd}
	a := c.addFrameTime(c.field.Transceive(frame[:], 7))
	if a.Bits != 16 || a.ParityError {
		return atqa, false
	}
	return [2]byte(a.Data), true
}

// identify returns the five bytes of one tag at a cascade level. Where the bits of several
// tags differ, identify continues with the tags that sent 1. If an answer is missing or
// damaged, ok is false.
func (c *Chip) identify(level int) (cl [5]byte, ok bool) {
	var frame [7]byte
	frame[0] = byte(selCL1 + 2*level)
	for bits := 0; bits < 40; {
		frame[1] = byte(nvbNone + bits/8<<4 + bits%8)
		a := c.addFrameTime(c.field.Transceive(frame[:2+(bits+7)/8], bits%8))
		if a.Bits != 40-bits || a.ParityError {
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

// choose selects a tag by its bytes at a cascade level, and returns the SAK of the tag. If the
// answer is missing or damaged, ok is false.
func (c *Chip) choose(level int, cl [5]byte) (sak byte, ok bool) {
	a := c.air(byte(selCL1+2*level), nvbAll, cl[0], cl[1], cl[2], cl[3], cl[4])
	if a.Bits != 24 || a.Collision >= 0 || a.ParityError || nfctest.CRCA(a.Data[:1]) != [2]byte(a.Data[1:3]) {
		return 0, false
	}
	return a.Data[0], true
}

// activate selects one of the tags that answer REQA, and returns the tag. If the host asked
// for a certain tag, levels holds the bytes of the tag's cascade levels. If an answer is
// missing or damaged, ok is false.
func (c *Chip) activate(levels []byte) (t target, ok bool) {
	if t.atqa, ok = c.wake(reqa); !ok {
		return t, false
	}
	for level := range 3 {
		var cl [5]byte
		if len(levels) >= 4 {
			copy(cl[:], levels[:4])
			cl[4] = cl[0] ^ cl[1] ^ cl[2] ^ cl[3]
			levels = levels[4:]
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

// retrySelect calls activate until a tag is selected or no retry is left. RFConfiguration sets
// the number of retries. If this number is 0xFF, the search has no end. Then retrySelect calls
// activate only once, and the caller must call retrySelect again.
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

// find searches for up to n tags. The tags found become the chip's targets, and the last of
// them stays active. If the host wants a certain tag as the first target, levels holds the
// bytes of this tag's cascade levels. Otherwise levels is empty.
func (c *Chip) find(n int, levels []byte) {
	c.release()
	c.fieldOn()
	for i := range n {
		var ok bool
		if i == 0 {
			c.targets[0], ok = c.retrySelect(levels)
		} else {
			c.sleepCurrent() // so that the others answer
			c.targets[i], ok = c.activate(nil)
		}
		if !ok {
			break
		}
		c.listed = i + 1
		c.current = i + 1
	}
}

func (c *Chip) sleepCurrent() {
	if c.current != 0 {
		c.air(hlta, 0x00)
		c.current = 0
	}
}

// switchTo makes target n the active target. WUPA wakes all halted tags, SELECT picks the
// target, and the other tags fall asleep again. If there is no target n, the status is
// statusContext. If the target does not answer, the status is statusTimeout.
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
