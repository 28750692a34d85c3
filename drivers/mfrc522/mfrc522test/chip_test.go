package mfrc522test

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"go.uber.org/goleak"

	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A host speaks to the chip register by register.
type host struct {
	t     *testing.T
	field nfctest.Field
	chip  *Chip
	conn  spi.Conn
}

func with(t *testing.T, test func(h *host)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := &host{t: t}
		h.chip = New(&h.field)
		conn, err := h.chip.SPI().Connect(maxSpeed, spi.Mode0, 8)
		if err != nil {
			t.Fatal(err)
		}
		h.conn = conn
		test(h)
	})
}

func (h *host) write(addr byte, values ...byte) {
	h.t.Helper()
	if err := h.conn.Tx(append([]byte{addr << 1}, values...), nil); err != nil {
		h.t.Fatal(err)
	}
}

func (h *host) read(addrs ...byte) []byte {
	h.t.Helper()
	w := make([]byte, len(addrs)+1)
	for i, a := range addrs {
		w[i] = 0x80 | a<<1
	}
	r := make([]byte, len(w))
	if err := h.conn.Tx(w, r); err != nil {
		h.t.Fatal(err)
	}
	return r[1:]
}

func (h *host) expect(addr, want byte) {
	h.t.Helper()
	if got := h.read(addr)[0]; got != want {
		h.t.Errorf("register %02X is %02X, not %02X", addr, got, want)
	}
}

func (h *host) radio() {
	h.write(txASK, force100ASK)
	h.write(mode, 0x3D)
	h.write(coll, 0)
	h.write(tMode, timerAuto)
	h.write(tPrescaler, 0xA9) // 25 µs
	h.write(tReloadLow, 39)
	h.write(txControl, 0x83)
}

func (h *host) send(framing byte, frame ...byte) {
	h.write(commandReg, idle)
	h.write(comIrq, 0x7F)
	h.write(fifoLevel, flush)
	h.write(fifoData, frame...)
	h.write(commandReg, transceive)
	h.write(bitFraming, startSend|framing)
}

// answer waits and returns the FIFO.
func (h *host) answer() []byte {
	time.Sleep(2 * time.Millisecond)
	var b []byte
	for range h.read(fifoLevel)[0] {
		b = append(b, h.read(fifoData)...)
	}
	return b
}

func sum(b ...byte) []byte {
	crc := nfctest.CRCA(b)
	return append(b, crc[:]...)
}

func tag(t *testing.T, s string) *nfctest.Tag {
	u, err := nfc.ParseUID(s)
	if err != nil {
		t.Fatal(err)
	}
	return nfctest.NewClassic(u)
}

// TestResetValues tests table 20.
func TestResetValues(t *testing.T) {
	want := map[byte]byte{
		0x01: 0x20, 0x02: 0x80, 0x03: 0x00, 0x04: 0x14, 0x05: 0x00, 0x06: 0x00, 0x07: 0x21, 0x08: 0x00,
		0x0A: 0x00, 0x0B: 0x08, 0x0C: 0x10, 0x0D: 0x00, 0x0E: 0xA0, 0x11: 0x3F, 0x12: 0x00, 0x13: 0x00,
		0x14: 0x80, 0x15: 0x00, 0x16: 0x10, 0x17: 0x84, 0x18: 0x84, 0x19: 0x4D, 0x1C: 0x62, 0x1D: 0x00,
		0x1F: 0xEB, 0x21: 0xFF, 0x22: 0xFF, 0x24: 0x26, 0x26: 0x48, 0x27: 0x88, 0x28: 0x20, 0x29: 0x20,
		0x2A: 0x00, 0x2B: 0x00, 0x2C: 0x00, 0x2D: 0x00, 0x33: 0x80, 0x36: 0x40, 0x37: 0x92,
	}
	with(t, func(h *host) {
		check := func(when string) {
			t.Helper()
			for addr := range byte(64) {
				if got := h.read(addr)[0]; got != want[addr] {
					t.Errorf("%s, register %02X is %02X, not %02X", when, addr, got, want[addr])
				}
			}
		}
		check("at first")
		for addr := range byte(64) {
			if addr != commandReg && addr != fifoData {
				h.write(addr, 0x5A)
			}
		}
		h.expect(versionReg, 0x92)
		h.expect(0x0F, 0)
		h.expect(0x20, 0)
		h.expect(0x26, 0x58) // bits 3 to 0 are reserved
		h.expect(mode, 0x1E) // so are 6, 4 and 2
		h.write(commandReg, softReset)
		check("after a soft reset")
		h.write(txControl, 0x83)
		h.chip.BrownOut()
		time.Sleep(time.Millisecond)
		check("after a brown-out")
		if h.field.Power() {
			t.Error("the field is on after a brown-out")
		}
	})
}

