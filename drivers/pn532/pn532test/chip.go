// Package pn532test emulates a PN532 (firmware 1.6) behind its three host interfaces. The
// antenna of the chip sees the tags of an nfctest.Field.
//
// The emulation is as strict as the user manual UM0701-02. A sleeping chip ignores its host. A
// chip in low battery mode obeys only SAMConfiguration. The chip ignores damaged frames. A
// read before the chip is ready returns garbage. If the host does not read a frame in one go,
// the rest is lost until NACK asks for the frame again. Where the manual is silent, a Trait
// chooses the behaviour.
//
// Tests can inject faults while the chip runs. The chip counts the bytes on its wires.
package pn532test

import (
	"sync"
	"time"

	"tableside/drivers/nfc/nfctest"
)

// Durations of the chip's actions. The manual gives only limits. These durations are about as
// long as on real boards, but the tests of a driver must not depend on them.
const (
	bootTime    = 2 * time.Millisecond // until the oscillator runs
	ackDelay    = 300 * time.Microsecond
	answerDelay = 500 * time.Microsecond
	fieldDelay  = 5 * time.Millisecond // from field on to first frame: ISO/IEC 14443-3 (polling)
	frameDelay  = 1 * time.Millisecond // a frame that is answered
	quietDelay  = 5 * time.Millisecond // a frame that is not answered
)

// Counts holds the numbers of bytes and transactions on a chip's wires. Over SPI, the host
// sends and receives a byte at the same time, and the two count as one byte. Over I2C, the
// address byte counts as a written byte.
type Counts struct {
	Written, Read, Transactions int

	Longest int // the most bytes that one transaction has read
	Nacks   int // how often the host has asked for an answer again
}

// Bytes returns the number of bytes written and read.
func (c Counts) Bytes() int { return c.Written + c.Read }

// A Chip is one PN532. Only one of its host interfaces may be in use. Several goroutines may
// call the methods of a Chip at the same time.
type Chip struct {
	field *nfctest.Field

	mu      sync.Mutex
	changed chan struct{} // signals goroutines that wait for the chip to answer
	counts  Counts

	// Power.
	inReset      bool      // by the reset line
	awakeAt      time.Time // from when it listens, after reset or wake-up
	asleep       bool
	sleepPending bool // falls asleep when the answer is read
	edges        int  // of the UART's line while asleep
	lowBatt      bool
	sam          byte // the mode of SAMConfiguration

	// Behaviour that the manual leaves open.
	trait      Trait
	wroteAt    time.Time // when the host wrote last
	readAt     time.Time // when the host looked or read last
	readOffset int       // bytes read so far of a frame that is read in pieces

	// Faults.
	dead         bool
	unplugged    bool
	mute         bool
	muteAfter    int // commands until it hangs; -1: never
	corruptEvery int // frames; 0: none is damaged
	frames       int
	dice         uint32

	// Frames.
	input         []byte
	queue         []output
	lastAnswer    [maxFrame]byte // for NACK
	lastAnswerLen int
	pending       bool // a command waits for a tag
	retry         time.Time

	// State that commands change.
	cmd       [maxData]byte // the command being executed, from its code on
	cmdN      int
	polls     int  // of InAutoPoll, so far
	params    byte // SetParameters
	retries   byte // MxRtyPassiveActivation
	registers [0x100]byte
	targets   [2]target
	listed    int
	current   int // the target that listens: 0 for none, 1, 2
	lastError byte
	answer    []byte
	workTime  time.Duration
}

// An output is a frame of the chip and the time from which the host can read it.
type output struct {
	b     [maxFrame]byte
	n     int
	at    time.Time
	final bool // it ends a command: an answer or an error frame
}

// New returns a chip that was just powered.
func New(field *nfctest.Field) *Chip {
	c := &Chip{
		field: field, changed: make(chan struct{}, 1), muteAfter: -1, dice: 1,
		input: make([]byte, 0, 2*maxFrame), queue: make([]output, 0, 8), answer: make([]byte, 0, maxData),
	}
	c.powerOn()
	return c
}

