package rig

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/reader"
	"tableside/drivers/mfrc522"
	"tableside/drivers/nfc"
	"tableside/drivers/pcsc"
	"tableside/drivers/pn532"
	"tableside/engine"
)

// OpenReader opens the bus of a reader, and returns the driver and a function that closes the
// bus. It sends nothing to the chip yet.
func (p *Parts) OpenReader(c *config.Reader) (nfc.Reader, func() error, error) {
	if c.Chip == config.PCSC { // its bytes pass between pcscd and the reader: they are on no tape
		if pcscd := p.Ports.PCSC(); pcscd != nil {
			return pcsc.New(pcscd, c.Model), func() error { return nil }, nil
		}
		return nil, nil, fmt.Errorf("%s: there is no pcscd here", c.Who())
	}
	var port io.Closer
	dev, err := opened(p, c, tapeReader, func() (dev nfc.Reader, err error) {
		dev, port, err = p.readerOn(c)
		if err != nil && port != nil { // the next attempt opens it again
			err = errors.Join(err, port.Close())
		}
		return dev, err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", c.Who(), err)
	}
	if c.Serial != "" {
		return dev, port.Close, nil
	}
	return dev, func() error { return nil }, nil
}

// readerOn opens the port of a reader, and returns the driver and the port if it can be closed.
func (p *Parts) readerOn(c *config.Reader) (nfc.Reader, io.Closer, error) {
	if c.Chip != "pn532" && c.Chip != "mfrc522" {
		return nil, nil, fmt.Errorf("got chip %q, want pn532, mfrc522 or pcsc", c.Chip)
	}
	on := p.on(c)
	pins, err := pinsOf(on, c.Reset)
	if err != nil {
		return nil, nil, err
	}
	opts := pn532.Opts{Reset: pins[0]}
	switch {
	case c.Serial != "":
		port, err := on.Serial(c.Serial)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", c.Serial, err)
		}
		dev, err := pn532.NewUART(c.Serial, port, &opts)
		return dev, port, err
	case c.I2C != "":
		bus, err := p.bus(on, &c.Bus)
		if err != nil {
			return nil, nil, err
		}
		dev, err := pn532.NewI2C(bus, &opts)
		return dev, nil, err
	}
	port, err := on.SPI(c.SPI)
	if err != nil {
		return nil, nil, err
	}
	open, _ := port.(io.Closer)
	if c.Chip == "pn532" {
		dev, err := pn532.NewSPI(port, &opts)
		return dev, open, err
	}
	more := mfrc522.DefaultOpts
	more.Reset, more.Gain = pins[0], cmp.Or(c.Gain, more.Gain)
	dev, err := mfrc522.NewSPI(port, &more)
	return dev, open, err
}

// A chip adapts a driver to package reader. The first call of Init opens the bus. After an
// error, Init is called once more. If the bus is a serial port, this second call closes the
// port and opens it again, because it may be on a USB adapter that was unplugged and plugged
// in again.
//
// One goroutine polls the tags; another one may write them.
type chip struct {
	parts  *Parts
	config *config.Reader

	mu    sync.Mutex
	dev   nfc.Reader // nil until it is opened
	close func() error
	uids  []nfc.UID
}

// NewChip returns the chip of the reader c. Init opens it.
func NewChip(p Ports, w *config.Wiring, c *config.Reader) *chip {
	return &chip{parts: NewParts(p, w), config: c}
}

// Init implements reader.Chip: it opens the bus if necessary, and sets the chip up.
func (c *chip) Init(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
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
// be read. While a tag is written, Poll reports that too, so that no tag counts as removed.
func (c *chip) Poll(ctx context.Context, seen []string) (tags []string, blurred bool, err error) {
	if !c.mu.TryLock() {
		return seen, true, nil
	}
	defer c.mu.Unlock()
	c.uids, err = c.dev.Poll(ctx, c.uids[:0])
	for _, uid := range c.uids {
		seen = append(seen, uid.String())
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
	c.mu.Lock()
	defer c.mu.Unlock()
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

func (p *Parts) addReader(name string, c *config.Reader) {
	ch := &chip{parts: p, config: c}
	p.add(device.Part{Name: name, Source: reader.New(reader.Config{
		Name: name, Place: c.Name, Seat: engine.Seat(c.Seat), Chip: ch, Every: c.Every, Know: p.lookup,
		Board: p.board, TapInitial: p.tapInitial,
	})}, ch.Halt)
}
