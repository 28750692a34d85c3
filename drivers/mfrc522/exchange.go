package mfrc522

import (
	"context"
	"fmt"
	"time"

	"tableside/drivers/nfc"
)

// Limits for how long an answer may take, in ticks of the chip's timer. The chip waits one
// tick more than TReloadReg says (8.5).
const (
	quickTicks = 6   // 0.35 ms; REQA, anticollision and SELECT are answered after 91 µs (ISO/IEC 14443-3, 6.2.1.1)
	slowTicks  = 119 // 6 ms, for clones that answer too late; other drivers always wait 25 ms
	readTicks  = 119 // 6 ms; NTAG213/215/216 rev. 3.2, table 22: READ within 5 ms
	writeTicks = 239 // 12 ms; table 22: WRITE within 10 ms

	tick = 50070 * time.Nanosecond
)

// Times on the air. A bit at 106 kBd takes 128/13.56 MHz. The answer comes 1236/13.56 MHz
// after the question (ISO/IEC 14443-3, 6.2.1.1).
const (
	bitTime        = 9440 * time.Nanosecond
	frameDelay     = 91200 * time.Nanosecond
	margin         = 60 * time.Microsecond  // added to each wait
	statusInterval = 300 * time.Microsecond // between two reads of the status
	graceTime      = 20 * time.Millisecond  // beyond the time-out; a chip that takes longer is at fault
)

// airTime returns how long a frame of the given number of bits is on the air. The time
// includes the parity bits, the start and the end of the frame.
func airTime(bits int) time.Duration {
	return time.Duration(bits+bits/8+2) * bitTime
}

// An outcome is how an exchange with tags went.
type outcome uint8

const (
	silent   outcome = iota // no tag answered, and the chip was listening
	heard                   // an answer without a flaw that the chip sees
	collided                // several tags answered
	garbled                 // something that is not an answer
)

// Errors of an answer. They wrap nfc.ErrUnreadable.
var (
	errGarbled   = fmt.Errorf("the answer is garbled: %w", nfc.ErrUnreadable)
	errCollision = fmt.Errorf("a collision that cannot be resolved: %w", nfc.ErrUnreadable)
	errVanished  = fmt.Errorf("a tag has begun to answer and stopped: %w", nfc.ErrUnreadable)
	errChecksum  = fmt.Errorf("wrong checksum: %w", nfc.ErrUnreadable)
	errTooMany   = fmt.Errorf("there are more tags than can be told apart: %w", nfc.ErrUnreadable)
)

// A question describes the frame for tags in Dev.frame and the expected answer.
type question struct {
	n         int // bytes
	lastBits  int // bits of the last byte, 0 for all
	align     int // RxAlign: where in the first byte the answer begins
	wantBits  int // bits of the answer, plus align
	waitTicks byte
	blind     bool // the content of the answer does not matter
}

// A status holds the registers that describe an exchange.
type status struct{ irq, err, level, control, coll byte }

var (
	statusRegs = []byte{regComIrq, regError, regFIFOLevel, regControl, regColl}

	// confirmRegs begins like statusRegs. The other registers show that the
	// chip is there and was not reset: most of them are 0 after a reset.
	confirmRegs = []byte{regComIrq, regError, regFIFOLevel, regControl, regColl,
		regVersion, regTxControl, regTxASK, regTMode, regTPrescaler}
)

// isSane reports whether a chip can return the values in this status. Bits that always read 0
// must be 0, and the level must fit the FIFO.
func (s status) isSane() bool {
	return s.irq&irqSet1 == 0 && s.err&errReserved == 0 && s.level <= fifoSize && s.control&controlTimer == 0
}

func (s status) done() bool { return s.irq&(irqRx|irqTimer) != 0 }

func (s status) bits() int {
	n := 8 * int(s.level)
	if last := int(s.control & rxLastBits); last != 0 {
		n += last - 8
	}
	return n
}

// isPlain reports whether an answer of n bits has come, and nothing is wrong with it.
func (s status) isPlain(n int) bool {
	return s.isSane() && s.irq&(irqTx|irqRx|irqErr|irqTimer) == irqTx|irqRx && s.err == 0 && s.bits() == n
}

func (s status) silent() bool {
	return s.irq&(irqTx|irqRx|irqErr|irqTimer) == irqTx|irqTimer && s.err == 0 && s.level == 0
}

func statusOf(r []byte) status { return status{r[0], r[1], r[2], r[3], r[4]} }

