package bench

import (
	"context"
	"errors"
	"sync"

	"tableside/device"
	"tableside/engine"
)

// A signalWaiter lets hands wait for the signals of sources.
type signalWaiter struct {
	mu      sync.Mutex
	waiters map[expectedSignal]chan (<-chan engine.Receipt)
	lifted  map[string]chan struct{} // by tag that lies on a reader; closed when the tag is lifted
}

// An expectedSignal identifies a signal that hands wait for. For a tap, it has a place and a
// tag. For a press, it has a seat and a key.
type expectedSignal struct {
	place, tag string
	seat       engine.Seat
	key        string
}

// notify handles a signal of a source. If hands wait for the signal, notify gives the hands
// the channel on which the table's receipt will come. It also tracks which tags lie on
// readers.
func (w *signalWaiter) notify(s device.Signal, answer <-chan engine.Receipt) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var what expectedSignal
	switch s := s.(type) {
	case device.TagOn:
		what = expectedSignal{place: s.Place, tag: s.Tag}
		w.lifted[s.Tag] = make(chan struct{})
	case device.TagOff:
		if lifted := w.lifted[s.Tag]; lifted != nil {
			close(lifted)
			delete(w.lifted, s.Tag)
		}
		return
	case device.Press:
		what = expectedSignal{seat: s.Seat, key: s.Key}
	default:
		return
	}
	if waiter := w.waiters[what]; waiter != nil {
		delete(w.waiters, what)
		waiter <- answer
	}
}

// waitLifted waits until the table believes that the tag lies on no reader. If the wait takes
// more than 3 s (patience), waitLifted returns errMute.
func (w *signalWaiter) waitLifted(ctx context.Context, tag string) error {
	w.mu.Lock()
	lifted := w.lifted[tag]
	w.mu.Unlock()
	if lifted == nil {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errMute)
	defer cancel()
	select {
	case <-lifted:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// errMute is the error for a part that sends no signal.
var errMute = errors.New("no signal: is the part broken, or unplugged?")

// wait calls the given function, which causes the wanted signal. Then it waits for the signal
// and for the table's receipt. If the receipt takes more than 3 s (patience), wait returns
// errMute. If the function fails, wait returns the error of the function at once.
func (w *signalWaiter) wait(ctx context.Context, wanted expectedSignal, do func() error) (engine.Receipt, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errMute)
	defer cancel()
	signal := make(chan (<-chan engine.Receipt), 1)
	w.mu.Lock()
	w.waiters[wanted] = signal
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.waiters[wanted] == signal {
			delete(w.waiters, wanted)
		}
	}()
	if err := do(); err != nil {
		return engine.Receipt{}, err
	}
	var answer <-chan engine.Receipt
	select {
	case answer = <-signal:
	case <-ctx.Done():
		return engine.Receipt{}, context.Cause(ctx)
	}
	select {
	case r := <-answer:
		return r, nil
	case <-ctx.Done():
		return engine.Receipt{}, context.Cause(ctx)
	}
}
