// Package pn532 drives the NXP PN532, an NFC reader, over SPI, I2C or a serial line. The
// driver finds ISO/IEC 14443 type A tags, up to two in the field together. It reads and writes
// the memory of type 2 tags (NTAG21x).
//
// Section numbers refer to the user manual UM0701-02 (rev. 02, firmware 1.6). The data sheet
// is PN532/C1, and the application note is AN10609 (rev. 1.2).
//
// The field is on only during a poll and while a tag is selected. So every tag starts in its
// first state, and several readers side by side do not disturb each other.
//
// A poll has three outcomes: tags, none, and an error. The chip's command InListPassiveTarget
// has only two, because it leaves out a tag whose answer was damaged. So when there are fewer
// tags than before, the driver lists the tags once more. If the second list is empty, the
// driver itself sends a WUPA frame of ISO/IEC 14443-3. It reports any answer, even a damaged
// one, as nfc.ErrUnreadable. Only silence means an empty field.
//
// The driver reads an answer in one go. Over SPI and I2C it reads enough bytes for new tags
// that may have come (docs/decisions, 13). If a frame is damaged, the driver asks the chip to
// repeat the frame (NACK). If the chip does not acknowledge a command, the driver sends the
// command again. Answers to commands from before a restart of the host are skipped.
//
// A chip that is silent for 250 ms is an error. After an error that does not concern a tag,
// call Init. If the reset line is wired, Init also revives a chip whose firmware hangs.
package pn532

import (
	"context"
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3/gpio"

	"tableside/drivers/nfc"
)

// Opts are the options of a chip.
type Opts struct {
	// Reset is the line wired to RSTPDN; nil if there is none.
	Reset gpio.PinOut
}

// DefaultOpts is for a chip without a reset line.
var DefaultOpts = Opts{}

// A Dev is a chip. Only one goroutine at a time may use it.
type Dev struct {
	link   link
	serial bool // over a serial line, answers come without being asked for
	opts   Opts
	clock  nfc.Clock
	wait   wait

	firmware       string
	deadline       time.Time // when a silent chip becomes an error; zero before the first wait
	stuck          bool      // the chip may still be busy with a command
	answersPending bool      // answers to earlier commands may still come
	testNumber     byte      // the number that discardLate sent last
	fieldOn        bool      // the field may be on
	lastCount      int       // of tags in the last poll; 1 if unknown

	slow           bool          // the chip wakes up only the slow way
	gap            time.Duration // least pause after a transaction
	lastTransferAt time.Time     // when the last transaction ended

	listLen int        // the length of the last answer to InListPassiveTarget
	ack     pace       // how long an acknowledgement takes
	repeat  pace       // how long a repeated answer takes
	paces   [0x31]pace // how long each command's answer takes; index: half its even code
	tx      []byte     // the command that is being sent
	memory  *memory    // of the selected tag, or nil
	offAt   time.Time  // since when the field is off
}

var _ nfc.Reader = (*Dev)(nil)

func newDev(l link, opts *Opts) *Dev {
	d := &Dev{
		link: l, opts: *opts, stuck: true, fieldOn: true, lastCount: 1,
		gap: minGap, listLen: 2, tx: make([]byte, 0, maxFrame),
	}
	_, d.serial = l.(*uartLink)
	d.wait.clock = &d.clock
	return d
}

// String names the chip and what it is connected to.
func (d *Dev) String() string { return fmt.Sprintf("PN532{%s}", d.link) }

// Firmware returns the version that Init found, such as "PN532 1.6". If only the slower way of
// waking the chip worked, the text is "PN532 1.6, slow to wake".
func (d *Dev) Firmware() string { return d.firmware }

const (
	// resetTime is the length of the reset pulse. It is far longer than the chip needs,
	// because the wire may be long. bootTime is the pause after the pulse: the oscillator
	// takes about 2 ms to start.
	resetTime = 1 * time.Millisecond
	bootTime  = 5 * time.Millisecond

	// wakeTime is the pause after waking the chip: its oscillator takes 2 ms, and some boards
	// need more. If the chip does not answer then, the driver wakes it again and pauses for
	// slowTime.
	wakeTime = 5 * time.Millisecond
	slowTime = 20 * time.Millisecond

	// minGap is the least pause after a transaction. The manual asks for none, but boards lose
	// frames without it (adafruit/Adafruit-PN532 issue 117, nfcpy/nfcpy issue 257); the
	// libraries that work wait a millisecond. Once a command to a chip has failed, the pause
	// is longGap from then on.
	minGap  = 1 * time.Millisecond
	longGap = 5 * time.Millisecond
)

