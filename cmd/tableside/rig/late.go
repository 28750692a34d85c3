package rig

import (
	"context"
	"sync"

	"tableside/device"
	"tableside/engine"
)

// A late part is opened when it is first needed, and again with each attempt
// until that works. A pin that another program holds, a bus whose driver is
// not loaded yet: that is the health of one part, and no reason for the table
// not to begin.
type late struct {
	open func() (opened, error)

	mu  sync.Mutex
	now *opened
}

// What a part is once it is open. Run and show may be nil.
type opened struct {
	run  func(context.Context) error
	show func(context.Context, engine.Frame) error
	halt func() error
}

// ready opens the part where it is not open.
func (l *late) ready() (*opened, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now == nil {
		o, err := l.open()
		if err != nil {
			return nil, err
		}
		l.now = &o
	}
	return l.now, nil
}

// Run implements device.Source. A part without anything to run is only opened.
func (l *late) Run(ctx context.Context, _ device.Emit) error {
	o, err := l.ready()
	if err != nil || o.run == nil {
		return err
	}
	return o.run(ctx)
}

// Show implements device.Output.
func (l *late) Show(ctx context.Context, f engine.Frame) error {
	o, err := l.ready()
	if err != nil {
		return err
	}
	return o.show(ctx, f)
}

// halt leaves the part as it may stay; what was never opened stays so.
func (l *late) halt() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now == nil {
		return nil
	}
	return l.now.halt()
}
