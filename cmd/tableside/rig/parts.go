package rig

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"sync"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/reader"
	"tableside/display/lights"
	"tableside/display/panel"
	"tableside/display/seat"
	"tableside/drivers/epaper"
	"tableside/drivers/ledstrip"
	"tableside/drivers/ssd1306"
	"tableside/drivers/tca9548"
	"tableside/engine"
)

// Parts holds the parts of a wiring, ready to be added to a table.
type Parts struct {
	Ports  Ports
	wiring *config.Wiring
	All    []device.Part
	halts  []func() error // in the order of the parts

	tapInitial bool // tags that lie on readers when these start count as tapped

	copyPanel func(image.Image) // receives the panel's pictures; nil if nobody does

	mu    sync.Mutex
	muxes map[string]*tca9548.Dev // by bus
}

// AllParts returns the parts of the wiring. No part is open yet. Each part opens itself when
// the table runs the part. If the opening fails, the health of the part shows this. The
// readers share the board. To find out what a tag means, they call the last argument.
//
// If a driver rejects the options of the keys or of a keyboard, AllParts fails.
func AllParts(p Ports, w *config.Wiring, board *reader.Board,
	lookup func(tag, text string) (device.Meaning, bool)) (*Parts, error) {
	all := NewParts(p, w)
	all.tapInitial = !isReal(p) // on a bench no tag is left from before a power cut
	all.addReaders(w, board, lookup)
	if err := all.addKeys(w); err != nil {
		return nil, err
	}
	if err := all.keyboards(w); err != nil {
		return nil, err
	}
	all.panel(w)
	all.screens(w)
	all.lights(w)
	all.buzzer(w)
	return all, nil
}

// NewParts returns a Parts that holds no part yet. Its methods can open parts of the wiring
// one at a time.
func NewParts(p Ports, w *config.Wiring) *Parts {
	return &Parts{Ports: p, wiring: w, muxes: map[string]*tca9548.Dev{}}
}

// addLate adds a part that the function open opens when the part is first used. The argument
// output says whether the part shows frames.
func (p *Parts) addLate(name string, output bool, open func() (openPart, error)) {
	l := newLatePart(open)
	part := device.Part{Name: name, Source: l}
	if output {
		part.Output = l
	}
	p.add(part, l.halt)
}

func (p *Parts) add(part device.Part, halt func() error) {
	p.All = append(p.All, part)
	p.halts = append(p.halts, halt)
}

// halt halts all parts. The parts then wait for the next start. RF fields and lights are off,
// and the panel sleeps with its last picture.
func (p *Parts) halt() error {
	var errs []error
	for _, halt := range p.halts {
		errs = append(errs, halt())
	}
	return errors.Join(errs...)
}

func optionalPin(p Ports, name string) (gpio.PinIO, error) {
	if name == "" {
		return nil, nil
	}
	return p.Pin(name)
}

// bus returns the I2C bus of a chip. If the chip is behind a multiplexer, it returns the
// channel of the multiplexer.
func (p *Parts) bus(c *config.Bus) (i2c.Bus, error) {
	bus, err := p.Ports.I2C(c.I2C)
	if err != nil || c.Mux == 0 {
		return bus, err
	}
	mux, err := p.multiplexer(c.I2C, bus)
	if err != nil {
		return nil, err
	}
	return mux.Channel(uint16(c.Mux), c.Channel)
}

// multiplexer returns all multiplexers of an I2C bus as one device. The first call opens the
// device. It is one device because opening a channel of one multiplexer must close the
// channels of the other multiplexers.
func (p *Parts) multiplexer(path string, bus i2c.Bus) (*tca9548.Dev, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if dev := p.muxes[path]; dev != nil {
		return dev, nil
	}
	var opts tca9548.Opts
	for _, b := range p.wiring.Buses() {
		if b.I2C != path || b.Mux == 0 {
			continue
		}
		if !slices.Contains(opts.Addresses, uint16(b.Mux)) {
			opts.Addresses = append(opts.Addresses, uint16(b.Mux))
		}
		if b.MuxReset != "" {
			pin, err := p.Ports.Pin(b.MuxReset)
			if err != nil {
				return nil, err
			}
			opts.Reset = pin
		}
	}
	dev, err := tca9548.New(bus, &opts)
	if err == nil {
		p.muxes[path] = dev
	}
	return dev, err
}

func (p *Parts) panel(w *config.Wiring) {
	if c := w.Panel; c != nil {
		p.addGlass("panel", &CopyingDrawer{Drawer: p.PanelPainter(), Sink: &p.copyPanel}, PanelIdle,
			func() (panel.Glass, error) { return p.OpenPanel(c) })
	}
}

