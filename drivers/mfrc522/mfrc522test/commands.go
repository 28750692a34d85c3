package mfrc522test

import "time"

// Commands (table 149).
const (
	idle        = 0x0
	mem         = 0x1
	randomID    = 0x2
	calcCRC     = 0x3
	transmit    = 0x4
	noCmdChange = 0x7
	receive     = 0x8
	transceive  = 0xC
	mfAuthent   = 0xE
	softReset   = 0xF
)

func (c *Chip) doing(command byte) bool { return c.command&0x0F == command }

// listening reports whether the receiver works and its bytes go to the FIFO.
func (c *Chip) listening() bool {
	return !c.rfOnAt.IsZero() && c.command&receiverOff == 0 && !c.frameEnd.pending &&
		(c.doing(receive) || c.doing(transceive))
}

// order executes a write to CommandReg (9.3.1.2).
func (c *Chip) order(value byte, now time.Time) {
	command := value & 0x0F
	if c.asleep {
		if value&sleepBit == 0 && c.upAt.IsZero() {
			c.upAt = now.Add(startUp)
		}
		return
	}
	if value&sleepBit != 0 && command != softReset {
		c.command = value & receiverOff
		c.asleep, c.upAt = true, time.Time{}
		c.frameEnd, c.timer = event{}, event{}
		c.radio(now)
		return
	}
	if command == noCmdChange {
		c.command = c.command&0x0F | value&receiverOff
		return
	}
	c.command = value & (receiverOff | 0x0F)
	if c.frameEnd.pending { // a frame that is not fully sent is cut off
		c.frameEnd, c.answerStart, c.answerEnd = event{}, event{}, event{}
	}
	if command != idle {
		c.reg[errorReg] &= tempErr
	}
	switch command {
	case idle, receive, transceive:
	case mem:
		c.runMem()
		c.finish()
	case randomID:
		for i := range 10 {
			c.buffer[i] = byte(c.dice.IntN(256))
		}
		c.finish()
	case calcCRC:
		c.crc = c.preset()
		c.feed()
	case transmit:
		c.send(now)
	case mfAuthent: // its cipher is not emulated
		c.level = 0
		c.raise(protocolErr)
		c.finish()
	case softReset:
		c.setReset(now)
	default: // unknown: IdleIRq in 9.3.1.5
		c.finish()
	}
}

func (c *Chip) finish() {
	c.command &^= 0x0F
	c.reg[comIrq] |= idleIRq
}

// runMem runs the command Mem, which moves data between the FIFO and the chip's buffer
// (10.3.1.2). If the FIFO has 25 bytes or more, runMem moves 25 bytes into the buffer. If the
// FIFO is empty, runMem copies the buffer into the FIFO. Otherwise it does nothing.
func (c *Chip) runMem() {
	switch {
	case c.level >= bufferSize:
		for i := range c.buffer {
			c.buffer[i] = c.pop()
		}
	case c.level == 0:
		for _, b := range c.buffer {
			c.push(b)
		}
	}
}

// preset returns the initial value of checksums (CRCPreset, 9.3.2.2).
func (c *Chip) preset() uint16 {
	return [...]uint16{0x0000, 0x6363, 0xA671, 0xFFFF}[c.reg[mode]&0x03]
}

// feed adds the FIFO's bytes to the checksum if the chip is computing one.
func (c *Chip) feed() {
	if !c.doing(calcCRC) {
		return
	}
	for c.level > 0 {
		c.crc = crc16(c.crc, c.pop())
	}
	c.reg[divIrq] |= crcIRq
}

// crc16 adds a byte to a checksum of ISO/IEC 3309, the lowest bit first.
func crc16(crc uint16, b byte) uint16 {
	crc ^= uint16(b)
	for range 8 {
		if crc&1 != 0 {
			crc = crc>>1 ^ 0x8408
		} else {
			crc >>= 1
		}
	}
	return crc
}

// The time on the air at 106 kBd (ISO/IEC 14443-3, 6.2.1.1).
const (
	bitTime    = 9440 * time.Nanosecond
	frameDelay = 91200 * time.Nanosecond
	readDelay  = 1 * time.Millisecond    // of READ, which may take 5 ms (NTAG213/215/216 rev. 3.2, table 22)
	writeDelay = 4100 * time.Microsecond // NTAG213/215/216 rev. 3.2, table 5: tWRITE
)

