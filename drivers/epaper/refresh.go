package epaper

import (
	"context"
	"fmt"
	"time"
)

// The shortest times of a refresh at any temperature. The fastest partial refresh of these
// panels has 20 frames, and the fastest full refresh takes over a second.
const (
	minPartialTime = 100 * time.Millisecond
	minFullTime    = 500 * time.Millisecond
)

// A usualTime records how long refreshes of one kind usually take. The time depends on the
// temperature, which changes little from one refresh to the next. A single refresh that is
// much longer or shorter therefore does not change the usual time. Two such refreshes in a row
// change it if both are longer or both are shorter.
type usualTime struct {
	duration  time.Duration // 0: none yet
	deviation int           // -1 or 1: the last one was much shorter or longer
}

// isShort records a refresh and reports whether the refresh was cut short. The exact end of a
// refresh is not seen. Its duration is therefore given as a range, from minTime to maxTime.
func (u *usualTime) isShort(minTime, maxTime time.Duration) bool {
	deviation := 0
	switch {
	case u.duration == 0: // the first one is the measure
		u.duration = minTime
	case maxTime < u.duration*2/3:
		deviation = -1
	case minTime > u.duration*3/2:
		deviation = 1
	}
	if deviation != 0 && deviation != u.deviation {
		u.deviation = deviation
		return deviation < 0
	}
	u.duration, u.deviation = min(max(u.duration, minTime), maxTime), 0
	return false
}

// refresh starts a refresh with the given command and waits for the end of the refresh. If
// full is set, the refresh is a full one. If BUSY shows that something is wrong, refresh
// returns errNoAnswer, errCutShort or a stuckError. Otherwise it returns the error of the
// context or the bus, if any.
func (l *line) refresh(ctx context.Context, full bool, command byte, data ...byte) error {
	kind, what, limit, minTime := 0, "a partial refresh", l.panel.partialLimit, minPartialTime
	if full {
		kind, what, limit, minTime = 1, "a full refresh", l.panel.fullLimit, minFullTime
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	start := time.Now()
	l.refreshEnd = start.Add(limit)
	if err := l.send(command, data...); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	sent := time.Now()
	l.lastBusyAt = sent
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
	l.refreshEnd = time.Time{}
	took := time.Since(start)
	before := l.usual[kind].duration
	if l.usual[kind].isShort(l.lastBusyAt.Sub(sent), took) {
		return fmt.Errorf("%s: %w: it took %v, usually %v", what, errCutShort, took.Round(time.Millisecond),
			before.Round(time.Millisecond))
	}
	if real := time.Duration(float64(took) * l.speed); real < minTime {
		return fmt.Errorf("%s: %w: it took %v only", what, errCutShort, real.Round(time.Millisecond))
	}
	return nil
}
