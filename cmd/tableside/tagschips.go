package main

import (
	"context"
	"fmt"
	"time"

	"periph.io/x/conn/v3/spi"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/pn532/pn532test"
)

// newTagBench is a bench with one emulated reader.
func newTagBench() (*bench, config.Reader) {
	field := &nfctest.Field{}
	chip := pn532test.New(field)
	// An emulated hand is faster than one of flesh.
	c := config.Reader{Name: "bench", Chip: "pn532", Bus: config.Bus{SPI: "SPI0.0"}, Poll: 5 * time.Millisecond}
	return &bench{
		buses: map[string]spi.Port{c.SPI: chip.SPI()}, chips: map[string]faultyChip{c.Name: chip}, fields: map[string]*nfctest.Field{c.Name: field},
	}, c
}

// A blankHand lays one blank tag after another on an emulated reader: each
// stays until it was dealt with, and the next one comes when the reader knows
// that it is gone. A nil one lays nothing.
type blankHand struct {
	field *nfctest.Field
	dealt chan bool // a tag was dealt with
	gone  chan bool // or is gone
}

func newBlankHand(field *nfctest.Field) *blankHand {
	return &blankHand{field: field, dealt: make(chan bool), gone: make(chan bool)}
}

// notice hears what the reader tells.
func (h *blankHand) notice(ctx context.Context, s device.Signal) {
	if _, off := s.(device.TagOff); h != nil && off {
		h.tell(ctx, h.gone)
	}
}

// next tells the hand that its tag was dealt with.
func (h *blankHand) next(ctx context.Context) {
	if h != nil {
		h.tell(ctx, h.dealt)
	}
}

func (h *blankHand) tell(ctx context.Context, what chan bool) {
	select {
	case what <- true:
	case <-ctx.Done():
	}
}

func (h *blankHand) run(ctx context.Context) {
	if h == nil {
		return
	}
	for n := 1; ctx.Err() == nil; n++ {
		tag := nfctest.NewNTAG213(uidOf(fmt.Sprint("blank ", n)))
		h.field.Put(tag)
		h.wait(ctx, h.dealt)
		h.field.Take(tag)
		h.wait(ctx, h.gone)
	}
}

func (h *blankHand) wait(ctx context.Context, what chan bool) {
	select {
	case <-what:
	case <-ctx.Done():
	}
}
