package rig

import (
	"context"
	"errors"
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
	now *opened // nil until it is open

	using sync.RWMutex       // held for writing by halt, which waits for what is under way
	life  context.Context    // ends when the part is halted
	end   context.CancelFunc // of life, called by halt
}

// errHalted says that a part was removed.
var errHalted = errors.New("it was removed")

func newLatePart(open func() (opened, error)) *latePart {
	l := &latePart{open: open}
	l.life, l.end = context.WithCancel(context.Background())
	return l
}

// use opens the part if necessary and calls f with it; if the part was halted, it returns
// errHalted. The context of f ends when the part is halted.
func (l *latePart) use(ctx context.Context, f func(context.Context, *opened) error) error {
	l.using.RLock()
	defer l.using.RUnlock()
	if l.life.Err() != nil {
		return errHalted
	}
	o, err := l.ready()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(l.life, cancel)()
	return f(ctx, o)
}

// An opened holds the functions of a part that was opened; run, show and test may be nil.
type opened struct {
	run  func(context.Context) error
	show func(context.Context, engine.Frame) error
	test func(context.Context) error // shows a test picture
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
	err := l.use(ctx, func(ctx context.Context, o *opened) error { return o.show(ctx, f) })
	if errors.Is(err, errHalted) {
		return nil // nobody looks at it
	}
	return err
}

// errNoTest says that a part has no test picture.
var errNoTest = errors.New("it has no test picture")

// Test shows a test picture, or returns errNoTest.
func (l *latePart) Test(ctx context.Context) error {
	return l.use(ctx, func(ctx context.Context, o *opened) error {
		if o.test == nil {
			return errNoTest
		}
		return o.test(ctx)
	})
}

// halt ends what is under way, and halts the part if it was opened. Afterwards use does not
// open it again.
func (l *latePart) halt() error {
	l.end()
	l.using.Lock()
	defer l.using.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now == nil {
		return nil
	}
	return l.now.halt()
}
