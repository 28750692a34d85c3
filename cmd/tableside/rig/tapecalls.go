package rig

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"image"
	"image/draw"
	"image/png"
	"strconv"

	"periph.io/x/conn/v3/display"

	"tableside/cmd/tableside/config"
	"tableside/display/panel"
	"tableside/drivers/keys"
	"tableside/drivers/nfc"
	"tableside/drivers/tape"
)

// This file puts the calls of drivers on the tape, too. A replay makes the same calls again.

// opened opens a part. If the part is on a tape, so are this call and those of the driver that the
// function taped returns.
func opened[C config.Part, T any](p *Parts, c C, open func(C) (T, error), taped func(T, tape.Wire) T) (dev T, err error) {
	w := p.wire(c)
	if w == nil {
		return open(c)
	}
	if err = w.Do(func() error { dev, err = open(c); return err }, "open"); err == nil {
		dev = taped(dev, w)
	}
	return dev, err
}

// OpenReader opens the bus of a reader, and returns the driver and a function that closes the
// bus. It sends nothing to the chip yet.
func (p *Parts) OpenReader(c *config.Reader) (dev nfc.Reader, closeBus func() error, err error) {
	if c.Chip == config.PCSC { // its bytes pass between pcscd and the reader
		return p.newReader(c)
	}
	dev, err = opened(p, c, func(c *config.Reader) (dev nfc.Reader, err error) {
		dev, closeBus, err = p.newReader(c)
		return dev, err
	}, func(dev nfc.Reader, w tape.Wire) nfc.Reader { return &tapedReader{dev, nil, w} })
	return dev, closeBus, err
}

type tapedReader struct {
	nfc.Reader
	memory nfc.Memory // of the tag that was selected last
	wire   tape.Wire
}

func (r *tapedReader) Init(ctx context.Context) error {
	return r.wire.Do(func() error { return r.Reader.Init(ctx) }, "init")
}

func (r *tapedReader) Poll(ctx context.Context, seen []nfc.UID) ([]nfc.UID, error) {
	err := r.wire.Do(func() (err error) { seen, err = r.Reader.Poll(ctx, seen); return err }, "poll")
	return seen, err
}

func (r *tapedReader) Select(ctx context.Context, uid nfc.UID) (nfc.Memory, error) {
	err := r.wire.Do(func() (err error) { r.memory, err = r.Reader.Select(ctx, uid); return err }, "select", uid.String())
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (r *tapedReader) ReadPages(ctx context.Context, page byte, to *[16]byte) error {
	return r.wire.Do(func() error { return r.memory.ReadPages(ctx, page, to) }, "read", strconv.Itoa(int(page)))
}

func (r *tapedReader) WritePage(ctx context.Context, page byte, data [4]byte) error {
	return r.wire.Do(func() error { return r.memory.WritePage(ctx, page, data) },
		"write", strconv.Itoa(int(page)), hex.EncodeToString(data[:]))
}

func (r *tapedReader) Halt() error { return r.wire.Do(r.Reader.Halt, "halt") }

// Switchable is a panel whose supply can be switched off.
type Switchable interface{ SwitchOff() error }

// OpenPanel opens the SPI port and the pins of the panel, and returns its driver.
func (p *Parts) OpenPanel(c *config.Panel) (panel.Glass, error) {
	return opened(p, c, p.newPanel, func(g panel.Glass, w tape.Wire) panel.Glass {
		return tapedPanel{tapedGlass{g, w}, g.(panel.Pauser)}
	})
}

// OpenScreen opens the bus of a screen, and returns its driver.
func (p *Parts) OpenScreen(c *config.Screen) (panel.Glass, error) {
	return opened(p, c, p.newScreen, func(g panel.Glass, w tape.Wire) panel.Glass {
		return tapedScreen{tapedGlass{g, w}}
	})
}

type tapedGlass struct {
	panel.Glass
	wire tape.Wire
}

func (r tapedGlass) Update(ctx context.Context, picture image.Image, full bool) error {
	var file bytes.Buffer
	_ = png.Encode(&file, picture) // fails for an empty picture only
	return r.wire.Do(func() error { return r.Glass.Update(ctx, picture, full) },
		"update", strconv.FormatBool(full), base64.StdEncoding.EncodeToString(file.Bytes()))
}

func (r tapedGlass) Sleep(ctx context.Context) error {
	return r.wire.Do(func() error { return r.Glass.Sleep(ctx) }, "sleep")
}

type tapedPanel struct {
	tapedGlass
	panel.Pauser
}

func (r tapedPanel) SwitchOff() error { return r.wire.Do(r.Glass.(Switchable).SwitchOff, "off") }

type tapedScreen struct{ tapedGlass }

func (r tapedScreen) Check(ctx context.Context) error {
	return r.wire.Do(func() error { return r.Glass.(panel.Checker).Check(ctx) }, "check")
}

// OpenStrip opens the port of an LED strip, and returns its driver.
func (p *Parts) OpenStrip(c *config.Lights) (display.Drawer, error) {
	return opened(p, c, p.newStrip, func(s display.Drawer, w tape.Wire) display.Drawer { return tapedStrip{s, w} })
}

type tapedStrip struct {
	display.Drawer
	wire tape.Wire
}

func (s tapedStrip) Draw(r image.Rectangle, src image.Image, at image.Point) error {
	colours := image.NewNRGBA(s.Bounds())
	draw.Draw(colours, r, src, at, draw.Src)
	return s.wire.Do(func() error { return s.Drawer.Draw(r, src, at) }, "draw", hex.EncodeToString(colours.Pix))
}

func (s tapedStrip) Halt() error { return s.wire.Do(s.Drawer.Halt, "halt") }

// RunKeys calls handle for each event of the keys until the context ends.
func (p *Parts) RunKeys(ctx context.Context, dev *keys.Dev, opts *keys.Opts, handle func(keys.Event)) error {
	w := p.wire(&config.Key{})
	if w == nil {
		return dev.Run(ctx, handle)
	}
	return w.Do(func() error {
		return dev.Run(ctx, func(e keys.Event) {
			tape.Event(w, e)
			handle(e)
		})
	}, "run", opts.Stuck.String())
}
