package device

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"time"

	"tableside/engine"
)

// A Source is where signals come from: a reader, keys. Run works until the
// context ends. When it returns an error before, the table says so, waits a
// little and runs it again; nil means that there is nothing more to come.
type Source interface {
	Run(ctx context.Context, emit Emit) error
}

// Emit hands a signal to the table. It never waits: signals queue, in order,
// and none is dropped. The table's answer comes on the channel, which nobody
// has to read.
type Emit func(Signal) <-chan engine.Receipt

// An Output draws frames: a panel, lights, a page, a broker. Show may be slow:
// it is called again only when it has returned, with the newest frame and the
// events of all frames since. After an error it is called again by itself.
type Output interface {
	Show(context.Context, engine.Frame) error
}

// A Part is something that is connected to the table, as a Source, an Output
// or both.
type Part struct {
	Name   string // in Status.Health, logs and topics
	Source Source
	Output Output

	// Direct says that Show never waits: it has a mailbox of its own, and
	// tells by itself how it does. The table calls it before it answers, so
	// whoever reads it after an accepted input reads what that input led to.
	Direct bool
}

// A Signal is something a source has noticed: TagOn, TagOff, Press or Report.
type Signal interface{ signal() }

// TagOn says that a tag was put on a reader.
type TagOn struct {
	Place string      // the reader, as the configuration names it
	Seat  engine.Seat // whose reader it is; "" is the table's
	Tag   string      // its UID, as the catalogue knows it
	Text  string      // what the tag says of itself; "" where it bears nothing, or it was not read
}

// TagOff says that a tag was taken off a reader.
type TagOff TagOn

// Press says that a key was pressed: one of engine.Keys, or "redo".
type Press struct {
	Place string
	Seat  engine.Seat
	Key   string
}

// Report says how a part does. A source that stands for several parts, or
// one that can work half, reports them itself. A source that is run again
// after an error is reported well when it has run for a while and has said
// nothing of itself.
type Report struct{ Part engine.Part }

func (TagOn) signal()  {}
func (TagOff) signal() {}
func (Press) signal()  {}
func (Report) signal() {}

// Back-off of what failed: doubling from firstWait to lastWait. What was
// plugged in again shall be said to work within five seconds: those are
// lastWait, settled, and a second for the attempt that came too early.
const (
	firstWait = 500 * time.Millisecond
	lastWait  = 2 * time.Second
	settled   = 2 * time.Second // what has run so long is well again
)

// nextWait is the back-off after one of wait, up to last.
func nextWait(wait, last time.Duration) time.Duration {
	return min(max(firstWait, 2*wait), last)
}

// pause waits, unless the context ends first.
func pause(ctx context.Context, wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// runSource keeps a source running until the context ends.
func runSource(ctx context.Context, part Part, emit Emit, report func(engine.Part), log *slog.Logger) {
	var wait time.Duration
	trouble := complaint{log: log, message: "source failed", part: part.Name}
	for {
		began := time.Now()
		var said atomic.Bool // the source has reported itself
		var well *time.Timer
		if wait > 0 { // it has failed before, and was reported
			well = time.AfterFunc(settled, func() {
				if !said.Load() {
					report(engine.Part{Name: part.Name, Health: engine.OK})
				}
			})
		}
		err := guard(log, part.Name, func() error {
			return part.Source.Run(ctx, func(s Signal) <-chan engine.Receipt {
				if r, ok := s.(Report); ok && r.Part.Name == part.Name {
					said.Store(true)
				}
				return emit(s)
			})
		})
		if well != nil {
			well.Stop()
		}
		if ctx.Err() != nil || err == nil {
			return
		}
		ran := time.Since(began)
		if ran >= settled {
			wait = 0
		}
		if ran >= soundAfter {
			trouble.worked()
		}
		wait = nextWait(wait, lastWait)
		trouble.failed(err, wait)
		report(engine.Part{Name: part.Name, Health: engine.Broken, Reason: err.Error()})
		pause(ctx, wait)
		if ctx.Err() != nil {
			return
		}
	}
}

// guard makes a panic an error: a bug in one part must not end a match.
func guard(log *slog.Logger, name string, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			log.Error("panic", "part", name, "value", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return do()
}
