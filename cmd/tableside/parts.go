package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"

	"tableside/device"
	"tableside/display/lights"
	"tableside/display/panel"
	"tableside/display/seat"
	"tableside/drivers/buzzer"
	"tableside/drivers/epaper"
	"tableside/drivers/keys"
	"tableside/drivers/ledstrip"
	"tableside/drivers/ssd1306"
	"tableside/drivers/tca9548"
	"tableside/engine"
)

// Parts are what is wired to the ports, opened and ready to be connected to a
// table.
type parts struct {
	ports ports
	muxes map[string]*tca9548.Dev // by bus
	all   []device.Part
	halts []func() error // in the order of the parts
}

// openParts opens what the wiring names. Nothing is asked yet whether it is
// there: that is told as the health of each part, and may change.
func openParts(p ports, w *wiring, know func(tag, text string) (device.Meaning, bool)) (*parts, error) {
	all, err := newParts(p, w)
	if err != nil {
		return nil, err
	}
	all.readers(w, know)
	for _, open := range []func(*wiring) error{all.keys, all.panel, all.screens, all.lights, all.buzzer} {
		if err := open(w); err != nil {
			return nil, errors.Join(err, all.halt())
		}
	}
	return all, nil
}

// newParts has nothing open but the buses that parts share.
func newParts(p ports, w *wiring) (*parts, error) {
	all := &parts{ports: p, muxes: map[string]*tca9548.Dev{}}
	return all, all.multiplexers(w)
}

func panelModels() []string { return epaper.Panels() }

func (p *parts) add(part device.Part, halt func() error) {
	p.all = append(p.all, part)
	p.halts = append(p.halts, halt)
}

// halt leaves everything as it may stay while the program does not run: no
// field, no light, a panel that sleeps with its last picture.
func (p *parts) halt() error {
	var errs []error
	for _, halt := range p.halts {
		errs = append(errs, halt())
	}
	return errors.Join(errs...)
}

func optionalPin(p ports, name string) (gpio.PinIO, error) {
	if name == "" {
		return nil, nil
	}
	return p.pin(name)
}

// bus is the I2C bus of a chip, or the channel of a multiplexer on it.
func (p *parts) bus(c *busConfig) (i2c.Bus, error) {
	bus, err := p.ports.i2c(c.I2C)
	if err != nil || c.Mux == 0 {
		return bus, err
	}
	return p.muxes[c.I2C].Channel(uint16(c.Mux), c.Channel)
}

// multiplexers opens all of a bus together: they must know of one another.
func (p *parts) multiplexers(w *wiring) error {
	opts := map[string]*tca9548.Opts{}
	for _, b := range w.buses() {
		if b.Mux == 0 {
			continue
		}
		o := opts[b.I2C]
		if o == nil {
			o = &tca9548.Opts{}
			opts[b.I2C] = o
		}
		if !slices.Contains(o.Addresses, uint16(b.Mux)) {
			o.Addresses = append(o.Addresses, uint16(b.Mux))
		}
		if b.MuxReset != "" {
			pin, err := p.ports.pin(b.MuxReset)
			if err != nil {
				return err
			}
			o.Reset = pin
		}
	}
	for path, o := range opts {
		bus, err := p.ports.i2c(path)
		if err != nil {
			return err
		}
		if p.muxes[path], err = tca9548.New(bus, o); err != nil {
			return err
		}
	}
	return nil
}

// line is the number of a pin.
func line(pin string) int {
	n := 0
	_, _ = fmt.Sscanf(pin, "GPIO%d", &n) // checked before
	return n
}

// A pressed is what a key does.
type pressed struct {
	place       string
	seat        engine.Seat
	key, long   string
	left, right string
}

// keyOptions are the buttons and encoders of the wiring, and by their names
// what they do.
func keyOptions(w *wiring) (keys.Opts, map[string]pressed) {
	var opts keys.Opts
	meaning := map[string]pressed{}
	button := func(name, pin, seat, key, long string) {
		b := keys.Button{Name: name, Line: line(pin)}
		if long != "" {
			b.Long = keys.DefaultLong
		}
		opts.Buttons = append(opts.Buttons, b)
		meaning[name] = pressed{place: pin, seat: engine.Seat(seat), key: key, long: long}
	}
	for _, k := range w.Keys {
		button(k.who()+" on "+k.Pin, k.Pin, k.Seat, k.Key, k.Long)
	}
	for _, e := range w.Encoders {
		name := e.who() + " on " + e.A
		opts.Encoders = append(opts.Encoders, keys.Encoder{Name: name, A: line(e.A), B: line(e.B), PerDetent: e.PerDetent})
		meaning[name] = pressed{place: e.A, seat: engine.Seat(e.Seat), left: e.Left, right: e.Right}
		if e.Button != "" {
			button("button of "+name, e.Button, e.Seat, e.Key, e.Long)
		}
	}
	return opts, meaning
}

// keys are one source for all buttons and encoders: their lines are one
// request, so that their edges come in order.
func (p *parts) keys(w *wiring) error {
	opts, meaning := keyOptions(w)
	if len(meaning) == 0 {
		return nil
	}
	dev, err := keys.New(p.ports.keys(), &opts)
	if err != nil {
		return err
	}
	p.add(device.Part{Name: "keys", Source: source(func(ctx context.Context, emit device.Emit) error {
		b := keyboard{meaning: meaning, emit: emit}
		return dev.Run(ctx, b.hear)
	})}, dev.Halt)
	return nil
}

// A keyboard tells the table what is done with the keys.
type keyboard struct {
	meaning map[string]pressed // by name
	emit    device.Emit
	stuck   []string
}

