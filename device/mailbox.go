package device

import (
	"context"
	"log/slog"
	"slices"
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

// A mailbox holds the newest frame that one output has not taken yet, with all events since the
// frame before. Only the loop puts frames in. A closed mailbox still has its last frame.
type mailbox chan engine.Frame

func newMailbox() mailbox { return make(mailbox, 1) }

// put replaces the frame and queues its events. It never waits.
func (m mailbox) put(f engine.Frame) {
	select {
	case old := <-m:
		f = after(old, f)
	default:
	}
	m <- f
}

// after returns a frame with the events of an older frame before its own.
func after(old, f engine.Frame) engine.Frame {
	f.Events = slices.Concat(old.Events, f.Events)
	f.Events = f.Events[max(0, len(f.Events)-maxEvents):]
	return f
}

// deliver shows frames to one output until the mailbox is closed or the context ends. After an
// error it reports the health of the part, and tries again after a pause.
func (m mailbox) deliver(ctx context.Context, part Part, report func(engine.Part), log *slog.Logger) {
	for {
		var f engine.Frame
		var open bool
		select {
		case <-ctx.Done():
		case f, open = <-m:
		}
		if !open {
			return
		}
		var wait time.Duration
		for failures := 1; ctx.Err() == nil; failures++ {
			err := show(ctx, part, f, report, log)
			if err == nil {
				if failures > 1 {
					report(engine.Part{Name: part.Name, Health: engine.OK})
				}
				break
			}
			if !open {
				log.Warn("output failed at the end", "part", part.Name, "error", err)
			}
			if !open || ctx.Err() != nil { // ctx: the part was removed, or the table is switched off
				return
			}
			wait = nextWait(wait, maxWait)
			health := engine.Degraded
			if failures >= failedAfter {
				health = engine.Broken
			}
			log.Warn("output failed", "part", part.Name, "error", err, "again", wait)
			report(engine.Part{Name: part.Name, Health: health, Err: err})
			f, open = m.pause(ctx, wait, f)
		}
	}
}

// pause waits before a frame that could not be shown is shown again, and returns it or a newer one
// with its events. It returns at once if the mailbox is closed.
func (m mailbox) pause(ctx context.Context, wait time.Duration, f engine.Frame) (newest engine.Frame, open bool) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return f, true
		case <-timer.C:
			return f, true
		case newer, open := <-m:
			if !open {
				return f, false
			}
			f = after(f, newer)
		}
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
