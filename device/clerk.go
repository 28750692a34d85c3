package device

import (
	"time"

	"tableside/engine"
)

// A clerk does for the loop what waits for a disk, or for a lock that another program holds. It
// does one thing after the other. Journals are the keeper's.
type clerk struct {
	last  <-chan struct{} // closed once the clerk has done everything; nil: it never had anything to do
	late  bool            // the loop has waited for that in vain
	delay time.Duration   // of the present task, from all waits
}

// give has something done, after everything before it.
func (c *clerk) give(do func()) {
	before, done := c.last, make(chan struct{})
	c.last = done
	go func() {
		defer close(done)
		if before != nil {
			<-before
		}
		do()
	}()
}

// wait waits until the clerk has done everything. All waits of one task take no longer than
// syncLimit. If wait has waited in vain, the next wait returns at once, so that play goes on.
func (c *clerk) wait() bool {
	if c.last == nil {
		return true
	}
	limit, began := syncLimit-c.delay, time.Now()
	if c.late {
		limit = time.Millisecond
	}
	defer func() { c.delay += time.Since(began) }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-c.last:
		c.late = false
	case <-timer.C:
		c.late = true
	}
	return !c.late
}

// ask has something done and returns its result. If the clerk does not answer in time, the
// error says so. What the clerk was asked for may then still be done, but its result is lost.
func ask[T any](c *clerk, do func() (T, error)) (result T, err error) {
	answer := make(chan func() (T, error), 1)
	if c.wait() {
		c.give(func() {
			result, err := do()
			answer <- func() (T, error) { return result, err }
		})
		if c.wait() {
			return (<-answer)()
		}
	}
	return result, errLate()
}

func errLate() error {
	return engine.Faultf(0, "no answer from the disk for %v; another program may be holding the file", syncLimit)
}
