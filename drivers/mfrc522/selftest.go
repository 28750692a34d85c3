package mfrc522

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Errors of SelfTest, besides the errors of Init and of the bus.
var (
	// ErrSelfTest reports that the test gave other bytes than it should with this version,
	// or too few in time. Chips that report NXP's version and fail are common on cheap
	// boards: they are copies, and most of them read tags nevertheless.
	ErrSelfTest = errors.New("the self-test gives other bytes than this version should")

	// ErrNoReference reports that nobody knows which bytes this version should give, so the
	// test was not run.
	ErrNoReference = errors.New("there is no reference for the self-test of this version")
)

const (
	selfTestLimit = 100 * time.Millisecond
	selfTestCheck = time.Millisecond
)

// SelfTest runs the chip's own test (16.1.1) and compares the result of 64 bytes with
// Reference. After the test, SelfTest initialises the chip again, because a test leaves the
// registers in disorder.
func (d *Dev) SelfTest(ctx context.Context) error {
	if err := d.Init(ctx); err != nil {
		return err
	}
	tested := d.selfTest(ctx)
	if err := d.Init(ctx); err != nil {
		return err
	}
	if tested != nil {
		return fmt.Errorf("mfrc522: self-test of %s: %w", name(d.version), tested)
	}
	return nil
}

func (d *Dev) selfTest(ctx context.Context) error {
	want, known := Reference(d.version)
	if !known {
		return ErrNoReference
	}
	w := &d.wire
	var zeroes [selfTestBuffer]byte
	w.set(regCommand, cmdSoftReset)
	if err := d.waitAwake(ctx); err != nil {
		return err
	}
	w.set(regFIFOLevel, flushFIFO)
	w.fill(zeroes[:])
	w.set(regCommand, cmdMem)
	w.set(regAutoTest, autoTestOn)
	w.fill(zeroes[:1])
	w.set(regCommand, cmdCalcCRC)
	began := time.Now()
	for {
		// The FIFO's level shows the end, because some chips do not set CRCIRq during the test.
		r, err := w.read([]byte{regFIFOLevel})
		if err != nil {
			return err
		}
		if r[0] == fifoSize {
			break
		}
		if time.Since(began) > selfTestLimit {
			return fmt.Errorf("%d of %d bytes after %s: %w", r[0]&^flushFIFO, fifoSize, selfTestLimit, ErrSelfTest)
		}
		if err := d.clock.Sleep(ctx, selfTestCheck); err != nil {
			return err
		}
	}
	w.set(regCommand, cmdIdle)
	got, err := w.drain(fifoSize)
	if err != nil {
		return err
	}
	for i, b := range got {
		if b != want[i] {
			return fmt.Errorf("byte %d: got %02Xh, want %02Xh: %w", i, b, want[i], ErrSelfTest)
		}
	}
	return nil
}
