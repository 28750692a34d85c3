package rig

import (
	"context"
	"errors"
	"sync"

	"tableside/device"
	"tableside/engine"
)

// A latePart is a part that is opened when it is first used. If the opening fails, the next
// use tries again. For example, another program may hold a pin, or the driver of a bus may not
// be loaded yet. Such a fault shows in the health of this part only, and does not keep the
// table from starting.
type latePart struct {
	open func() (openPart, error)

	mu   sync.Mutex
	part *openPart // nil until it is open

	testing sync.RWMutex       // held for writing by halt, which waits for the tests
	life    context.Context    // ends when the part is halted
	end     context.CancelFunc // of life, called by halt
}

// An openPart holds the functions of a part that was opened. The fields run, show and test may
// be nil.
type openPart struct {
	run  func(context.Context) error
	show func(context.Context, engine.Frame) error
	test func(context.Context) error // shows a test picture
	halt func() error
}

// ensureOpen opens the part unless it is open.
func (l *latePart) ensureOpen() (*openPart, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.part == nil {
		o, err := l.open()
		if err != nil {
			return nil, err
		}
		l.part = &o
	}
	return l.part, nil
}

// Run implements device.Source. It opens the part, and calls the part's function run if there
// is one.
func (l *latePart) Run(ctx context.Context, _ device.Emit) error {
	o, err := l.ensureOpen()
	if err != nil || o.run == nil {
		return err
	}
	return o.run(ctx)
}

// Show implements device.Output.
func (l *latePart) Show(ctx context.Context, f engine.Frame) error {
	o, err := l.ensureOpen()
	if err != nil {
		return err
	}
	return o.show(ctx, f)
}

// errNoTest is the error for a part that has no test picture, and errHalted that for a part
// that was removed.
var (
	errNoTest = errors.New("it has no test picture")
	errHalted = errors.New("it was removed")
)

// Test shows a test picture, until the part is halted. If the part has none, it returns
// errNoTest.
func (l *latePart) Test(ctx context.Context) error {
	l.testing.RLock()
	defer l.testing.RUnlock()
	if l.life.Err() != nil {
		return errHalted
	}
	o, err := l.ensureOpen()
	switch {
	case err != nil:
		return err
	case o.test == nil:
		return errNoTest
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(l.life, cancel)()
	return o.test(ctx)
}

// halt ends the tests, waits for them, and halts the part if it was opened. The table has
// stopped source and output before.
func (l *latePart) halt() error {
	l.end()
	l.testing.Lock()
	defer l.testing.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.part == nil {
		return nil
	}
	return l.part.halt()
}
