// Package mfrc522test emulates an MFRC522, with tags in a field (nfctest). It emulates the
// registers, FIFO, commands, timer, checksum coprocessor and pins of the chip.
// Drivers use the emulated chip through periph's interfaces.
//
// The package follows NXP's data sheet MFRC522, rev. 3.9, whose sections are cited by their
// numbers. The emulated chip is as slow as the real chip: an answer is ready when the frame
// and the answer have been on the air.
//
// The emulated chip is as strict as the real chip. It ignores the bus while its reset line is
// low, and executes nothing while it sleeps. It drops bytes that do not fit into the FIFO,
// sends nothing without a field, and writes neither reserved nor read-only bits.
//
// MIFARE Classic's cipher is not emulated, so MFAuthent ends with ProtocolErr. The only speed
// is 106 kBd. MSBFirst, TGated and the test bus are not emulated either.
package mfrc522test

import (
	"math/rand/v2"
	"sync"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/spi"

	"tableside/drivers/nfc/nfctest"
)

// Counts holds the traffic on the bus. Written and Read are the numbers of bytes that the host
// wrote and read. Transactions is the number of times that chip select went low. If the host
// kept the answer to a byte that it sent, the byte counts as both written and read.
type Counts struct{ Written, Read, Transactions int }

// A health says whether the whole chip works or, if not, which fault it has.
type health uint8

const (
	well      health = iota
	dead             // drives all lines high
	unplugged        // disconnected: the line is pulled low
	mute             // holds its lines low until its reset line is pulled or Revive is called
)

const (
	fifoSize   = 64
	bufferSize = 25

	// startUp is how long the chip takes to wake on a good board: the start of the crystal and
	// 37.74 µs (8.8.2).
	startUp = 600 * time.Microsecond
)

// A Chip is an emulated MFRC522. Its methods may be called by several
// goroutines.
type Chip struct {
	mu    sync.Mutex
	field *nfctest.Field

	version byte

	reg     [64]byte
	command byte // of CommandReg, with RcvOff
	fifo    [fifoSize]byte
	level   int
	buffer  [bufferSize]byte // 10.3.1.2
	crc     uint16

	asleep  bool
	upAt    time.Time // when it will be awake; zero: it is not waking up
	inReset bool      // the reset line is low
	rfOnAt  time.Time // since when there is a field; zero: there is none
	warmUp  time.Duration

	timer       event // TimerIRq
	ticks       uint16
	frameEnd    event // of a frame to tags
	answerStart event // the first bits of the answer, which stop the timer
	answerEnd   event
	frame       [fifoSize + 2]byte
	length      int  // of frame
	lastBits    int  // bits of its last byte to send, 0 for all
	warm        bool // whether tags had power when the frame began
	air         []byte
	reply       nfctest.Answer

	health      health
	hot         bool
	muteAfter   int // transactions until it is mute; negative: it stays well
	corruptOdds int
	answerDelay time.Duration // on top of the usual time
	lateAll     bool          // REQA and WUPA are answered late, too
	dice        *rand.Rand
	counts      Counts

	reset resetPin
	irq   irqPin
}

// New returns a chip of version 2.0 in front of a field: powered, awake and out of reset.
func New(field *nfctest.Field) *Chip {
	c := &Chip{field: field, muteAfter: -1, dice: rand.New(rand.NewPCG(522, 1))}
	c.version = 0x92
	c.reset = resetPin{gpio.INVALID, c, gpio.High}
	c.irq.init(c)
	c.powerUp(time.Now())
	c.asleep = false
	return c
}

// SPI returns the port the chip is on.
func (c *Chip) SPI() spi.PortCloser { return &port{chip: c} }

// Reset returns the host's pin on NRSTPD.
func (c *Chip) Reset() gpio.PinIO { return &c.reset }

// IRQ returns the host's pin on IRQ.
func (c *Chip) IRQ() gpio.PinIO { return &c.irq }

// Wire returns how many bytes and transactions the chip has had on its SPI port so far.
func (c *Chip) Wire() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts
}

func (c *Chip) String() string { return "emulated MFRC522" }

// SetVersion gives the chip another version.
func (c *Chip) SetVersion(version byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version = version
}

// SetWarmUp sets how long tags need in the field before they respond. Real tags need at most 5
// ms (ISO/IEC 14443-3, 5). The default is 0.
func (c *Chip) SetWarmUp(t time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.warmUp = t
}

// powerUp resets everything and starts the crystal. This happens after power-on, and after a
// reset by the reset line.
func (c *Chip) powerUp(now time.Time) {
	c.buffer = [bufferSize]byte{}
	c.setReset(now)
	c.asleep, c.upAt = true, now.Add(startUp)
}

// setReset sets all registers to their reset values (table 20). The internal buffer keeps its
// contents (10.3.1.10).
func (c *Chip) setReset(now time.Time) {
	for i, r := range registers {
		c.reg[i] = r.reset
	}
	c.command = receiverOff
	c.level, c.crc = 0, 0xFFFF
	c.timer, c.frameEnd, c.answerStart, c.answerEnd = event{}, event{}, event{}, event{}
	c.radio(now)
	c.signal(now)
}

// radio switches the field on or off. The registers and the condition of the chip
// decide which.
func (c *Chip) radio(now time.Time) {
	on := c.working() && !c.asleep && !c.hot && c.reg[txControl]&0x03 != 0
	if on == !c.rfOnAt.IsZero() {
		return
	}
	c.field.SetPower(on)
	if on {
		c.rfOnAt = now
		return
	}
	c.rfOnAt = time.Time{}
	c.answerStart, c.answerEnd = event{}, event{}
}

func (c *Chip) working() bool { return c.health == well && !c.inReset }
