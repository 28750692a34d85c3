package mfrc522test

import "time"

// Addresses of the registers (table 20).
const (
	commandReg    = 0x01
	comIEn        = 0x02
	divIEn        = 0x03
	comIrq        = 0x04
	divIrq        = 0x05
	errorReg      = 0x06
	status1       = 0x07
	status2       = 0x08
	fifoData      = 0x09
	fifoLevel     = 0x0A
	waterLevel    = 0x0B
	control       = 0x0C
	bitFraming    = 0x0D
	coll          = 0x0E
	mode          = 0x11
	txMode        = 0x12
	rxMode        = 0x13
	txControl     = 0x14
	txASK         = 0x15
	demod         = 0x19
	mfRx          = 0x1D
	crcResultHigh = 0x21
	crcResultLow  = 0x22
	tMode         = 0x2A
	tPrescaler    = 0x2B
	tReloadHigh   = 0x2C
	tReloadLow    = 0x2D
	tCounterHigh  = 0x2E
	tCounterLow   = 0x2F
	autoTest      = 0x36
	versionReg    = 0x37
)

// Bits of the registers.
const (
	receiverOff = 0x20 // CommandReg
	sleepBit    = 0x10 // CommandReg: PowerDown

	setBit     = 0x80 // ComIrqReg, DivIrqReg: marked bits are set rather than cleared
	txIRq      = 0x40
	rxIRq      = 0x20
	idleIRq    = 0x10
	hiAlertIRq = 0x08
	loAlertIRq = 0x04
	errIRq     = 0x02
	timerIRq   = 0x01
	crcIRq     = 0x04 // DivIrqReg

	tempErr     = 0x40
	bufferOvfl  = 0x10
	collErr     = 0x08
	crcErr      = 0x04
	parityErr   = 0x02
	protocolErr = 0x01

	flush           = 0x80 // FIFOLevelReg
	stopTimer       = 0x80 // ControlReg
	startTimer      = 0x40
	startSend       = 0x80 // BitFramingReg
	valuesAfterColl = 0x80 // CollReg
	collNotValid    = 0x20
	txWaitRF        = 0x20 // ModeReg
	crcEnable       = 0x80 // TxModeReg, RxModeReg
	speed           = 0x70
	rxNoErr         = 0x08 // RxModeReg
	rxMultiple      = 0x04
	force100ASK     = 0x40 // TxASKReg
	prescalerEven   = 0x10 // DemodReg
	parityOff       = 0x10 // MfRxReg
	timerAuto       = 0x80 // TModeReg
	timerRestart    = 0x10
	mfCrypto1On     = 0x08 // Status2Reg
	irqInverted     = 0x80 // ComIEnReg
)

// registers holds the value of each register after a reset, and the bits that can simply be
// written (9.3). A register that is not listed is 0 after a reset, and a simple write does not
// change it.
var registers = [64]struct{ reset, writable byte }{
	comIEn: {0x80, 0xFF}, divIEn: {0x00, 0x94},
	comIrq: {0x14, 0}, status2: {0x00, 0xC0},
	waterLevel: {0x08, 0x3F}, control: {0x10, 0}, bitFraming: {0x00, 0xF7}, coll: {0xA0, valuesAfterColl},
	mode: {0x3F, 0xAB}, txMode: {0x00, 0xF8}, rxMode: {0x00, 0xFC}, txControl: {0x80, 0xFB}, txASK: {0x00, 0x40},
	0x16: {0x10, 0x3F}, 0x17: {0x84, 0xFF}, 0x18: {0x84, 0xF7}, demod: {0x4D, 0xFF},
	0x1C: {0x62, 0x03}, mfRx: {0x00, 0x10}, 0x1F: {0xEB, 0xFF},
	0x24: {0x26, 0xFF}, 0x26: {0x48, 0x70}, 0x27: {0x88, 0xFF}, 0x28: {0x20, 0x3F}, 0x29: {0x20, 0x3F},
	tMode: {0x00, 0xFF}, tPrescaler: {0x00, 0xFF}, tReloadHigh: {0x00, 0xFF}, tReloadLow: {0x00, 0xFF},
	0x31: {0x00, 0x07}, 0x32: {0x00, 0xFF}, 0x33: {0x80, 0xFE}, 0x34: {0x00, 0xFE}, autoTest: {0x40, 0x4F},
	0x38: {0x00, 0xFF}, 0x39: {0x00, 0x3F}, 0x3A: {0x00, 0x3F},
}

