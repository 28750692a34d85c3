package rig

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"sync"
	"time"

	"periph.io/x/conn/v3/display"
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
	"tableside/drivers/tape"
	"tableside/drivers/tca9548"
	"tableside/engine"
)

// Parts holds the parts of a wiring, ready to be added to a table.
type Parts struct {
	Ports  Ports
	wiring *config.Wiring // a copy: the table's own is replaced when a part is set up
	All    []device.Part
	halts  []func() error // in the order of the parts

	board      *reader.Board                                 // of the readers
	lookup     func(tag, text string) (device.Meaning, bool) // what a tag means
	tapInitial bool                                          // tags that lie on readers when these start count as tapped

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
	all.board, all.lookup = board, lookup
	_, real := inner(p).(*Raspberry)
	all.tapInitial = !real // on a bench no tag is left from before a power cut
	return all, all.addAll(all.wiring)
}

// NewParts returns a Parts that holds no part yet. Its methods can open parts of the wiring
// one at a time.
func NewParts(p Ports, w *config.Wiring) *Parts {
	own := *w
	return &Parts{Ports: p, wiring: &own, muxes: map[string]*tca9548.Dev{}}
}

// addAll adds the parts of a wiring, each as its kind is opened.
func (p *Parts) addAll(w *config.Wiring) error {
	for _, c := range w.Parts() {
		name := config.NameOf(c)
		switch c := c.(type) {
		case *config.Reader:
			p.addReader(name, c)
		case *config.Keyboard:
			if err := p.addKeyboard(name, c); err != nil {
				return err
			}
		case *config.Screen:
			p.addGlass(name, p.discreet(seat.NewPainter(engine.Seat(c.Seat))), screenIdle,
				func() (panel.Glass, error) { return p.OpenScreen(c) })
		case *config.Panel:
			p.addGlass(name, p.PanelPainter(), PanelIdle,
				func() (panel.Glass, error) { return p.OpenPanel(c) })
		case *config.Lights:
			p.addLights(name, c)
		case *config.Buzzer:
			p.addLate(name, func() (openPart, error) { return p.openBuzzer(c) })
		}
	}
	return p.addKeys(w)
}

// addLate adds an output, and a source if it runs by itself, that open when they are used.
func (p *Parts) addLate(name string, open func() (openPart, error)) {
	l := &latePart{open: open}
	l.life, l.end = context.WithCancel(context.Background())
	p.add(device.Part{Name: name, Source: l, Output: l}, l.halt)
}

func (p *Parts) add(part device.Part, halt func() error) {
	p.All = append(p.All, part)
	p.halts = append(p.halts, halt)
}

func (p *Parts) halt() error {
	var errs []error
	for _, halt := range p.halts {
		errs = append(errs, halt())
	}
	return errors.Join(errs...)
}

// pinsOf returns the pins with these names. An optional pin without a name is nil.
func pinsOf(on Ports, names ...string) ([]gpio.PinIO, error) {
	pins := make([]gpio.PinIO, len(names))
	for i, name := range names {
		if name == "" {
			continue
		}
		var err error
		if pins[i], err = on.Pin(name); err != nil {
			return nil, err
		}
	}
	return pins, nil
}

// bus returns the I2C bus of a chip. If the chip is behind a multiplexer, it returns the
// channel of the multiplexer.
func (p *Parts) bus(on Ports, c *config.Bus) (i2c.Bus, error) {
	bus, err := on.I2C(c.I2C)
	if err == nil && c.Mux != 0 {
		var mux *tca9548.Dev
		if mux, err = p.multiplexer(c.I2C, bus); err == nil {
			bus, err = mux.Channel(uint16(c.Mux), c.Channel)
		}
	}
	if err != nil {
		return nil, err
	}
	if taped, ok := on.(tapedPart); ok {
		bus = tape.I2C(taped.wire, bus)
	}
	return bus, nil
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
	reset := ""
	for _, b := range p.wiring.Buses() {
		if b.I2C != path || b.Mux == 0 {
			continue
		}
		if !slices.Contains(opts.Addresses, uint16(b.Mux)) {
			opts.Addresses = append(opts.Addresses, uint16(b.Mux))
		}
		reset = cmp.Or(b.MuxReset, reset)
	}
	pins, err := pinsOf(p.Ports, reset)
	if err != nil {
		return nil, err
	}
	opts.Reset = pins[0]
	dev, err := tca9548.New(bus, &opts)
	if err == nil {
		p.muxes[path] = dev
	}
	return dev, err
}

// Switchable is a panel whose supply can be switched off.
type Switchable interface{ SwitchOff() error }

// OpenPanel opens the SPI port and the pins of the panel, and returns its driver.
func (p *Parts) OpenPanel(c *config.Panel) (panel.Glass, error) {
	return opened(p, c, tapePanel, func() (panel.Glass, error) {
		on := p.on(c)
		pins, err := pinsOf(on, c.DC, c.Busy, c.Reset, c.Power)
		if err = cmp.Or(p.checkInky(c), err); err != nil {
			return nil, fmt.Errorf("panel: %w", err)
		}
		port, err := on.SPI(c.SPI)
		if err != nil {
			return nil, fmt.Errorf("panel: %w", err)
		}
		return epaper.New(port, &epaper.Opts{Panel: c.Model, DC: pins[0], Busy: pins[1], Reset: pins[2], Power: pins[3],
			Rotate: c.Rotate, FullEvery: c.FullEvery, Hold: p.Ports.Hold()})
	})
}

// OpenScreen opens the bus of a screen, and returns its driver.
func (p *Parts) OpenScreen(c *config.Screen) (panel.Glass, error) {
	return opened(p, c, tapeScreen, func() (panel.Glass, error) {
		on := p.on(c)
		pins, err := pinsOf(on, c.Reset)
		bus, err2 := p.bus(on, &c.Bus)
		if err = cmp.Or(err, err2); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Who(), err)
		}
		dev, err := ssd1306.New(bus, &ssd1306.Opts{
			Chip: ssd1306.Chip(c.Chip), Addr: uint16(cmp.Or(c.Address, config.DefaultAddress[c.Chip])), Height: c.Height,
			Rotated: c.Rotate == 180, Reset: pins[0],
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Who(), err)
		}
		return dev, nil
	})
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
	p.addLate(name, func() (openPart, error) {
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

func (p *Parts) addLights(name string, c *config.Lights) {
	if c.Chip == "wled" {
		p.addWLED(name, c)
		return
	}
	p.addLate(name, func() (openPart, error) {
		dev, err := p.OpenStrip(c)
		if err != nil {
			return openPart{}, err
		}
		out := lights.NewOutput(dev, lights.Layout{Track: c.Track, Reverse: c.Reverse, Chances: c.Chances})
		return openPart{out.Run, out.Show, out.Test, dev.Halt}, nil
	})
}

// OpenStrip opens the port of an LED strip, and returns its driver.
func (p *Parts) OpenStrip(c *config.Lights) (display.Drawer, error) {
	return opened(p, c, tapeStrip, func() (display.Drawer, error) {
		port, err := p.on(c).SPI(c.SPI)
		if err != nil {
			return nil, fmt.Errorf("lights: %w", err)
		}
		opts := ledstrip.Opts{Chip: ledstrip.Chip(c.Chip), Count: c.Count, Order: c.Order, LimitMilliamps: c.LimitMA}
		if c.Brightness != nil {
			opts.Brightness = *c.Brightness
		}
		return ledstrip.New(port, &opts)
	})
}
