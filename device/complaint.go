package device

import (
	"log/slog"
	"time"
)

// remindEvery is how often a failure that lasts is logged again: a part that
// is unplugged for a week must not fill the disk.
const remindEvery = time.Hour

// renewEvery is how often a failure is logged whose reason changes: some reasons
// hold a measured time, and differ with each attempt.
const renewEvery = time.Minute

// soundAfter is how long a source runs before its next failure is news, even
// for the same reason: an attempt that fails may itself take seconds.
const soundAfter = time.Minute

// A complaint logs a failure that repeats: at first, when its reason changes (at
// most once a minute), and then hourly with the number of attempts in between.
type complaint struct {
	log     *slog.Logger
	message string
	part    string

	reason string // of the last line; "" while the part works
	logged time.Time
	silent int // attempts that failed since the last line
}

// failed takes in a failure.
func (c *complaint) failed(err error, wait time.Duration) {
	pause := remindEvery
	if err.Error() != c.reason {
		pause = renewEvery
	}
	if c.reason != "" && time.Since(c.logged) < pause {
		c.silent++
		return
	}
	attrs := []any{"part", c.part, "error", err, "again", wait}
	if err.Error() == c.reason {
		attrs = append(attrs, "attempts", c.silent+1)
	}
	c.log.Warn(c.message, attrs...)
	c.reason, c.logged, c.silent = err.Error(), time.Now(), 0
}

// worked takes in that the part has worked since: its next failure is news.
func (c *complaint) worked() { c.reason = "" }
