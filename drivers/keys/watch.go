package keys

import (
	"context"
	"slices"
	"time"
)

const (
	// maxDelay is how long an edge may take from the interrupt to the queue: the
	// kernel stamps it in the interrupt and queues it in a thread.
	maxDelay = time.Millisecond

	// readInterval is the time after which quiet lines are read again. Linux 6.1 does not wake
	// a reader that waits for the edges of a chip that goes away (gpiolib-cdev.c), and an edge
	// may have been lost without a trace: on a Pi two edges that come together can make one
	// interrupt (github.com/raspberrypi/linux, pull request 5457).
	readInterval = time.Second
)

// A watch is one run of a Dev.
type watch struct {
	lines    Lines
	emit     func(Event)
	buttons  []button
	encoders []encoder
	index    map[int]int // the index of each line in the request

	high        []bool         // level of each line, in the order of the request
	newLevels   []bool         // as reread has just read them
	seq         uint32         // the highest number of an edge so far
	edgeMissing bool           // and the lines were not read since
	nextRead    time.Duration  // when the lines are read if no edge comes first
	edges       [maxLines]Edge // of one batch
}

func newWatch(d *Dev, lines Lines, emit func(Event)) *watch {
	w := &watch{lines: lines, emit: emit, index: map[int]int{}}
	for _, b := range d.opts.Buttons {
		w.buttons = append(w.buttons, button{name: b.Name, longTime: b.Long, stuckTime: d.opts.Stuck})
	}
	for _, e := range d.opts.Encoders {
		w.encoders = append(w.encoders, encoder{name: e.Name, perDetent: int8(e.PerDetent)})
	}
	for i, line := range d.lines {
		w.index[line] = i
	}
	w.high = make([]bool, len(d.lines))
	w.newLevels = make([]bool, len(d.lines))
	return w
}

// begin reads the levels of all lines. The buttons and encoders start with these levels.
func (w *watch) begin(ctx context.Context) error {
	if err := w.lines.Levels(ctx, w.high); err != nil {
		return err
	}
	now := w.lines.Now()
	w.nextRead = now + readInterval
	for i := range w.buttons {
		w.buttons[i].begin(now, !w.high[i])
	}
	for i := range w.encoders {
		a := len(w.buttons) + 2*i
		w.encoders[i].begin(w.high[a], w.high[a+1])
	}
	return nil
}

// step waits for edges and handles them. If no edge comes in time, step reads the levels of
// all lines and emits the events that are due.
func (w *watch) step(ctx context.Context) error {
	began := w.lines.Now()
	wait := w.wait(began)
	n, err := w.lines.Next(ctx, w.edges[:], wait)
	for more := n; err == nil && more > 0 && n < len(w.edges) && w.hasGap(n); n += more {
		// The missing edge may only have been overtaken by edges of other lines.
		more, err = w.lines.Next(ctx, w.edges[n:], maxDelay)
	}
	if err != nil {
		return err
	}
	if n == 0 {
		// Read the levels before drawing conclusions from a silence: edges may be lost.
		w.nextRead = began + wait + readInterval
		if err := w.reread(ctx); err != nil {
			return err
		}
		w.pass(began + wait - maxDelay)
		return nil
	}
	edges := w.edges[:n]
	inOrder(edges)
	for i := range edges {
		w.edge(&edges[i])
	}
	newest := edges[n-1].At
	w.nextRead = newest + Settle
	w.pass(newest - maxDelay)
	if w.edgeMissing && n < len(w.edges) {
		return w.reread(ctx)
	}
	return nil
}

// wait returns how long the method step may wait for an edge. This is the time from now until
// something is due, plus maxDelay, the longest time that an edge may take to arrive.
func (w *watch) wait(now time.Duration) time.Duration {
	next := w.nextRead
	for i := range w.buttons {
		if at, some := w.buttons[i].deadline(); some {
			next = min(next, at)
		}
	}
	return max(next-now, 0) + maxDelay
}

func (w *watch) hasGap(n int) bool {
	newest := w.edges[0].Seq
	for _, e := range w.edges[:n] {
		if int32(e.Seq-newest) > 0 {
			newest = e.Seq
		}
	}
	return newest-w.seq != uint32(n)
}

func inOrder(edges []Edge) {
	slices.SortStableFunc(edges, func(a, b Edge) int { return int(int32(a.Seq - b.Seq)) })
}

// edge handles one edge: the button or encoder on the edge's line receives it. If edges are
// missing before this one, edge records the gap.
func (w *watch) edge(e *Edge) {
	if e.Seq != w.seq+1 {
		w.edgeMissing = true
	}
	if int32(e.Seq-w.seq) > 0 {
		w.seq = e.Seq
	}
	if i, ours := w.index[e.Line]; ours {
		w.move(i, e.At, e.High)
	}
}

func (w *watch) move(i int, at time.Duration, high bool) {
	w.high[i] = high
	if i < len(w.buttons) {
		w.buttons[i].edge(at, !high, w.emit)
		return
	}
	i -= len(w.buttons)
	w.encoders[i/2].edge(at, i%2, high, w.emit)
}

// pass tells the buttons that the time t has come, so that they emit the events that are due.
// All edges before t must have been handled.
func (w *watch) pass(t time.Duration) {
	for i := range w.buttons {
		w.buttons[i].pass(t, w.emit)
	}
}

// reread reads all levels and corrects the buttons and encoders. If an edge from before this
// reading arrives later, it changes nothing.
func (w *watch) reread(ctx context.Context) error {
	if err := w.lines.Levels(ctx, w.newLevels); err != nil {
		return err
	}
	w.edgeMissing = false
	now := w.lines.Now()
	for i := range w.buttons {
		if w.newLevels[i] != w.high[i] {
			w.buttons[i].setContact(now, !w.newLevels[i])
		}
	}
	for i := range w.encoders {
		a := len(w.buttons) + 2*i
		w.encoders[i].set(0, w.newLevels[a])
		w.encoders[i].set(1, w.newLevels[a+1])
		w.encoders[i].turn(now, w.emit)
	}
	copy(w.high, w.newLevels)
	return nil
}
