package nfctest

// Frames of ISO/IEC 14443-3: 6.4.1 (REQA, WUPA), 6.4.3 (HLTA), 6.5.3 (SEL, NVB).
const (
	reqa       = 0x26
	wupa       = 0x52
	hlta       = 0x50
	selCL1     = 0x93
	nvbSelect  = 0x70
	cascadeTag = 0x88
	sakCascade = 0x04
)

// CRCA returns the type A checksum of b (ISO/IEC 14443-3, annex B). The two bytes are in the
// order in which they are sent.
func CRCA(b []byte) [2]byte {
	crc := uint16(0x6363)
	for _, c := range b {
		c ^= byte(crc)
		c ^= c << 4
		crc = crc>>8 ^ uint16(c)<<8 ^ uint16(c)<<3 ^ uint16(c)>>4
	}
	return [2]byte{byte(crc), byte(crc >> 8)}
}

func checked(f []byte) ([]byte, bool) {
	if len(f) < 3 {
		return nil, false
	}
	body := f[:len(f)-2]
	return body, CRCA(body) == [2]byte(f[len(f)-2:])
}

// answerBytes answers with b and the checksum of b, and returns true. Its counterpart, the
// method answerNibble, answers with four bits and returns false. If the result is false, the
// caller puts the tag back to IDLE or HALT, as the tag must do after a NAK.
func (t *Tag) answerBytes(b []byte) bool {
	t.out = append(t.out[:0], b...)
	t.seal()
	return true
}

func (t *Tag) seal() {
	crc := CRCA(t.out)
	t.out = append(t.out, crc[0], crc[1])
	t.outBits = 8 * len(t.out)
}

func (t *Tag) answerNibble(b byte) bool {
	t.out = append(t.out[:0], b)
	t.outBits = 4
	return false
}

func (t *Tag) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.state, t.level, t.halted, t.authed, t.compatPage = idle, 0, false, false, -1
}

func (t *Tag) fall() {
	t.level, t.authed, t.compatPage = 0, false, -1
	t.state = idle
	if t.halted {
		t.state = halt
	}
}

// receive handles a frame of the given number of bits. It puts the answer into t.out, and the
// length of the answer in bits into t.outBits. If the tag does not answer, t.outBits is 0.
func (t *Tag) receive(f []byte, bits int) {
	t.out, t.outBits, t.parityError = t.out[:0], 0, false
	switch t.state {
	case idle, halt:
		t.wake(f, bits)
	case ready:
		t.anticollide(f, bits)
	case active:
		t.work(f, bits)
	}
	if t.outBits > 0 {
		t.answers++
		if t.spoilEvery > 0 && t.answers%t.spoilEvery == 0 {
			t.spoil()
		}
	}
}

func (t *Tag) wake(f []byte, bits int) {
	if bits != 7 || f[0] != wupa && (f[0] != reqa || t.state == halt) {
		return
	}
	t.halted = t.state == halt
	t.state, t.level = ready, 0
	t.out = append(t.out, t.kind.atqa[:]...)
	t.outBits = 16
}

// cascade returns the five bytes of a cascade level (6.5.4), and whether it is the last level.
func (t *Tag) cascade(level int) (cl [5]byte, last bool) {
	var b [10]byte
	uid := t.uid.AppendTo(b[:0])
	uid = uid[min(3*level, len(uid)):]
	if last = len(uid) <= 4; last {
		copy(cl[:4], uid)
	} else {
		cl[0] = cascadeTag
		copy(cl[1:4], uid)
	}
	cl[4] = cl[0] ^ cl[1] ^ cl[2] ^ cl[3]
	return cl, last
}

// anticollide handles a frame of the anticollision. If the frame is wrong or meant for another
// tag, the tag goes back to IDLE or HALT. From IDLE, it can answer the next REQA (6.3, figure
// 7).
func (t *Tag) anticollide(f []byte, bits int) {
	if body, ok := checked(f); ok && bits%8 == 0 && t.kind.pages > 0 &&
		len(body) == 2 && body[0] == cmdRead && body[1] == 0 {
		t.state = active // NTAG213/215/216 rev. 3.2, 8.4.2: READ of page 0 selects
		t.command(body)
		return
	}
	cl, last := t.cascade(t.level)
	if bits < 16 || f[0] != byte(selCL1+2*t.level) {
		t.fall()
		return
	}
	if f[1] == nvbSelect {
		body, ok := checked(f)
		if !ok || bits != 72 || [5]byte(body[2:]) != cl {
			t.fall()
			return
		}
		sak := t.kind.sak
		if last {
			t.state = active
		} else {
			sak = sakCascade
			t.level++
		}
		t.answerBytes([]byte{sak})
		return
	}
	known := int(f[1]>>4)*8 + int(f[1]&0x0F) - 16 // NVB counts SEL and itself
	if known < 0 || known >= 40 || bits != 16+known || !samePrefix(f[2:], cl[:], known) {
		t.fall()
		return
	}
	for i := known; i < 40; i++ {
		t.push(cl[i/8] >> (i % 8) & 1)
	}
}

func (t *Tag) push(bit byte) {
	if t.outBits%8 == 0 {
		t.out = append(t.out, 0)
	}
	t.out[t.outBits/8] |= bit << (t.outBits % 8)
	t.outBits++
}

// samePrefix reports whether the first n bits are equal, counting from the lowest bit of each
// byte.
func samePrefix(a, b []byte, n int) bool {
	for i := range n {
		if (a[i/8]^b[i/8])>>(i%8)&1 != 0 {
			return false
		}
	}
	return true
}

// work handles a frame that the tag receives in the state ACTIVE.
func (t *Tag) work(f []byte, bits int) {
	if bits%8 != 0 || bits < 16 {
		t.fall() // REQA or a torn frame: no answer
		return
	}
	body, ok := checked(f)
	if !ok {
		t.answerNibble(nakChecksum)
		t.fall()
		return
	}
	if len(body) == 2 && body[0] == hlta && body[1] == 0 {
		t.state, t.halted, t.authed, t.compatPage = halt, false, false, -1
		return // silence is the acknowledgement (6.4.3)
	}
	if !t.command(body) {
		t.fall() // 9.3: after a NAK the tag is idle again
	}
}

// spoil alternately cuts the answer off and flips a bit of it.
func (t *Tag) spoil() {
	turn := t.answers / t.spoilEvery
	if turn%2 == 0 {
		t.outBits = max(1, t.outBits*(1+turn%3)/5)
		t.out = t.out[:(t.outBits+7)/8]
		if over := t.outBits % 8; over != 0 {
			t.out[len(t.out)-1] &= 1<<over - 1
		}
		return
	}
	at := turn * 7 % t.outBits
	t.out[at/8] ^= 1 << (at % 8)
	t.parityError = true
}
