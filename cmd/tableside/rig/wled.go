package rig

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/display/lights"
	"tableside/drivers/wled"
	"tableside/engine"
)

// Networked are ports that have a network of their own: an emulated controller on it.
type Networked interface{ Network(*wled.Opts) }

// OpenWLED returns the strip on a WLED, which is not asked yet.
func (p *Parts) OpenWLED(c *config.Lights) (*wled.Dev, error) {
	opts := wled.Opts{Host: c.Host, Count: c.Count, Resolve: home().addresses}
	if c.Brightness != nil {
		opts.Brightness = *c.Brightness
	}
	if n, ok := p.Ports.(Networked); ok {
		n.Network(&opts)
	}
	dev, err := wled.New(&opts)
	if err != nil {
		return nil, fmt.Errorf("lights: %w", err)
	}
	return dev, nil
}

// wled adds a strip on a WLED.
func (p *Parts) wled(c *config.Lights) {
	dev, err := p.OpenWLED(c)
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
	if why := WrongWLED(info, s.count); len(why) > 0 {
		part.Health, part.Reason = engine.Degraded, strings.Join(why, "; ")
	}
	emit(device.Report{Part: part})
}

// WrongWLED says what is wrong with a WLED that answers.
func WrongWLED(info wled.Info, count int) (why []string) {
	if info.Version != "" && info.LEDs < count {
		why = append(why, fmt.Sprintf("%s, and [lights] count is %d", info, count))
	}
	if !info.Live {
		const deaf = "WLED answers, and shows nothing that is sent to its UDP port %d"
		why = append(why, fmt.Sprintf(deaf, wled.Port))
	}
	return why
}
