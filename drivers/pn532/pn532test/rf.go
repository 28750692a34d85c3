package pn532test

import (
	"time"

	"tableside/drivers/nfc/nfctest"
)

// Status codes that commands report (UM0701-02, 7.1).
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

// listPassiveTargets implements InListPassiveTarget (7.3.5).
func (c *Chip) listPassiveTargets(p []byte) outcome {
	if len(p) < 2 || p[0] < 1 || p[0] > 2 {
		return refused
	}
	max, speed, known := int(p[0]), p[1], p[2:]
	switch speed {
	case 0x00: // 106 kbit/s type A
	case 0x01, 0x02, 0x03, 0x04: // FeliCa, type B, Jewel: there are no such tags here
		c.fieldOn()
		c.delayAnswer(quietDelay)
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

// describe appends target i to the answer in the layout of InListPassiveTarget (7.3.5). In
// this layout, the high byte of SENS_RES comes first.
func (c *Chip) describe(i int) {
	t := &c.targets[i]
	c.answer = append(c.answer, byte(i+1), t.atqa[1], t.atqa[0], t.sak, byte(t.uidLen))
	c.answer = append(c.answer, t.uid[:t.uidLen]...)
}

// autoPoll implements InAutoPoll (7.3.13) for type A. It polls PollNr times for each type. If
// PollNr is FFh, the polls have no end. The pause between two polls is Period × 150 ms.
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
	c.delayAnswer(period)
	if polls == 0xFF || c.polls < polls*len(types) {
		return waiting
	}
	c.answer = append(c.answer, 0)
	return done
}

// dataExchange implements InDataExchange (7.3.8) with target n.
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
			c.appendTagStatus(a)
			return
		}
		data = data[2:]
	}
	c.appendTagStatus(c.air(data...))
}

// mifareWrite is the code of a command of MIFARE cards. The first answer to the command is
// ackNibble. Type 2 tags give this answer too (NFC Forum Type 2 Tag 1.1, 5.1).
const (
	mifareWrite = 0xA0
	ackNibble   = 0x0A
)

// appendTagStatus appends a status byte to the response for the host. The status tells what
// became of the tag's answer. If the status is OK, appendTagStatus also appends the tag's
// data.
func (c *Chip) appendTagStatus(a nfctest.Answer) {
	switch {
	case !a.OK:
		c.fail(statusTimeout)
	case a.ParityError:
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

// communicateThru implements InCommunicateThru (7.3.9). It sends data as a frame, in the way
// that the registers say. If data is empty, the chip only listens for tags that talk first.
// Such tags do not exist here.
func (c *Chip) communicateThru(data []byte) {
	c.fieldOn()
	if len(data) == 0 {
		c.delayAnswer(quietDelay)
		c.fail(statusTimeout)
		return
	}
	tx := c.registers[regTxMode&0xFF]
	rx := c.registers[regRxMode&0xFF]
	bits := int(c.registers[regBitFraming&0xFF] & 0x07)
	if tx&0x03 != 0 || tx&0x70 != 0 || c.registers[regManualRCV&0xFF]&parityDisable != 0 {
		c.delayAnswer(quietDelay)
		c.fail(statusTimeout) // not a frame that type A tags understand
		return
	}
	var a nfctest.Answer
	if tx&modeCRC != 0 {
		a = c.air(data...)
	} else {
		a = c.addFrameTime(c.field.Transceive(data, bits))
	}
	control := &c.registers[regControl&0xFF]
	*control = *control&^0x07 | byte(a.Bits%8)
	bytes := (a.Bits + 7) / 8
	switch {
	case !a.OK:
		c.fail(statusTimeout)
	case a.Collision >= 0:
		c.fail(statusCollided)
	case a.ParityError:
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

// handle implements InSelect, InDeselect and InRelease (7.3.10 to 7.3.12) for target n. If n
// is 0, InSelect fails, and the other two commands concern all targets.
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
