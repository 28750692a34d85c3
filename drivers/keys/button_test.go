package keys

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

const ms = time.Millisecond

func testButton(long time.Duration) *button {
	b := &button{name: "b", longTime: long, stuckTime: 10 * time.Second}
	b.begin(0, false)
	return b
}

// play plays a script, "0 down, 3 up, 7 down": edges by millisecond. "pass" lets
// time pass without an edge, "correct up" gives a level that was read.
func play(b *button, script string) string {
	var said []string
	emit := func(e Event) { said = append(said, fmt.Sprintf("%s %v", e.Kind, e.At)) }
	for _, step := range strings.Split(script, ", ") {
		var at int
		var what string
		if _, err := fmt.Sscanf(step, "%d %s", &at, &what); err != nil {
			panic(step)
		}
		t := time.Duration(at) * ms
		switch what {
		case "down", "up":
			b.edge(t, what == "down", emit)
		case "pass":
			b.pass(t, emit)
		case "open":
			b.setContact(t, false)
		}
	}
	return strings.Join(said, ", ")
}

func TestButton(t *testing.T) {
	const long = 600 * ms
	for _, test := range []struct {
		name   string
		long   time.Duration
		script string
		want   string
	}{
		{"clean press", 0, "10 down, 100 up, 200 pass", "press 10ms"},
		{"settles", 0, "10 down, 15 pass", "press 10ms"},
		{"not yet settled", 0, "10 down, 14 pass", ""},
		{"bounces", 0, "10 down, 11 up, 12 down, 14 up, 15 down, 19 pass, 20 pass", "press 10ms"},
		{"bounces when let go", 0, "10 down, 100 up, 102 down, 103 up, 200 pass", "press 10ms"},
		{"a spike is no press", 0, "10 down, 14 up, 100 pass", ""},
		{"a spike lets nothing go", 0, "10 down, 100 up, 103 down, 200 pass, 300 up, 400 pass", "press 10ms"},
		{"twice", 0, "10 down, 50 up, 90 down, 130 up, 200 pass", "press 10ms, press 90ms"},
		{"late machine", 0, "10 down, 50 up, 90 down, 9000 pass", "press 10ms, press 90ms"},
		{"only a lone edge is seen", 0, "10 down, 100 down, 200 pass", "press 10ms"},

		{"short of a long one", long, "10 down, 609 up, 700 pass", "press 609ms"},
		{"a long one, still held", long, "10 down, 609 pass, 610 pass", "long 610ms"},
		{"a long one is no press", long, "10 down, 2000 up, 3000 pass", "long 610ms"},
		{"a long one, late machine", long, "10 down, 2000 up, 2001 down, 2002 up, 3000 down, 3100 up, 4000 pass",
			"long 610ms, press 3.1s"},
		{"a spike at the wrong moment", long, "10 down, 608 up, 611 down, 616 pass, 900 up, 1000 pass", "long 610ms"},
		{"let go just before", long, "10 down, 608 up, 610 down, 612 up, 1000 pass", "press 608ms"},

		{"stuck", 0, "10 down, 10009 pass, 10010 pass, 20000 pass", "press 10ms, stuck 10.01s"},
		{"stuck and freed", long, "10 down, 12000 up, 12005 pass, 13000 down, 13100 up, 14000 pass",
			"long 610ms, stuck 10.01s, freed 12s, press 13.1s"},
		{"an edge was lost before a long one", long, "10 down, 100 pass, 608 open, 609 pass, 610 pass, 613 pass",
			"press 608ms"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := play(testButton(test.long), test.script); got != test.want {
				t.Errorf("%s\n got %s\nwant %s", test.script, got, test.want)
			}
		})
	}
}

