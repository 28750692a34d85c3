package pn532test

import "time"

// Commands (UM0701-02, 7.2 and 7.3).
const (
	cmdDiagnose            = 0x00
	cmdGetFirmwareVersion  = 0x02
	cmdGetGeneralStatus    = 0x04
	cmdReadRegister        = 0x06
	cmdWriteRegister       = 0x08
	cmdReadGPIO            = 0x0C
	cmdWriteGPIO           = 0x0E
	cmdSetSerialBaudRate   = 0x10
	cmdSetParameters       = 0x12
	cmdSAMConfiguration    = 0x14
	cmdPowerDown           = 0x16
	cmdRFConfiguration     = 0x32
	cmdInDataExchange      = 0x40
	cmdInCommunicateThru   = 0x42
	cmdInDeselect          = 0x44
	cmdInListPassiveTarget = 0x4A
	cmdInRelease           = 0x52
	cmdInSelect            = 0x54
	cmdRFRegulationTest    = 0x58
	cmdInAutoPoll          = 0x60
)

// samNormal is the mode of SAMConfiguration without a SAM (7.2.10).
const samNormal = 0x01

// An outcome is the result of a command.
type outcome int

const (
	done    outcome = iota // c.answer is the answer
	refused                // answered with the error frame
	waiting                // for a tag
)

// work executes a command, given its code and its parameters p. It appends the answer to
// c.answer.
func (c *Chip) work(code byte, p []byte) outcome {
	switch code {
	case cmdDiagnose:
		return c.diagnose(p)
	case cmdGetFirmwareVersion:
		c.answer = append(c.answer, 0x32, 0x01, 0x06, 0x07)
	case cmdGetGeneralStatus:
		c.generalStatus()
	case cmdReadRegister:
		return c.readRegisters(p)
	case cmdWriteRegister:
		return c.writeRegisters(p)
	case cmdReadGPIO:
		c.answer = append(c.answer, 0xFF, 0xFF, 0x00)
	case cmdWriteGPIO:
		if len(p) != 2 {
			return refused
		}
	case cmdSetSerialBaudRate:
		if len(p) != 1 || p[0] > 8 {
			return refused
		}
	case cmdSetParameters:
		if len(p) != 1 {
			return refused
		}
		c.params = p[0]
	case cmdSAMConfiguration:
		if len(p) < 1 || len(p) > 3 || p[0] < 1 || p[0] > 4 {
			return refused
		}
		c.lowBatt, c.sam = false, p[0]
	case cmdPowerDown:
		if len(p) < 1 || len(p) > 2 {
			return refused
		}
		c.answer = append(c.answer, statusOK)
		c.field.SetPower(false)
		c.release()
		c.sleepPending, c.lowBatt = true, true
	case cmdRFConfiguration:
		return c.rfConfiguration(p)
	case cmdRFRegulationTest:
		return waiting // it sends until the next command
	default:
		return c.workRF(code, p)
	}
	return done
}

// workRF executes a command that needs the antenna. It has the same parameters and result as
// the method work.
func (c *Chip) workRF(code byte, p []byte) outcome {
	switch code {
	case cmdInListPassiveTarget:
		if c.sam != samNormal {
			return refused // the antenna belongs to a SAM, which no board has (7.2.10)
		}
		return c.listPassiveTargets(p)
	case cmdInAutoPoll:
		return c.autoPoll(p)
	case cmdInDataExchange:
		if len(p) < 1 {
			return refused
		}
		c.dataExchange(int(p[0]&0x3F), p[1:])
	case cmdInCommunicateThru:
		c.communicateThru(p)
	case cmdInSelect, cmdInDeselect, cmdInRelease:
		if len(p) != 1 {
			return refused
		}
		c.handle(code, int(p[0]))
	default:
		return refused // commands for targets, FeliCa, type B and DEP
	}
	return done
}

// diagnose implements Diagnose (7.2.1). The first byte of p names the self-test to run.
func (c *Chip) diagnose(p []byte) outcome {
	if len(p) < 1 {
		return refused
	}
	switch p[0] {
	case 0x00: // communication line: everything comes back
		c.answer = append(c.answer, p...)
	case 0x01, 0x02, 0x07: // ROM, RAM, antenna: all well
		c.answer = append(c.answer, 0x00)
	case 0x06: // whether an ISO/IEC 14443-4 card is still there: there never was one
		c.answer = append(c.answer, statusContext)
	default:
		return refused
	}
	return done
}

// generalStatus implements GetGeneralStatus (7.2.3). The answer holds the last error, the
// external field, the targets with their speeds, and the SAM.
func (c *Chip) generalStatus() {
	c.answer = append(c.answer, c.lastError, 0x00, byte(c.listed))
	for i := range c.listed {
		c.answer = append(c.answer, byte(i+1), 0x00, 0x00, 0x10)
	}
	c.answer = append(c.answer, 0x00)
}

// Registers of the contactless unit (PN532/C1 data sheet, 8.6.23) that the emulation obeys.
// Every other register of the unit is plain memory.
const (
	regTxMode     = 0x6302
	regRxMode     = 0x6303
	regManualRCV  = 0x630D
	regControl    = 0x633C
	regBitFraming = 0x633D

	modeCRC       = 0x80
	parityDisable = 0x10
)

// readRegisters implements ReadRegister (7.2.4). p holds addresses of two bytes each; the
// answer holds the values of those registers.
func (c *Chip) readRegisters(p []byte) outcome {
	if len(p) == 0 || len(p)%2 != 0 {
		return refused
	}
	for ; len(p) > 0; p = p[2:] {
		v := byte(0)
		if p[0] == 0x63 {
			v = c.registers[p[1]]
		}
		c.answer = append(c.answer, v)
	}
	return done
}

// writeRegisters implements WriteRegister (7.2.5). p holds addresses of two bytes, each
// followed by the value to write.
func (c *Chip) writeRegisters(p []byte) outcome {
	if len(p) == 0 || len(p)%3 != 0 {
		return refused
	}
	for ; len(p) > 0; p = p[3:] {
		if p[0] == 0x63 {
			c.registers[p[1]] = p[2]
		}
	}
	return done
}

// rfItems holds the length in bytes of each item of RFConfiguration, by the item's number.
var rfItems = [...]int{0x01: 1, 0x02: 3, 0x04: 1, 0x05: 3, 0x0A: 11, 0x0B: 8, 0x0C: 3, 0x0D: 9}

// rfConfiguration implements RFConfiguration (7.3.1).
func (c *Chip) rfConfiguration(p []byte) outcome {
	if len(p) < 1 {
		return refused
	}
	item, p := p[0], p[1:]
	if int(item) >= len(rfItems) || rfItems[item] == 0 || rfItems[item] != len(p) {
		return refused
	}
	switch item {
	case 0x01:
		if p[0]&1 != 0 {
			c.fieldOn()
		} else {
			c.field.SetPower(false)
			c.current = 0
		}
	case 0x05:
		c.retries = p[2]
	}
	return done
}

// fieldOn switches the field on. If the field was off, fieldOn delays the answer to the
// current command, because tags need time to get their power.
func (c *Chip) fieldOn() {
	if !c.field.Power() {
		c.field.SetPower(true)
		c.workTime += fieldDelay
	}
}

// delayAnswer adds d to the time that the current command takes until its answer.
func (c *Chip) delayAnswer(d time.Duration) { c.workTime += d }
