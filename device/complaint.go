package device

import (
	"errors"
	"log/slog"
	"sync"
	"time"

	"tableside/engine"
)

// remindEvery is how often a lasting failure is logged again: a part that is
// unplugged for a week must not fill the disk.
const remindEvery = time.Hour

// renewEvery is the shortest pause between two log lines about a failure whose reason keeps
// changing: some reasons contain a measured time, and differ with each attempt.
const renewEvery = time.Minute

// recoveredAfter is how long a source must run before its next failure is logged immediately,
// even with the same reason as before. The time is long because an attempt that fails may
// itself take seconds.
const recoveredAfter = time.Minute

// A complaint logs a failure that repeats. It logs the failure the first time, when its reason
// changes (at most once a minute), and otherwise hourly, with the number of attempts since the
// last line.
type complaint struct {
	log     *slog.Logger
	message string
	part    string

	reason string // of the last line; "" while the part works
	logged time.Time
	silent int // attempts that failed since the last line
}

// logFailure logs a failure, unless it was logged lately. delay is the pause before the next
// attempt; the log line does not mention a pause of 0.
func (c *complaint) logFailure(err error, delay time.Duration) {
	pause := remindEvery
	if err.Error() != c.reason {
		pause = renewEvery
	}
	if c.reason != "" && time.Since(c.logged) < pause {
		c.silent++
		return
	}
	attrs := []any{"part", c.part, "error", err}
	if delay > 0 {
		attrs = append(attrs, "again", delay)
	}
	if err.Error() == c.reason {
		attrs = append(attrs, "attempts", c.silent+1)
	}
	c.log.Warn(c.message, attrs...)
	c.reason, c.logged, c.silent = err.Error(), time.Now(), 0
}

// worked records that the part has worked again, so that its next failure is logged
// immediately.
func (c *complaint) worked() { c.reason = "" }

// A sourceLog logs what is wrong with a source: the errors that end it, and the bad health
// that it reports while it keeps running. A reader without its chip keeps running; a strip on
// the network both ends and reports. So a report that only repeats the error which ended the
// source is not logged.
type sourceLog struct {
	mu      sync.Mutex // reports may come from several goroutines
	ends    complaint
	reports complaint
	okSince time.Time // when the part last began to report that it works; zero while it does not
}

func newSourceLog(log *slog.Logger, part string) *sourceLog {
	return &sourceLog{
		ends:    complaint{log: log, message: "source failed", part: part},
		reports: complaint{log: log, message: "part does not work", part: part},
	}
}

// logEnd logs the error that ended a source. uptime is how long the source ran, and delay the
// pause before it runs again.
func (l *sourceLog) logEnd(err error, uptime, delay time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if uptime >= recoveredAfter {
		l.ends.worked()
	}
	l.okSince = time.Time{}
	l.ends.logFailure(err, delay)
}

// logReport receives the health that a part reports, and logs it if the part does not work. A
// report that repeats is logged only now and then.
func (l *sourceLog) logReport(part engine.Part) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if part.Health == engine.OK {
		if l.okSince.IsZero() {
			l.okSince = time.Now()
		}
		return
	}
	if !l.okSince.IsZero() && time.Since(l.okSince) >= recoveredAfter {
		l.ends.worked()
		l.reports.worked()
	}
	l.okSince = time.Time{}
	reason := part.Said(engine.English).Reason
	if reason == l.ends.reason && time.Since(l.ends.logged) < remindEvery+renewEvery {
		return // logged when the source ended, and again if it keeps ending
	}
	l.reports.logFailure(errors.New(reason), 0)
}
