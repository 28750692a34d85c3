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

// Networked are ports with a network of their own, which has an emulated WLED.
type Networked interface{ Network(*wled.Opts) }

// OpenWLED returns the strip on a WLED, without connecting yet.
func (p *Parts) OpenWLED(c *config.Lights) (*wled.Dev, error) {
	opts := wled.Opts{Host: c.Host, Count: c.Count, Resolve: newResolver().addresses}
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
	if err != nil { // not found by the configuration's checks: it shows in the part's health
		p.addLate("lights", true, func() (opened, error) { return opened{}, err })
		return
	}
	out := lights.NewOutput(dev, lights.Layout{Track: c.Track, Reverse: c.Reverse})
	s := &networkStrip{dev: dev, out: out, count: c.Count}
	p.add(device.Part{Name: "lights", Source: s, Output: out}, dev.Halt)
}

// A networkStrip draws on a WLED, and polls its state meanwhile: pictures go over
// UDP, which has no answers.
type networkStrip struct {
	dev   *wled.Dev
	out   *lights.Output
	count int

	lastErr error // of the last Run
}

// Intervals of the polls. They are long: a WLED is a microcontroller that has LEDs
// to drive.
const (
	pollWLED   = 30 * time.Second
	repollWLED = 5 * time.Second // after it has not answered
)

// Run implements device.Source. It draws only after the WLED has answered, so
// that a network without it is not flooded. When it fails, the next Run looks for
// the WLED again: its address may have changed.
func (s *networkStrip) Run(ctx context.Context, emit device.Emit) error {
	if s.lastErr != nil { // to connect takes so long that the part would count as working meanwhile
		emit(device.Report{Part: engine.Part{Name: "lights", Health: engine.Broken, Reason: s.lastErr.Error()}})
	}
	s.lastErr = s.run(ctx, emit)
	return s.lastErr
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
	polled := make(chan error, 1)
	go func() {
		defer stop()
		polled <- s.poll(ctx, emit, info)
	}()
	err = s.out.Run(ctx)
	stop()
	if silent := <-polled; silent != nil {
		return silent // so nobody has seen the last picture
	}
	return err
}

// poll polls the WLED until it has not answered twice in a row.
func (s *networkStrip) poll(ctx context.Context, emit device.Emit, last wled.Info) error {
	timer := time.NewTimer(pollWLED)
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
			timer.Reset(repollWLED)
		default:
			if info.Version != "" { // else it was too busy to answer in full
				last = info
			}
			last.Live = info.Live
			s.report(emit, last)
			timer.Reset(pollWLED)
		}
		failed = err != nil
	}
}

func (s *networkStrip) report(emit device.Emit, info wled.Info) {
	part := engine.Part{
		Name: "lights", Health: engine.OK, Firmware: info.String(), LastGood: time.Now().UTC().Truncate(time.Millisecond),
	}
	if why := WLEDProblems(info, s.count); len(why) > 0 {
		part.Health, part.Reason = engine.Degraded, strings.Join(why, "; ")
	}
	emit(device.Report{Part: part})
}

// WLEDProblems returns what is wrong with a WLED that answers.
func WLEDProblems(info wled.Info, count int) (why []string) {
	if info.Version != "" && info.LEDs < count {
		why = append(why, fmt.Sprintf("%s, but [lights] count is %d", info, count))
	}
	if !info.Live {
		const notShown = "WLED answers, but shows nothing that is sent to its UDP port %d"
		why = append(why, fmt.Sprintf(notShown, wled.Port))
	}
	return why
}
