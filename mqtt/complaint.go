package mqtt

import (
	"fmt"
	"time"
)

// After a log line about an absent broker, the next such line is written only when remindEvery
// or renewEvery has passed. A broker that is off for a week must not fill the disk.
const (
	remindEvery    = time.Hour   // with the same reason
	renewEvery     = time.Minute // with another one
	recoveredAfter = time.Minute // a connection that lasted this long ends a complaint
)

// A complaint holds what was last logged about a broker that is away.
type complaint struct {
	reason   string // "" while the broker is there
	loggedAt time.Time
	unlogged int // failed attempts that were not logged
}

// countFailure counts an attempt to connect that failed for the given reason, and reports
// whether the attempt must be logged. If so, it also returns the number of failed attempts
// since the last logged one, including this attempt. Otherwise this number is 0. The caller
// passes how long the attempt lasted. If the attempt led to a connection that was lost, the
// duration of the connection is included.
func (c *complaint) countFailure(reason string, took time.Duration) (attempts int, due bool) {
	if took >= recoveredAfter {
		c.reason, c.unlogged = "", 0
	}
	pause := remindEvery
	if reason != c.reason {
		pause = renewEvery
	}
	c.unlogged++
	if c.reason != "" && time.Since(c.loggedAt) < pause {
		return 0, false
	}
	attempts = c.unlogged
	c.reason, c.loggedAt, c.unlogged = reason, time.Now(), 0
	return attempts, true
}

// kind returns a text that is the same for all problems of one kind. It leaves out numbers and
// times that differ with each attempt.
func (p problem) kind() string {
	if len(p.pairs) == 2 && p.pairs[0] == "reason" {
		return fmt.Sprintf("%s: %v", p.key, p.pairs[1])
	}
	return p.key
}
