package bench

import (
	"context"
	"errors"
	"sync"
	"time"

	"tableside/device"
	"tableside/engine"
)

// A signalWaiter lets hands wait for one signal of a source at a time.
type signalWaiter struct {
	mu     sync.Mutex
	wanted expectedSignal
	heard  chan (<-chan engine.Receipt) // of the wanted signal; nil if none is
	lying  map[string]bool              // tags on readers
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
		w.lying[s.Tag] = true
	case device.TagOff:
		delete(w.lying, s.Tag)
		return
	case device.Press:
		what = expectedSignal{seat: s.Seat, key: s.Key}
	default:
		return
	}
	if what == w.wanted && w.heard != nil {
		w.heard <- answer
		w.heard = nil
	}
}

func (w *signalWaiter) lies(tag string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lying[tag]
}

// until waits until something holds. If that takes more than 3 s (patience), it returns errMute.
func until(ctx context.Context, holds func() bool) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errMute)
	defer cancel()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for !holds() {
		select {
		case <-again.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// errMute is the error for a part that sends no signal.
var errMute = errors.New("no signal: is the part broken, or unplugged?")

// wait calls the given function, which causes the wanted signal. Then it waits for the signal
// and for the table's receipt. If the receipt takes more than 3 s (patience), wait returns
// errMute. If the function fails, wait returns the error of the function at once.
func (w *signalWaiter) wait(ctx context.Context, wanted expectedSignal, do func() error) (engine.Receipt, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errMute)
	defer cancel()
	heard := make(chan (<-chan engine.Receipt), 1)
	w.mu.Lock()
	w.wanted, w.heard = wanted, heard
	w.mu.Unlock()
	if err := do(); err != nil {
		return engine.Receipt{}, err
	}
	var answer <-chan engine.Receipt // nil until the signal came
	for {
		select {
		case answer = <-heard:
		case r := <-answer:
			return r, nil
		case <-ctx.Done():
			return engine.Receipt{}, context.Cause(ctx)
		}
	}
}
