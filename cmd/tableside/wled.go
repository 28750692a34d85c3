package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/display/lights"
	"tableside/drivers/wled"
	"tableside/engine"
)

// networked ports have a network of their own: an emulated controller on it.
type networked interface{ network(*wled.Opts) }

func (p *parts) openWLED(c *config.Lights) (*wled.Dev, error) {
	opts := wled.Opts{Host: c.Host, Count: c.Count, Resolve: home().addresses}
	if c.Brightness != nil {
		opts.Brightness = *c.Brightness
	}
	if n, ok := p.ports.(networked); ok {
		n.network(&opts)
	}
	dev, err := wled.New(&opts)
	if err != nil {
		return nil, fmt.Errorf("lights: %w", err)
	}
	return dev, nil
}

// wled adds a strip on a WLED.
func (p *parts) wled(c *config.Lights) {
	dev, err := p.openWLED(c)
	if err != nil { // of what was not checked before: it is the part's health
		p.late("lights", true, func() (opened, error) { return opened{}, err })
		return
	}
	out := lights.NewOutput(dev, lights.Layout{Track: c.Track, Reverse: c.Reverse})
	s := &networkStrip{dev: dev, out: out, count: c.Count}
	p.add(device.Part{Name: "lights", Source: s, Output: out}, dev.Halt)
}

// A networkStrip draws on a WLED, and asks it meanwhile how it does: UDP tells
// nothing.
type networkStrip struct {
	dev   *wled.Dev
	out   *lights.Output
	count int

	trouble error // why the last Run has ended; nil when it did not fail
}

// How often a WLED is asked. It is a small computer that drives LEDs.
const (
	askWLED      = 30 * time.Second
	askWLEDAgain = 5 * time.Second // when it has not answered
)

// Run implements device.Source. It draws only after the WLED has answered, so
// that a network without it is not flooded. When it fails, the next Run looks for
// the WLED again: its address may have changed.
func (s *networkStrip) Run(ctx context.Context, emit device.Emit) error {
	if s.trouble != nil { // to look for it takes so long that it would pass for well
		emit(device.Report{Part: engine.Part{Name: "lights", Health: engine.Broken, Reason: s.trouble.Error()}})
	}
	s.trouble = s.run(ctx, emit)
	return s.trouble
}

func (s *networkStrip) run(ctx context.Context, emit device.Emit) error {
	info, err := s.dev.Connect(ctx)
	if err != nil {
		return err
	}
	info.Live = true // as soon as something is drawn
	s.report(emit, info)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	asked := make(chan error, 1)
	go func() {
		defer stop()
		asked <- s.ask(ctx, emit, info)
	}()
	err = s.out.Run(ctx)
	stop()
	if silent := <-asked; silent != nil {
		return silent // the last picture was for nobody
	}
	return err
}

// ask asks the WLED now and then, until it has not answered twice.
func (s *networkStrip) ask(ctx context.Context, emit device.Emit, last wled.Info) error {
	timer := time.NewTimer(askWLED)
	defer timer.Stop()
	for failed := false; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		info, err := s.dev.Ask(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && failed:
			return err
		case err != nil:
			emit(device.Report{Part: engine.Part{
				Name: "lights", Health: engine.Degraded, Reason: err.Error(), Firmware: last.String(),
			}})
			timer.Reset(askWLEDAgain)
		default:
			if info.Version != "" { // else it was too busy to say
				last = info
			}
			last.Live = info.Live
			s.report(emit, last)
			timer.Reset(askWLED)
		}
		failed = err != nil
	}
}

func (s *networkStrip) report(emit device.Emit, info wled.Info) {
	part := engine.Part{
		Name: "lights", Health: engine.OK, Firmware: info.String(), LastGood: time.Now().UTC().Truncate(time.Millisecond),
	}
	if why := wrongWLED(info, s.count); len(why) > 0 {
		part.Health, part.Reason = engine.Degraded, strings.Join(why, "; ")
	}
	emit(device.Report{Part: part})
}

// wrongWLED is what is wrong with a WLED that answers.
func wrongWLED(info wled.Info, count int) (why []string) {
	if info.Version != "" && info.LEDs < count {
		why = append(why, fmt.Sprintf("%s, and [lights] count is %d", info, count))
	}
	if !info.Live {
		const deaf = "WLED answers, and shows nothing that is sent to its UDP port %d"
		why = append(why, fmt.Sprintf(deaf, wled.Port))
	}
	return why
}

// wled looks whether the WLED is there, and whether it shows what it is sent.
func (d *doctor) wled(ctx context.Context, p *parts, c *config.Lights) {
	dev, err := p.openWLED(c)
	if err != nil {
		d.fail("lights", err.Error(), "")
		return
	}
	info, err := dev.Connect(ctx)
	if err != nil {
		d.fail("lights", err.Error(), mendWLED(err, c.Host))
		return
	}
	said := fmt.Sprintf("%s at %s", info, dev.Address())
	if info.Name != "" {
		said += fmt.Sprintf(", called %q", info.Name)
	}
	info.Live = true // nothing was sent yet
	if d.try {
		if info.Live, err = d.tryWLED(ctx, dev); err != nil {
			d.fail("lights", err.Error(), mendWLED(err, c.Host))
			return
		}
		said += fmt.Sprintf("; a red, a green and a blue LED, then a rainbow over %d: other colours at the beginning "+
			"ask for another color order in its LED preferences", c.Count)
	}
	err = dev.Halt()
	switch why := wrongWLED(info, c.Count); {
	case !info.Live:
		d.fail("lights", strings.Join(why, "; "), "let UDP to it pass: a firewall or a guest network is the usual cause")
	case len(why) > 0:
		fix := fmt.Sprintf("set count = %d, or the length in its LED preferences", info.LEDs)
		d.fail("lights", strings.Join(why, "; "), fix)
	case err != nil:
		d.fail("lights", err.Error(), "")
	default:
		d.ok("lights", said, "it answered over HTTP")
	}
}

// tryWLED lets the strip show what every strip does, and finds out whether the
// WLED says that it shows it.
func (d *doctor) tryWLED(ctx context.Context, dev *wled.Dev) (live bool, err error) {
	d.announceTry()
	if err = showOrder(ctx, dev); err == nil {
		var info wled.Info
		info, err = dev.Ask(ctx)
		live = info.Live
	}
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, tryRainbow)
		defer cancel()
		err = runRainbow(ctx, dev)
	}
	if err != nil {
		err = errors.Join(err, dev.Halt())
	}
	return live, err
}

// mendWLED is what to do where a WLED was not found.
func mendWLED(err error, host string) string {
	switch {
	case errors.As(err, new(*noAvahi)):
		return "sudo apt install avahi-daemon, which finds names that end in .local; or name its address instead"
	case errors.Is(err, wled.ErrUnknownName):
		return "its name is in its WiFi settings (mDNS address); a fixed address from the router does as well"
	}
	return "is it on, and in the same network? its page must open at http://" + host
}
