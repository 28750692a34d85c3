package device

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"tableside/engine"
)

const (
	// maxEvents is how many events may wait for one output. If more wait, the oldest are
	// dropped. An evening at the table has a few thousand events.
	maxEvents = 10_000
	// showLimit is the time limit of one Show. E-paper takes two seconds, in
	// four colours twenty, and twice that when it is cold.
	showLimit = time.Minute
	// failedAfter is how many errors in a row make a part broken; after fewer it
	// is degraded.
	failedAfter = 3
)

// A mailbox holds the newest frame that one output has not shown yet. It also holds all events
// since the last frame that the output has shown.
type mailbox struct {
	ready  chan struct{} // holds a value while there is something to show
	closed chan struct{} // closed when nothing more will come

	mu     sync.Mutex
	frame  *engine.Frame // nil when there is nothing to show
	events []engine.Event
}

func newMailbox() *mailbox {
	return &mailbox{ready: make(chan struct{}, 1), closed: make(chan struct{})}
}

// put replaces the frame and queues its events. It never waits.
func (m *mailbox) put(f engine.Frame) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.frame = &f
	m.queue(append(m.events, f.Events...))
}

// putBack puts back a frame that could not be shown. If the mailbox has a newer frame, that
// frame stays. The events of the old frame are shown before the events that came since.
func (m *mailbox) putBack(f engine.Frame) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.frame == nil {
		m.frame = &f
	}
	m.queue(slices.Concat(f.Events, m.events))
}

func (m *mailbox) queue(events []engine.Event) {
	if extra := len(events) - maxEvents; extra > 0 {
		events = append(events[:0], events[extra:]...)
	}
	m.events = events
	select {
	case m.ready <- struct{}{}:
	default:
	}
}

func (m *mailbox) take() (f engine.Frame, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.frame == nil {
		return engine.Frame{}, false
	}
	f = *m.frame
	f.Events = m.events
	m.frame, m.events = nil, nil
	return f, true
}

// close tells deliver to return after it has shown the last frame.
func (m *mailbox) close() { close(m.closed) }

// deliver shows frames to one output until the mailbox is closed or the context ends. After an
// error it reports the health of the part, and tries again after a pause.
func (m *mailbox) deliver(ctx context.Context, part Part, report func(engine.Part), log *slog.Logger) {
	failures := 0
	var wait time.Duration
	trouble := complaint{log: log, message: "output failed", part: part.Name}
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			return
		case <-m.ready:
		case <-m.closed:
			if f, ok := m.take(); ok {
				if err := show(ctx, part, f, report, log); err != nil {
					log.Warn("output failed at the end", "part", part.Name, "error", err)
				}
			}
			return
		}
		f, ok := m.take()
		if !ok || ctx.Err() != nil {
			continue
		}
		err := show(ctx, part, f, report, log)
		if err == nil {
			if failures > 0 {
				report(engine.Part{Name: part.Name, Health: engine.OK})
			}
			failures, wait = 0, 0
			trouble.worked()
			continue
		}
		if ctx.Err() != nil {
			return // the part was removed, or the table is switched off
		}
		failures++
		wait = nextWait(wait, maxWait)
		health := engine.Degraded
		if failures >= failedAfter {
			health = engine.Broken
		}
		trouble.logFailure(err, wait)
		report(engine.Part{Name: part.Name, Health: health, Err: err})
		m.putBack(f)
		m.pause(ctx, wait)
	}
}

func (m *mailbox) pause(ctx context.Context, wait time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	select {
	case <-ctx.Done():
	case <-m.closed:
	}
}

// show calls the method Show of an output once, with the time limit showLimit, and returns its
// error. If an output ignores the limit, it is reported broken while all other outputs go on.
// Once its method Show has returned without an error, the output is reported OK.
func show(ctx context.Context, part Part, f engine.Frame, report func(engine.Part), log *slog.Logger) error {
	ctx, cancel := context.WithTimeout(ctx, showLimit)
	defer cancel()
	overdue := time.AfterFunc(showLimit, func() {
		silent := engine.Faultf(0, "no answer for %v", showLimit)
		report(engine.Part{Name: part.Name, Health: engine.Broken, Err: silent})
	})
	err := guard(log, part.Name, func() error { return part.Output.Show(ctx, f) })
	if !overdue.Stop() && err == nil {
		report(engine.Part{Name: part.Name, Health: engine.OK})
	}
	return err
}
