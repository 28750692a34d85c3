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
	"tableside/drivers/epaper"
	"tableside/drivers/keys"
	"tableside/drivers/nfc"
	"tableside/drivers/ssd1306"
	"tableside/drivers/tape"
)

// This file records the calls of drivers on the tape, too: a replay makes the same calls again.

// opened opens a part. While a tape is recorded, opening it is a call on the tape, and opened also
// returns the track for the calls of the driver.
func opened[C config.Part, T any](p *Parts, c C, open func(C) (T, error)) (dev T, t *tape.Track, err error) {
	if t = p.track(c); t == nil {
		dev, err = open(c)
		return dev, nil, err
	}
	if err = t.Do(func() error { dev, err = open(c); return err }, "open"); err != nil {
		t = nil
	}
	return dev, t, err
}

// OpenReader opens the bus of a reader, and returns the driver and a function that closes the
// bus. It sends nothing to the chip yet.
func (p *Parts) OpenReader(c *config.Reader) (dev nfc.Reader, closeBus func() error, err error) {
	if c.Chip == config.PCSC { // its bytes pass between pcscd and the reader
		return p.newReader(c)
	}
	dev, t, err := opened(p, c, func(c *config.Reader) (dev nfc.Reader, err error) {
		dev, closeBus, err = p.newReader(c)
		return dev, err
	})
	if t != nil {
		dev = recordedReader{dev, t}
	}
	return dev, closeBus, err
}

type recordedReader struct {
	nfc.Reader
	track *tape.Track
}

func (r recordedReader) Init(ctx context.Context) error {
	return r.track.Do(func() error { return r.Reader.Init(ctx) }, "init")
}

func (r recordedReader) Poll(ctx context.Context, seen []nfc.UID) ([]nfc.UID, error) {
	err := r.track.Do(func() (err error) { seen, err = r.Reader.Poll(ctx, seen); return err }, "poll")
	return seen, err
}

func (r recordedReader) Select(ctx context.Context, uid nfc.UID) (m nfc.Memory, err error) {
	err = r.track.Do(func() error { m, err = r.Reader.Select(ctx, uid); return err }, "select", uid.String())
	if err != nil {
		return nil, err
	}
	return recordedMemory{m, r.track}, nil
}

func (r recordedReader) Halt() error { return r.track.Do(r.Reader.Halt, "halt") }

type recordedMemory struct {
	nfc.Memory
	track *tape.Track
}

func (m recordedMemory) ReadPages(ctx context.Context, page byte, to *[16]byte) error {
	return m.track.Do(func() error { return m.Memory.ReadPages(ctx, page, to) }, "read", strconv.Itoa(int(page)))
}

func (m recordedMemory) WritePage(ctx context.Context, page byte, data [4]byte) error {
	return m.track.Do(func() error { return m.Memory.WritePage(ctx, page, data) },
		"write", strconv.Itoa(int(page)), hex.EncodeToString(data[:]))
}

// Switchable is a panel whose supply can be switched off.
type Switchable interface{ SwitchOff() error }

// OpenPanel opens the SPI port and the pins of the panel, and returns its driver.
func (p *Parts) OpenPanel(c *config.Panel) (panel.Glass, error) {
	dev, t, err := opened(p, c, p.newPanel)
	if t == nil {
		return dev, err
	}
	return recordedPanel{dev, t}, nil
}

type recordedPanel struct {
	*epaper.Dev
	track *tape.Track
}

func (r recordedPanel) Update(ctx context.Context, picture image.Image, full bool) error {
	return recordUpdate(ctx, r.track, r.Dev, picture, full)
}

func (r recordedPanel) Sleep(ctx context.Context) error {
	return r.track.Do(func() error { return r.Dev.Sleep(ctx) }, "sleep")
}

func (r recordedPanel) SwitchOff() error { return r.track.Do(r.Dev.SwitchOff, "off") }

// OpenScreen opens the bus of a screen, and returns its driver.
func (p *Parts) OpenScreen(c *config.Screen) (panel.Glass, error) {
	dev, t, err := opened(p, c, p.newScreen)
	if t == nil {
		return dev, err
	}
	return recordedScreen{dev, t}, nil
}

type recordedScreen struct {
	*ssd1306.Dev
	track *tape.Track
}

func (r recordedScreen) Update(ctx context.Context, picture image.Image, full bool) error {
	return recordUpdate(ctx, r.track, r.Dev, picture, full)
}

func (r recordedScreen) Sleep(ctx context.Context) error {
	return r.track.Do(func() error { return r.Dev.Sleep(ctx) }, "sleep")
}

func (r recordedScreen) Check(ctx context.Context) error {
	return r.track.Do(func() error { return r.Dev.Check(ctx) }, "check")
}

func recordUpdate(ctx context.Context, t *tape.Track, g panel.Glass, picture image.Image, full bool) error {
	var file bytes.Buffer
	_ = png.Encode(&file, picture) // fails for an empty picture only
	return t.Do(func() error { return g.Update(ctx, picture, full) },
		"update", strconv.FormatBool(full), base64.StdEncoding.EncodeToString(file.Bytes()))
}

// OpenStrip opens the port of an LED strip, and returns its driver.
func (p *Parts) OpenStrip(c *config.Lights) (display.Drawer, error) {
	dev, t, err := opened(p, c, p.newStrip)
	if t == nil {
		return dev, err
	}
	return recordedStrip{dev, t}, nil
}

type recordedStrip struct {
	display.Drawer
	track *tape.Track
}

func (s recordedStrip) Draw(r image.Rectangle, src image.Image, at image.Point) error {
	colours := image.NewNRGBA(s.Bounds())
	draw.Draw(colours, r, src, at, draw.Src)
	return s.track.Do(func() error { return s.Drawer.Draw(r, src, at) }, "draw", hex.EncodeToString(colours.Pix))
}

func (s recordedStrip) Halt() error { return s.track.Do(s.Drawer.Halt, "halt") }

// RunKeys calls handle for each event of the keys until the context ends.
func (p *Parts) RunKeys(ctx context.Context, dev *keys.Dev, opts *keys.Opts, handle func(keys.Event)) error {
	t := p.track(&config.Key{})
	if t == nil {
		return dev.Run(ctx, handle)
	}
	return t.Do(func() error {
		return dev.Run(ctx, func(e keys.Event) {
			tape.Event(t, e)
			handle(e)
		})
	}, "run", opts.Stuck.String())
}
