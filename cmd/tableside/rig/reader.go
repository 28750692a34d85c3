package rig

import (
	"context"
	"errors"
	"fmt"
	"io"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/reader"
	"tableside/drivers/mfrc522"
	"tableside/drivers/nfc"
	"tableside/drivers/pcsc"
	"tableside/drivers/pn532"
	"tableside/engine"
)

// newReader opens the bus of a reader, and returns the driver and a function that closes the
// bus. Unlike OpenReader, it never records on a tape.
func (p *Parts) newReader(c *config.Reader) (nfc.Reader, func() error, error) {
	fail := func(err error) (nfc.Reader, func() error, error) {
		return nil, nil, fmt.Errorf("%s: %w", c.Who(), err)
	}
	keep := func() error { return nil }
	switch c.Chip {
	case "pn532", "mfrc522":
	case config.PCSC:
		return pcsc.New(p.Ports.PCSC(), c.Model), keep, nil
	default:
		return fail(fmt.Errorf("got chip %q, want pn532, mfrc522 or pcsc", c.Chip))
	}
	reset, err := optionalPin(p.Ports, c.Reset)
	if err != nil {
		return fail(err)
	}
	var dev nfc.Reader
	switch {
	case c.Serial != "":
		port, err := p.Ports.Serial(c.Serial)
		if err != nil {
			return fail(fmt.Errorf("%s: %w", c.Serial, err))
		}
		dev, err = pn532.NewUART(c.Serial, port, &pn532.Opts{Reset: reset})
		if err != nil {
			return fail(errors.Join(err, port.Close()))
		}
		return dev, port.Close, nil
	case c.I2C != "":
		bus, err := p.bus(&c.Bus)
		if err != nil {
			return fail(err)
		}
		dev, err = pn532.NewI2C(bus, &pn532.Opts{Reset: reset})
		if err != nil {
			return fail(err)
		}
		return dev, keep, nil
	}
	port, err := p.Ports.SPI(c.SPI)
	if err != nil {
		return fail(err)
	}
	if c.Chip == "pn532" {
		dev, err = pn532.NewSPI(port, &pn532.Opts{Reset: reset})
	} else {
		opts := mfrc522.DefaultOpts
		opts.Reset = reset
		if c.Gain != 0 {
			opts.Gain = c.Gain
		}
		dev, err = mfrc522.NewSPI(port, &opts)
	}
	if err != nil {
		if open, ok := port.(io.Closer); ok { // the next attempt opens it again
			err = errors.Join(err, open.Close())
		}
		return fail(err)
	}
	return dev, keep, nil
}

// A chip adapts a driver to package reader. The first call of Init opens the bus. After an
// error, Init is called once more. If the bus is a serial port, this second call closes the
// port and opens it again, because it may be on a USB adapter that was unplugged and plugged
// in again.
type chip struct {
	parts  *Parts
	config *config.Reader

	dev   nfc.Reader // nil until it is opened
	close func() error
	uids  []nfc.UID
	names map[nfc.UID]string
}

// maxNames limits the cache that holds the UIDs of tags as texts. It is larger than the number
// of cards in a box, so the cache has room for all their tags.
const maxNames = 4096

// Init implements reader.Chip: it opens the bus if necessary, and sets the chip up.
func (c *chip) Init(ctx context.Context) error {
	if c.dev != nil && c.config.Serial != "" {
		_ = c.close() // fails if the device is no longer there
		c.dev = nil
	}
	if c.dev == nil {
		var err error
		if c.dev, c.close, err = c.parts.OpenReader(c.config); err != nil {
			return err
		}
	}
	return c.dev.Init(ctx)
}

// Poll implements reader.Chip. It finds the tags on the reader, and returns the given slice
// with these tags appended. The second result is true if there may also be a tag that cannot
// be read.
func (c *chip) Poll(ctx context.Context, seen []string) (tags []string, blurred bool, err error) {
	c.uids, err = c.dev.Poll(ctx, c.uids[:0])
	if len(c.names) > maxNames {
		c.names = nil
	}
	for _, uid := range c.uids {
		name, known := c.names[uid]
		if !known {
			if c.names == nil {
				c.names = map[nfc.UID]string{}
			}
			name = uid.String()
			c.names[uid] = name
		}
		seen = append(seen, name)
	}
	if errors.Is(err, nfc.ErrUnreadable) {
		return seen, true, nil
	}
	return seen, false, err
}

// Text implements reader.Chip: it returns the text on a tag. If the tag has none, the error is
// reader.ErrNoText.
func (c *chip) Text(ctx context.Context, tag string) (string, error) {
	uid, err := nfc.ParseUID(tag)
	if err != nil {
		return "", err
	}
	memory, err := c.dev.Select(ctx, uid)
	if err != nil {
		return "", err
	}
	text, err := nfc.ReadText(ctx, memory)
	if errors.Is(err, nfc.ErrNoText) || errors.Is(err, nfc.ErrRefused) { // a MIFARE Classic refuses to be read
		return "", reader.ErrNoText
	}
	return text, err
}

// Firmware implements reader.Chip. It returns "" before the reader was opened.
func (c *chip) Firmware() string {
	if c.dev == nil {
		return ""
	}
	return c.dev.Firmware()
}

// Halt turns the RF field off and closes the bus, if the reader was opened.
func (c *chip) Halt() error {
	if c.dev == nil {
		return nil
	}
	return errors.Join(c.dev.Halt(), c.close())
}

// addReaders adds a source for each reader of the wiring. The readers share the board. To find
// out what a tag means, they call the last argument.
func (p *Parts) addReaders(w *config.Wiring, board *reader.Board,
	lookup func(tag, text string) (device.Meaning, bool)) {
	for i := range w.Readers {
		c := &w.Readers[i]
		ch := &chip{parts: p, config: c}
		name := "reader-" + c.Name
		p.add(device.Part{Name: name, Source: reader.New(reader.Config{
			Name: name, Place: c.Name, Seat: engine.Seat(c.Seat), Chip: ch, Every: c.Poll, Know: lookup,
			Board: board, TapInitial: p.tapInitial,
		})}, ch.Halt)
	}
}
