package bench

import (
	"fmt"
	"hash/fnv"
	"time"

	"periph.io/x/conn/v3/spi"

	"tableside/cmd/tableside/config"
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
	c := config.Reader{Name: "bench", Chip: "pn532", Bus: config.Bus{SPI: "SPI0.0"}, Every: 5 * time.Millisecond}
	return &Bench{
		Buses: map[string]spi.Port{c.SPI: chip.SPI()}, Chips: map[string]faultyChip{c.Name: chip},
		Fields: map[string]*nfctest.Field{c.Name: field},
	}, c
}

// LayBlankTags lays a blank tag in the field of a reader. It returns the function that replaces
// this tag with the next blank tag.
func LayBlankTags(field *nfctest.Field) (next func()) {
	n := 0
	var tag *nfctest.Tag
	next = func() {
		if tag != nil {
			field.Take(tag)
		}
		n++
		tag = nfctest.NewNTAG213(uidOf(fmt.Sprint("blank ", n)))
		field.Put(tag)
	}
	next()
	return next
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
