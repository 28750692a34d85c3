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

// LineOf returns the number of a pin.
func LineOf(pin string) int {
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

// KeyOptions returns the buttons and encoders of the wiring.
func KeyOptions(w *config.Wiring) keys.Opts {
	opts, _ := keyOptions(w)
	return opts
}

// keyOptions returns the buttons and encoders of the wiring, and by their names
// what they do.
func keyOptions(w *config.Wiring) (keys.Opts, map[string]pressed) {
	var opts keys.Opts
	meaning := map[string]pressed{}
	button := func(name, pin, seat, key, long string) {
		b := keys.Button{Name: name, Line: LineOf(pin)}
		if long != "" {
			b.Long = keys.DefaultLong
		}
		opts.Buttons = append(opts.Buttons, b)
		meaning[name] = pressed{place: pin, seat: engine.Seat(seat), key: key, long: long}
	}
	for _, k := range w.Keys {
		button(k.Who()+" on "+k.Pin, k.Pin, k.Seat, k.Key, k.Long)
	}
	for _, e := range w.Encoders {
		name := e.Who() + " on " + e.A
		opts.Encoders = append(opts.Encoders, keys.Encoder{Name: name, A: LineOf(e.A), B: LineOf(e.B),
			PerDetent: e.PerDetent})
		meaning[name] = pressed{place: e.A, seat: engine.Seat(e.Seat), left: e.Left, right: e.Right}
		if e.Button != "" {
			button("button of "+name, e.Button, e.Seat, e.Key, e.Long)
		}
	}
	return opts, meaning
}

// keys are one source for all buttons and encoders: their lines are one
// request, so that their edges come in order.
func (p *Parts) keys(w *config.Wiring) error {
	opts, meaning := keyOptions(w)
	if len(meaning) == 0 {
		return nil
	}
	dev, err := keys.New(p.Ports.Keys(), &opts)
	if err != nil {
		return err
	}
	p.add(device.Part{Name: "keys", Source: device.SourceFunc(func(ctx context.Context, emit device.Emit) error {
		b := keyboard{meaning: meaning, emit: emit}
		return p.RunKeys(ctx, dev, &opts, b.hear)
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
		part.Health, part.Reason = engine.Degraded, HeldOrShorted(b.stuck)
	}
	b.emit(device.Report{Part: part})
}

// HeldOrShorted says which keys are stuck.
func HeldOrShorted(keys []string) string { return strings.Join(keys, ", ") + ": held or shorted" }
