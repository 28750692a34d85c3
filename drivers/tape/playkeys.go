package tape

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tableside/drivers/keys"
)

// Keys returns a chip with the GPIO lines of the part. The chip's clock shows the time on the
// tape. When the driver waits for an edge, the clock jumps ahead to the edge or to the end of
// the wait. At the end of the tape, the chip calls cancel. This function must end the context
// that the driver waits with.
func (p *Player) Keys(cancel func()) keys.Chip { return &playedChip{player: p, cancel: cancel} }

type playedChip struct {
	player *Player
	cancel func()
}

func (c *playedChip) String() string { return "keys of a tape" }

func (c *playedChip) Request(_ context.Context, wanted []int) (keys.Lines, error) {
	p := c.player
	p.mu.Lock()
	defer p.mu.Unlock()
	got := (&Line{Verb: Lines, GPIOLines: wanted}).String()
	if p.call == nil || p.next >= len(p.lines) {
		return nil, p.recordMismatch(got)
	}
	l := &p.lines[p.next]
	if l.Verb != Lines || !slices.Equal(l.GPIOLines, wanted) {
		return nil, p.recordMismatch(got)
	}
	if err := p.take().err(); err != nil {
		return nil, err
	}
	// The chip's clock at the end of the call on the tape.
	end := l.Clock + max(p.call.Ended-l.At, 0)
	return &playedLines{chip: c, now: l.Clock, heard: l.Clock, end: end, high: make([]bool, len(wanted)), wanted: wanted},
		nil
}

type playedLines struct {
	chip   *playedChip
	now    time.Duration
	heard  time.Duration // time of the last edge, or of the request
	end    time.Duration
	high   []bool
	wanted []int
}

func (l *playedLines) Close() error       { return nil }
func (l *playedLines) Now() time.Duration { return l.now }

// Levels implements keys.Lines.
func (l *playedLines) Levels(_ context.Context, high []bool) error {
	p := l.chip.player
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next < len(p.lines) && p.lines[p.next].Verb == Levels {
		line := &p.lines[p.next]
		if len(line.Name) != len(l.high) {
			return p.recordMismatch(fmt.Sprintf("levels of %d lines", len(l.high)))
		}
		for i := range l.high {
			l.high[i] = line.Name[i] == '1'
		}
		l.now = max(l.now, line.Clock)
		if err := p.take().err(); err != nil {
			return err
		}
	}
	copy(high, l.high)
	return nil
}

// Next implements keys.Lines.
func (l *playedLines) Next(ctx context.Context, edges []keys.Edge, wait time.Duration) (int, error) {
	p := l.chip.player
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.difference != nil {
		return 0, errDiffers
	}
	until := l.now + wait
	if p.next < len(p.lines) && p.lines[p.next].Err != "" && p.lines[p.next].Clock <= until {
		return 0, p.take().err()
	}
	if p.next < len(p.lines) && p.lines[p.next].Verb == Edge && p.lines[p.next].Clock <= until {
		line := p.take()
		if i := slices.Index(l.wanted, line.Line); i >= 0 {
			l.high[i] = line.High
		}
		edges[0] = keys.Edge{At: line.Clock, Seq: line.Seq, Line: line.Line, High: line.High}
		l.now = max(l.now, line.Clock)
		l.heard = l.now
		return 1, nil
	}
	if p.next >= len(p.lines) && until > l.end {
		l.chip.cancel()
		return 0, errors.Join(context.Canceled, ctx.Err())
	}
	l.now = l.skip(until)
	return 0, nil
}

// quietTime is longer than the time for which any driver waits for the next edge.
const quietTime = time.Hour

// skip returns the time of the chip's clock after a wait that ends at t. If no edge has come
// for an hour (quietTime), skip jumps ahead to an hour before the next line of the tape.
// Without the jump, a tape that claims to last for years would play for years.
func (l *playedLines) skip(t time.Duration) time.Duration {
	p := l.chip.player
	next := l.end
	if p.next < len(p.lines) {
		next = p.lines[p.next].Clock
	}
	if t-l.heard < quietTime {
		return t
	}
	return max(t, next-quietTime)
}

// Event compares the driver's event with the next event on the tape. If the two events are not
// the same, Event records a difference.
func (p *Player) Event(e keys.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.difference != nil {
		return
	}
	got := Line{Verb: Event, Name: e.Kind.String(), Key: e.Name}
	switch {
	case len(p.events) == 0:
		_ = p.recordMismatch(got.String())
	case p.events[0].Name != got.Name || p.events[0].Key != got.Key:
		_ = p.recordDifference(p.events[0].Number, p.events[0].String(), got.String())
	default:
		p.events = p.events[1:]
		p.played++
	}
}