func TestButtonHeldAtTheStart(t *testing.T) {
	b := testButton(600 * ms)
	b.begin(0, true)
	got := play(b, "5000 pass, 11000 up, 12000 down, 12100 up, 13000 pass")
	if want := "stuck 10s, freed 11s, press 12.1s"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestButtonChatters checks that a worn contact that chatters all the time is
// reported, and that the button works again afterwards.
func TestButtonChatters(t *testing.T) {
	b := testButton(0)
	var said []string
	emit := func(e Event) { said = append(said, fmt.Sprintf("%s %v", e.Kind, e.At)) }
	at := time.Duration(0)
	for ; at < 11*time.Second; at += 2 * ms {
		b.edge(at, at/(2*ms)%2 == 0, emit)
	}
	b.edge(at, false, emit)
	b.pass(at+time.Second, emit)
	b.edge(20*time.Second, true, emit)
	b.pass(21*time.Second, emit)
	if want := []string{"stuck 10s", "freed 11s", "press 20s"}; !slices.Equal(said, want) {
		t.Errorf("got %q, want %q", said, want)
	}
}

// TestButtonDependsOnTimeStampsOnly checks that events depend on time stamps, not
// on when the machine reads them.
func TestButtonDependsOnTimeStampsOnly(t *testing.T) {
	for seed := range uint64(200) {
		chance := rand.New(rand.NewPCG(seed, 1))
		busy, idle := testButton(600*ms), testButton(600*ms)
		var fromBusy, fromIdle []Event
		at := time.Duration(0)
		for range 200 {
			step := time.Duration(chance.ExpFloat64() * float64([]time.Duration{ms, 20 * ms, 900 * ms}[chance.IntN(3)]))
			for passed := time.Duration(0); passed < step; passed += step/7 + 1 {
				idle.pass(at+passed, func(e Event) { fromIdle = append(fromIdle, e) })
			}
			at += step
			closed := chance.IntN(2) == 0
			busy.edge(at, closed, func(e Event) { fromBusy = append(fromBusy, e) })
			idle.edge(at, closed, func(e Event) { fromIdle = append(fromIdle, e) })
		}
		if !slices.Equal(fromBusy, fromIdle) {
			t.Fatalf("seed %d: a busy machine says\n%v\nan idle one\n%v", seed, fromBusy, fromIdle)
		}
		if len(fromBusy) == 0 {
			t.Fatalf("seed %d: nothing happened", seed)
		}
	}
}

// FuzzDebounce feeds any edges. Each pair of bytes is a wait and a level.
func FuzzDebounce(f *testing.F) {
	f.Add(true, []byte{10, 1, 100, 0, 10, 1, 200, 0})
	f.Add(false, []byte{10, 1, 1, 0, 1, 1, 255, 1, 255, 1, 255, 0})
	f.Add(true, []byte{0, 1, 0, 0, 255, 3, 255, 3, 255, 2})
	f.Fuzz(func(t *testing.T, withLong bool, script []byte) {
		long := time.Duration(0)
		if withLong {
			long = 600 * ms
		}
		b := testButton(long)
		var events []Event
		emit := func(e Event) { events = append(events, e) }
		at := time.Duration(0)
		changes, closed := 0, false
		longest := time.Duration(0) // of a closed line
		since := time.Duration(0)
		for ; len(script) >= 2; script = script[2:] {
			// Squared, so that both bounces and long presses are likely.
			at += time.Duration(script[0]) * time.Duration(script[0]) * 37 * time.Microsecond
			now := script[1]&1 == 1
			if now != closed {
				changes++
				if closed {
					longest = max(longest, at-since)
				}
				closed, since = now, at
			}
			if script[1]&2 != 0 {
				b.pass(at, emit)
			}
			b.edge(at, now, emit)
		}
		if closed {
			longest = max(longest, time.Hour)
		}
		b.pass(at+time.Hour, emit)
		presses, longs, troubled := 0, 0, false
		for i, e := range events {
			switch e.Kind {
			case Press:
				presses++
			case Long:
				longs++
			case Stuck, Freed:
				if troubled == (e.Kind == Stuck) {
					t.Errorf("%s twice", e.Kind)
				}
				troubled = e.Kind == Stuck
			}
			if i > 0 && e.At < events[i-1].At {
				t.Errorf("%v after %v", e, events[i-1])
			}
		}
		if 2*(presses+longs) > changes+1 {
			t.Errorf("%d presses and %d long ones from %d changes", presses, longs, changes)
		}
		if longs > 0 && !withLong {
			t.Error("a long press of a button that has none")
		}
		if longest >= b.stuckTime && !withLong && presses == 0 {
			t.Error("a press of 10 s was not seen")
		}
		if at, some := b.deadline(); some && !(troubled || b.stuckReported) {
			t.Errorf("after an hour something is due at %v", at)
		}
		if b.down != closed {
			t.Errorf("down is %t, the line says %t", b.down, closed)
		}
	})
}