// TestAddressBytes tests section 8.1.2.
func TestAddressBytes(t *testing.T) {
	with(t, func(h *host) {
		if got := h.read(versionReg, mode, txControl, versionReg); !bytes.Equal(got, []byte{0x92, 0x3F, 0x80, 0x92}) {
			t.Errorf("several registers at once: % X", got)
		}
		h.write(fifoData, 1, 2, 3)
		if got := h.read(fifoLevel, fifoData, fifoData, fifoData, fifoLevel); !bytes.Equal(got, []byte{3, 1, 2, 3, 0}) {
			t.Errorf("FIFO: % X", got)
		}
		h.conn.Tx([]byte{tReloadLow<<1 | 1, 0x77}, nil)
		h.expect(tReloadLow, 0)
		packets := []spi.Packet{{W: []byte{fifoData << 1, 9}, KeepCS: true}, {W: []byte{8, 7}},
			{W: []byte{fifoLevel << 1, flush}}, {W: []byte{fifoData << 1, 6}}}
		before := h.chip.Wire()
		if err := h.conn.TxPackets(packets); err != nil {
			t.Fatal(err)
		}
		h.expect(fifoLevel, 1)
		h.expect(fifoData, 6)
		if after := h.chip.Wire(); after.Transactions-before.Transactions != 5 || after.Written-before.Written != 12 ||
			after.Read-before.Read != 4 {
			t.Errorf("counted %+v from %+v", after, before)
		}
		r := make([]byte, 2)
		w := []byte{0x80 | versionReg<<1, 0}
		if err := h.conn.TxPackets([]spi.Packet{{W: w[:1], KeepCS: true}, {W: w[1:], R: r[1:]}}); err != nil || r[1] != 0x92 {
			t.Errorf("read in two packets: % X, %v", r, err)
		}
		if h.conn.Tx(w, r[:1]) == nil || h.conn.Tx(nil, nil) == nil || h.conn.Tx(make([]byte, 5000), nil) == nil {
			t.Error("spidev refuses this")
		}
	})
	port := New(&nfctest.Field{}).SPI()
	for _, mode := range []spi.Mode{spi.Mode1, spi.Mode2, spi.Mode3, spi.Mode0 | spi.HalfDuplex} {
		if _, err := port.Connect(physic.MegaHertz, mode, 8); err == nil {
			t.Errorf("%s is accepted", mode)
		}
	}
	if _, err := port.Connect(physic.MegaHertz, spi.Mode0, 16); err == nil {
		t.Error("16 bits are accepted")
	}
	if _, err := port.Connect(20*physic.MegaHertz, spi.Mode0, 8); err == nil {
		t.Error("20 MHz are accepted")
	}
	port.LimitSpeed(physic.MegaHertz)
	conn, err := port.Connect(20*physic.MegaHertz, spi.Mode0, 8)
	if err != nil {
		t.Fatal(err)
	}
	port.Close()
	if conn.Tx([]byte{2}, nil) == nil {
		t.Error("a closed port works")
	}
}

