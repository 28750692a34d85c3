package rig

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"image"
	"image/draw"
	"image/png"
	"strconv"
	"time"

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
func opened[T any](p *Parts, c config.Part, taped func(T, tape.Wire) T, open func() (T, error)) (dev T, err error) {
	w := p.wire(c)
	if w == nil {
		return open()
	}
	if err = w.Do(func() error { dev, err = open(); return err }, "open"); err == nil {
		dev = taped(dev, w)
	}
	return dev, err
}

func tapeReader(dev nfc.Reader, w tape.Wire) nfc.Reader { return &tapedReader{dev, nil, w} }

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

func tapePanel(g panel.Glass, w tape.Wire) panel.Glass {
	return tapedPanel{tapedGlass{g, w}, g.(panel.Pauser)}
}

type tapedPanel struct {
	tapedGlass
	panel.Pauser
}

func (r tapedPanel) SwitchOff() error { return r.wire.Do(r.Glass.(Switchable).SwitchOff, "off") }

func tapeScreen(g panel.Glass, w tape.Wire) panel.Glass { return tapedScreen{tapedGlass{g, w}} }

type tapedScreen struct{ tapedGlass }

func (r tapedScreen) Check(ctx context.Context) error {
	return r.wire.Do(func() error { return r.Glass.(panel.Checker).Check(ctx) }, "check")
}

func tapeStrip(s display.Drawer, w tape.Wire) display.Drawer { return tapedStrip{s, w} }

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

func (r *replay) open(c config.Part) (err error) {
	switch c := c.(type) {
	case *config.Reader:
		r.dev, _, err = r.parts.OpenReader(c)
	case *config.Panel:
		r.dev, err = r.parts.OpenPanel(c)
	case *config.Screen:
		r.dev, err = r.parts.OpenScreen(c)
	case *config.Lights:
		r.dev, err = r.parts.OpenStrip(c)
	}
	return err
}

var errUnknownCall = errors.New("this version of tableside has no such call")

func with[T any](dev any, do func(T) error) error {
	if d, ok := dev.(T); ok {
		return do(d)
	}
	return errUnknownCall
}

// call repeats a call on the tape.
func (r *replay) call(part string, c *tape.Call) error {
	switch c.Words[0] {
	case "open":
		for _, c := range r.parts.wiring.Parts() {
			if config.NameOf(c) == part {
				return r.open(c)
			}
		}
	case "run":
		if part == config.KeysName {
			opts, _ := KeyOptions(r.parts.wiring)
			opts.Stuck, _ = time.ParseDuration(c.Arg(0))
			dev, err := r.parts.OpenKeys(&opts)
			if err != nil {
				return err
			}
			return r.parts.RunKeys(r.ctx, dev, &opts, func(keys.Event) {})
		}
	case "init":
		return with(r.dev, func(d nfc.Reader) error { return d.Init(r.ctx) })
	case "poll":
		return with(r.dev, func(d nfc.Reader) error { _, err := d.Poll(r.ctx, nil); return err })
	case "select":
		return with(r.dev, func(d nfc.Reader) error {
			uid, err := nfc.ParseUID(c.Arg(0))
			if err == nil {
				r.memory, err = d.Select(r.ctx, uid)
			}
			return err
		})
	case "read", "write":
		return with(r.memory, func(m nfc.Memory) error {
			page, _ := strconv.ParseUint(c.Arg(0), 10, 8)
			if data, _ := hex.DecodeString(c.Arg(1)); len(data) == 4 {
				return m.WritePage(r.ctx, byte(page), [4]byte(data))
			}
			return m.ReadPages(r.ctx, byte(page), new([16]byte))
		})
	case "halt":
		return with(r.dev, func(d interface{ Halt() error }) error { return d.Halt() })
	case "update":
		return with(r.dev, func(d panel.Glass) error {
			file, _ := base64.StdEncoding.DecodeString(c.Arg(1))
			picture, err := png.Decode(bytes.NewReader(file))
			if err == nil {
				err = d.Update(r.ctx, picture, c.Arg(0) == "true" || setsUp(c))
			}
			return err
		})
	case "check":
		return with(r.dev, func(d panel.Checker) error { return d.Check(r.ctx) })
	case "sleep":
		return with(r.dev, func(d panel.Glass) error { return d.Sleep(r.ctx) })
	case "off":
		return with(r.dev, func(d Switchable) error { return d.SwitchOff() })
	case "draw":
		return with(r.dev, func(d display.Drawer) error {
			picture := image.NewNRGBA(d.Bounds())
			data, _ := hex.DecodeString(c.Arg(0))
			copy(picture.Pix, data)
			return d.Draw(picture.Rect, picture, image.Point{})
		})
	}
	return errUnknownCall
}

// setsUp reports whether the recorded call has set up the screen before it sent its picture.
// The driver sets up the screen from time to time, but the times of a replay differ. So the
// replay makes the driver set up the screen in the same calls as on the tape.
func setsUp(c *tape.Call) bool {
	const window = 8 // commands that only place a picture are shorter
	return len(c.IO) > 0 && c.IO[0].Bus == tape.I2CBus && len(c.IO[0].W) > window && c.IO[0].W[0] == 0x00
}
