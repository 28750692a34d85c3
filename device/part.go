package device

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"tableside/engine"
)

// A Source, such as a reader or a keyboard, emits signals. Run works until the context ends.
// If Run returns an error earlier, the table reports the error, waits a little and runs the
// source again. If Run returns nil, no more signals will come.
type Source interface {
	Run(ctx context.Context, emit Emit) error
}

// Emit passes a signal to the table. It never waits. Signals queue in order, and the table
// drops none. The table's answer comes on the returned channel. The caller need not read the
// channel.
type Emit func(Signal) <-chan engine.Receipt

// An Output, such as a panel, lights, a page or a broker, draws frames. Show may be slow. The
// table calls Show again only after the previous call has returned. The next call gets the
// newest frame, and the events of all frames since. After an error the table calls Show again.
// If the output is Direct, it gets each frame once.
type Output interface {
	Show(context.Context, engine.Frame) error
}

// A Part is connected to the table as a Source, an Output or both. A Part that is Direct can
// only be an Output.
type Part struct {
	Name   string // in Status.Health, logs and topics
	Source Source
	Output Output

	// Direct says that Show never waits. Such an output has a mailbox of its own, and
	// reports its health itself. The table calls Show before it sends the receipt. So when
	// the receipt of an accepted input arrives, the output already shows the result.
	Direct bool
}

// A Signal is a report from a source: TagOn, TagOff, Press, Report, Asked or Foreseen.
type Signal interface{ signal() }

// TagOn reports that a tag was put on a reader.
type TagOn struct {
	Place string      // the reader, as the configuration names it
	Seat  engine.Seat // the reader's seat; "" means the table
	Tag   string      // a UID in the catalogue's form, a text, or from catalogue.Typed or PressedTag
	Text  string      // read from the tag; "" if it has none, or it was not read
}

// TagOff reports that a tag was taken off a reader.
type TagOff TagOn

// Press reports that a key was pressed: one of engine.Keys, "redo", or a digit.
type Press struct {
	Place string
	Seat  engine.Seat
	Key   string
}

// Report holds the health of a part. If a source consists of several parts, it reports each of
// them. If a source can be degraded, it reports its own health.
//
// When Run returns an error, the table reports the source broken. When the next Run has lasted
// 2 s, the table reports the source OK, unless the source has reported its own health in that
// run.
type Report struct{ Part engine.Part }

// Asked reports that Computer.Asks has a new answer.
type Asked struct{}

// Foreseen reports the chances in a match.
type Foreseen struct {
	Match   string
	Chances engine.Chances
}

func (Asked) signal()    {}
func (Foreseen) signal() {}
func (TagOn) signal()    {}
func (TagOff) signal()   {}
func (Press) signal()    {}
func (Report) signal()   {}

// The limits of the pause after a failure. The pause doubles with each failure, from minWait
// to maxWait. When a part is plugged in again, it must be reported OK within five seconds.
// Five seconds is the sum of maxWait, wellAfter, and a second for an attempt that came too
// early.
const (
	minWait   = 500 * time.Millisecond
	maxWait   = 2 * time.Second
	wellAfter = 2 * time.Second // a source that has run this long is OK again
)

// nextWait returns the pause that follows the previous pause. The next pause is twice as long,
// but not shorter than minWait and not longer than the given maximum.
func nextWait(previous, longest time.Duration) time.Duration {
	return min(max(minWait, 2*previous), longest)
}

// Pause waits, unless the context ends first.
func Pause(ctx context.Context, wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// runSource keeps a source running until the context ends, or the source returns nil. After an
// error it reports the part broken, and runs the source again after a pause.
func runSource(ctx context.Context, part Part, emit Emit, report func(engine.Part), log *slog.Logger) {
	var wait time.Duration
	failure := "" // why the source ended last, until it reports that it works
	for {
		began := time.Now()
		var mu sync.Mutex     // held during a report, so that a late "well" does not follow a failure
		reported := wait == 0 // its health, in this run; true from the start if it has not failed before
		well := time.AfterFunc(wellAfter, func() {
			mu.Lock()
			defer mu.Unlock()
			if !reported {
				report(engine.Part{Name: part.Name, Health: engine.OK})
			}
		})
		err := guard(log, part.Name, func() error {
			return part.Source.Run(ctx, func(s Signal) <-chan engine.Receipt {
				if r, ok := s.(Report); ok && r.Part.Name == part.Name {
					mu.Lock()
					defer mu.Unlock()
					reported = true
					reason := r.Part.Said(engine.English).Reason
					if r.Part.Health == engine.OK {
						failure = ""
					} else if reason != failure {
						log.Warn("part does not work", "part", part.Name, "error", reason)
					}
				}
				return emit(s)
			})
		})
		well.Stop()
		mu.Lock()
		reported = true
		mu.Unlock()
		if ctx.Err() != nil || err == nil {
			return
		}
		if time.Since(began) >= wellAfter {
			wait = 0
		}
		wait, failure = nextWait(wait, maxWait), err.Error()
		log.Warn("source failed", "part", part.Name, "error", err, "again", wait)
		report(engine.Part{Name: part.Name, Health: engine.Broken, Err: err})
		Pause(ctx, wait)
		if ctx.Err() != nil {
			return
		}
	}
}

// errPanic reports a panic, which is a bug; the log has the stack.
var errPanic = errors.New("panic")

// guard calls a function and returns its error. If the function panics, guard returns the
// panic as an error, because a bug in one part must not end a match.
func guard(log *slog.Logger, name string, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			log.Error("panic", "part", name, "value", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("%w: %v", errPanic, p)
		}
	}()
	return do()
}
