package host

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"tableside/device"
	"tableside/engine"
)

// shownMatch takes a second.
const shownMatch = "tableside-journal 1\ngame tally/score\noption target 50\nseat red Alice\nseat blue Max\n" +
	"begin 2026-11-20T20:15:00Z\n0s red choose +5\n1s blue choose +7\n"

// showing returns a host whose table can show shownMatch.
func showing(t *testing.T) *Host {
	h := tableWith(t, t.TempDir())
	h.Log = slog.New(slog.DiscardHandler)
	h.Show = func() (*engine.Journal, error) { return engine.ParseJournal("show.journal", []byte(shownMatch)) }
	return h
}

// begins fails the test unless the show begins.
func (h *Host) begins(t *testing.T) {
	t.Helper()
	if r := h.startShow(t.Context()); r.Outcome != engine.Accepted {
		t.Fatalf("the show: %+v", r)
	}
}

// A slowOutput draws each frame for as long as takes says.
type slowOutput struct {
	takes   func() time.Duration
	playing func() bool
	empty   []bool // for each frame of an empty table after one with a match: whether the show was on
	last    string // the match of the last frame
}

func (o *slowOutput) Show(_ context.Context, f engine.Frame) error {
	if match := string(f.View.Match); match != o.last {
		if o.last = match; match == "" {
			o.empty = append(o.empty, o.playing())
		}
	}
	time.Sleep(o.takes())
	return nil
}

// TestStopWaits checks that an order which comes while the show is being put away waits until
// the table is empty, and that the frame of the empty table no longer says that a show is on.
func TestStopWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := showing(t)
		began, end := time.Now(), time.Second+curtain
		out := &slowOutput{playing: h.show.Playing, takes: func() time.Duration { return 0 }}
		h.table.Add(device.Part{Name: "slow", Output: out, Direct: true})
		h.begins(t)
		time.Sleep(end - time.Second)
		synctest.Wait()
		out.takes = func() time.Duration { return time.Until(began.Add(end + time.Second)) }
		h.table.Notice("any", true) // drawn until a second after the end of the show
		time.Sleep(time.Second + time.Second/2)
		h.show.stop()
		if f := h.table.Frame(); f.View.Match != "" {
			t.Errorf("the show has stopped, and on the table is %s", f.View.Match)
		}
		begin := engine.Order{Do: "begin", Setup: engine.Setup{Game: "tally/score"}}
		if r := h.order(t.Context(), begin); r.Outcome != engine.Accepted {
			t.Errorf("another match: %+v", r)
		}
		if len(out.empty) != 1 || out.empty[0] {
			t.Errorf("frames of an empty table, and whether the show was on: %v", out.empty)
		}
	})
}
