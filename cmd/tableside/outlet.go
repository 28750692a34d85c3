package main

import (
	"context"
	"errors"
	"sync"

	"tableside/device"
	"tableside/engine"
)

// An outlet hands each frame to outputs that never wait: page and MQTT client
// have mailboxes of their own, and tell by themselves how they do.
//
// Who asks for something through an outlet gets the answer when the outputs
// have its frame: whoever reads the page after an accepted input reads at
// least what that input led to.
type outlet struct {
	table   *device.Table
	outputs []device.Output

	mu   sync.Mutex
	n    int           // number of the last receipt that was shown
	more chan struct{} // closed when there is a later one
}

func newOutlet(t *device.Table) *outlet { return &outlet{table: t, more: make(chan struct{})} }

func (o *outlet) Show(ctx context.Context, f engine.Frame) error {
	var errs []error
	for _, output := range o.outputs {
		errs = append(errs, output.Show(ctx, f))
	}
	if r := f.Status.Receipt; r != nil {
		o.mu.Lock()
		if r.N > o.n {
			o.n = r.N
			close(o.more)
			o.more = make(chan struct{})
		}
		o.mu.Unlock()
	}
	return errors.Join(errs...)
}

// Input is the table's, answered when it is shown.
func (o *outlet) Input(ctx context.Context, in engine.Input) engine.Receipt {
	return o.shown(ctx, o.table.Input(ctx, in))
}

// Do is the table's, answered when it is shown.
func (o *outlet) Do(ctx context.Context, order engine.Order) engine.Receipt {
	return o.shown(ctx, o.table.Do(ctx, order))
}

// shown waits until the outputs know of the receipt. One without a number
// was not written by the table's loop, and is shown nowhere.
func (o *outlet) shown(ctx context.Context, r engine.Receipt) engine.Receipt {
	for {
		o.mu.Lock()
		n, more := o.n, o.more
		o.mu.Unlock()
		if n >= r.N {
			return r
		}
		select {
		case <-more:
		case <-ctx.Done():
			return r // it is accepted all the same
		}
	}
}

// A shower is an output that cannot fail.
type shower func(context.Context, engine.Frame)

func (s shower) Show(ctx context.Context, f engine.Frame) error {
	s(ctx, f)
	return nil
}
