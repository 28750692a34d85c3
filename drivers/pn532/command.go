package pn532

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"
)

// The codes of the chip's commands (UM0701-02, 7.2 and 7.3). An answer has the code of its
// command plus one.
const (
	cmdDiagnose            = 0x00
	cmdGetFirmwareVersion  = 0x02
	cmdWriteRegister       = 0x08
	cmdSetParameters       = 0x12
	cmdSAMConfiguration    = 0x14
	cmdRFConfiguration     = 0x32
	cmdInDataExchange      = 0x40
	cmdInCommunicateThru   = 0x42
	cmdInListPassiveTarget = 0x4A
)

var commandNames = map[byte]string{
	cmdDiagnose:            "Diagnose",
	cmdGetFirmwareVersion:  "GetFirmwareVersion",
	cmdWriteRegister:       "WriteRegister",
	cmdSetParameters:       "SetParameters",
	cmdSAMConfiguration:    "SAMConfiguration",
	cmdRFConfiguration:     "RFConfiguration",
	cmdInDataExchange:      "InDataExchange",
	cmdInCommunicateThru:   "InCommunicateThru",
	cmdInListPassiveTarget: "InListPassiveTarget",
}

const (
	// timeLimit is how long the driver waits while nothing valid comes from the chip.
	timeLimit = 250 * time.Millisecond

	// ackTime is how long the driver waits for the acknowledgement of a command: twice the 15
	// ms that a chip needs at most.
	ackTime = 30 * time.Millisecond

	// repeatTime is how long the chip may take to send an answer again.
	repeatTime = 30 * time.Millisecond

	tries   = 3 // attempts at a command, and repeats of an answer
	maxSkip = 8 // most frames of earlier commands to skip in a row

	testLine = 0x00 // of Diagnose (7.2.1): the answer repeats the parameters
)

// answerTime returns how long the chip may take to answer a command. An exchange with a tag
// takes the chip at most 51.2 ms (7.3.1, item 2). Two attempts to find tags take even less.
func answerTime(code byte) time.Duration {
	switch code {
	case cmdInListPassiveTarget, cmdInDataExchange, cmdInCommunicateThru:
		return 120 * time.Millisecond
	}
	return 50 * time.Millisecond
}

// errSyntax reports that the chip sent its error frame: it does not know the command or its
// parameters.
var errSyntax = errors.New("the chip refuses the command")

// begin gives the chip its full time again (timeLimit). It is called after each answer, and at
// the start of each operation of the driver. The time starts to run not at the call, but when
// the driver next waits for the chip. So a delay of this machine is not taken for a fault of
// the chip.
func (d *Dev) begin() { d.deadline = time.Time{} }

// command runs a command and returns the parameters of the answer. The parameters are valid
// until the next command. The caller passes their probable length in bytes as size.
//
// If there is an error, the command is sent again, up to three times in all, unless the
// context has ended. So the command must be safe to run more than once.
func (d *Dev) command(ctx context.Context, code byte, size int, params ...byte) (data []byte, err error) {
	for range tries {
		data, err = d.commandWithoutRetry(ctx, code, size, params...)
		if err == nil || ctx.Err() != nil {
			break
		}
	}
	return data, err
}

func (d *Dev) commandWithoutRetry(ctx context.Context, code byte, size int, params ...byte) ([]byte, error) {
	data, err := d.exchange(ctx, code, size, params)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", commandNames[code], err)
	}
	return data, nil
}

func (d *Dev) exchange(ctx context.Context, code byte, size int, params []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := d.settle(ctx, code); err != nil {
		return nil, err
	}
	d.stuck = true
	d.tx = appendFrame(d.tx[:0], code, params...)
	data, err := d.ask(ctx, code, size)
	switch {
	case err == nil, errors.Is(err, errSyntax):
		d.stuck = false
		d.begin()
	case ctx.Err() == nil:
		d.gap = longGap
	}
	return data, err
}

// settle prepares the chip for the command with this code. If an earlier command may still be
// running, settle ends that command, so that its late answer is not taken for the answer to
// the new command.
func (d *Dev) settle(ctx context.Context, code byte) error {
	if d.stuck {
		if err := d.abort(ctx); err != nil {
			return fmt.Errorf("abort the previous command: %w", err)
		}
		d.answersPending = d.serial
	}
	if !d.answersPending {
		return nil
	}
	// Not before SAMConfiguration: a chip in its low battery mode does not know Diagnose.
	// The commands that follow it all have other codes, so that each skips the answers to
	// the one before.
	if code != cmdSAMConfiguration {
		d.stuck = true
		if err := d.discardLate(ctx); err != nil {
			return fmt.Errorf("%s: %w", commandNames[cmdDiagnose], err)
		}
	}
	d.answersPending = false
	return nil
}