func TestFIFO(t *testing.T) {
	with(t, func(h *host) {
		h.write(comIrq, 0x7F)
		h.write(fifoData, make([]byte, 64)...)
		h.expect(fifoLevel, 64)
		h.expect(errorReg, 0)
		if s := h.read(status1)[0]; s&0x03 != 0x02 {
			t.Errorf("full: Status1Reg %02X", s)
		}
		h.write(fifoData, 1)
		h.expect(fifoLevel, 64)
		h.expect(errorReg, bufferOvfl)
		if irq := h.read(comIrq)[0]; irq&(hiAlertIRq|errIRq) != hiAlertIRq|errIRq {
			t.Errorf("overflow: ComIrqReg %02X", irq)
		}
		h.write(fifoLevel, flush)
		h.expect(fifoLevel, 0)
		h.expect(errorReg, 0)
		h.expect(fifoData, 0)
	})
}

func TestChecksums(t *testing.T) {
	with(t, func(h *host) {
		h.write(mode, 0x3D)
		h.write(fifoData, 0x00, 0x00)
		h.write(commandReg, calcCRC)
		h.expect(divIrq, crcIRq)
		if got := h.read(crcResultLow, crcResultHigh); !bytes.Equal(got, []byte{0xA0, 0x1E}) { // ISO/IEC 14443-3, annex B
			t.Errorf("CRC_A of 00 00: % X", got)
		}
		h.write(commandReg, idle)
		h.write(commandReg, calcCRC)
		h.write(fifoData, 0x12, 0x34) // while it is computing
		if got := h.read(crcResultLow, crcResultHigh, fifoLevel); !bytes.Equal(got, []byte{0x26, 0xCF, 0}) {
			t.Errorf("CRC_A of 12 34: % X", got)
		}
		h.write(commandReg, idle)
		h.write(mode, 0x3F)
		h.write(commandReg, calcCRC)
		if got := h.read(crcResultLow, crcResultHigh); !bytes.Equal(got, []byte{0xFF, 0xFF}) {
			t.Errorf("preset FFFF: % X", got)
		}
	})
}

func TestInternalBuffer(t *testing.T) {
	with(t, func(h *host) {
		var in []byte
		for i := range byte(25) {
			in = append(in, i+1)
		}
		h.write(fifoData, in...)
		h.write(comIrq, 0x7F)
		h.write(commandReg, mem)
		h.expect(fifoLevel, 0)
		h.expect(commandReg, idle)
		if h.read(comIrq)[0]&idleIRq == 0 {
			t.Error("no IdleIRq after Mem")
		}
		h.write(commandReg, softReset) // keeps the buffer
		h.write(commandReg, mem)
		if got := h.read(bytes.Repeat([]byte{fifoData}, 25)...); !bytes.Equal(got, in) {
			t.Errorf("buffer % X", got)
		}
		h.write(commandReg, randomID)
		h.write(commandReg, mem)
		got := h.read(bytes.Repeat([]byte{fifoData}, 25)...)
		if bytes.Equal(got[:10], in[:10]) || !bytes.Equal(got[10:], in[10:]) {
			t.Errorf("buffer with a random number % X", got)
		}
	})
}

func TestRefusedCommands(t *testing.T) {
	with(t, func(h *host) {
		h.write(comIrq, 0x7F)
		h.write(fifoData, make([]byte, 12)...)
		h.write(commandReg, mfAuthent)
		h.expect(commandReg, idle)
		h.expect(errorReg, protocolErr)
		h.expect(status2, 0)
		h.write(status2, mfCrypto1On) // only the chip sets it
		h.expect(status2, 0)
		h.write(comIrq, 0x7F)
		h.write(commandReg, 0x0B)
		h.expect(commandReg, idle)
		if h.read(comIrq)[0]&idleIRq == 0 {
			t.Error("an unknown command does not end")
		}
		h.write(commandReg, calcCRC)
		h.write(commandReg, noCmdChange|receiverOff)
		h.expect(commandReg, calcCRC|receiverOff)
	})
}

