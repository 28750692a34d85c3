package rig

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/catalogue"
	"tableside/drivers/evdev"
	"tableside/engine"
)

// OpenKeyboard returns the driver of a keyboard.
func (p *Parts) OpenKeyboard(c *config.Keyboard) (*evdev.Dev, error) {
	return evdev.New(p.Ports.Inputs(), &evdev.Opts{Device: c.Device, Lines: c.Reads == config.ReadsTags})
}

func (p *Parts) addKeyboard(name string, c *config.Keyboard) error {
	dev, err := p.OpenKeyboard(c)
	if err != nil {
		return err
	}
	p.add(device.Part{Name: name, Source: device.SourceFunc(func(ctx context.Context, emit device.Emit) error {
		t := keyHandler{part: name, config: c, emit: emit}
		return dev.Run(ctx, t.handle)
	})}, dev.Halt)
	return nil
}

// RunTyping listens to a card reader that works as a keyboard, and calls emit with the
// signals, until the context ends. If the reader is not plugged in or may not be opened,
// RunTyping reports the fault. Then it tries again each second (typingRetryInterval).
func (p *Parts) RunTyping(ctx context.Context, c *config.Keyboard, emit device.Emit) error {
	dev, err := p.OpenKeyboard(c)
	if err != nil {
		return err
	}
	t := keyHandler{part: c.Who(), config: c, emit: emit}
	for {
		if err = dev.Run(ctx, t.handle); err == nil {
			return nil // the context has ended
		}
		for t.report(engine.Broken, err); err != nil; _, err = dev.Probe() {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(typingRetryInterval):
			}
		}
		t.report(engine.OK, nil)
	}
}

// typingRetryInterval is the time between two attempts to find a reader that types.
const typingRetryInterval = time.Second

// A keyHandler turns the events of a keyboard into signals to the table.
type keyHandler struct {
	part   string
	config *config.Keyboard
	emit   device.Emit

	ill      bool                     // the last report was not OK
	lastRead map[string]time.Duration // by tag; dropped after 400 ms (repeatGap)
}

// repeatGap is the shortest pause after which the same tag is a new tap. It is for card
// readers that work as keyboards. While a tag lies there, some of these readers send its code
// again and again. On any other reader, a key tag that has been missing for the same time is
// regarded as removed (reader.PolicyOf).
const repeatGap = 400 * time.Millisecond

func (t *keyHandler) handle(e evdev.Event) {
	switch e.Kind {
	case evdev.Press:
		t.report(engine.OK, nil)
		t.press(e.Text)
	case evdev.Line:
		t.report(engine.OK, nil)
		if tag := catalogue.Typed(e.Text); !t.isLying(tag, e.At) {
			t.tap(device.TagOn{Tag: tag, Text: e.Text})
		}
	case evdev.Torn:
		t.report(engine.Degraded, engine.Faultf(0,
			"types without Enter at the end: set the reader up to send Enter or Tab after each code"))
	case evdev.Flood:
		t.report(engine.Degraded, engine.Faultf(0,
			"sends more than anybody can press; nothing counts until it is quiet for a second"))
	case evdev.Calm:
		t.report(engine.OK, nil)
	}
}

// isLying reports whether a tag was not lifted between its previous reading and this one. If
// the previous reading was less than 400 ms ago (repeatGap), the tag was not lifted. isLying
// also records the time of this reading, which is the second argument.
func (t *keyHandler) isLying(tag string, moment time.Duration) bool {
	maps.DeleteFunc(t.lastRead, func(_ string, then time.Duration) bool { return moment-then >= repeatGap })
	_, lies := t.lastRead[tag]
	if t.lastRead == nil {
		t.lastRead = map[string]time.Duration{}
	}
	t.lastRead[tag] = moment
	return lies
}

// press handles a key that was pressed on the keyboard. If the keyboard's key stands for one
// of the table's keys, press sends the table's key. Otherwise press sends an unknown tag, so
// that players can teach the table what the keyboard's key means.
func (t *keyHandler) press(name string) {
	if key := t.config.Pressed(name); key != "" {
		t.emit(device.Press{Place: t.config.Name, Seat: engine.Seat(t.config.Seat), Key: key})
		return
	}
	t.tap(device.TagOn{Tag: device.PressedTag(name, t.config.Device)})
}

func (t *keyHandler) tap(on device.TagOn) {
	on.Place, on.Seat = t.config.Name, engine.Seat(t.config.Seat)
	t.emit(on)
}

// report sends the health of the keyboard to the table: each fault, and the first OK after a
// fault.
func (t *keyHandler) report(health engine.Health, why error) {
	if ill := health != engine.OK; ill || t.ill {
		t.ill = ill
		t.emit(device.Report{Part: engine.Part{Name: t.part, Health: health, Err: why}})
	}
}

// ProbeKeyboard opens a keyboard for a moment, and returns what kind of device it is.
func (p *Parts) ProbeKeyboard(c *config.Keyboard) (evdev.Info, error) {
	dev, err := p.OpenKeyboard(c)
	if err != nil {
		return evdev.Info{}, err
	}
	info, err := dev.Probe()
	if errors.Is(err, fs.ErrPermission) {
		return info, config.Failed(c.Who(), err.Error(), groupHint("input"))
	}
	return info, err
}