// Parameters of commands.
const (
	samNormal  = 0x01 // SAMConfiguration (7.2.10): the SAM is not used
	samTimeout = 0x14 // 1 s; no effect without a SAM
	samIRQ     = 0x01 // the interrupt line is driven, wired or not

	icPN532 = 0x32 // GetFirmwareVersion (7.2.2)

	rfField   = 0x01 // RFConfiguration (7.3.1): the field
	rfRetries = 0x05 // RFConfiguration: how often things are tried
	atrRetry  = 0xFF // as at reset
	pslRetry  = 0x01 // as at reset
	passive   = 0x01 // activation is tried twice; after a reset, endlessly
)

// Init wakes and configures the chip. If a reset line is wired, Init first resets the chip. If
// the chip is silent, Init fails within 300 ms. If nothing at all was received over the link,
// the error is ErrNotSPI, ErrNotI2C or ErrNotUART.
func (d *Dev) Init(ctx context.Context) error {
	d.firmware = ""
	d.stuck, d.fieldOn, d.lastCount = true, true, 1
	d.deselect()
	if err := d.reset(ctx); err != nil {
		return fmt.Errorf("pn532: reset: %w", err)
	}
	d.link.listen()
	if err := d.configure(ctx); err != nil {
		if ctx.Err() == nil {
			err = d.link.explain(err)
		}
		return fmt.Errorf("pn532: init: %w", err)
	}
	return nil
}

func (d *Dev) reset(ctx context.Context) error {
	if d.opts.Reset == nil {
		return ctx.Err()
	}
	if err := d.opts.Reset.Out(gpio.Low); err != nil {
		return err
	}
	if err := d.clock.Sleep(ctx, resetTime); err != nil {
		return errors.Join(err, d.opts.Reset.Out(gpio.High))
	}
	if err := d.opts.Reset.Out(gpio.High); err != nil {
		return err
	}
	return d.clock.Sleep(ctx, bootTime)
}

func (d *Dev) configure(ctx context.Context) error {
	// After power on the chip is in its low battery mode and obeys only
	// SAMConfiguration (AN10609, page 21).
	if err := d.wake(ctx); err != nil {
		return err
	}
	version, err := d.command(ctx, cmdGetFirmwareVersion, 4)
	if err != nil {
		return err
	}
	if len(version) < 4 || version[0] != icPN532 {
		return fmt.Errorf("got version % X, want that of a PN532", version)
	}
	firmware := fmt.Sprintf("PN532 %d.%d", version[1], version[2])
	if d.slow {
		firmware += ", slow to wake"
	}
	// No automatic RATS: the UID is enough, and a phone or bank card would take
	// its time (7.2.9).
	if _, err := d.command(ctx, cmdSetParameters, 0, 0x00); err != nil {
		return err
	}
	if _, err := d.command(ctx, cmdRFConfiguration, 0, rfRetries, atrRetry, pslRetry, passive); err != nil {
		return err
	}
	if err := d.fieldOff(ctx); err != nil {
		return err
	}
	d.firmware = firmware
	return nil
}

// wake wakes the chip and makes it listen to all commands.
func (d *Dev) wake(ctx context.Context) error {
	d.begin()
	var err error
	for try := range 3 {
		slow, pause := d.slow, wakeTime
		if try > 0 || slow {
			slow, pause = true, slowTime
		}
		if err = d.link.wake(slow); err != nil {
			return err
		}
		if err = d.clock.Sleep(ctx, pause); err != nil {
			return err
		}
		_, err = d.commandWithoutRetry(ctx, cmdSAMConfiguration, 0, samNormal, samTimeout, samIRQ)
		if err == nil {
			d.slow = slow
		}
		if err == nil || ctx.Err() != nil {
			break
		}
	}
	return err
}

func (d *Dev) fieldOff(ctx context.Context) error {
	_, err := d.command(ctx, cmdRFConfiguration, 0, rfField, 0x00)
	if err == nil {
		d.fieldOn, d.offAt = false, time.Now()
	}
	return err
}

// offTime is how long the field must be off so that a tag loses its state. The NFC Forum
// Digital Protocol (t FIELD,OFF) asks readers for 5.1 ms.
const offTime = 6 * time.Millisecond

// dark switches the field off, if it may be on, and waits until all tags have lost their
// state.
func (d *Dev) dark(ctx context.Context) error {
	if d.fieldOn {
		if err := d.fieldOff(ctx); err != nil {
			return err
		}
	}
	return d.clock.Sleep(ctx, offTime-time.Since(d.offAt))
}

// Halt switches the field off and invalidates the memory that Select returned last.
func (d *Dev) Halt() error {
	d.deselect()
	d.begin()
	if d.firmware == "" { // an Init that was cut off may have left the chip asleep
		if err := d.wake(context.Background()); err != nil {
			return fmt.Errorf("pn532: halt: %w", err)
		}
	}
	if err := d.fieldOff(context.Background()); err != nil {
		return fmt.Errorf("pn532: halt: %w", err)
	}
	return nil
}
