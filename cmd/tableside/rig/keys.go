package rig

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/drivers/keys"
	"tableside/engine"
)

// LineOf returns the number of a pin's GPIO line, such as 17 for "GPIO17". The name must be
// valid.
func LineOf(pin string) int {
	n := 0
	_, _ = fmt.Sscanf(pin, "GPIO%d", &n)
	return n
}

// A keyMeaning holds the keys that a button or knob sends, and the seat for which it sends
// them.
type keyMeaning struct {
	place             string
	seat              engine.Seat
	key, longKey      string
	leftKey, rightKey string
}

// KeyOptions returns the driver's options for the buttons and encoders of the wiring. The
// options give each button and each encoder a name. KeyOptions also returns a map from these
// names to what the buttons and encoders send.
func KeyOptions(w *config.Wiring) (keys.Opts, map[string]keyMeaning) {
	var opts keys.Opts
	meaning := map[string]keyMeaning{}
	button := func(name, pin, seat, key, long string) {
		b := keys.Button{Name: name, Line: LineOf(pin)}
		if long != "" {
			b.Long = keys.DefaultLong
		}
		opts.Buttons = append(opts.Buttons, b)
		meaning[name] = keyMeaning{place: pin, seat: engine.Seat(seat), key: key, longKey: long}
	}
	for _, k := range w.Keys {
		button(k.Who()+" on "+k.Pin, k.Pin, k.Seat, k.Key, k.Long)
	}
	for _, e := range w.Encoders {
		name := e.Who() + " on " + e.A
		opts.Encoders = append(opts.Encoders, keys.Encoder{Name: name, A: LineOf(e.A), B: LineOf(e.B),
			PerDetent: e.PerDetent})
		meaning[name] = keyMeaning{place: e.A, seat: engine.Seat(e.Seat), leftKey: e.Left, rightKey: e.Right}
		if e.Button != "" {
			button("button of "+name, e.Button, e.Seat, e.Key, e.Long)
		}
	}
	return opts, meaning
}

// OpenKeys opens the GPIO lines of all keys.
func (p *Parts) OpenKeys(opts *keys.Opts) (*keys.Dev, error) {
	return keys.New(p.on(&config.Key{}).Keys(), opts)
}

// addKeys adds one source for all buttons and encoders. The source asks the kernel for all
// their GPIO lines in one request, so that the edges on these lines arrive in order.
func (p *Parts) addKeys(w *config.Wiring) error {
	opts, meaning := KeyOptions(w)
	if len(meaning) == 0 {
		return nil
	}
	dev, err := p.OpenKeys(&opts)
	if err != nil {
		return err
	}
	p.add(device.Part{Name: "keys", Source: device.SourceFunc(func(ctx context.Context, emit device.Emit) error {
		b := keyboard{meaning: meaning, emit: emit}
		return p.RunKeys(ctx, dev, &opts, b.handle)
	})}, dev.Halt)
	return nil
}

// A keyboard turns the driver's events into signals to the table.
type keyboard struct {
	meaning map[string]keyMeaning // by the name of the button or encoder
	emit    device.Emit
	stuck   []string
}

func (b *keyboard) handle(e keys.Event) {
	m := b.meaning[e.Name]
	press := func(key string) { b.emit(device.Press{Place: m.place, Seat: m.seat, Key: key}) }
	switch e.Kind {
	case keys.Press:
		press(m.key)
	case keys.Long:
		press(m.longKey)
	case keys.Left:
		press(m.leftKey)
	case keys.Right:
		press(m.rightKey)
	case keys.Stuck:
		b.stuck = append(b.stuck, e.Name)
		b.report()
	case keys.Freed:
		b.stuck = slices.DeleteFunc(b.stuck, func(name string) bool { return name == e.Name })
		b.report()
	}
}

func (b *keyboard) report() {
	part := engine.Part{Name: "keys", Health: engine.OK}
	if len(b.stuck) > 0 {
		part.Health, part.Err = engine.Degraded, HeldOrShorted(b.stuck)
	}
	b.emit(device.Report{Part: part})
}

// HeldOrShorted returns an error that names the keys that are stuck.
func HeldOrShorted(keys []string) error {
	return engine.Faultf(0, "%s: held or shorted", strings.Join(keys, ", "))
}