// discardLate discards answers that come late over a serial line. A busy computer or an
// adapter may delay an answer for longer than the driver waits for silence. Such a late answer
// about one page of a tag looks like the awaited answer about another page.
//
// So the driver sends the chip a number. The chip returns the number after all the earlier
// answers (Diagnose, 7.2.1, communication line test).
func (d *Dev) discardLate(ctx context.Context) error {
	d.testNumber++
	d.tx = appendFrame(d.tx[:0], cmdDiagnose, testLine, d.testNumber)
	data, err := d.ask(ctx, cmdDiagnose, 2)
	for range maxSkip {
		if err != nil || bytes.Equal(data, []byte{testLine, d.testNumber}) {
			return err
		}
		data, err = d.answer(ctx, cmdDiagnose, 2)
	}
	return errTimeout
}

func (d *Dev) ask(ctx context.Context, code byte, size int) ([]byte, error) {
	if err := d.send(ctx, d.tx); err != nil {
		return nil, err
	}
	if err := d.acknowledged(ctx); err != nil {
		return nil, err
	}
	return d.answer(ctx, code, size)
}

func (d *Dev) send(ctx context.Context, frame []byte) error {
	if err := d.clock.Sleep(ctx, d.gap-time.Since(d.lastTransferAt)); err != nil {
		return err
	}
	defer func() { d.lastTransferAt = time.Now() }()
	return d.link.send(frame)
}

func (d *Dev) receive(ctx context.Context, n int) ([]byte, error) {
	defer func() { d.lastTransferAt = time.Now() }()
	return d.link.receive(ctx, &d.wait, n)
}

// abort ends a running command with an ACK (6.2.2.2). It also discards an answer to the
// command. The chip still answers if the ACK did not arrive because the line was disturbed.
func (d *Dev) abort(ctx context.Context) error {
	if err := d.send(ctx, ackFrame); err != nil {
		// An I2C chip that is busy does not answer to its address.
		if err := d.clock.Sleep(ctx, wakeTime); err != nil {
			return err
		}
		if err := d.send(ctx, ackFrame); err != nil {
			return err
		}
	}
	if err := d.clock.Sleep(ctx, d.gap); err != nil {
		return err
	}
	err := d.link.drop(ctx, &d.clock, d.gap)
	d.lastTransferAt = time.Now()
	return err
}

func (d *Dev) endOfWait(t time.Duration) time.Time {
	now := time.Now()
	if d.deadline.IsZero() {
		d.deadline = now.Add(timeLimit)
	}
	if end := now.Add(t); end.Before(d.deadline) {
		return end
	}
	return d.deadline
}

// acknowledged waits for the acknowledgement. It skips other frames, which belong to an
// earlier command.
func (d *Dev) acknowledged(ctx context.Context) error {
	d.wait.start(&d.ack, d.gap, d.endOfWait(ackTime))
	for range maxSkip {
		raw, err := d.receive(ctx, ackLen)
		if err != nil {
			return fmt.Errorf("acknowledgement: %w", err)
		}
		k, _, _, err := parse(raw)
		if err != nil {
			return fmt.Errorf("acknowledgement: %w", err)
		}
		if k == ackKind {
			return nil
		}
	}
	return fmt.Errorf("acknowledgement: %w", errTimeout)
}

// answer waits for the answer to a command and returns the parameters in the answer. The
// caller passes the probable length of the parameters in bytes as size. Answers to other
// commands are skipped.
//
// If the answer is damaged or longer than expected, the driver asks the chip up to three times
// to repeat the answer. If the chip refuses the command, the error is errSyntax.
func (d *Dev) answer(ctx context.Context, code byte, size int) ([]byte, error) {
	want := overhead + 2 + size
	d.wait.start(&d.paces[code/2], d.gap, d.endOfWait(answerTime(code)))
	asked := 0
	for range maxSkip {
		raw, err := d.receive(ctx, want)
		if err == nil {
			var k kind
			var data []byte
			var used int
			k, data, used, err = parse(raw)
			switch {
			case errors.Is(err, errShort):
				want = max(want, min(used, maxFrame))
			case k == answerKind && data[0] == code+1:
				d.answersPending = d.answersPending || asked > 0 && d.serial
				return data[1:], nil
			case k == errorKind:
				return nil, errSyntax
			case err == nil:
				continue // from an earlier command
			}
		} else if asked == 0 || !errors.Is(err, errTimeout) {
			return nil, fmt.Errorf("answer: %w", err)
		}
		if asked++; asked > tries {
			return nil, fmt.Errorf("answer: %w", err)
		}
		if err := d.repeatAnswer(ctx); err != nil {
			return nil, fmt.Errorf("ask again: %w", err)
		}
		d.wait.start(&d.repeat, d.gap, d.endOfWait(repeatTime))
	}
	return nil, fmt.Errorf("answer: %w", errTimeout)
}

// repeatAnswer asks the chip to repeat its answer (6.2.1.4).
func (d *Dev) repeatAnswer(ctx context.Context) error {
	if err := d.clock.Sleep(ctx, d.gap-time.Since(d.lastTransferAt)); err != nil {
		return err
	}
	if err := d.link.drop(ctx, &d.clock, d.gap); err != nil {
		return err
	}
	d.lastTransferAt = time.Now()
	return d.send(ctx, nackFrame)
}
