package nfctest

// Commands of the NTAG21x (NTAG213/215/216 data sheet rev. 3.2, 9.1).
const (
	cmdGetVersion  = 0x60
	cmdRead        = 0x30
	cmdFastRead    = 0x3A
	cmdWrite       = 0xA2
	cmdCompatWrite = 0xA0
	cmdReadCounter = 0x39
	cmdPassword    = 0x1B
	cmdSignature   = 0x3C
)

// Answers of four bits (NTAG213/215/216 data sheet rev. 3.2, 9.3).
const (
	ack         = 0xA
	nakArgument = 0x0 // missing or protected page
	nakChecksum = 0x1
	nakClassic  = 0x4 // of a MIFARE Classic (MF1S50YYX rev. 3.2): not allowed
)

// command makes an active tag answer a command. The slice f holds the command without its
// checksum. If the answer is an error, command returns false. Otherwise it returns true.
func (t *Tag) command(f []byte) bool {
	if t.kind.pages == 0 {
		return t.answerNibble(nakClassic)
	}
	if t.compatPage >= 0 { // the second half of a COMPATIBILITY_WRITE (10.5)
		page := t.compatPage
		t.compatPage = -1
		if len(f) != 16 {
			return t.answerNibble(nakArgument)
		}
		return t.writeAnswer(page, [4]byte(f[:4]))
	}
	switch {
	case f[0] == cmdGetVersion && len(f) == 1:
		return t.answerBytes(t.kind.version[:])
	case f[0] == cmdRead && len(f) == 2:
		if !t.mayRead(int(f[1])) {
			return t.answerNibble(nakArgument)
		}
		var four [16]byte
		t.readFour(int(f[1]), &four)
		return t.answerBytes(four[:])
	case f[0] == cmdFastRead && len(f) == 3:
		return t.fastRead(int(f[1]), int(f[2]))
	case f[0] == cmdWrite && len(f) == 6:
		return t.writeAnswer(int(f[1]), [4]byte(f[2:6]))
	case f[0] == cmdCompatWrite && len(f) == 2:
		if !t.mayWrite(int(f[1])) {
			return t.answerNibble(nakArgument)
		}
		t.compatPage = int(f[1])
		t.answerNibble(ack)
		return true
	case f[0] == cmdPassword && len(f) == 5:
		return t.answerPassword([4]byte(f[1:5]))
	case f[0] == cmdSignature && len(f) == 2:
		var made [32]byte // not one that NXP would sign
		return t.answerBytes(made[:])
	}
	return t.answerNibble(nakArgument) // READ_CNT too: the counter is off at delivery
}

func (t *Tag) writeAnswer(page int, data [4]byte) bool {
	if !t.write(page, data) {
		return t.answerNibble(nakArgument)
	}
	t.answerNibble(ack)
	return true
}

// fastRead answers with the pages of a range and returns true. The range includes its first
// and its last page (10.3). If the range is empty or a page may not be read, fastRead answers
// NAK and returns false.
func (t *Tag) fastRead(from, to int) bool {
	if from > to || to >= t.kind.pages || !t.mayRead(from) || !t.mayRead(to) {
		return t.answerNibble(nakArgument)
	}
	t.out = t.out[:0]
	for p := from; p <= to; p++ {
		page := t.page(p)
		t.out = append(t.out, page[:]...)
	}
	t.seal()
	return true
}

// answerPassword answers the command PWD_AUTH (10.7). If pwd is the right password, it answers
// PACK and returns true. Otherwise it answers NAK and returns false.
func (t *Tag) answerPassword(pwd [4]byte) bool {
	if pwd != [4]byte(t.mem[t.config()+8:][:4]) {
		return t.answerNibble(nakArgument)
	}
	t.authed = true
	return t.answerBytes(t.mem[t.config()+12:][:2])
}

// isProtected reports whether a page needs a password that has not been given. protectsReading
// reports whether reading such a page needs the password, too. configLocked reports whether
// the configuration is locked against changes. All three read the configuration (8.5.7).
func (t *Tag) isProtected(page int) bool {
	return page >= int(t.mem[t.config()+3]) && !t.authed
}
func (t *Tag) protectsReading() bool { return t.mem[t.config()+4]&0x80 != 0 }
func (t *Tag) configLocked() bool    { return t.mem[t.config()+4]&0x40 != 0 }

