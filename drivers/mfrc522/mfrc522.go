// Package mfrc522 drives the reader chip MFRC522 of the cheap RC522 boards, and its clones,
// over SPI. It needs no interrupt line.
//
// The data sheet is NXP's MFRC522, rev. 3.9 of 27 April 2016. The protocol with tags is
// ISO/IEC 14443-3.
//
// # Why not periph's driver
//
// On many boards the interrupt line is not wired, and there devices/mfrc522 v3.7.4 takes the
// process down. It never sends the second SELECT, so tags with UIDs of 7 bytes cannot be read.
// It finds one tag at a time, and reports a failed write as done. After the first tag it no
// longer waits, because edges are left over in the kernel.
//
// # How far the wires are trusted
//
// SPI has no checksum, and the chip answers a wrong byte as readily as a right one. Therefore
// the driver takes these precautions:
//   - The checksums of tags are made and tested here and not by the chip. A UID is reported
//     only when the tag itself has answered to the UID, with a checksum that covers air and
//     wires.
//   - If no tag answers, five registers have to show exactly the values of silence, and are
//     read twice. The second reading must also show that the antenna is on and that the chip
//     is still configured. Otherwise the poll is not a clean empty one.
//   - Any other result is read again before it is believed.
//
// A byte that is garbled on its way to the chip is a risk that remains. The driver mostly
// notices such a byte: an unknown frame is not answered, and a register is not as it was set.
// But a garbled WUPA looks like an empty field for one poll. The four bits with which a tag
// confirms a write have no checksum either, so read back what you write, as [nfc.WriteText]
// does.
package mfrc522

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/drivers/nfc"
)

// Errors that concern the chip and not a tag. Call Init after each of them.
var (
	// ErrMute reports that nothing answers: all bits read the same, or the version is not the
	// same in every read.
	ErrMute = errors.New("no chip answers; check its power and its wires")

	// ErrLost reports that registers do not hold what was written into them: the chip was
	// reset, most often because its supply broke down.
	ErrLost = errors.New("the chip has lost its settings")
)

// Opts describes how a board is wired and set.
type Opts struct {
	// Reset is the line NRSTPD ("RST" on boards), or nil if the line is not wired. Without
	// the line, the chip is reset by command, which does not cure every fault.
	Reset gpio.PinOut

	// Gain is the gain of the receiver in dB. It is 18, 23, 33, 38, 43 or 48. A higher
	// gain reaches further and receives more noise.
	Gain int
}

// speed is that of the SPI clock. The chip allows 10 MHz (8.1.2), but not every wire does.
const speed = 4 * physic.MegaHertz

// DefaultOpts has the chip's own default of the gain.
var DefaultOpts = Opts{Gain: 33}

// Dev is an MFRC522. Only one goroutine at a time may use it.
type Dev struct {
	wire  wire
	name  string
	opts  Opts
	gain  byte // RFCfgReg
	clock nfc.Clock

	ready      bool // Init has succeeded, and nothing has failed since
	version    byte
	rf         byte      // TxControlReg as it was set
	offAt      time.Time // since when the field is off
	reload     byte      // TReloadReg as it was set
	waitTicks  byte      // for the answers to REQA, anticollision and SELECT: quickTicks or slowTicks
	latePolls  int       // in a row, in which a tag answered only with a longer limit
	emptyPolls int       // so far
	lastUIDs   []nfc.UID // tags of the last poll that was good
	tag        *memory   // of the last Select; nil: none

	frame      [2 + 16 + 2]byte // to the tag
	answer     []byte           // from the tag: of the last exchange
	answerBits int              // how many bits of answer are valid
	coll       int              // after a collision: which bit of answer, from 1
}

var _ nfc.Reader = (*Dev)(nil)

// NewSPI returns the chip on a port. If the chip does not have the gain in opts, NewSPI returns an
// error. It also returns an error if the port refuses to connect. Nothing is sent before Init.
func NewSPI(port spi.Port, opts *Opts) (*Dev, error) {
	d := &Dev{waitTicks: quickTicks, opts: *opts, name: fmt.Sprintf("mfrc522 on %s", port)}
	setting := slices.Index(gains[:], opts.Gain)
	if setting < 0 || opts.Gain == 0 {
		return nil, fmt.Errorf("mfrc522: got a gain of %d dB, want 18, 23, 33, 38, 43 or 48", opts.Gain)
	}
	d.gain = byte(setting)<<4 | rfCfgReserved
	conn, err := port.Connect(speed, spi.Mode0, 8)
	if err != nil {
		return nil, fmt.Errorf("mfrc522: connect to %s: %w", port, err)
	}
	d.wire.conn = conn
	return d, nil
}