// start makes the chip send the frame in d.frame. If command is cmdTransceive, the chip then
// listens for an answer. If command is cmdTransmit, the chip does not listen.
func (d *Dev) start(command byte, q question) error {
	w := &d.wire
	if q.waitTicks != 0 && q.waitTicks != d.reload {
		w.set(regTReloadL, q.waitTicks)
		d.reload = q.waitTicks
	}
	w.set(regCommand, cmdIdle)
	w.set(regComIrq, irqAll)
	w.set(regFIFOLevel, flushFIFO)
	w.fill(d.frame[:q.n])
	framing := byte(q.align<<4 | q.lastBits)
	if command == cmdTransmit {
		w.set(regBitFraming, framing)
		w.set(regCommand, command)
	} else {
		w.set(regCommand, command)
		w.set(regBitFraming, startSend|framing)
	}
	return w.flush()
}

// minLooks is how often the driver looks at the chip at least before it says that the chip takes too
// long: the time alone proves nothing, because this machine may have been busy.
const minLooks = 4

// ask sends a question and waits for the answer. The answer is then in d.answer and
// d.answerBits, unless q.blind is set. An error concerns only the chip. The outcome says what
// the tags did.
func (d *Dev) ask(ctx context.Context, q question) (outcome, error) {
	if err := d.start(cmdTransceive, q); err != nil {
		return garbled, err
	}
	sent := 8 * q.n
	if q.lastBits != 0 {
		sent += q.lastBits - 8
	}
	wait, again := airTime(sent)+frameDelay+airTime(q.wantBits-q.align), statusInterval
	timeout := airTime(sent) + time.Duration(q.waitTicks+1)*tick
	if q.waitTicks == quickTicks {
		wait = max(wait, timeout) // then one read is enough for silence too
	} else {
		again = time.Millisecond
	}
	began := time.Now()
	if err := d.clock.Sleep(ctx, wait+margin); err != nil {
		return garbled, err
	}
	for looks := 1; ; looks++ {
		s, err := d.status()
		if err != nil {
			return garbled, err
		}
		if s.isPlain(q.wantBits) {
			return d.take(s, q, heard)
		}
		if s.done() || !s.isSane() {
			if s, err = d.confirm(); err != nil {
				return garbled, err
			}
		}
		if s.done() {
			return d.judge(s, q)
		}
		if looks >= minLooks && time.Since(began) > timeout+graceTime {
			if _, err := d.confirm(); err != nil {
				return garbled, err
			}
			return garbled, fmt.Errorf("neither an answer nor a time-out within %s", timeout+graceTime)
		}
		if err := d.clock.Sleep(ctx, again); err != nil {
			return garbled, err
		}
	}
}

// judge returns the outcome for a status that was read twice. If there is an answer, judge
// reads the answer. If the chip is too hot or the answer cannot be read, judge returns an
// error.
func (d *Dev) judge(s status, q question) (outcome, error) {
	switch {
	case s.err&errTemp != 0:
		return garbled, fmt.Errorf("the chip is too hot and has switched its antenna off")
	case s.silent():
		return silent, nil
	case s.err == errColl && s.irq&irqRx != 0 && s.coll&collNotValid == 0:
		if d.coll = int(s.coll & collPos); d.coll == 0 {
			d.coll = 32
		}
		return d.take(s, q, collided)
	case s.err == 0 && s.irq&irqRx != 0:
		return d.take(s, q, heard)
	}
	return garbled, nil
}

// take reads the answer out of the FIFO into d.answer and d.answerBits, unless q.blind is
// set. It returns the outcome o. If the answer is too long or cannot be read, it returns the
// constant garbled instead of o.
func (d *Dev) take(s status, q question, o outcome) (outcome, error) {
	if q.blind {
		return o, nil
	}
	if int(s.level) > len(d.frame) {
		return garbled, nil
	}
	answer, err := d.wire.drain(int(s.level))
	if err != nil {
		return garbled, err
	}
	d.answer, d.answerBits = answer, s.bits()
	return o, nil
}

func (d *Dev) status() (status, error) {
	r, err := d.wire.read(statusRegs)
	if err != nil {
		return status{}, err
	}
	return statusOf(r), nil
}

// confirm reads the status together with the settings until both make sense. It reads them up
// to three times. If they never make sense, the error is ErrMute or ErrLost.
func (d *Dev) confirm() (status, error) {
	var wrong error
	for range 3 {
		r, err := d.wire.read(confirmRegs)
		if err != nil {
			return status{}, err
		}
		s, version := statusOf(r), r[5]
		want := [...]byte{d.version, d.rf, force100ASK, timerAuto | prescaler>>8, prescaler & 0xFF}
		switch {
		case [len(want)]byte(r[5:]) == want && s.isSane():
			return s, nil
		case version == 0x00 || version == 0xFF:
			wrong = fmt.Errorf("version %02Xh: %w", version, ErrMute)
		case version != d.version:
			wrong = fmt.Errorf("got version %02Xh, want %02Xh: %w", version, d.version, ErrMute)
		default:
			wrong = ErrLost
		}
	}
	return status{}, wrong
}
