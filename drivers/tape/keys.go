package tape

import (
	"context"
	"errors"
	"io"
	"strconv"
	"time"

	"tableside/drivers/keys"
)

// Event tells a wire of an event that the driver of the keys derived from edges.
func Event(w Wire, e keys.Event) {
	_ = w.do(&IO{Bus: event, Words: []string{e.Kind.String(), e.Name}}, func() error { return nil })
}

// Keys implements Wire. It records the edges on the GPIO lines, and levels that no edge explains.
func (t *Track) Keys(c keys.Chip) keys.Chip { return &recordedKeys{Chip: c, track: t} }

// recordedKeys are a chip and, once they are requested, its lines.
type recordedKeys struct {
	keys.Chip
	keys.Lines
	track *Track
	lines []int
	began time.Duration // when the clock of the chip was 0, since the tape began
}

func (k *recordedKeys) Request(ctx context.Context, lines []int) (_ keys.Lines, err error) {
	if k.Lines, err = k.Chip.Request(ctx, lines); err != nil {
		return nil, err
	}
	k.lines, k.began = lines, time.Since(k.track.r.began)-k.Now()
	return k, nil
}

func (k *recordedKeys) Next(ctx context.Context, edges []keys.Edge, wait time.Duration) (int, error) {
	n, err := k.Lines.Next(ctx, edges, wait)
	for _, e := range edges[:max(n, 0)] {
		at := (k.began + e.At).Microseconds()
		k.track.add(IO{T: at, Bus: edge, Pin: strconv.Itoa(e.Line), High: e.High, Seq: e.Seq}, nil)
	}
	return n, err
}

func (k *recordedKeys) Levels(ctx context.Context, high []bool) error {
	err := k.Lines.Levels(ctx, high)
	for i := 0; err == nil && i < len(high); i++ {
		k.track.add(IO{Bus: in, Pin: strconv.Itoa(k.lines[i]), High: high[i]}, nil)
	}
	return err
}

// Keys implements Wire. The clock of the chip shows the time on the tape. When the driver waits
// for an edge, the clock jumps ahead to the edge or to the end of the wait. At the end of the
// call comes its error: that of a chip that is gone, or io.EOF.
func (p *Player) Keys(keys.Chip) keys.Chip { return &playedKeys{Player: p} }

// playedKeys are a chip and, once they are requested, its lines.
type playedKeys struct {
	*Player
	now   time.Duration
	lines []int
}

func (k *playedKeys) String() string     { return "keys of a tape" }
func (k *playedKeys) Close() error       { return nil }
func (k *playedKeys) Now() time.Duration { return k.now }

func (k *playedKeys) Request(_ context.Context, lines []int) (keys.Lines, error) {
	k.now, k.lines = micros(k.call.T), lines
	return k, nil
}

func (k *playedKeys) Levels(_ context.Context, high []bool) error {
	for next := k.following(); next != nil && next.Bus == in; next = k.following() {
		k.now = max(k.now, micros(next.T))
		k.take()
	}
	for i, line := range k.lines {
		high[i] = k.levels[strconv.Itoa(line)]
	}
	return nil
}

// Next gets all edges before the next event, as the driver may have got them at once.
func (k *playedKeys) Next(_ context.Context, edges []keys.Edge, wait time.Duration) (n int, err error) {
	until := k.now + wait
	for n < len(edges) {
		next := k.following()
		if next == nil || next.Bus != edge || micros(next.T) > until {
			break
		}
		line, _ := strconv.Atoi(next.Pin)
		k.now = max(k.now, micros(next.T))
		edges[n] = keys.Edge{At: micros(next.T), Seq: next.Seq, Line: line, High: next.High}
		k.take()
		n++
	}
	switch {
	case n > 0:
	case k.difference != nil:
		err = errDiffers
	case until <= micros(k.call.End):
		k.now = until
	case k.call.Err != "":
		err = errors.New(k.call.Err)
	default:
		err = io.EOF
	}
	return n, err
}
