package keys

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"
)

// scripted implements Lines with scripted edges, in batches.
type scripted struct {
	batches [][]Edge
	now     time.Duration
	high    []bool // the levels at the end
}

func (l *scripted) Next(_ context.Context, edges []Edge, wait time.Duration) (int, error) {
	if len(l.batches) == 0 {
		l.now += wait
		return 0, nil
	}
	n := copy(edges, l.batches[0])
	l.now = max(l.now, l.batches[0][n-1].At)
	l.batches = l.batches[1:]
	return n, nil
}

func (l *scripted) Levels(_ context.Context, high []bool) error { copy(high, l.high); return nil }
func (l *scripted) Now() time.Duration                          { return l.now }
func (l *scripted) Close() error                                { return nil }

// TestEdgesOutOfOrder swaps edges within a batch and between batches: the kernel
// queues those of two lines from two threads.
func TestEdgesOutOfOrder(t *testing.T) {
	chance := rand.New(rand.NewPCG(8, 9))
	for _, way := range []int{1, -1} {
		var edges []Edge
		place := 0
		for i := range 4000 {
			before := inQuarter[place&3]
			place += way
			after := inQuarter[place&3]
			line := int((before ^ after) >> 1) // 0 is A, 1 is B
			edges = append(edges, Edge{
				At: time.Duration(i+1) * time.Millisecond, Seq: uint32(i + 1), Line: line, High: after>>line&1 == 1,
			})
		}
		for i := 0; i+1 < len(edges); i += 2 {
			if chance.IntN(2) == 0 {
				edges[i], edges[i+1] = edges[i+1], edges[i]
			}
		}
		l := &scripted{high: []bool{true, true}}
		for len(edges) > 0 {
			n := min(len(edges), 1+chance.IntN(5))
			l.batches = append(l.batches, edges[:n])
			edges = edges[n:]
		}
		d, err := New(nil, &Opts{Encoders: []Encoder{{Name: "e", A: 0, B: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		turned := 0
		w := newWatch(d, l, func(e Event) {
			switch e.Kind {
			case Right:
				turned++
			case Left:
				turned--
			}
		})
		if err := w.begin(t.Context()); err != nil {
			t.Fatal(err)
		}
		l.high = []bool{inQuarter[place&3]&1 != 0, inQuarter[place&3]&2 != 0}
		for len(l.batches) > 0 {
			if err := w.step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if turned != 1000*way {
			t.Errorf("1000 detents in direction %d: %d", way, turned)
		}
	}
}

// TestLateEdge checks that an edge may come after a later one of another line: a
// contact that has only been touched is not pressed.
func TestLateEdge(t *testing.T) {
	l := &scripted{high: []bool{true, true}, batches: [][]Edge{
		{{At: 10 * time.Millisecond, Seq: 1, Line: 0}},
		{{At: 15200 * time.Microsecond, Seq: 2, Line: 1}}, // the first line would have settled
		{{At: 14900 * time.Microsecond, Seq: 3, Line: 0, High: true}},
	}}
	d, err := New(nil, &Opts{Buttons: []Button{{Name: "touched", Line: 0}, {Name: "pressed", Line: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]int{}
	w := newWatch(d, l, func(e Event) { said[e.Name]++ })
	if err := w.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.high = []bool{true, false}
	for range 10 {
		if err := w.step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if said["touched"] != 0 || said["pressed"] != 1 {
		t.Errorf("events: %v", said)
	}
}

// TestMissingEdge checks that the lines are read at once when an edge is missing,
// not when they have been quiet for long.
func TestMissingEdge(t *testing.T) {
	l := &scripted{high: []bool{true, true}, batches: [][]Edge{{{At: 10 * time.Millisecond, Seq: 2, Line: 1}}}}
	d, err := New(nil, &Opts{Buttons: []Button{{Name: "lost", Line: 0}, {Name: "seen", Line: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]int{}
	w := newWatch(d, l, func(e Event) { said[e.Name]++ })
	if err := w.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.high = []bool{false, false}
	for l.now < 100*time.Millisecond {
		if err := w.step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if said["lost"] != 1 || said["seen"] != 1 {
		t.Errorf("events after %v: %v", l.now, said)
	}
}

// FuzzWatch plays any edges on two buttons and a knob, with any numbers and lines.
// It must not panic, and must know the levels when the lines have been quiet.
func FuzzWatch(f *testing.F) {
	f.Add([]byte{0, 1, 3, 1, 1, 2, 2, 0, 9, 1, 0, 255})
	f.Add([]byte{12, 1, 3, 1, 1, 2, 200, 3, 9, 1, 7, 255, 4, 1, 1})
	f.Fuzz(func(t *testing.T, script []byte) {
		d, err := New(nil, &Opts{
			Buttons:  []Button{{Name: "a", Line: 0}, {Name: "b", Line: 1, Long: DefaultLong}},
			Encoders: []Encoder{{Name: "e", A: 2, B: 3}},
		})
		if err != nil {
			t.Fatal(err)
		}
		l := &scripted{high: []bool{true, true, true, true}}
		var batch []Edge
		seq, at, sent := uint32(0), time.Duration(0), 0
		for ; len(script) >= 3; script = script[3:] {
			line := int(script[0] & 7) // some lines are not ours
			seq += uint32(script[0]>>3&3) + 1
			at += time.Duration(script[1]) * 300 * time.Microsecond
			e := Edge{At: at, Seq: seq, Line: line, High: script[2]&1 == 1}
			if script[2]&2 != 0 {
				e.Seq -= uint32(script[2] >> 4)
				e.At -= time.Duration(script[2]>>4) * time.Millisecond
			}
			if line < 4 && script[2]&4 == 0 { // else no later number would reveal the gap
				l.high[line] = e.High
			}
			batch = append(batch, e)
			sent++
			if script[2]&8 != 0 {
				l.batches, batch = append(l.batches, batch), nil
			}
		}
		if len(batch) > 0 {
			l.batches = append(l.batches, batch)
		}
		end := append([]bool(nil), l.high...)
		l.high = []bool{true, true, true, true}
		events := 0
		w := newWatch(d, l, func(Event) { events++ })
		if err := w.begin(t.Context()); err != nil {
			t.Fatal(err)
		}
		l.high = end
		for range len(l.batches) + 20 {
			if err := w.step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for i := range w.buttons {
			if w.buttons[i].down == end[i] || w.high[i] != end[i] {
				t.Errorf("button %d: down is %t, high is %t", i, w.buttons[i].down, end[i])
			}
		}
		if got, want := w.encoders[0].levels&1 != 0, end[2]; got != want {
			t.Errorf("A is %t, want %t", got, want)
		}
		if events > 2*sent+4 {
			t.Errorf("%d events from %d edges", events, sent)
		}
	})
}
