package device

import (
	"errors"
	"log/slog"
	"sync"
	"time"

	"tableside/engine"
)

// remindEvery is the time after which a lasting failure is logged again. It is long so that a
// part that is unplugged for a week does not fill the disk.
const remindEvery = time.Hour

// minLogPause is the shortest pause between two log lines about a failure whose reason changes.
// The pause is needed because some reasons contain a measured time, and so differ with each
// attempt.
const minLogPause = time.Minute

// recoveredAfter is how long a source must run to count as recovered. The next failure is then
// logged immediately, even with the same reason as before. An attempt that fails may take
// seconds, and must not count as a recovery.
const recoveredAfter = time.Minute

// A complaint logs a failure that repeats. It logs the failure the first time, and again when
// the reason changes, but at most once a minute. While the reason stays the same, it logs the
// failure once an hour, with the number of attempts since the last line.
type complaint struct {
	log     *slog.Logger
	message string
	part    string

	reason   string // of the last line; "" while the part works
	loggedAt time.Time
	unlogged int // attempts that failed since the last line
}

// logFailure logs a failure, unless the failure was logged lately. delay is the pause before
// the next attempt. If there is no pause, the line does not mention one.
func (c *complaint) logFailure(err error, delay time.Duration) {
	pause := remindEvery
	if err.Error() != c.reason {
		pause = minLogPause
	}
	if c.reason != "" && time.Since(c.loggedAt) < pause {
		c.unlogged++
		return
	}
	attrs := []any{"part", c.part, "error", err}
	if delay > 0 {
		attrs = append(attrs, "again", delay)
	}
	if err.Error() == c.reason {
		attrs = append(attrs, "attempts", c.unlogged+1)
	}
	c.log.Warn(c.message, attrs...)
	c.reason, c.loggedAt, c.unlogged = err.Error(), time.Now(), 0
}

// worked records that the part has worked again, so that its next failure is logged
// immediately.
func (c *complaint) worked() { c.reason = "" }

// A sourceLog logs what is wrong with a source. It logs the errors that end the source, and
// the bad health that the source reports while it runs. Sources differ: a reader without its
// chip keeps running, but a strip of lights on the network reports bad health and then ends. A
// report that only repeats the error that ended the source is not logged.
type sourceLog struct {
	mu              sync.Mutex // reports may come from several goroutines
	endComplaint    complaint
	reportComplaint complaint
	okSince         time.Time // when the part last began to report that it works; zero while it does not
}

func newSourceLog(log *slog.Logger, part string) *sourceLog {
	return &sourceLog{
		endComplaint:    complaint{log: log, message: "source failed", part: part},
		reportComplaint: complaint{log: log, message: "part does not work", part: part},
	}
}

// logEnd logs the error that ended a source. uptime is how long the source ran. delay is the
// pause before the source runs again.
func (l *sourceLog) logEnd(err error, uptime, delay time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if uptime >= recoveredAfter {
		l.endComplaint.worked()
	}
	l.okSince = time.Time{}
	l.endComplaint.logFailure(err, delay)
}

// logReport logs the report of a part, if the report says that the part does not work. A
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
		l.endComplaint.worked()
		l.reportComplaint.worked()
	}
	l.okSince = time.Time{}
	reason := part.Said(engine.English).Reason
	if reason == l.endComplaint.reason && time.Since(l.endComplaint.loggedAt) < remindEvery+minLogPause {
		return // logged when the source ended, and again if it keeps ending
	}
	l.reportComplaint.logFailure(errors.New(reason), 0)
}
