package host

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/device"
	"tableside/engine"
)

// shownMatch takes a second.
const shownMatch = "tableside-journal 1\ngame tally/score\noption target 50\nseat red Alice\nseat blue Max\n" +
	"begin 2026-11-20T20:15:00Z\n# en: Alice adds five.\n# fr: Alice ajoute cinq.\n0s red choose +5\n1s blue choose +7\n"

// wonMatch takes a second, too. Alice has won it in the end.
const wonMatch = "tableside-journal 1\ngame tally/score\noption target 12\nseat red Alice\nseat blue Max\n" +
	"begin 2026-11-20T20:15:00Z\n0s red choose +5\n1s table choose end\n"

func showing(t *testing.T) *Host {
	h := tableWith(t, t.TempDir())
	h.Log = slog.New(slog.DiscardHandler)
	h.showing(t, shownMatch)
	return h
}

func (h *Host) showing(t *testing.T, match string) {
	shown, err := ParseShown("tally.journal", []byte(match))
	if err != nil {
		t.Fatal(err)
	}
	h.Shows = map[string]*Shown{"tally": shown}
}

func (h *Host) begins(t *testing.T) {
	t.Helper()
	if r := h.startShow(t.Context(), "tally"); r.Outcome != engine.Accepted {
		t.Fatalf("the show: %+v", r)
	}
}

// What is said at an input stays until the next one, and other games have no match to show.
func TestShowSaysWhatHappens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := showing(t)
		if r := h.startShow(t.Context(), "mindbug"); r.Outcome != engine.Refused {
			t.Errorf("a match of another game: %+v", r)
		}
		h.begins(t)
		time.Sleep(time.Second + time.Second/2)
		if en, fr := h.show.caption(engine.English), h.show.caption(engine.French); en != "Alice adds five." ||
			fr != "Alice ajoute cinq." {
			t.Errorf("said: %q, %q", en, fr)
		}
		h.show.stop()
	})
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
		began, end := time.Now(), time.Second+showEndDelay
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

// TestShowLeavesNothing checks that the journal of a show is removed, whether the show was
// stopped or has ended, unless it is not the show's alone or may still be written.
func TestShowLeavesNothing(t *testing.T) {
	input := func(h *Host) {
		h.table.Input(context.Background(), engine.Input{Seat: "red", Verb: engine.Choose, Args: []string{"+1"}})
	}
	for _, c := range []struct {
		name   string
		after  time.Duration // until do is called
		do     func(*Host)
		states string // of the matches that are listed in the end
	}{
		{"stopped", time.Second / 2, func(h *Host) { h.show.stop() }, ""},
		{"stopped at once", 0, func(h *Host) { h.show.stop() }, ""},
		{"to its end", time.Second + showEndDelay, func(*Host) {}, ""},
		{"somebody has played", time.Second / 2, input, "abandoned"},
		{"somebody has played on", time.Second + showEndDelay/2, input, "abandoned"},
		{"it cannot be read", time.Second / 2, func(h *Host) {
			matches := filepath.Join(h.Config.Table.Data, "matches")
			_ = os.Rename(matches, matches+"-away")
			_ = os.WriteFile(matches, nil, 0o600)
			h.show.stop()
			_ = os.Remove(matches)
			_ = os.Rename(matches+"-away", matches)
		}, "abandoned"},
		{"another file has taken its name", time.Second / 2, func(h *Host) {
			file := filepath.Join(h.Config.Table.Data, "matches", string(h.table.Frame().View.Match)+".journal")
			copied, _ := os.ReadFile(file)
			_ = os.Remove(file)
			_ = os.WriteFile(file, copied, 0o600)
			h.show.stop()
			if _, err := os.Lstat(file); err != nil || h.table.Frame().Status.Keeping {
				t.Errorf("the other file: %v", err)
			}
			_ = os.Remove(file) // the table then writes the journal again
		}, "abandoned"},
		{"won, and another match", time.Second + showEndDelay/2, func(h *Host) {
			again := engine.Input{Seat: engine.Table, Verb: engine.Choose, Args: []string{"new"}} // by a key
			if r := h.table.Input(context.Background(), again); r.Outcome != engine.Accepted {
				t.Errorf("the show was not won: %+v", r)
			}
			time.Sleep(time.Second / 2)
			if h.show.Playing() {
				t.Error("the show goes on without a match")
			}
		}, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := showing(t)
			if strings.HasPrefix(c.name, "won") {
				h.showing(t, wonMatch)
			}
			h.begins(t)
			time.Sleep(c.after)
			synctest.Wait()
			c.do(h)
			time.Sleep(time.Minute)
			synctest.Wait()
			if h.show.Playing() || h.table.Frame().View.Match != "" {
				t.Errorf("%s: the show goes on", c.name)
			}
			var states []string
			for _, m := range h.table.Matches() {
				states = append(states, m.State)
			}
			files, err := os.ReadDir(filepath.Join(h.Config.Table.Data, "matches"))
			if got := strings.Join(states, " "); got != c.states || err != nil || len(files) != len(states) {
				t.Errorf("%s: matches: got %q, want %q; %d files, %v", c.name, got, c.states, len(files), err)
			}
		})
	}
}
