package device

import (
	"log/slog"
	"time"
)

// remindEvery is how often a failure that lasts is logged again: a part that
// is unplugged for a week must not fill the disk.
const remindEvery = time.Hour

// soundAfter is how long a source runs before its next failure is news, even
// for the same reason: an attempt that fails may itself take seconds.
const soundAfter = time.Minute

// A complaint logs a failure that repeats: at first, when its reason changes,
// and then hourly with the number of attempts in between.
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
	if err.Error() == c.reason && time.Since(c.logged) < remindEvery {
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