func (t *Tag) page(n int) (p [4]byte) {
	if n < t.kind.dynamic+3 {
		copy(p[:], t.mem[n*pageLen:])
	}
	return p
}

func (t *Tag) mayRead(page int) bool {
	return page < t.kind.pages && !(t.protectsReading() && t.isProtected(page))
}

// readFour reads four pages, beginning with the given page. After the last page that a reader
// may see, readFour continues with page 0 (10.2).
func (t *Tag) readFour(page int, to *[16]byte) {
	for i := range 4 {
		p := t.page(page)
		copy(to[i*pageLen:], p[:])
		page++
		if !t.mayRead(page) {
			page = 0
		}
	}
}

// mayWrite reports whether a page may be written. It takes into account the lock bits (8.5.2,
// 8.5.3), the password and the configuration lock.
func (t *Tag) mayWrite(page int) bool {
	switch k := t.kind; {
	case page < 2 || page >= k.pages || t.isProtected(page):
		return false
	case page == 2 || page == k.dynamic:
		return true
	case page > k.dynamic+2:
		return true // PWD and PACK can be written though the rest is locked
	case page > k.dynamic:
		return !t.configLocked()
	case page < 16:
		return t.staticLocks()>>page&1 == 0
	default:
		return t.dynamicLocks()>>((page-16)/k.span)&1 == 0
	}
}

// staticLocks returns the static lock bits. Each of the bits 3 to 15 locks the page with the
// same number. The bits 0 to 2 make some of the other bits unchangeable (8.5.2).
func (t *Tag) staticLocks() uint32 {
	return uint32(t.mem[10]) | uint32(t.mem[11])<<8
}

// dynamicLocks returns the dynamic lock bits. Each of the bits 0 to 15 locks a span of pages.
// The first span begins at page 16. The bits from 16 on make these lock bits unchangeable
// (8.5.3).
func (t *Tag) dynamicLocks() uint32 {
	b := t.mem[t.kind.dynamic*pageLen:]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16
}

// write writes a page and returns true. If the page may not be written, write returns false.
// In the lock bytes and the capability container, bits can be set but not cleared (8.5.2 to
// 8.5.4).
func (t *Tag) write(page int, data [4]byte) bool {
	if t.kind.pages == 0 || !t.mayWrite(page) {
		return false
	}
	t.writes++
	p := t.mem[page*pageLen:][:pageLen]
	switch page {
	case 2:
		free := t.freeStatic()
		p[2] |= data[2] & byte(free)
		p[3] |= data[3] & byte(free>>8)
	case 3:
		for i := range p {
			p[i] |= data[i]
		}
	case t.kind.dynamic:
		free := t.freeDynamic()
		for i := range 3 {
			p[i] |= data[i] & byte(free>>(8*i))
		}
	default:
		copy(p, data[:])
	}
	return true
}

// freeStatic returns a mask of the static lock bits that can still be set. Bit 0 makes the
// lock bit of page 3 unchangeable. Bit 1 does the same for pages 4 to 9, and bit 2 for pages
// 10 to 15.
func (t *Tag) freeStatic() uint32 {
	locks, free := t.staticLocks(), uint32(0xFFFF)
	for bit, frozen := range []uint32{0x0008, 0x03F0, 0xFC00} {
		if locks>>bit&1 != 0 {
			free &^= frozen
		}
	}
	return free
}

// freeDynamic returns a mask of the dynamic lock bits that can still be set. Each of the lock
// bits 16 to 23 makes two of the lock bits 0 to 15 unchangeable.
func (t *Tag) freeDynamic() uint32 {
	locks, free := t.dynamicLocks(), uint32(0xFFFFFF)
	for bit := range 8 {
		if locks>>(16+bit)&1 != 0 {
			free &^= 3 << (2 * bit)
		}
	}
	return free
}
