package main

import (
	"context"
	"fmt"
	"time"

	"periph.io/x/conn/v3/spi"

	"tableside/device"
	"tableside/drivers/nfc/nfctest"
)

// newTagBench is a bench with one emulated reader.
func newTagBench() (*bench, readerConfig) {
	b := &bench{buses: map[string]spi.Port{}, lines: map[string]func() serialPort{}, chips: map[string]faultyChip{}, fields: map[string]*nfctest.Field{}}
	c := b.reader(0, "bench")
	c.Poll = 5 * time.Millisecond // an emulated hand is faster than one of flesh
	return b, c
}

// A blankHand lays one blank tag after another on an emulated reader: each
// stays until it was noticed, and the next one comes when the table knows that
// it is gone. A nil one lays nothing.
type blankHand struct {
	field *nfctest.Field
	seen  chan device.Signal
}

func newBlankHand(field *nfctest.Field) *blankHand {
	return &blankHand{field: field, seen: make(chan device.Signal)}
}

// notice hears what the reader tells.
func (h *blankHand) notice(ctx context.Context, s device.Signal) {
	if _, report := s.(device.Report); h == nil || report {
		return
	}
	select {
	case h.seen <- s:
	case <-ctx.Done():
	}
}

func (h *blankHand) run(ctx context.Context) {
	if h == nil {
		return
	}
	for n := 1; ; n++ {
		tag := nfctest.NewNTAG213(uidOf(fmt.Sprint("blank ", n)))
		h.field.Put(tag)
		if !h.wait(ctx) {
			return
		}
		pause := time.NewTimer(2 * together) // until it is known and written
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return
		}
		h.field.Take(tag)
		if !h.wait(ctx) {
			return
		}
	}
}

func (h *blankHand) wait(ctx context.Context) bool {
	select {
	case <-h.seen:
		return true
	case <-ctx.Done():
		return false
	}
}
