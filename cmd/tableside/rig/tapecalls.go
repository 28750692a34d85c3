package rig

import (
	"context"
	"encoding/hex"
	"image"
	"image/color"
	"strconv"
	"time"

	"periph.io/x/conn/v3/display"

	"tableside/cmd/tableside/config"
	"tableside/display/panel"
	"tableside/drivers/keys"
	"tableside/drivers/nfc"
	"tableside/drivers/tape"
	"tableside/engine"
)

// This file records the calls of drivers on the tape, too: a replay makes the same
// calls again.

// OpenReader opens the bus of a reader, and returns the driver and a function that closes the
// bus. It sends nothing to the chip yet. While a tape is recorded, the calls of the driver are
// recorded, too.
func (p *Parts) OpenReader(c *config.Reader) (nfc.Reader, func() error, error) {
	t := p.track(readerPart(c.Name))
	if t == nil || c.Chip == config.PCSC {
		return p.newReader(c)
	}
	t.Call("open")
	dev, closeBus, err := p.newReader(c)
	t.End(err)
	if err != nil {
		return nil, nil, err
	}
	recorded := recordedReader{dev, t}
	if tester, ok := dev.(SelfTester); ok {
		return recordedTester{recorded, tester}, closeBus, nil
	}
	return recorded, closeBus, nil
}

// SelfTester is a reader whose chip can test itself: an MFRC522.
type SelfTester interface {
	SelfTest(context.Context) error
}

// A recordedReader is a reader that records the calls of its methods on a tape.
type recordedReader struct {
	nfc.Reader
	track *tape.Track
}

func (r recordedReader) Init(ctx context.Context) error {
	r.track.Call("init")
	err := r.Reader.Init(ctx)
	r.track.End(err)
	return err
}

func (r recordedReader) Poll(ctx context.Context, seen []nfc.UID) ([]nfc.UID, error) {
	r.track.Call("poll")
	seen, err := r.Reader.Poll(ctx, seen)
	r.track.End(err)
	return seen, err
}

func (r recordedReader) Select(ctx context.Context, uid nfc.UID) (nfc.Memory, error) {
	r.track.Call("select", r.track.UID(uid.Bytes()))
	memory, err := r.Reader.Select(ctx, uid)
	r.track.End(err)
	if err != nil {
		return nil, err
	}
	return recordedMemory{memory, r.track}, nil
}

func (r recordedReader) Halt() error {
	r.track.Call("halt")
	err := r.Reader.Halt()
	r.track.End(err)
	return err
}

type recordedTester struct {
	recordedReader
	tester SelfTester
}

func (r recordedTester) SelfTest(ctx context.Context) error {
	r.track.Call("selftest")
	err := r.tester.SelfTest(ctx)
	r.track.End(err)
	return err
}

// A recordedMemory is a tag's memory. It records on a tape which pages are read and written.
type recordedMemory struct {
	nfc.Memory
	track *tape.Track
}

func (m recordedMemory) ReadPages(ctx context.Context, page byte, to *[16]byte) error {
	m.track.Call("read", strconv.Itoa(int(page)))
	err := m.Memory.ReadPages(ctx, page, to)
	m.track.End(err)
	return err
}

func (m recordedMemory) WritePage(ctx context.Context, page byte, data [4]byte) error {
	m.track.Call("write", strconv.Itoa(int(page)), hex.EncodeToString(data[:]))
	err := m.Memory.WritePage(ctx, page, data)
	m.track.End(err)
	return err
}

// Switchable is a panel or screen whose supply can be switched off.
type Switchable interface{ SwitchOff() error }

// OpenPanel opens the SPI port and the pins of the panel, and returns its driver.
func (p *Parts) OpenPanel(c *config.Panel) (panel.Glass, error) {
	return p.openGlass(panelPart, func() (panel.Glass, error) { return p.newPanel(c) })
}

// OpenScreen opens the bus of a screen, and returns its driver.
func (p *Parts) OpenScreen(c *config.Screen) (panel.Glass, error) {
	return p.openGlass(screenPart(c.Seat), func() (panel.Glass, error) { return p.newScreen(c) })
}

// PanelPainter returns the painter of the panel. While a tape is recorded, the painter leaves
// out the page's address, because the address holds the token and the tape holds the panel's
// pictures.
func (p *Parts) PanelPainter() panel.Drawer {
	if p.track(panelPart) == nil {
		return panel.NewPainter()
	}
	return addresslessDrawer{panel.NewPainter()}
}

type addresslessDrawer struct{ panel.Drawer }

func (d addresslessDrawer) Draw(f engine.Frame, size image.Point) *image.Paletted {
	f.Status.Address = ""
	return d.Drawer.Draw(f, size)
}

