// Package simulated replaces hardware: readers and keys, a screen, and the cards in
// everybody's hands. A table uses the simulated parts in the same way as real hardware.
package simulated

import (
	"context"
	"errors"
	"slices"
	"sync"

	"tableside/device"
	"tableside/engine"
)

// ErrNoSuchPlace is returned for a reader that the table does not have.
var ErrNoSuchPlace = errors.New("the table has no such place")

// ErrNothingThere reports that a tag or a card is not in the given place. Readers.Lift returns
// it for a tag that does not lie on the reader. Cards.Pick returns it for a card that is not
// in the hand.
var ErrNothingThere = errors.New("that tag does not lie there")

// A Place describes a simulated reader.
type Place struct {
	Name string      // as a configuration would name it
	Seat engine.Seat // the place's seat; "" means the table
}

// Readers simulates readers and keys. It is a device.Source. Tap, Lift and Press wait until
// the table calls Run.
type Readers struct {
	places []Place
	ready  chan struct{} // closed while Run runs

	mu   sync.Mutex // held during each signal, so that signals have the order of the calls
	emit device.Emit
	tags map[string]string // by place
}

// NewReaders returns readers without tags.
func NewReaders(places ...Place) *Readers {
	return &Readers{places: places, ready: make(chan struct{}), tags: map[string]string{}}
}

// Run hands signals to the table until the context ends.
func (r *Readers) Run(ctx context.Context, emit device.Emit) error {
	r.mu.Lock()
	r.emit = emit
	close(r.ready)
	r.mu.Unlock()
	<-ctx.Done()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.emit, r.ready = nil, make(chan struct{})
	return nil
}

// Places returns all readers.
func (r *Readers) Places() []Place { return slices.Clone(r.places) }

// Lying returns the tag on a place, or "".
func (r *Readers) Lying(place string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tags[place]
}

// Tap lays a tag on a reader. If a tag already lies on the reader, Tap takes that tag off
// first. Tap returns when the table has answered. The error is ErrNoSuchPlace, or the
// context's error if the context ends first.
func (r *Readers) Tap(ctx context.Context, place, tag string) (engine.Receipt, error) {
	p, err := r.place(place)
	if err != nil {
		return engine.Receipt{}, err
	}
	return r.signal(ctx, func(emit device.Emit) (<-chan engine.Receipt, error) {
		if before := r.tags[place]; before != "" {
			emit(device.TagOff{Place: p.Name, Seat: p.Seat, Tag: before})
		}
		r.tags[place] = tag
		return emit(device.TagOn{Place: p.Name, Seat: p.Seat, Tag: tag}), nil
	})
}

// Lift takes a tag off a reader. It returns when the table has answered. The error is
// ErrNoSuchPlace, ErrNothingThere, or the context's error if the context ends first.
func (r *Readers) Lift(ctx context.Context, place, tag string) (engine.Receipt, error) {
	p, err := r.place(place)
	if err != nil {
		return engine.Receipt{}, err
	}
	return r.signal(ctx, func(emit device.Emit) (<-chan engine.Receipt, error) {
		if r.tags[place] != tag {
			return nil, engine.FaultOf(ErrNothingThere, "%s does not lie on %s", tag, place)
		}
		delete(r.tags, place)
		return emit(device.TagOff{Place: p.Name, Seat: p.Seat, Tag: tag}), nil
	})
}

// Press presses a key at a seat. It returns when the table has answered, or with the context's
// error if the context ends first.
func (r *Readers) Press(ctx context.Context, seat engine.Seat, key string) (engine.Receipt, error) {
	return r.signal(ctx, func(emit device.Emit) (<-chan engine.Receipt, error) {
		return emit(device.Press{Place: string(seat), Seat: seat, Key: key}), nil
	})
}

func (r *Readers) place(name string) (Place, error) {
	i := slices.IndexFunc(r.places, func(p Place) bool { return p.Name == name })
	if i < 0 {
		return Place{}, engine.FaultOf(ErrNoSuchPlace, "this table has no reader called %q", name)
	}
	return r.places[i], nil
}

// signal emits a signal to the table and returns the table's answer. It waits until the table
// calls Run. Then it calls the given function, which emits the signal. At last, it waits for
// the answer.
func (r *Readers) signal(ctx context.Context, do func(device.Emit) (<-chan engine.Receipt, error)) (engine.Receipt,
	error) {
	answer, err := r.send(ctx, do)
	if err != nil {
		return engine.Receipt{}, err
	}
	select {
	case receipt := <-answer:
		return receipt, nil
	case <-ctx.Done():
		return engine.Receipt{}, ctx.Err()
	}
}

func (r *Readers) send(ctx context.Context, do func(device.Emit) (<-chan engine.Receipt, error)) (<-chan engine.Receipt,
	error) {
	for {
		r.mu.Lock()
		if r.emit != nil {
			defer r.mu.Unlock()
			return do(r.emit)
		}
		ready := r.ready
		r.mu.Unlock()
		select {
		case <-ready:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