func TestPins(t *testing.T) {
	with(t, func(h *host) {
		h.radio()
		reset := h.chip.Reset()
		reset.Out(gpio.Low)
		if h.field.Power() || h.read(versionReg)[0] != 0 {
			t.Error("it works while its reset line is low")
		}
		reset.Out(gpio.High)
		if h.read(commandReg)[0]&sleepBit == 0 {
			t.Error("awake at once")
		}
		time.Sleep(time.Millisecond)
		h.expect(commandReg, receiverOff)
		h.expect(txControl, 0x80)

		irq := h.chip.IRQ()
		if irq.Read() != gpio.High {
			t.Error("IRQ is inverted after a reset")
		}
		irq.In(gpio.PullUp, gpio.FallingEdge)
		if irq.WaitForEdge(0) || irq.WaitForEdge(time.Second) {
			t.Error("an edge from nowhere")
		}
		h.write(comIrq, 0x7F)
		h.radio()
		h.write(comIEn, irqInverted|timerIRq)
		h.send(7, 0x26)
		began := time.Now()
		if !irq.WaitForEdge(time.Second) || time.Since(began) > 2*time.Millisecond {
			t.Errorf("edge after %s", time.Since(began))
		}
		if irq.Read() != gpio.Low {
			t.Error("IRQ is high")
		}
		h.write(comIrq, 0x7F)
		if irq.Read() != gpio.High {
			t.Error("IRQ is low after it was cleared")
		}
		go func() {
			time.Sleep(time.Second)
			irq.Halt()
		}()
		if irq.WaitForEdge(-1) {
			t.Error("Halt is an edge")
		}
	})
}

func TestPowerDown(t *testing.T) {
	with(t, func(h *host) {
		h.radio()
		h.write(commandReg, sleepBit)
		if h.field.Power() {
			t.Error("a field in power-down")
		}
		h.write(commandReg, softReset|sleepBit) // ignored; only PowerDown = 0 wakes it
		h.expect(commandReg, sleepBit)
		h.write(commandReg, idle)
		h.expect(commandReg, sleepBit)
		h.expect(mode, 0x3D) // registers keep their values
		time.Sleep(time.Millisecond)
		h.expect(commandReg, idle)
		if !h.field.Power() {
			t.Error("no field after waking")
		}
	})
}

func TestFaults(t *testing.T) {
	with(t, func(h *host) {
		h.radio()
		for _, fault := range []struct {
			do, undo func()
			reads    byte
		}{
			{h.chip.Kill, h.chip.Revive, 0xFF},
			{h.chip.Unplug, h.chip.Plug, 0x00},
			{func() { h.chip.MuteAfter(2); h.expect(versionReg, 0x92); h.expect(versionReg, 0x92) }, h.chip.Revive, 0x00},
			{func() { h.chip.MuteAfter(0) }, func() { h.chip.Reset().Out(gpio.Low); h.chip.Reset().Out(gpio.High) }, 0x00},
		} {
			fault.do()
			h.expect(versionReg, fault.reads)
			if h.field.Power() {
				t.Error("a broken chip makes a field")
			}
			fault.undo()
			time.Sleep(time.Millisecond)
			h.expect(versionReg, 0x92)
			h.expect(txASK, 0)
			h.radio()
		}
		h.chip.Corrupt(1)
		wrong := 0
		for range 100 {
			if h.read(versionReg)[0] != 0x92 {
				wrong++
			}
		}
		if wrong < 99 {
			t.Errorf("%d of 100 answers are wrong", wrong)
		}
		h.chip.Corrupt(10)
		wrong = 0
		for range 1000 {
			if h.read(versionReg)[0] != 0x92 {
				wrong++
			}
		}
		if wrong < 50 || wrong > 150 {
			t.Errorf("%d of 1000 answers are wrong, not about 100", wrong)
		}
	})
}

func ntag(t *testing.T, s string) *nfctest.Tag {
	u, err := nfc.ParseUID(s)
	if err != nil {
		t.Fatal(err)
	}
	return nfctest.NewNTAG213(u)
}