// send takes a frame out of the FIFO and begins to send the frame. If the FIFO is empty or a
// frame is still being sent, send does nothing. It also does nothing while TxWaitRF waits for
// a field.
func (c *Chip) send(now time.Time) {
	if c.level == 0 || c.frameEnd.pending || c.rfOnAt.IsZero() && c.reg[mode]&txWaitRF != 0 {
		return
	}
	n := copy(c.frame[:], c.fifo[:c.level])
	c.level = 0
	c.alert()
	last := int(c.reg[bitFraming] & 0x07)
	if c.reg[txMode]&crcEnable != 0 && last == 0 {
		crc := c.preset()
		for _, b := range c.frame[:n] {
			crc = crc16(crc, b)
		}
		c.frame[n], c.frame[n+1] = byte(crc), byte(crc>>8)
		n += 2
	}
	c.length, c.lastBits = n, last
	bits := 8 * n
	if last != 0 {
		bits += last - 8
	}
	c.warm = !c.rfOnAt.IsZero() && now.Sub(c.rfOnAt) >= c.warmUp
	c.frameEnd, c.answerStart, c.answerEnd = event{true, now.Add(onAir(bits))}, event{}, event{}
}

// reach delivers a sent frame to the tags. If the tags answer, reach keeps the answer and sets
// the times of two events. At the first event the chip notices the answer. At the second event
// the whole answer has come.
func (c *Chip) reach(at time.Time) {
	understood := c.reg[txASK]&force100ASK != 0 && (c.reg[txMode]|c.reg[rxMode])&speed == 0
	if c.rfOnAt.IsZero() || !understood || !c.warm {
		return
	}
	c.reply = c.field.Transceive(c.frame[:c.length], c.lastBits)
	if !c.reply.OK {
		return
	}
	c.air = append(c.air[:0], c.reply.Data...)
	delay := frameDelay
	switch {
	case c.frame[0] == 0x30 && c.length == 4:
		delay = readDelay
	case c.frame[0] == 0xA2 && c.length == 8:
		delay = writeDelay
	}
	if c.length > 1 || c.lateAll {
		delay += c.answerDelay
	}
	begin := at.Add(delay)
	c.answerStart = event{true, begin.Add(5 * bitTime)}
	c.answerEnd = event{true, begin.Add(onAir(c.reply.Bits))}
}

func onAir(bits int) time.Duration { return time.Duration(bits+bits/8+2) * bitTime }

// deliver moves an answer from the air into the FIFO, and sets the flags for the answer. If
// the receiver is not listening, deliver does nothing. It also ignores an answer of fewer than
// four bits if RxNoErr is set.
func (c *Chip) deliver() {
	bits, clash := c.reply.Bits, c.reply.Collision
	if !c.listening() || bits < 4 && c.reg[rxMode]&rxNoErr != 0 {
		return
	}
	align := int(c.reg[bitFraming] >> 4 & 0x07)
	c.reg[coll] = c.reg[coll]&valuesAfterColl | collNotValid
	flags := byte(0)
	good := bits // these bits are kept as received
	if clash >= 0 {
		flags |= collErr
		if at := align + clash + 1; at <= 32 {
			c.reg[coll] = c.reg[coll]&valuesAfterColl | byte(at)&0x1F
		}
		if c.reg[coll]&valuesAfterColl == 0 {
			good = clash
		}
	}
	if c.reply.ParityError && c.reg[mfRx]&parityOff == 0 {
		flags |= parityErr
	}
	if c.reg[rxMode]&crcEnable != 0 {
		bits, flags = c.check(bits, flags)
		good = min(good, bits)
	}
	c.reg[control] = c.reg[control]&^0x07 | byte((align+bits)%8)
	var b byte
	for i := range align + bits {
		if at := i - align; at >= 0 && at < good && c.air[at/8]>>(at%8)&1 != 0 {
			b |= 1 << (i % 8)
		}
		if i%8 == 7 || i == align+bits-1 {
			c.push(b)
			b = 0
		}
	}
	c.reg[comIrq] |= rxIRq
	if flags != 0 {
		c.raise(flags)
	}
	if c.doing(receive) {
		c.finish()
	}
}

// check tests the checksum of an answer of the given number of bits (RxCRCEn). It returns the
// number of bits without the checksum, and the flags. If the checksum is wrong, or if the
// answer cannot hold a checksum, check adds crcErr to the flags.
func (c *Chip) check(bits int, flags byte) (int, byte) {
	if bits%8 != 0 || bits < 24 {
		return bits, flags | crcErr
	}
	c.crc = c.preset()
	for _, b := range c.air[:bits/8] {
		c.crc = crc16(c.crc, b)
	}
	if c.crc != 0 {
		flags |= crcErr
	}
	return bits - 16, flags
}