// Times of a reset. resetLow is how long Init holds the chip in reset. wakeUp is how long the
// chip may then take to wake. wakeCheck is how long Init waits before it asks the chip again
// whether it is awake.
//
// The data sheet gives 37.74 µs plus the start of the crystal (8.8.2), which depends on the
// board.
const (
	resetLow  = time.Millisecond // at least 100 ns, 8.8.1
	wakeUp    = 60 * time.Millisecond
	wakeCheck = time.Millisecond
)

// Init resets, wakes and configures the chip, and reads back the settings that it wrote. If
// nothing answers, the error wraps ErrMute. If the chip does not hold its settings, the error
// wraps ErrLost.
func (d *Dev) Init(ctx context.Context) error {
	d.ready, d.rf = false, rfOff
	d.tag = nil
	if err := d.init(ctx); err != nil {
		return fmt.Errorf("mfrc522: init: %w", err)
	}
	d.ready = true
	return nil
}

func (d *Dev) init(ctx context.Context) error {
	if d.opts.Reset != nil {
		if err := d.opts.Reset.Out(gpio.Low); err != nil {
			return fmt.Errorf("reset line low: %w", err)
		}
		waited := d.clock.Sleep(ctx, resetLow)
		if err := d.opts.Reset.Out(gpio.High); err != nil {
			return fmt.Errorf("reset line high: %w", err)
		}
		if waited != nil {
			return waited
		}
	}
	for _, command := range []byte{cmdIdle, cmdSoftReset} { // Idle ends a power-down (8.6.2)
		d.wire.set(regCommand, command)
		if err := d.waitAwake(ctx); err != nil {
			return err
		}
	}
	d.offAt = time.Now()
	if err := d.configure(); err != nil {
		return err
	}
	return d.verify()
}

// awakeRegs lists the registers that waitAwake reads. The version register is there twice,
// because both readings must agree.
var awakeRegs = []byte{regVersion, regCommand, regVersion}

// waitAwake waits until the chip answers and is awake, and records the chip's version. The
// constant wakeUp limits the wait. If nothing answers in that time, the error wraps ErrMute.
func (d *Dev) waitAwake(ctx context.Context) error {
	began := time.Now()
	for looks := 1; ; looks++ {
		r, err := d.wire.read(awakeRegs)
		if err != nil {
			return err
		}
		version, command, again := r[0], r[1], r[2]
		mute := version != again || version == 0x00 || version == 0xFF
		if !mute && command&powerDown == 0 {
			d.version = version
			return nil
		}
		if looks >= minLooks && time.Since(began) > wakeUp {
			if mute {
				return fmt.Errorf("version %02Xh, %02Xh: %w", version, again, ErrMute)
			}
			return fmt.Errorf("the chip is not awake after %s", wakeUp)
		}
		if err := d.clock.Sleep(ctx, wakeCheck); err != nil {
			return err
		}
	}
}

func (d *Dev) configure() error {
	for _, s := range settings {
		d.wire.set(s.reg, s.value)
	}
	d.wire.set(regColl, 0)
	d.wire.set(regRFCfg, d.gain)
	d.reload = quickTicks
	return d.wire.flush()
}

// verify reads the settings back and compares them with the settings that were written. If
// they differ, verify reads them once more. If they still differ, the error wraps ErrMute or
// ErrLost.
func (d *Dev) verify() error {
	var regs [len(settings) + 1]byte
	var want [len(settings) + 1]byte
	for i, s := range settings {
		regs[i], want[i] = s.reg, s.value
	}
	regs[len(settings)], want[len(settings)] = regRFCfg, d.gain
	for try := 0; ; try++ {
		r, err := d.wire.read(regs[:])
		if err != nil {
			return err
		}
		if [len(settings) + 1]byte(r) == want {
			return nil
		}
		if try == 1 {
			if one := r[0]; (one == 0x00 || one == 0xFF) && bytes.Count(r, r[:1]) == len(r) {
				return fmt.Errorf("all registers are %02Xh: %w", one, ErrMute)
			}
			for i := range want {
				if r[i] != want[i] {
					return fmt.Errorf("register %02Xh: got %02Xh, want %02Xh: %w", regs[i], r[i], want[i], ErrLost)
				}
			}
		}
	}
}

// Firmware returns the name of the chip that Init found, such as "MFRC522 2.0". For a clone,
// the name says that the chip is a clone. Until Init has found a chip, the name is "".
func (d *Dev) Firmware() string {
	if d.version == 0 {
		return ""
	}
	return name(d.version)
}

// Halt switches the field off and sends the chip to sleep. Init wakes it.
func (d *Dev) Halt() error {
	d.ready = false
	d.tag = nil
	d.wire.set(regTxControl, rfOff)
	d.wire.set(regCommand, powerDown)
	d.rf, d.offAt = rfOff, time.Now()
	if err := d.wire.flush(); err != nil {
		return fmt.Errorf("mfrc522: halt: %w", err)
	}
	return nil
}

func (d *Dev) String() string { return d.name }