func (b *keyboard) hear(e keys.Event) {
	m := b.meaning[e.Name]
	press := func(key string) { b.emit(device.Press{Place: m.place, Seat: m.seat, Key: key}) }
	switch e.Kind {
	case keys.Press:
		press(m.key)
	case keys.Long:
		press(m.long)
	case keys.Left:
		press(m.left)
	case keys.Right:
		press(m.right)
	case keys.Stuck:
		b.stuck = append(b.stuck, e.Name)
		b.report()
	case keys.Freed:
		b.stuck = slices.DeleteFunc(b.stuck, func(name string) bool { return name == e.Name })
		b.report()
	}
}

// report says which keys are stuck; the others work.
func (b *keyboard) report() {
	part := engine.Part{Name: "keys", Health: engine.OK}
	if len(b.stuck) > 0 {
		part.Health, part.Reason = engine.Degraded, heldOrShorted(b.stuck)
	}
	b.emit(device.Report{Part: part})
}

func heldOrShorted(keys []string) string { return strings.Join(keys, ", ") + ": held or shorted" }

func (p *parts) panel(w *wiring) error {
	if w.Panel == nil {
		return nil
	}
	dev, err := p.openPanel(w.Panel)
	if err != nil {
		return err
	}
	p.glass("panel", dev, panel.NewPainter(), panelIdle)
	return nil
}

func (p *parts) openPanel(c *panelConfig) (*epaper.Dev, error) {
	port, err := p.ports.spi(c.SPI)
	if err != nil {
		return nil, fmt.Errorf("panel: %w", err)
	}
	var pins [3]gpio.PinIO
	for i, name := range []string{c.DC, c.Busy, c.Reset} {
		if pins[i], err = p.ports.pin(name); err != nil {
			return nil, fmt.Errorf("panel: %w", err)
		}
	}
	return epaper.New(port, &epaper.Opts{Panel: c.Model, DC: pins[0], Busy: pins[1], Reset: pins[2], Rotate: c.Rotate})
}

func (p *parts) screens(w *wiring) error {
	for i := range w.Screens {
		c := &w.Screens[i]
		dev, err := p.openScreen(c)
		if err != nil {
			return err
		}
		p.glass("screen-"+c.Seat, dev, seat.NewPainter(engine.Seat(c.Seat)), screenIdle)
	}
	return nil
}

func (p *parts) openScreen(c *screenConfig) (*ssd1306.Dev, error) {
	bus, err := p.bus(&c.busConfig)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.who(), err)
	}
	dev, err := ssd1306.New(bus, &ssd1306.Opts{Addr: uint16(c.at(usualAddress[c.Chip])), Height: c.Height, Rotated: c.Rotate == 180})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.who(), err)
	}
	return dev, nil
}

// How long nothing is shown before a glass sleeps. Makers of e-paper ask for
// that within minutes, and nobody sees it. A screen goes dark, so it is given
// as long as players may think.
const (
	panelIdle  = 30 * time.Second
	screenIdle = 15 * time.Minute
)

// sleepLimit bounds how long a glass may take to fall asleep at the end.
const sleepLimit = 5 * time.Second

// glass adds what shows pictures.
func (p *parts) glass(name string, glass panel.Glass, painter panel.Drawer, idle time.Duration) {
	out := panel.NewOutput(glass, painter, idle)
	p.add(device.Part{Name: name, Output: out, Source: source(func(ctx context.Context, _ device.Emit) error { return out.Run(ctx) })},
		func() error {
			ctx, cancel := context.WithTimeout(context.Background(), sleepLimit)
			defer cancel()
			return out.Sleep(ctx)
		})
}

func (p *parts) lights(w *wiring) error {
	c := w.Lights
	if c == nil {
		return nil
	}
	dev, err := p.openStrip(c)
	if err != nil {
		return err
	}
	out := lights.NewOutput(dev, lights.Layout{Track: c.Track, Reverse: c.Reverse})
	p.add(device.Part{Name: "lights", Output: out, Source: source(func(ctx context.Context, _ device.Emit) error { return out.Run(ctx) })}, dev.Halt)
	return nil
}

func (p *parts) openStrip(c *lightsConfig) (*ledstrip.Dev, error) {
	port, err := p.ports.spi(c.SPI)
	if err != nil {
		return nil, fmt.Errorf("lights: %w", err)
	}
	opts := ledstrip.Opts{Chip: ledstrip.Chip(c.Chip), Count: c.Count, LimitMilliamps: c.LimitMA}
	if c.Brightness != nil {
		opts.Brightness = *c.Brightness
	}
	return ledstrip.New(port, &opts)
}

func (p *parts) buzzer(w *wiring) error {
	c := w.Buzzer
	if c == nil {
		return nil
	}
	pin, err := p.ports.pin(c.Pin)
	if err != nil {
		return fmt.Errorf("buzzer: %w", err)
	}
	dev, err := buzzer.New(pin, &buzzer.Opts{Silent: c.Silent})
	if err != nil {
		return err
	}
	p.add(device.Part{Name: "buzzer", Output: &sounds{dev: dev}}, dev.Halt)
	return nil
}

// Sounds tell by ear what became of a tap or a key.
type sounds struct {
	dev  *buzzer.Dev
	told int // the receipt that was told last
}

// Show implements device.Output. Of receipts that came together, the newest
// sounds; what happened before the program began does not.
func (s *sounds) Show(ctx context.Context, f engine.Frame) error {
	r := f.Status.Receipt
	if r == nil || r.N == s.told || r.Place == "" {
		return nil
	}
	pattern := buzzer.Accepted
	switch r.Outcome {
	case engine.Accepted:
	case engine.Unknown:
		pattern = buzzer.Unknown
	default:
		pattern = buzzer.Refused
	}
	if err := s.dev.Play(ctx, pattern); err != nil {
		return err // it is played again
	}
	s.told = r.N
	return nil
}
