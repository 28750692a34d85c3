// Package keystest emulates GPIO lines, and fingers that press bouncing contacts. It is for
// tests, and for a table with emulated parts.
//
// A Board behaves as awkwardly as the kernel. Edges queue up to a limit; then the oldest edges
// are lost, and their numbers with them. A line belongs to one request at a time. A removed
// chip fails every call. The clock is the clock of package time, so that testing/synctest can
// fake it.
package keystest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"syscall"
	"time"

	"tableside/drivers/gpiochip"
	"tableside/drivers/keys"
)

// queueSize is the largest number of unread edges that a Board keeps for one request. It is the
// kernel's limit, GPIO_V2_LINES_MAX*16 (linux/gpio.h).
const queueSize = 1024

// A Board is a GPIO chip. It is safe for concurrent use.
type Board struct {
	began time.Time

	mu          sync.Mutex
	gone        bool
	low         map[int]bool   // lines that are closed to ground; all others are high by their pull-up
	owner       map[int]*lines // the request that holds each line
	consumers   map[int]string // the consumer that Take gave each line to
	edgesToLose int            // from the next edge on
	counts      Counts
}

// Counts holds how many edges and calls a Board has seen.
type Counts struct {
	Edges  int // on requested lines
	Lost   int // the edges that were lost
	Reads  int // calls of Next that returned edges
	Levels int // calls of Levels
}

// New returns a Board whose lines are all open. Its clock begins now.
func New() *Board {
	return &Board{
		began:     time.Now(),
		low:       map[int]bool{},
		owner:     map[int]*lines{},
		consumers: map[int]string{},
	}
}

// String implements keys.Chip.
func (b *Board) String() string { return "keystest" }

// Wire returns how many edges and calls the Board has seen so far.
func (b *Board) Wire() Counts {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.counts
}

// Set gives a line a level. It implements Pins.
func (b *Board) Set(line int, high bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.low[line] == !high {
		return nil
	}
	b.low[line] = !high
	if l := b.owner[line]; l != nil && !b.gone {
		l.add(keys.Edge{At: time.Since(b.began), Line: line, High: high})
	}
	return nil
}

// Lose makes the board lose the next n edges, as in an overload. Lost edges change levels and
// use up numbers, but are not queued.
func (b *Board) Lose(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.edgesToLose = n
}

// Take gives a line to another consumer, as a kernel overlay would. The next Request for the
// line fails. If a request already has the line, the request keeps it.
func (b *Board) Take(line int, consumer string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.consumers[line] = consumer
}

// Release undoes Take.
func (b *Board) Release(line int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.consumers, line)
}

// Unplug removes the whole chip. From now on, new requests fail, and so do calls on lines that
// were requested before.
func (b *Board) Unplug() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gone = true
	for _, l := range b.owner {
		l.dead = true
		l.wake()
	}
	clear(b.owner)
}

// Plug undoes Unplug. Lines have to be requested again.
func (b *Board) Plug() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gone = false
}

// Request implements keys.Chip.
func (b *Board) Request(_ context.Context, wanted []int) (keys.Lines, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.gone {
		return nil, fmt.Errorf("no GPIO chip: %w", syscall.ENODEV)
	}
	for _, line := range wanted {
		if consumer, taken := b.consumers[line]; taken {
			return nil, &gpiochip.BusyError{Line: line, Consumer: consumer}
		}
		if b.owner[line] != nil {
			return nil, &gpiochip.BusyError{Line: line, Consumer: "keys"}
		}
	}
	l := &lines{board: b, wanted: slices.Clone(wanted), ready: make(chan struct{}, 1)}
	for _, line := range wanted {
		b.owner[line] = l
	}
	return l, nil
}

// lines are the lines of one request; board.mu guards them.
type lines struct {
	board  *Board
	wanted []int
	ready  chan struct{} // holds a value while there may be edges
	edges  []keys.Edge
	seq    uint32
	dead   bool
}

// add queues an edge. As in the kernel, a full queue drops its oldest edge.
func (l *lines) add(e keys.Edge) {
	l.seq++
	e.Seq = l.seq
	l.board.counts.Edges++
	if l.board.edgesToLose > 0 {
		l.board.edgesToLose--
		l.board.counts.Lost++
		return
	}
	if len(l.edges) == queueSize {
		l.board.counts.Lost++
		l.edges = append(l.edges[:0], l.edges[1:]...)
	}
	l.edges = append(l.edges, e)
	l.wake()
}

func (l *lines) wake() {
	select {
	case l.ready <- struct{}{}:
	default:
	}
}

// Next implements keys.Lines.
func (l *lines) Next(ctx context.Context, edges []keys.Edge, wait time.Duration) (int, error) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for up := false; ; {
		if n, err := l.take(edges); n > 0 || err != nil || up {
			return n, err
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-l.ready:
		case <-timer.C:
			up = true
		}
	}
}

// take moves queued edges into the slice, as many as fit, and returns their number. If the
// chip was removed since the request, take returns an error.
func (l *lines) take(edges []keys.Edge) (int, error) {
	l.board.mu.Lock()
	defer l.board.mu.Unlock()
	if l.dead {
		return 0, fmt.Errorf("read edges: %w", syscall.ENODEV)
	}
	n := copy(edges, l.edges)
	l.edges = append(l.edges[:0], l.edges[n:]...)
	if n > 0 {
		l.board.counts.Reads++
	}
	return n, nil
}

// Levels implements keys.Lines.
func (l *lines) Levels(ctx context.Context, high []bool) error {
	l.board.mu.Lock()
	defer l.board.mu.Unlock()
	if l.dead {
		return fmt.Errorf("read levels: %w", syscall.ENODEV)
	}
	l.board.counts.Levels++
	for i, line := range l.wanted {
		high[i] = !l.board.low[line]
	}
	return ctx.Err()
}

// Now implements keys.Lines.
func (l *lines) Now() time.Duration { return time.Since(l.board.began) }

// Close implements keys.Lines.
func (l *lines) Close() error {
	l.board.mu.Lock()
	defer l.board.mu.Unlock()
	for _, line := range l.wanted {
		if l.board.owner[line] == l {
			delete(l.board.owner, line)
		}
	}
	return nil
}
