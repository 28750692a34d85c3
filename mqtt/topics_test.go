package mqtt

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/engine"
	"tableside/engine/enginetest"
)

func TestMessages(t *testing.T) {
	enginetest.Golden(t, "testdata/messages.txt", written(testFrame(t, engine.English, 7)))
}

func TestEmptyTable(t *testing.T) {
	v := engine.EmptyView()
	v.Table = "Küche 2/#+"
	enginetest.Golden(t, "testdata/messages-empty.txt", written(engine.Frame{View: v}))
}

func written(f engine.Frame) string {
	var b strings.Builder
	Messages(f, func(m Message) {
		kept := "once"
		if m.Retain {
			kept = "kept"
		}
		fmt.Fprintf(&b, "%s %s %s\n", kept, m.Topic, m.Payload)
	})
	return b.String()
}

// updated returns the topics that an update publishes for a frame, and the beginnings of payloads.
func (l ledger) updated(f engine.Frame) (names []string) {
	l.update(func(put func(Message)) { Messages(f, put) }, func(m Message) {
		names = append(names, m.Topic[len("tableside/"):]+"="+string(m.Payload[:min(len(m.Payload), 12)]))
	})
	return names
}

// TestLedger checks that only changed topics are published, and old ones are cleared.
func TestLedger(t *testing.T) {
	l := ledger{}
	f := testFrame(t, engine.English, 7)
	if got := len(l.updated(f)); got != 14 {
		t.Fatalf("first frame: %d messages", got)
	}
	f.Events = nil
	if got := l.updated(f); got != nil {
		t.Errorf("the same frame again: %v", got)
	}
	next := testFrame(t, engine.English, 8)
	want := []string{`demo/state={"schema":1,`, `demo/event/moved={"event_type`, "demo/seat/red/score=8"}
	if got := l.updated(next); !slices.Equal(got, want) {
		t.Errorf("one point more: %v, want %v", got, want)
	}
	next.View.Seats = next.View.Seats[:1]
	next.View.Tracks, next.Status.Health, next.Events = nil, nil, nil
	want = []string{`demo/state={"schema":1,`, `demo/summary={"ahead":{"s`, `demo/entities=["seat_red_s`,
		"demo/health/reader-red=", "demo/health/reader-red/details=", "demo/health/strip=", "demo/health/strip/details=",
		"demo/seat/blue/score=", "demo/track/power="}
	if got := l.updated(next); !slices.Equal(got, want) {
		t.Errorf("blue left: %v, want %v", got, want)
	}
	if got := l.updated(next); got != nil {
		t.Errorf("cleared twice: %v", got)
	}
	l.forget()
	if got := len(l.updated(next)); got != 7 {
		t.Errorf("after a reconnect %d messages", got)
	}
}

func stateOf(f engine.Frame) (state string) {
	Messages(f, func(m Message) {
		if m.Topic == "tableside/demo/state" {
			state = string(m.Payload)
		}
	})
	return state
}

// TestStateTellsWhenItsClockWasSo checks that a subscriber of the retained state can tell what
// is left now.
func TestStateTellsWhenItsClockWasSo(t *testing.T) {
	f := testFrame(t, engine.English, 1)
	left := int64(540_000)
	f.View.Clock = &engine.ClockView{Running: []engine.Seat{"red"}, Seats: []engine.ClockSeat{{Seat: "red", Left: &left}}}
	f.MadeAt = time.Date(2026, 11, 20, 21, 16, 1, 250_000_000, time.FixedZone("CET", 3600))
	const want = `"clock":{"at":"2026-11-20T20:16:01.25Z","running":["red"],"seats":[{"seat":"red","used":0,"left":540000}]}`
	if got := stateOf(f); !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	f.View.Clock.Running = nil
	stopped := stateOf(f)
	if f.MadeAt = f.MadeAt.Add(time.Minute); stopped != stateOf(f) {
		t.Errorf("a clock that stands still makes another state: %s", stateOf(f))
	}
}
