package rig

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/display/lights"
	"tableside/drivers/wled"
	"tableside/engine"
)

// Networked is implemented by ports that bring an emulated network with an emulated WLED. The
// method Network changes the options of the WLED driver so that the driver uses the emulated
// network.
type Networked interface{ Network(*wled.Opts) }

// OpenWLED returns the driver of a strip on a WLED. It does not connect yet.
func (p *Parts) OpenWLED(c *config.Lights) (*wled.Dev, error) {
	opts := wled.Opts{Host: c.Host, Count: c.Count, Resolve: newResolver().addresses}
	if c.Brightness != nil {
		opts.Brightness = *c.Brightness
	}
	if n, ok := inner(p.Ports).(Networked); ok {
		n.Network(&opts)
	}
	dev, err := wled.New(&opts)
	if err != nil {
		return nil, fmt.Errorf("lights: %w", err)
	}
	return dev, nil
}

func (p *Parts) addWLED(name string, c *config.Lights) {
	dev, err := p.OpenWLED(c)
	if err != nil { // not found by the configuration's checks: it shows in the part's health
		p.addLate(name, func() (openPart, error) { return openPart{}, err })
		return
	}
	s := &networkStrip{
		Output: lights.NewOutput(dev, lights.Layout{Track: c.Track, Reverse: c.Reverse, Chances: c.Chances}),
		dev:    dev, count: c.Count,
	}
	p.add(device.Part{Name: name, Source: s, Output: s}, dev.Halt)
}

// A networkStrip draws on a WLED. At the same time it polls the state of the WLED, because
// pictures go over UDP, which has no answers.
type networkStrip struct {
	*lights.Output
	dev   *wled.Dev
	count int

	asking sync.Mutex // held during a question: a WLED has one buffer for its answers

	mu      sync.Mutex
	lastErr error // of the last Run
}

// These are the times between polls. They are long because a WLED is a microcontroller that is
// busy driving LEDs.
const (
	wledPollInterval  = 30 * time.Second
	wledRetryInterval = 5 * time.Second // after it has not answered
)

// Run implements device.Source. It draws only after the WLED has answered, so that it does not
// flood a network without a WLED. If Run fails, the next call of Run looks for the WLED again,
// because the address may have changed.
func (s *networkStrip) Run(ctx context.Context, emit device.Emit) error {
	if err := s.failure(); err != nil { // connecting takes so long that the part would meanwhile count as working
		emit(device.Report{Part: engine.Part{Name: "lights", Health: engine.Broken, Err: err}})
	}
	err := s.run(ctx, emit)
	s.mu.Lock()
	s.lastErr = err
	s.mu.Unlock()
	return err
}

func (s *networkStrip) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lastErr
}

func (s *networkStrip) run(ctx context.Context, emit device.Emit) error {
	s.asking.Lock()
	info, err := s.dev.Connect(ctx)
	s.asking.Unlock()
	if err != nil {
		return err
	}
	info.Live = true // nothing was sent yet that it could miss
	s.report(emit, info)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	polled := make(chan error, 1)
	go func() {
		defer stop()
		polled <- s.poll(ctx, emit, info)
	}()
	err = s.Output.Run(ctx)
	stop()
	if silent := <-polled; silent != nil {
		return silent // it did not answer, so nobody has seen the last picture
	}
	return err
}

// poll asks the WLED for its state at intervals. The last argument is the state that the WLED reported when the driver
// connected to it. When the context ends, poll returns nil. If the WLED fails to answer twice
// in a row, poll returns an error.
func (s *networkStrip) poll(ctx context.Context, emit device.Emit, last wled.Info) error {
	timer := time.NewTimer(wledPollInterval)
	defer timer.Stop()
	for failed := false; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		s.asking.Lock()
		info, err := s.dev.Ask(ctx)
		s.asking.Unlock()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && failed:
			return err
		case err != nil:
			emit(device.Report{Part: engine.Part{
				Name: "lights", Health: engine.Degraded, Err: err, Firmware: last.String(),
			}})
			timer.Reset(wledRetryInterval)
		default:
			if info.Version != "" { // else it was too busy to answer in full
				last = info
			}
			last.Live = info.Live
			s.report(emit, last)
			timer.Reset(wledPollInterval)
		}
		failed = err != nil
	}
}

func (s *networkStrip) report(emit device.Emit, info wled.Info) {
	part := engine.Part{
		Name: "lights", Health: engine.OK, Firmware: info.String(), LastGood: time.Now().UTC().Truncate(time.Millisecond),
	}
	if part.Err = WLEDProblem(info, s.count); part.Err != nil {
		part.Health = engine.Degraded
	}
	emit(device.Report{Part: part})
}

// These are the time limits of the method Test.
const (
	arriveLimit = 500 * time.Millisecond // for the first picture
	answerLimit = 8 * time.Second        // connecting takes 4 s at most, and each question 2 s
)

// Test first runs the Test of Output, which shows the test colours for a while. Then it asks
// the WLED whether it shows the pictures that it gets. If the WLED shows them, Test returns
// nil. Otherwise Test returns the reason. Test returns within 8 s (answerLimit).
func (s *networkStrip) Test(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, answerLimit, lights.ErrNotDriven)
	defer cancel()
	if err := s.Output.Test(ctx); errors.Is(err, lights.ErrNotDriven) {
		return cmp.Or(s.failure(), err)
	} else if err != nil {
		return err
	}
	select {
	case <-time.After(arriveLimit):
	case <-ctx.Done():
		return cmp.Or(s.failure(), context.Cause(ctx))
	}
	s.asking.Lock()
	defer s.asking.Unlock()
	info, err := s.dev.Ask(ctx)
	switch {
	case err != nil:
		return err
	case !info.Live:
		return errNotShown
	}
	overridden, err := s.dev.Overridden(ctx)
	if overridden {
		return ErrOverridden
	}
	return err
}

// These are the reasons why a WLED answers, but does not show the table's pictures.
var (
	errNotShown = engine.Faultf(0, "WLED answers, but shows nothing that is sent to its UDP port %d", wled.Port)

	// ErrOverridden is the reason if somebody has set the WLED, on its own page, to ignore
	// pictures.
	ErrOverridden = engine.Faultf(0, "WLED shows its own effect although pictures arrive: its live override is on")
)

// WLEDProblem returns what is wrong with a WLED that has answered. If nothing is wrong,
// WLEDProblem returns nil. The second argument is the number of LEDs in the configuration.
func WLEDProblem(info wled.Info, count int) error {
	short := engine.Faultf(0, "WLED %s with %d LEDs, but [lights] count is %d", info.Version, info.LEDs, count)
	switch isShort := info.Version != "" && info.LEDs < count; {
	case isShort && !info.Live:
		return engine.Faultf(0, "%v; %v", short, errNotShown)
	case isShort:
		return short
	case !info.Live:
		return errNotShown
	}
	return nil
}
