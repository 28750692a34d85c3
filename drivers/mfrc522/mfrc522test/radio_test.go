package mfrc522test

import (
	"bytes"
	"testing"
	"time"
)

func TestTransceive(t *testing.T) {
	with(t, func(h *host) {
		h.field.Put(tag(t, "C0FFEE01"))
		h.radio()
		h.send(7, 0x26)
		if got := h.read(comIrq, fifoLevel); got[0]&(txIRq|rxIRq) != 0 || got[1] != 0 {
			t.Errorf("sent and answered at once: % X", got)
		}
		time.Sleep(200 * time.Microsecond)
		if irq := h.read(comIrq)[0]; irq&(txIRq|rxIRq|timerIRq) != txIRq {
			t.Errorf("the question is out, the answer is not in: ComIrqReg %02X", irq)
		}
		if got := h.answer(); !bytes.Equal(got, []byte{0x04, 0x00}) {
			t.Errorf("ATQA % X", got)
		}
		if irq := h.read(comIrq)[0]; irq&(txIRq|rxIRq|timerIRq|errIRq) != txIRq|rxIRq {
			t.Errorf("ComIrqReg %02X: the answer stops the timer", irq)
		}
		h.send(0, 0x93, 0x20)
		if got := h.answer(); !bytes.Equal(got, []byte{0xC0, 0xFF, 0xEE, 0x01, 0xD0}) {
			t.Errorf("anticollision % X", got)
		}
		h.write(txMode, crcEnable)
		h.write(rxMode, crcEnable)
		h.send(0, 0x93, 0x70, 0xC0, 0xFF, 0xEE, 0x01, 0xD0)
		if got := h.answer(); !bytes.Equal(got, []byte{0x08}) {
			t.Errorf("SAK % X", got)
		}
		h.expect(errorReg, 0)
		h.send(0, 0x30, 0x00) // a Classic refuses: four bits without a checksum
		if got := h.answer(); len(got) != 1 {
			t.Errorf("NAK % X", got)
		}
		h.expect(errorReg, crcErr)
		if c := h.read(control)[0]; c&7 != 4 {
			t.Errorf("ControlReg %02X", c)
		}
	})
}

// TestSilence checks what the chip and the tag do not answer.
func TestSilence(t *testing.T) {
	for name, spoil := range map[string]func(h *host){
		"no field":      func(h *host) { h.write(txControl, 0x80); h.write(mode, 0x1D) },
		"no full ASK":   func(h *host) { h.write(txASK, 0) },
		"8 bits":        func(h *host) { h.write(bitFraming, 0) },
		"another speed": func(h *host) { h.write(txMode, 0x10) },
		"tags need a while": func(h *host) {
			h.chip.SetWarmUp(time.Millisecond)
			h.write(txControl, 0x80)
			h.write(txControl,
				0x83)
		},
	} {
		t.Run(name, func(t *testing.T) {
			with(t, func(h *host) {
				h.field.Put(tag(t, "C0FFEE01"))
				h.radio()
				spoil(h)
				framing := byte(7)
				if name == "8 bits" {
					framing = 0
				}
				h.send(framing, 0x26)
				if got := h.answer(); len(got) != 0 {
					t.Errorf("answer % X", got)
				}
				if irq := h.read(comIrq)[0]; irq&(txIRq|rxIRq|timerIRq) != txIRq|timerIRq {
					t.Errorf("ComIrqReg %02X", irq)
				}
			})
		})
	}
	with(t, func(h *host) {
		h.field.Put(tag(t, "C0FFEE01"))
		h.radio()
		h.write(txControl, 0x80)
		h.send(7, 0x26)
		time.Sleep(time.Second)
		if irq := h.read(comIrq)[0]; irq&(txIRq|timerIRq) != 0 {
			t.Errorf("TxWaitRF, no field: ComIrqReg %02X", irq)
		}
		h.write(txControl, 0x83)
		h.write(comIrq, 0x7F)
		h.write(fifoLevel, flush)
		h.write(fifoData, 0x26)
		h.write(commandReg, idle)
		h.write(bitFraming, startSend|7) // only in Transceive
		h.write(commandReg, transceive)
		time.Sleep(time.Second)
		if irq := h.read(comIrq)[0]; irq&txIRq != 0 {
			t.Errorf("StartSend before Transceive: ComIrqReg %02X", irq)
		}
		h.write(bitFraming, startSend|7)
		h.write(commandReg, idle) // cut off
		time.Sleep(time.Second)
		if got := h.read(comIrq, fifoLevel); got[0]&(txIRq|rxIRq) != 0 || got[1] != 0 || h.field.Frames() != 0 {
			t.Errorf("Idle while sending: % X, %d frames", got, h.field.Frames())
		}
	})
}

func TestTransmitAndReceive(t *testing.T) {
	with(t, func(h *host) {
		h.field.Put(tag(t, "C0FFEE01"))
		h.radio()
		h.write(comIrq, 0x7F)
		h.write(bitFraming, 7)
		h.write(fifoData, 0x26)
		h.write(commandReg, transmit)
		time.Sleep(100 * time.Microsecond)
		h.expect(commandReg, idle)
		if irq := h.read(comIrq)[0]; irq&(txIRq|idleIRq) != txIRq|idleIRq {
			t.Errorf("sent: ComIrqReg %02X", irq)
		}
		h.write(commandReg, receive)
		if got := h.answer(); !bytes.Equal(got, []byte{0x04, 0x00}) {
			t.Errorf("received % X", got)
		}
		h.expect(commandReg, idle)

		// Nobody receives: the answer is lost.
		h.write(commandReg, softReset)
		h.radio()
		h.write(bitFraming, 7)
		h.write(fifoData, 0x52)
		h.write(commandReg, transmit)
		if got := h.answer(); len(got) != 0 {
			t.Errorf("received by nobody: % X", got)
		}
	})
}