// powerOn sets the state after a reset. In this state, the chip is asleep in low battery mode
// (AN10609, page 21), and a search for tags goes on without end (7.3.1, item 5).
func (c *Chip) powerOn() {
	c.awakeAt = time.Now().Add(c.waking())
	c.asleep, c.sleepPending, c.lowBatt = true, false, true
	c.edges = 0
	c.mute = false
	c.input, c.queue, c.lastAnswerLen, c.pending = c.input[:0], c.queue[:0], 0, false
	c.params, c.retries = 0x14, 0xFF
	clear(c.registers[:])
	c.registers[regTxMode&0xFF] = modeCRC
	c.registers[regRxMode&0xFF] = modeCRC
	c.release()
	c.lastError = 0
	c.field.SetPower(false)
}

func (c *Chip) release() { c.listed, c.current = 0, 0 }

// Wire returns the numbers of bytes and transactions on the chip's wires since New.
func (c *Chip) Wire() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts
}

func (c *Chip) count(written, read int) {
	c.counts.Written += written
	c.counts.Read += read
	c.counts.Longest = max(c.counts.Longest, read)
	c.counts.Transactions++
}

// Kill makes the chip dead: it ignores everything and its lines float. Revive powers it again.
func (c *Chip) Kill() { c.fault(func() { c.dead = true; c.field.SetPower(false) }) }

// Revive undoes Kill and MuteAfter. The chip then starts as if it had just been powered.
func (c *Chip) Revive() { c.fault(func() { c.dead, c.muteAfter = false, -1; c.powerOn() }) }

// Unplug takes the board off its wires. Over I2C, nothing acknowledges the address. Over SPI,
// the lines float. A serial port reports errors.
func (c *Chip) Unplug() { c.fault(func() { c.unplugged = true; c.field.SetPower(false) }) }

// Plug puts the board back on its wires. The chip then starts as if it had just been powered.
func (c *Chip) Plug() { c.fault(func() { c.unplugged = false; c.powerOn() }) }

// BrownOut emulates a short loss of power. The chip then starts as if it had just been
// powered.
func (c *Chip) BrownOut() { c.fault(c.powerOn) }

// MuteAfter makes the firmware hang after n more commands. Firmware that hangs does not
// answer. Only the reset line, Revive, Plug or BrownOut help.
func (c *Chip) MuteAfter(n int) { c.fault(func() { c.muteAfter = n }) }

// Corrupt damages one byte in every n-th frame, in both directions. If n is 0, no frame is
// damaged. Over the serial line, every second damaged frame from the chip loses the byte
// instead, as when the host is too slow to read it.
func (c *Chip) Corrupt(n int) { c.fault(func() { c.corruptEvery = n; c.frames = 0 }) }

// StaleAck puts a stale acknowledgement before everything else that the host reads. The
// acknowledgement looks like the remains of a command from before a restart of the host.
func (c *Chip) StaleAck() { c.fault(func() { c.stale(ackBytes) }) }

// StaleAnswer puts a stale answer before everything else that the host reads. The answer looks
// like the remains of a command from before a restart of the host. The command was an
// InListPassiveTarget that found no tag.
func (c *Chip) StaleAnswer() {
	c.fault(func() { c.stale([]byte{0x00, 0x00, 0xFF, 0x03, 0xFD, 0xD5, 0x4B, 0x00, 0xE0, 0x00}) })
}

// stale puts a frame at the head of the queue, so that the host reads the frame next. Even
// a new command does not remove the frame.
func (c *Chip) stale(frame []byte) {
	o := output{n: len(frame), at: time.Now()}
	copy(o.b[:], frame)
	c.queue = append(c.queue, o)
	copy(c.queue[1:], c.queue)
	c.queue[0] = o
	c.queue[0].at = time.Time{} // this marks it as stale, for flush
}

func (c *Chip) fault(set func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	set()
	c.wakeReaders()
}

// wakeReaders wakes a goroutine that waits for the chip to answer, such as one in UART.Read.
func (c *Chip) wakeReaders() {
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

func (c *Chip) isPresent() bool { return !c.dead && !c.unplugged && !c.inReset }

func (c *Chip) listening() bool {
	return c.isPresent() && !c.asleep && !time.Now().Before(c.awakeAt)
}

// rouse wakes the chip when the host sends the chip's address or pulls chip select low. If the
// chip was awake already, rouse returns true. It returns false if the chip was asleep, is
// still starting, or does not drive its lines.
func (c *Chip) rouse() bool {
	if !c.isPresent() || time.Now().Before(c.awakeAt) {
		return false
	}
	if c.asleep {
		c.asleep = false
		c.awakeAt = time.Now().Add(c.waking())
		return false
	}
	return true
}