func (p *Parts) newPanel(c *config.Panel) (*epaper.Dev, error) {
	if err := p.checkInky(c); err != nil {
		return nil, fmt.Errorf("panel: %w", err)
	}
	port, err := p.Ports.SPI(c.SPI)
	if err != nil {
		return nil, fmt.Errorf("panel: %w", err)
	}
	var pins [3]gpio.PinIO
	for i, name := range []string{c.DC, c.Busy, c.Reset} {
		if pins[i], err = p.Ports.Pin(name); err != nil {
			return nil, fmt.Errorf("panel: %w", err)
		}
	}
	opts := epaper.Opts{Panel: c.Model, DC: pins[0], Busy: pins[1], Reset: pins[2],
		Rotate: c.Rotate, FullEvery: c.FullEvery, Hold: p.Ports.Hold()}
	if c.Power != "" {
		if opts.Power, err = p.Ports.Pin(c.Power); err != nil {
			return nil, fmt.Errorf("panel: %w", err)
		}
	}
	return epaper.New(port, &opts)
}

func (p *Parts) screens(w *config.Wiring) {
	for i := range w.Screens {
		c := &w.Screens[i]
		p.addGlass("screen-"+c.Seat, seat.NewPainter(engine.Seat(c.Seat)), screenIdle,
			func() (panel.Glass, error) { return p.OpenScreen(c) })
	}
}

func (p *Parts) newScreen(c *config.Screen) (*ssd1306.Dev, error) {
	bus, err := p.bus(&c.Bus)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Who(), err)
	}
	opts := ssd1306.Opts{
		Chip: ssd1306.Chip(c.Chip), Addr: uint16(c.AddressOr(config.DefaultAddress[c.Chip])), Height: c.Height,
		Rotated: c.Rotate == 180,
	}
	if c.Reset != "" {
		if opts.Reset, err = p.Ports.Pin(c.Reset); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Who(), err)
		}
	}
	dev, err := ssd1306.New(bus, &opts)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Who(), err)
	}
	return dev, nil
}

// These are the times without a new picture after which a panel or screen sleeps. Makers of
// e-paper ask for sleep within minutes, and a sleeping panel looks the same. A sleeping screen
// is dark, so the screen waits as long as players may think.
const (
	PanelIdle  = 30 * time.Second
	screenIdle = 15 * time.Minute
)

// These are the times that a panel or screen may take to fall asleep when it is halted. A slow
// panel may have just begun to flash for twenty seconds. If nobody waited for the panel, its
// power would stay on until somebody pulls the plug.
const (
	sleepLimit     = 5 * time.Second
	slowSleepLimit = 30 * time.Second
)

// addGlass adds a panel or screen. The last argument is a function that opens the panel or
// screen. It is called when the panel or screen is first used. When the panel or screen has
// got no new picture for the given time, it sleeps.
func (p *Parts) addGlass(name string, painter panel.Drawer, delay time.Duration, open func() (panel.Glass, error)) {
	p.addLate(name, true, func() (openPart, error) {
		dev, err := open()
		if err != nil {
			return openPart{}, err
		}
		out := panel.NewOutput(dev, painter, delay)
		return openPart{out.Run, out.Show, out.Test, func() error {
			limit := sleepLimit
			if pauser, ok := dev.(panel.Pauser); ok && pauser.Pause() > 0 {
				limit = slowSleepLimit
			}
			ctx, cancel := context.WithTimeout(context.Background(), limit)
			defer cancel()
			err := out.Sleep(ctx)
			if supplied, ok := dev.(Switchable); ok {
				err = errors.Join(err, supplied.SwitchOff())
			}
			return err
		}}, nil
	})
}

func (p *Parts) lights(w *config.Wiring) {
	c := w.Lights
	if c == nil {
		return
	}
	if c.Chip == "wled" {
		p.wled(c)
		return
	}
	p.addLate("lights", true, func() (openPart, error) {
		dev, err := p.OpenStrip(c)
		if err != nil {
			return openPart{}, err
		}
		out := lights.NewOutput(dev, lights.Layout{Track: c.Track, Reverse: c.Reverse})
		return openPart{out.Run, out.Show, out.Test, dev.Halt}, nil
	})
}

func (p *Parts) newStrip(c *config.Lights) (*ledstrip.Dev, error) {
	port, err := p.Ports.SPI(c.SPI)
	if err != nil {
		return nil, fmt.Errorf("lights: %w", err)
	}
	opts := ledstrip.Opts{Chip: ledstrip.Chip(c.Chip), Count: c.Count, Order: c.Order, LimitMilliamps: c.LimitMA}
	if c.Brightness != nil {
		opts.Brightness = *c.Brightness
	}
	return ledstrip.New(port, &opts)
}
