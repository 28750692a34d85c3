package tape

// The bytes that address the MFRC522's FIFO. A transfer that writes begins with fifoWrite, and
// this one byte is enough for all the bytes to write. A transfer that reads has one fifoRead
// for each byte to read (data sheet, 8.1.2).
const (
	fifoWrite = 0x09 << 1
	fifoRead  = 0x80 | 0x09<<1
)

// fifoReads reports whether a transfer reads only from the FIFO. The transfer sends the bytes
// in w.
func fifoReads(w []byte) bool {
	for _, address := range w[:len(w)-1] {
		if address != fifoRead {
			return false
		}
	}
	return true
}

// Parts of frames of ISO/IEC 14443-3, 6.5.3. The byte SEL is selFirst at the first cascade
// level and selLast at the last level. If the byte NVB is nvbAll, a whole UID follows.
const (
	selFirst, selLast = 0x93, 0x97
	nvbAll            = 0x70
)

func isSelect(frame []byte) bool {
	return len(frame) >= 2 && frame[0] >= selFirst && frame[0] <= selLast && frame[0]&1 == 1
}

// ask masks, in place, a frame that is sent to tags.
func (m *mask) ask(frame []byte) {
	m.lastFrame = append(m.lastFrame[:0], frame...)
	switch {
	case isSelect(frame) && frame[1] == nvbAll && len(frame) == 9:
		before := crcA(frame[:7])
		level := int(frame[0]-selFirst) / 2
		if level == 0 {
			m.selects(nil)
		}
		cl := frame[2:7]
		real := [5]byte(cl)
		m.level(level, cl)
		if from := real[:4]; len(m.tag) == 3*level {
			if real[0] == cascadeTag {
				from = real[1:4]
			}
			m.tag = append(m.tag, from...)
		}
		seal(frame, 7, before)
	case len(frame) == 4 && frame[0] == tagRead:
		m.page = frame[1]
	}
}

// answer masks, in place, the bytes a that tags have sent.
func (m *mask) answer(a []byte) {
	switch f := m.lastFrame; {
	case isSelect(f) && f[1] != nvbAll:
		m.maskFound(a)
	case len(f) == 4 && f[0] == tagRead && len(a) == 16+2:
		before := crcA(a[:16])
		m.maskMemory(m.page, a[:16])
		seal(a, 16, before)
	}
}

// maskFound masks the bytes of a UID that a tag has sent in the anticollision. It overwrites
// these bytes. The earlier bytes of the UID were in the reader's frame, m.lastFrame.
func (m *mask) maskFound(a []byte) {
	f := m.lastFrame
	level, whole, odd := int(f[0]-selFirst)/2, int(f[1]>>4)-2, f[1]&7
	if whole < 0 || whole > 4 || whole+len(a) > 5 || len(f) < 2+whole {
		return
	}
	var cl [5]byte
	copy(cl[:], f[2:2+whole])
	copy(cl[whole:], a)
	low := byte(1)<<odd - 1 // bits of the first byte that were also in the question
	if odd != 0 && len(f) > 2+whole {
		cl[whole] = cl[whole]&^low | f[2+whole]&low
	}
	if whole+len(a) == 5 && cl[4] == check(cl[:4], 0) {
		m.level(level, cl[:])
		first := a[0]
		copy(a, cl[whole:])
		a[0] = a[0]&^low | first&low
		return
	}
	// Several tags answered together, or the answer is damaged. Only the bytes that masking
	// never changes are kept, because they tell the tags apart; the others become 0.
	kept := 0
	if level == 0 {
		kept = 1
		if cl[0] == cascadeTag {
			kept = 3
		}
	}
	for i := range a {
		if whole+i >= kept {
			a[i] = 0
		}
	}
	if whole+len(a) == 5 {
		copy(cl[whole:], a)
		a[len(a)-1] = ^check(cl[:4], 0) // a wrong check byte stays wrong
	}
}

// level masks, in place, the bytes of one cascade level and their check byte. The first level
// is 0.
func (m *mask) level(level int, cl []byte) {
	before := check(cl[:4], 0)
	goesOn := cl[0] == cascadeTag && level < 2
	if goesOn && level == 0 {
		cl[3] ^= m.secret(1, cl[1:3]...)[0]
	} else if len(m.tag) >= 3*level {
		uid := append([]byte{}, m.tag[:3*level]...)
		if goesOn {
			copy(cl[1:4], m.secret(3, append(uid, cl[1:4]...)...))
		} else {
			copy(cl, m.uid(append(uid, cl[:4]...))[3*level:])
		}
	}
	cl[4] ^= before ^ check(cl[:4], 0)
}

// seal changes the two check bytes that follow frame[:n], because frame[:n] was masked. If the
// check bytes were right before the masking, they become right again. If they were wrong, they
// stay wrong. The caller passes as sum the checksum that frame[:n] had before the masking.
func seal(frame []byte, n int, sum uint16) {
	change := sum ^ crcA(frame[:n])
	frame[n] ^= byte(change)
	frame[n+1] ^= byte(change >> 8)
}

// crcA returns the checksum of ISO/IEC 14443-3, type A (annex B).
func crcA(b []byte) uint16 {
	crc := uint16(0x6363)
	for _, c := range b {
		c ^= byte(crc)
		c ^= c << 4
		crc = crc>>8 ^ uint16(c)<<8 ^ uint16(c)<<3 ^ uint16(c)>>4
	}
	return crc
}