// load reads a register.
func (c *Chip) load(addr byte, now time.Time) byte {
	switch addr {
	case commandReg:
		if c.asleep {
			return c.command | sleepBit
		}
		return c.command
	case status1:
		return c.status1()
	case status2:
		return c.reg[status2]&^0x07 | c.modem()
	case fifoData:
		return c.pop()
	case fifoLevel:
		return byte(c.level)
	case crcResultHigh:
		return byte(c.crc >> 8)
	case crcResultLow:
		return byte(c.crc)
	case tCounterHigh:
		return byte(c.counter(now) >> 8)
	case tCounterLow:
		return byte(c.counter(now))
	case versionReg:
		return c.version
	}
	return c.reg[addr]
}

// store writes a register.
func (c *Chip) store(addr, value byte, now time.Time) {
	switch addr {
	case commandReg:
		c.order(value, now)
	case comIrq, divIrq:
		mask := value &^ setBit
		if addr == divIrq {
			mask &= 0x14 // MfinActIRq, CRCIRq
		}
		if value&setBit != 0 {
			c.reg[addr] |= mask
		} else {
			c.reg[addr] &^= mask
		}
	case status2:
		c.reg[status2] = c.reg[status2]&mfCrypto1On&value | value&registers[status2].writable
	case fifoData:
		c.push(value)
		c.feed()
	case fifoLevel:
		if value&flush != 0 {
			c.level = 0
			c.reg[errorReg] &^= bufferOvfl
			c.alert()
		}
	case control:
		if value&stopTimer != 0 {
			c.timer = event{}
		} else if value&startTimer != 0 {
			c.runTimer(now)
		}
	case bitFraming:
		c.reg[bitFraming] = value & registers[bitFraming].writable
		if value&startSend != 0 && c.doing(transceive) {
			c.send(now)
		}
	default:
		w := registers[addr].writable
		c.reg[addr] = c.reg[addr]&^w | value&w
		if addr == txControl {
			c.radio(now)
		}
	}
}

func (c *Chip) status1() byte {
	s := byte(0)
	if c.reg[divIrq]&crcIRq != 0 || !c.doing(calcCRC) {
		s |= 0x20 // CRCReady
	}
	if c.crc == 0 && c.reg[rxMode]&crcEnable != 0 {
		s |= 0x40 // CRCOk
	}
	if c.requested() {
		s |= 0x10
	}
	if c.timer.pending {
		s |= 0x08
	}
	if fifoSize-c.level <= int(c.reg[waterLevel]) {
		s |= 0x02
	}
	if c.level <= int(c.reg[waterLevel]) {
		s |= 0x01
	}
	return s
}

// modem returns ModemState (9.3.1.9).
func (c *Chip) modem() byte {
	switch {
	case c.frameEnd.pending:
		return 3
	case c.answerEnd.pending && !c.answerStart.pending && c.listening():
		return 6
	case c.listening() && c.command&0x0F == receive:
		return 5
	case c.doing(transceive):
		return 1
	}
	return 0
}

// requested reports whether the chip asks for an interrupt (8.3).
func (c *Chip) requested() bool {
	return c.reg[comIrq]&c.reg[comIEn]&0x7F != 0 || c.reg[divIrq]&c.reg[divIEn]&0x14 != 0
}

// The FIFO (8.4).

func (c *Chip) push(b byte) {
	if c.level == fifoSize {
		c.raise(bufferOvfl)
		return
	}
	c.fifo[c.level] = b
	c.level++
	c.alert()
}

func (c *Chip) pop() byte {
	if c.level == 0 {
		return 0
	}
	b := c.fifo[0]
	copy(c.fifo[:], c.fifo[1:c.level])
	c.level--
	c.alert()
	return b
}

// alert sets the interrupt flags if the FIFO, after a change, is nearly full or nearly empty.
func (c *Chip) alert() {
	if fifoSize-c.level <= int(c.reg[waterLevel]) {
		c.reg[comIrq] |= hiAlertIRq
	}
	if c.level <= int(c.reg[waterLevel]) {
		c.reg[comIrq] |= loAlertIRq
	}
}

func (c *Chip) raise(flags byte) {
	c.reg[errorReg] |= flags
	c.reg[comIrq] |= errIRq
}
