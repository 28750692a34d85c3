package keys

import (
	"context"
	"testing"
	"time"
)

// A stream has lines on which a button bounces and a knob turns forever.
type stream struct {
	now   time.Duration
	edges []Edge // one round, played again and again
	next  int
	seq   uint32
	high  [3]bool
}

func (s *stream) Next(_ context.Context, edges []Edge, wait time.Duration) (int, error) {
	if s.next == len(s.edges) {
		s.next = 0
		s.now += max(wait, 20*time.Millisecond) // a pause in which the button settles
		return 0, nil
	}
	n := copy(edges[:2], s.edges[s.next:])
	for i := range n {
		s.seq++
		s.now += time.Millisecond
		edges[i].Seq, edges[i].At = s.seq, s.now
		s.high[edges[i].Line] = edges[i].High
	}
	s.next += n
	return n, nil
}

func (s *stream) Levels(_ context.Context, high []bool) error { copy(high, s.high[:]); return nil }
func (s *stream) Now() time.Duration                          { return s.now }
func (s *stream) Close() error                                { return nil }

// round returns the edges of a press with bounce, a detent of the knob and the
// release of the key.
var round = []Edge{
	{Line: 0, High: false}, {Line: 0, High: true}, {Line: 0, High: false},
	{Line: 1, High: false}, {Line: 2, High: false}, {Line: 1, High: true}, {Line: 2, High: true},
	{Line: 0, High: true},
}

func streamed(tb testing.TB, emit func(Event)) *watch {
	d, err := New(nil, &Opts{
		Buttons:  []Button{{Name: "b", Line: 0}},
		Encoders: []Encoder{{Name: "e", A: 1, B: 2}},
	})
	if err != nil {
		tb.Fatal(err)
	}
	w := newWatch(d, &stream{edges: round, high: [3]bool{true, true, true}}, emit)
	if err := w.begin(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	return w
}

func TestEdgesAllocateNothing(t *testing.T) {
	events := 0
	w := streamed(t, func(Event) { events++ })
	if got := testing.AllocsPerRun(1000, func() {
		if err := w.step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("%v allocations a step", got)
	}
	if events < 200 {
		t.Errorf("%d events in 200 rounds", events)
	}
}

func BenchmarkEdge(b *testing.B) {
	w := streamed(b, func(Event) {})
	b.ReportAllocs()
	for b.Loop() { // each step takes two edges or a silence
		if err := w.step(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
