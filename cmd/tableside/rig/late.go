package rig

import (
	"context"
	"sync"

	"tableside/device"
	"tableside/engine"
)

// A latePart is opened at its first use, and each use tries again until it opens.
// A pin that another program holds, or a bus whose driver is not loaded yet, shows
// in the health of one part and does not keep the table from starting.
type latePart struct {
	open func() (opened, error)

	mu  sync.Mutex
	now *opened
}

// An opened part has these functions; run and show may be nil.
type opened struct {
	run  func(context.Context) error
	show func(context.Context, engine.Frame) error
	halt func() error
}

// ready opens the part unless it is open.
func (l *latePart) ready() (*opened, error) {
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
func (l *latePart) Run(ctx context.Context, _ device.Emit) error {
	o, err := l.ready()
	if err != nil || o.run == nil {
		return err
	}
	return o.run(ctx)
}

// Show implements device.Output.
func (l *latePart) Show(ctx context.Context, f engine.Frame) error {
	o, err := l.ready()
	if err != nil {
		return err
	}
	return o.show(ctx, f)
}

// halt halts the part if it was opened.
func (l *latePart) halt() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now == nil {
		return nil
	}
	return l.now.halt()
}
