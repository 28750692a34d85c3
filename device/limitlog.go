package device

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// The limits of a log of failures. A part that is unplugged for a week must not fill the disk.
const (
	remindEvery    = time.Hour   // a lasting failure is logged again after this time
	minLogPause    = time.Minute // between two lines whose reasons differ: some contain a measured time
	recoveredAfter = time.Minute // a failure is a new one if the last was longer ago
	maxFailures    = 1000        // that are remembered
)

// LimitLog returns a log that drops warnings and errors of the same failure. Lines are of the
// same failure if they differ only in "reason" and "error", and in durations. The first line is
// logged. While the reason stays the same, the next is logged after an hour, with the number of
// attempts since. If the reason has changed, it is logged after a minute. The reason is the
// attribute "reason", or else "error". A line without both is always logged.
func LimitLog(log *slog.Logger) *slog.Logger {
	return slog.New(&limitedHandler{log.Handler(), &failures{lasting: map[string]*failure{}}})
}

type limitedHandler struct {
	slog.Handler
	failures *failures
}

func (h *limitedHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &limitedHandler{h.Handler.WithAttrs(attrs), h.failures}
}

func (h *limitedHandler) WithGroup(name string) slog.Handler {
	return &limitedHandler{h.Handler.WithGroup(name), h.failures}
}

// Handle implements slog.Handler.
func (h *limitedHandler) Handle(ctx context.Context, r slog.Record) error {
	what, reason := failureOf(r)
	if r.Level < slog.LevelWarn || reason == "" {
		return h.Handler.Handle(ctx, r)
	}
	attempts, due := h.failures.count(what, reason, r.Time)
	if !due {
		return nil
	}
	if attempts > 0 {
		r.AddAttrs(slog.Int("attempts", attempts))
	}
	return h.Handler.Handle(ctx, r)
}

func failureOf(r slog.Record) (what, reason string) {
	var text strings.Builder
	text.WriteString(r.Message)
	detail := ""
	r.Attrs(func(a slog.Attr) bool {
		switch {
		case a.Key == "reason":
			reason = a.Value.String()
		case a.Key == "error":
			detail = a.Value.String()
		case a.Value.Kind() != slog.KindDuration:
			fmt.Fprintf(&text, " %s", a)
		}
		return true
	})
	return text.String(), cmp.Or(reason, detail)
}

type failures struct {
	mu      sync.Mutex
	lasting map[string]*failure
}

type failure struct {
	reason   string    // of the last line
	loggedAt time.Time // that line
	triedAt  time.Time // the last attempt
	unlogged int       // attempts since the last line
}

// count counts an attempt that failed, and reports whether to log it. If the line repeats an
// earlier one, attempts is the number of attempts since then.
func (f *failures) count(what, reason string, now time.Time) (attempts int, due bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	last := f.lasting[what]
	if last == nil || now.Sub(last.triedAt) >= recoveredAfter {
		if len(f.lasting) >= maxFailures {
			clear(f.lasting)
		}
		f.lasting[what] = &failure{reason: reason, loggedAt: now, triedAt: now}
		return 0, true
	}
	last.triedAt = now
	last.unlogged++
	pause := minLogPause
	if reason == last.reason {
		pause, attempts = remindEvery, last.unlogged
	}
	if now.Sub(last.loggedAt) < pause {
		return 0, false
	}
	last.reason, last.loggedAt, last.unlogged = reason, now, 0
	return attempts, true
}