func TestCollisions(t *testing.T) {
	with(t, func(h *host) {
		h.field.Put(tag(t, "10203040"))
		h.field.Put(tag(t, "10283040")) // differs in bit 12
		h.radio()
		h.send(7, 0x26)
		h.answer()
		h.send(0, 0x93, 0x20)
		if got := h.answer(); !bytes.Equal(got, []byte{0x10, 0x00, 0, 0, 0}) {
			t.Errorf("bits after a collision are cleared: % X", got)
		}
		h.expect(errorReg, collErr)
		h.expect(coll, 12)
		h.send(7, 0x26) // a tag in READY does not answer it
		h.answer()
		h.send(7, 0x26)
		h.answer()
		h.write(coll, valuesAfterColl)
		h.send(0, 0x93, 0x20)
		if got := h.answer(); got[2] != 0x30 || got[3] != 0x40 {
			t.Errorf("bits after a collision are kept: % X", got)
		}
		h.expect(coll, valuesAfterColl|12)
		h.write(coll, 0)
		h.send(4<<4|4, 0x93, 0x34, 0x10, 0x08) // 12 bits are known; RxAlign 4
		if got := h.answer(); !bytes.Equal(got, []byte{0x20, 0x30, 0x40, 0x48}) {
			t.Errorf("the rest: % X", got)
		}
		h.expect(errorReg, 0)
		if c := h.read(coll)[0]; c&collNotValid == 0 {
			t.Errorf("CollReg %02X without a collision", c)
		}
	})
	with(t, func(h *host) {
		for _, u := range []string{"00000000", "00000001", "00008000", "00000080"} {
			h.field.Put(tag(t, u))
		}
		h.radio()
		for _, step := range []struct {
			framing byte
			frame   []byte
			at      byte
		}{
			{0, []byte{0x93, 0x20}, 24},                // 00008000 is the first to differ
			{5<<4 | 5, []byte{0x93, 0x45, 0, 0, 0}, 8}, // 21 bits are known
		} {
			h.write(txControl, 0x80)
			h.write(txControl, 0x83)
			h.send(7, 0x26)
			h.answer()
			h.send(step.framing, step.frame...)
			h.answer()
			if c := h.read(coll)[0]; c != step.at {
				t.Errorf("CollReg %02X, not %02X: RxAlign counts", c, step.at)
			}
		}
	})
}

func TestTimer(t *testing.T) {
	with(t, func(h *host) {
		h.write(comIrq, 0x7F)
		h.write(tMode, 0x0D)
		h.write(tPrescaler, 0x3E) // 2*3390+1 periods: 0.5 ms
		h.write(tReloadLow, 30)
		h.write(control, startTimer)
		if s := h.read(status1)[0]; s&0x08 == 0 {
			t.Errorf("Status1Reg %02X: TRunning", s)
		}
		time.Sleep(5 * time.Millisecond)
		if got := h.read(tCounterHigh, tCounterLow); got[0] != 0 || got[1] < 19 || got[1] > 21 {
			t.Errorf("counter % X after 10 of 31 ticks", got)
		}
		time.Sleep(10 * time.Millisecond)
		if h.read(comIrq)[0]&timerIRq != 0 {
			t.Error("after 15.0 of 15.5 ms it is over")
		}
		time.Sleep(time.Millisecond)
		if h.read(comIrq)[0]&timerIRq == 0 {
			t.Error("after 16 ms it is not over")
		}
		h.write(comIrq, 0x7F)
		h.write(control, startTimer)
		h.write(control, stopTimer)
		time.Sleep(time.Second)
		if h.read(comIrq)[0]&timerIRq != 0 {
			t.Error("it was stopped")
		}
		h.write(tMode, timerRestart|0x0D)
		h.write(control, startTimer)
		for range 5 {
			h.write(comIrq, 0x7F)
			time.Sleep(20 * time.Millisecond)
			if h.read(comIrq)[0]&timerIRq == 0 {
				t.Error("it does not restart")
			}
		}
		h.write(comIrq, setBit|txIRq)
		if h.read(comIrq)[0]&txIRq == 0 {
			t.Error("Set1 does not set")
		}
	})
}

// TestLongAnswer checks that an answer that does not fit overflows the FIFO.
func TestLongAnswer(t *testing.T) {
	with(t, func(h *host) {
		h.field.Put(ntag(t, "04A1B2C3D4E5F6"))
		h.radio()
		h.send(7, 0x26)
		h.answer()
		h.send(0, sum(0x30, 0x00)...) // READ of page 0 selects, too
		time.Sleep(readDelay)
		if got := h.answer(); len(got) != 18 || got[0] != 0x04 {
			t.Errorf("page 0: % X", got)
		}
		h.send(0, sum(0x3A, 0, 20)...) // FAST_READ of 21 pages: 86 bytes
		time.Sleep(20 * time.Millisecond)
		h.expect(fifoLevel, 64)
		h.expect(errorReg, bufferOvfl)
	})
}