// openGlass calls a function that opens a panel or screen. While a tape is recorded, the calls
// of the driver are recorded, too.
func (p *Parts) openGlass(part string, open func() (panel.Glass, error)) (panel.Glass, error) {
	t := p.track(part)
	if t == nil {
		return open()
	}
	t.Call("open")
	dev, err := open()
	t.End(err)
	if err != nil {
		return nil, err
	}
	recorded := recordedGlass{dev, t}
	if checker, ok := dev.(panel.Checker); ok {
		return recordedChecker{recorded, checker}, nil
	}
	return recorded, nil
}

type recordedGlass struct {
	panel.Glass
	track *tape.Track
}

// Pause implements panel.Pauser. It returns 0 for a panel or screen that is not slow.
func (g recordedGlass) Pause() time.Duration {
	if pauser, ok := g.Glass.(panel.Pauser); ok {
		return pauser.Pause()
	}
	return 0
}

func (g recordedGlass) Update(ctx context.Context, picture image.Image, full bool) error {
	size := picture.Bounds().Size()
	bits := tape.Bytes(packBits(picture))
	g.track.Call("update", strconv.FormatBool(full), strconv.Itoa(size.X), strconv.Itoa(size.Y), bits)
	err := g.Glass.Update(ctx, picture, full)
	g.track.EndUsed(err)
	return err
}

func (g recordedGlass) Sleep(ctx context.Context) error {
	g.track.Call("sleep")
	err := g.Glass.Sleep(ctx)
	g.track.End(err)
	return err
}

// SwitchOff implements Switchable. If the panel or screen is not Switchable, it does nothing.
func (g recordedGlass) SwitchOff() error {
	supplied, ok := g.Glass.(Switchable)
	if !ok {
		return nil
	}
	g.track.Call("off")
	err := supplied.SwitchOff()
	g.track.End(err)
	return err
}

// A recordedChecker is a recordedGlass that can also check whether the panel or screen still
// answers.
type recordedChecker struct {
	recordedGlass
	checker panel.Checker
}

func (g recordedChecker) Check(ctx context.Context) error {
	g.track.Call("check")
	err := g.checker.Check(ctx)
	g.track.End(err)
	return err
}

// packBits packs a picture into bits, row by row. Each pixel becomes one bit. A bit of 1 is
// white on paper, or a lit pixel.
func packBits(picture image.Image) []byte {
	r := picture.Bounds()
	bits := make([]byte, (r.Dx()*r.Dy()+7)/8)
	i := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y >= 0x80 {
				bits[i/8] |= 0x80 >> (i % 8)
			}
			i++
		}
	}
	return bits
}

// unpackBits returns the picture that packBits has packed.
func unpackBits(bits []byte, width, height int) image.Image {
	picture := image.NewGray(image.Rect(0, 0, width, height))
	for i := range picture.Pix {
		if bits[i/8]&(0x80>>(i%8)) != 0 {
			picture.Pix[i] = 0xFF
		}
	}
	return picture
}

// OpenStrip opens the port of an LED strip, and returns its driver.
func (p *Parts) OpenStrip(c *config.Lights) (display.Drawer, error) {
	t := p.track(lightsPart)
	if t == nil {
		return p.newStrip(c)
	}
	t.Call("open")
	dev, err := p.newStrip(c)
	t.End(err)
	if err != nil {
		return nil, err
	}
	return &recordedStrip{Drawer: dev, track: t}, nil
}

type recordedStrip struct {
	display.Drawer
	track   *tape.Track
	colours []byte
}

func (s *recordedStrip) Draw(r image.Rectangle, src image.Image, at image.Point) error {
	s.colours = s.colours[:0]
	for x := range s.Bounds().Dx() {
		c := colourAt(src, at.X+x-r.Min.X, at.Y)
		s.colours = append(s.colours, c.R, c.G, c.B, c.A)
	}
	s.track.Call("draw", tape.Bytes(s.colours))
	err := s.Drawer.Draw(r, src, at)
	s.track.End(err)
	return err
}

// colourAt returns the colour of a pixel. Lights are drawn from an NRGBA picture. For such a
// picture, colourAt allocates no memory.
func colourAt(src image.Image, x, y int) color.NRGBA {
	if picture, ok := src.(*image.NRGBA); ok {
		return picture.NRGBAAt(x, y)
	}
	return color.NRGBAModel.Convert(src.At(x, y)).(color.NRGBA)
}

func (s *recordedStrip) Halt() error {
	s.track.Call("halt")
	err := s.Drawer.Halt()
	s.track.End(err)
	return err
}

// RunKeys calls handle for each event of the keys until the context ends.
func (p *Parts) RunKeys(ctx context.Context, dev *keys.Dev, opts *keys.Opts, handle func(keys.Event)) error {
	t := p.track(keysPart)
	if t == nil {
		return dev.Run(ctx, handle)
	}
	t.Call("run", strconv.FormatInt(opts.Stuck.Microseconds(), 10))
	err := dev.Run(ctx, func(e keys.Event) {
		t.Event(e)
		handle(e)
	})
	t.End(err)
	return err
}
