package tape

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tableside/drivers/keys"
)

// Keys returns a chip that works like c and also records the levels and edges of its GPIO
// lines. All records belong to one endless call with the name "run". So each record is written
// to the tape immediately and not at the end of the call.
func (t *Track) Keys(c keys.Chip) keys.Chip { return &keyChip{t, c} }

type keyChip struct {
	track *Track
	chip  keys.Chip
}

func (c *keyChip) String() string { return c.chip.String() }

func (c *keyChip) Request(ctx context.Context, wanted []int) (keys.Lines, error) {
	lines, err := c.chip.Request(ctx, wanted)
	t := c.track
	t.mu.Lock()
	defer t.mu.Unlock()
	t.live = true
	clock := time.Duration(0)
	if err == nil {
		clock = lines.Now()
	}
	t.clock("lines ", clock)
	for i, line := range wanted {
		if i > 0 {
			t.body = append(t.body, ',')
		}
		t.body = strconv.AppendInt(t.body, int64(line), 10)
	}
	t.failure(err)
	t.emit(false)
	if err != nil {
		return nil, err
	}
	return &keyLines{Lines: lines, track: t, wanted: wanted}, nil
}

// clock begins a new line in t.body: first a verb, then a time by the chip's own clock.
func (t *Track) clock(verb string, at time.Duration) {
	t.body = append(t.body[:0], verb...)
	t.body = append(strconv.AppendInt(t.body, at.Microseconds(), 10), ' ')
}

type keyLines struct {
	keys.Lines
	track      *Track
	wanted     []int
	lastLevels string // as a string with one digit for each line
}

func (l *keyLines) Next(ctx context.Context, edges []keys.Edge, wait time.Duration) (int, error) {
	n, err := l.Lines.Next(ctx, edges, wait)
	if err != nil {
		l.recordLevels(ctx, strings.Repeat("1", len(l.wanted)), err)
		return n, err
	}
	t := l.track
	if t.r.ended.Load() {
		return n, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range edges[:max(n, 0)] {
		t.clock("edge ", e.At)
		t.body = fmt.Appendf(t.body, "%d %c %d", e.Line, level(bit(e.High)), e.Seq)
		t.emit(false)
		l.lastLevels = ""
	}
	return n, nil
}

func (l *keyLines) Levels(ctx context.Context, high []bool) error {
	err := l.Lines.Levels(ctx, high)
	now := make([]byte, len(high))
	for i, h := range high {
		now[i] = level(bit(h))
	}
	if err != nil || string(now) != l.lastLevels {
		l.recordLevels(ctx, string(now), err)
	}
	return err
}

// recordLevels records the levels of the GPIO lines. The caller passes these levels as state,
// a string with one digit for each line. If the chip has gone, recordLevels also records err.
// Once ctx has ended, recordLevels records nothing.
func (l *keyLines) recordLevels(ctx context.Context, state string, err error) {
	if ctx.Err() != nil {
		return
	}
	l.lastLevels = state
	t := l.track
	t.mu.Lock()
	defer t.mu.Unlock()
	t.clock("levels ", l.Lines.Now())
	t.body = append(t.body, state...)
	t.failure(err)
	t.emit(false)
}

// Event records an event that the driver derived from edges.
func (t *Track) Event(e keys.Event) {
	if t.r.ended.Load() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.body = append(append(append(t.body[:0], "event "...), e.Kind.String()...), ' ')
	t.body = strconv.AppendQuote(t.body, e.Name)
	t.emit(false)
}
