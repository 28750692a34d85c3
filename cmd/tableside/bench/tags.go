package bench

import (
	"context"
	"fmt"
	"hash/fnv"
	"time"

	"periph.io/x/conn/v3/spi"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/pn532/pn532test"
)

// NewTagBench returns a bench that has one emulated reader, and the configuration of this
// reader.
func NewTagBench() (*Bench, config.Reader) {
	field := &nfctest.Field{}
	chip := pn532test.New(field)
	// An emulated hand is faster than a person, so the reader polls more often.
	c := config.Reader{Name: "bench", Chip: "pn532", Bus: config.Bus{SPI: "SPI0.0"}, Poll: 5 * time.Millisecond}
	return &Bench{
		Buses: map[string]spi.Port{c.SPI: chip.SPI()}, Chips: map[string]faultyChip{c.Name: chip},
		Fields: map[string]*nfctest.Field{c.Name: field},
	}, c
}

// A BlankHand lays one blank tag after another on an emulated reader. Each tag stays until
// Next is called. When the reader has reported the removal of the tag, the hand lays the next
// tag. The methods of a nil BlankHand do nothing.
type BlankHand struct {
	field     *nfctest.Field
	processed chan bool // gets a value from Next
	removed   chan bool // gets a value from Notice
}

// NewBlankHand returns a hand that lays tags in the field of a reader.
func NewBlankHand(field *nfctest.Field) *BlankHand {
	return &BlankHand{field: field, processed: make(chan bool), removed: make(chan bool)}
}

// Notice passes a signal to the hand. If the signal reports the removal of a tag, Notice waits
// until the hand expects a removal, or until the context ends. Notice ignores all other
// signals.
func (h *BlankHand) Notice(ctx context.Context, s device.Signal) {
	if _, off := s.(device.TagOff); h != nil && off {
		h.tell(ctx, h.removed)
	}
}

// Next tells the hand that its current tag was processed. It waits until the hand has received
// this message, or until the context ends.
func (h *BlankHand) Next(ctx context.Context) {
	if h != nil {
		h.tell(ctx, h.processed)
	}
}

func (h *BlankHand) tell(ctx context.Context, what chan bool) {
	select {
	case what <- true:
	case <-ctx.Done():
	}
}

// Run lays one blank tag after another in the field until the context ends.
func (h *BlankHand) Run(ctx context.Context) {
	if h == nil {
		return
	}
	for n := 1; ctx.Err() == nil; n++ {
		tag := nfctest.NewNTAG213(uidOf(fmt.Sprint("blank ", n)))
		h.field.Put(tag)
		h.wait(ctx, h.processed)
		h.field.Take(tag)
		h.wait(ctx, h.removed)
	}
}

func (h *BlankHand) wait(ctx context.Context, what chan bool) {
	select {
	case <-what:
	case <-ctx.Done():
	}
}

// uidOf returns the UID of a card's tag, which is a hash of the card's name. The UID begins
// with 04, like all UIDs of NXP (ISO/IEC 7816-6, registered manufacturers).
func uidOf(card string) nfc.UID {
	h := fnv.New64a()
	h.Write([]byte(card))
	sum := h.Sum(nil)
	uid, err := nfc.NewUID(append([]byte{0x04}, sum[:6]...))
	if err != nil {
		panic(err) // seven bytes are a UID
	}
	return uid
}
