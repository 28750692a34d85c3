package epaper

import (
	"context"
	"fmt"
	"time"
)

// The shortest times of a refresh at any temperature. The fastest partial refresh of these
// panels has 20 frames, and the fastest full refresh takes over a second.
const (
	leastPartial = 100 * time.Millisecond
	leastFull    = 500 * time.Millisecond
)

// A usualTime records how long refreshes of one kind usually take. The time depends on the
// temperature, which changes little from one refresh to the next. A single refresh that is
// much longer or shorter therefore does not change the usual time. Two such refreshes in a row
// change it if both are longer or both are shorter.
type usualTime struct {
	took time.Duration // 0: none yet
	odd  int           // -1 or 1: the last one was much shorter or longer
}

// isShort records a refresh and reports whether the refresh was cut short. The exact end of a
// refresh is not seen. Its duration is therefore given as a range, from minTime to maxTime.
func (u *usualTime) isShort(minTime, maxTime time.Duration) bool {
	odd := 0
	switch {
	case u.took == 0: // the first one is the measure
		u.took = minTime
	case maxTime < u.took*2/3:
		odd = -1
	case minTime > u.took*3/2:
		odd = 1
	}
	if odd != 0 && odd != u.odd {
		u.odd = odd
		return odd < 0
	}
	u.took, u.odd = min(max(u.took, minTime), maxTime), 0
	return false
}

// refresh starts a refresh with the given command and waits for the end of the refresh. If
// full is set, the refresh is a full one. If BUSY shows that something is wrong, refresh
// returns errNoAnswer, errCutShort or an error of type stuck. Otherwise it returns the error
// of the context or the bus, if any.
func (l *line) refresh(ctx context.Context, full bool, command byte, data ...byte) error {
	kind, what, limit, least := 0, "a partial refresh", l.panel.partialLimit, leastPartial
	if full {
		kind, what, limit, least = 1, "a full refresh", l.panel.fullLimit, leastFull
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	start := time.Now()
	l.until = start.Add(limit)
	if err := l.send(command, data...); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	sent := time.Now()
	l.seen = sent
	busy, err := l.rises(ctx, riseLimit)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if !busy {
		return fmt.Errorf("%s: %w: BUSY (%s) did not change", what, errNoAnswer, l.busy)
	}
	if err := l.waitIdle(ctx, what, limit); err != nil {
		return err
	}
	l.until = time.Time{}
	took := time.Since(start)
	before := l.usual[kind].took
	if l.usual[kind].isShort(l.seen.Sub(sent), took) {
		return fmt.Errorf("%s: %w: it took %v, usually %v", what, errCutShort, took.Round(time.Millisecond),
			before.Round(time.Millisecond))
	}
	if real := time.Duration(float64(took) * l.speed); real < least {
		return fmt.Errorf("%s: %w: it took %v only", what, errCutShort, real.Round(time.Millisecond))
	}
	return nil
}
