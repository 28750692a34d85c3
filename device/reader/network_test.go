package reader

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/device"
	"tableside/engine"
	"tableside/engine/tally"
)

// A home is a running table whose tags are all keys, with the network of it.
type home struct {
	*Network
	t     *testing.T
	table *device.Table
}

// newHome returns the network of a table with a wired reader "left" of blue.
func newHome(t *testing.T) *home {
	words := engine.Merge(engine.CoreWords(), device.Words())
	h := &home{t: t, Network: NewNetwork(NetworkConfig{
		Readers: map[string]engine.Seat{"left": "blue", "middle": ""}, Seats: []engine.Seat{"red"},
		Say: func(text engine.Text) string { return words.Say(engine.English, text, nil) },
	})}
	var err error
	h.table, err = device.New(device.Config{Dir: t.TempDir(), Games: tally.Games(),
		Tags: func(tag, text string) (device.Meaning, bool) {
			if m, ok := device.ParseTagText(text); ok {
				return m, true
			}
			return device.Meaning{Kind: device.KeyTag, Name: "plus"}, tag != "FFFFFFFF"
		}})
	if err != nil {
		t.Fatal(err)
	}
	setup := engine.Setup{Game: "tally/score", Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}}, First: "red"}
	go func() {
		if r := h.table.Do(t.Context(), engine.Order{Do: "begin", Setup: setup}); r.Outcome != engine.Accepted {
			t.Error(r.Spoken)
		}
	}()
	synctest.Wait() // the order is the first thing that the table will do
	return h
}

// run runs the table while do runs.
func (h *home) run(do func()) {
	ctx, stop := context.WithCancel(h.t.Context())
	ended := make(chan error)
	go func() { ended <- h.table.Run(ctx) }()
	h.Connect(h.table)
	do()
	stop()
	if err := <-ended; err != nil {
		h.t.Error(err)
	}
}

func (h *home) scores() string {
	v := h.table.Frame().View
	red, _ := v.Seat("red").Counters.Get("score")
	blue, _ := v.Seat("blue").Counters.Get("score")
	return fmt.Sprint(red, " ", blue)
}

func (h *home) tap(place, read, scores string, outcome engine.Outcome) {
	h.t.Helper()
	if r := h.Tap(h.t.Context(), place, read); r.Outcome != outcome {
		h.t.Errorf("%s on %s: got %+v, want %s", read, place, r, outcome)
	}
	synctest.Wait()
	if got := h.scores(); got != scores {
		h.t.Errorf("%s on %s: scores %s, want %s", read, place, got, scores)
	}
}

const aCard = "04-A1-B2-C3-D4-E5-F6"

// TestNetworkRepeats checks that a tap that had no answer, or failed, is not called accepted
// when its device reports it again: the device learns what became of it, and it counts once.
func TestNetworkRepeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHome(t)
		h.Connect(h.table) // which does not run yet
		waiting := make(chan engine.Receipt, 2)
		for range 2 {
			go func() { waiting <- h.Tap(t.Context(), "red", "04-0A-0B-0C-0D-0E-0F") }()
		}
		synctest.Wait()
		late, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for range 2 {
			if r := h.Tap(late, "red", aCard); r.Outcome != engine.Failed || r.Text.Key != "receipt.no-answer" {
				t.Errorf("no answer: got %+v", r)
			}
		}
		h.run(func() {
			synctest.Wait()
			for range 2 {
				if r := <-waiting; r.Outcome != engine.Accepted || r.Seq != 1 {
					t.Errorf("reported twice while the table was busy: got %+v", r)
				}
			}
			h.tap("red", aCard, "2 0", engine.Accepted)
			h.tap("red", aCard, "2 0", engine.Accepted)
		})
		h.Lift(t.Context(), "red", aCard)
		for range 2 {
			if r := h.Tap(t.Context(), "red", aCard); r.Outcome != engine.Failed || r.Text.Key != "receipt.stopped" {
				t.Errorf("stopped: got %+v", r)
			}
		}
	})
}

// TestNetworkPresence checks that a tag is tapped once while it lies there, whoever
// reports it how often, and lies in one place.
func TestNetworkPresence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHome(t)
		h.run(func() {
			h.tap("red", aCard, "1 0", engine.Accepted)
			for range 5 { // as a reader that repeats what lies there
				time.Sleep(2 * time.Second)
				h.tap("red", "04a1b2c3d4e5f6", "1 0", engine.Accepted)
			}
			h.tap("left", aCard, "1 1", engine.Accepted) // moved there, by a reader's name
			h.tap("red", aCard, "2 1", engine.Accepted)  // and back
			if r := h.Lift(t.Context(), "left", aCard); r.Outcome != engine.Accepted {
				t.Errorf("a late lift: %+v", r)
			}
			h.tap("red", aCard, "2 1", engine.Accepted) // still there
			h.Lift(t.Context(), "red", aCard)
			h.tap("red", aCard, "3 1", engine.Accepted)
			time.Sleep(repeatAfter)
			h.tap("red", aCard, "4 1", engine.Accepted) // nobody said that it was lifted
			h.tap("red", "tableside:key/undo", "3 1", engine.Accepted)
			if undo, none := h.PressedKey("tableside:key/undo"), h.PressedKey("FFFFFFFF"); undo != "undo" || none != "" {
				t.Errorf("keys: %q and %q", undo, none)
			}
			for range 3 { // each report gets the answer of the tap
				time.Sleep(2 * time.Second)
				h.tap("red", "FFFFFFFF", "3 1", engine.Unknown)
				h.tap("red", "tableside:banana/zombie.2", "3 1", engine.Refused)
			}
		})
	})
}

// TestNetworkBadInput checks that each mistake is answered with one sentence and
// changes nothing.
func TestNetworkBadInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, words := newHome(t), device.Words()
		if r := h.Tap(t.Context(), "red", aCard); r.Text.Key != "receipt.not-running" {
			t.Errorf("before the start: %+v", r)
		}
		h.run(func() {
			for _, c := range []struct{ place, read, want string }{
				{"red", "", "receipt.no-tag"},
				{"red", "zombie.2", "receipt.no-tag"},
				{"red", "04A1B2C3D4E5", "receipt.no-tag"},
				{"red", "04A1-B2C3-D4E5F6", "receipt.no-tag"},
				{"red", "\x00\xff\n", "receipt.no-tag"},
				{"red", "08-11-22-33", "receipt.random-tag"},
				{"red", strings.Repeat("04", 200), "receipt.tag-too-long"},
				{"red", "tableside:banana", "receipt.no-meaning"},
				{"red", "tableside:mutants/zombie", "receipt.no-meaning"},
				{"sofa", aCard, "receipt.no-place"},
				{"", aCard, "receipt.no-place"},
				{"green", aCard, "receipt.no-place"},
			} {
				for _, do := range []func(context.Context, string, string) engine.Receipt{h.Tap, h.Lift} {
					r := do(t.Context(), c.place, c.read)
					if r.Outcome != engine.Malformed || r.Text.Key != c.want || strings.HasPrefix(r.Spoken, "receipt.") {
						t.Errorf("%q on %q: got %+v, want %s", c.read, c.place, r, c.want)
					}
					if said := words.Say(engine.French, r.Text, nil); regexp.MustCompile(`\b(is|want|not)\b`).MatchString(said) {
						t.Errorf("%q on %q: %q is not French", c.read, c.place, said)
					}
				}
			}
			for i := range 50 {
				h.Tap(t.Context(), "red", fmt.Sprintf("04A1B2C3D4E5%02X", i))
			}
			r := h.Tap(t.Context(), "red", aCard)
			if r.Outcome != engine.Failed || r.Text.Key != "receipt.flood" || h.scores() != "20 0" {
				t.Errorf("a flood: %+v, %s", r, h.scores())
			}
			h.tap("middle", aCard, "21 0", engine.Accepted) // another place is heard; red's turn
			time.Sleep(time.Second)
			h.tap("red", "04A1B2C3D4E6FF", "22 0", engine.Accepted)
		})
	})
}

// TestNetworkSharesTheBoard checks that a tag that a wired reader finds at this moment
// lies there, and that the reader takes a tag over from the network.
func TestNetworkSharesTheBoard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHome(t)
		wired := New(Config{Name: "reader left", Place: "left", Seat: "blue", Chip: noChip{}, Board: h.Board})
		wired.emit, wired.ctx = h.table.Emit, t.Context()
		find := func(tags ...string) { h.Board.see(wired, Clean, tags) }
		h.run(func() {
			find()
			find("04A1B2C3D4E5F6")
			synctest.Wait()
			h.tap("red", aCard, "0 1", engine.Refused)
			time.Sleep(takeOverAfter)
			h.tap("red", aCard, "1 1", engine.Accepted) // the reader has not found it for a while
			find("04A1B2C3D4E5F6")
			synctest.Wait()
			if h.scores() != "1 1" {
				t.Errorf("taken over at once: %s", h.scores())
			}
			time.Sleep(takeOverAfter)
			find("04A1B2C3D4E5F6")
			synctest.Wait()
			if h.scores() != "1 2" {
				t.Errorf("not taken over: %s", h.scores())
			}
		})
	})
}

// TestNetworkForgets checks that readers that never report a lift fill no memory.
func TestNetworkForgets(t *testing.T) {
	b := NewBoard()
	emit := func(device.Signal) <-chan engine.Receipt { return nil }
	r := &Reader{Config: Config{Place: "red", Board: b}, emit: emit}
	for i := range 3 * maxLying {
		b.arrive(r, fmt.Sprint(i), "")
	}
	if len(b.tags) > maxLying || b.tags[fmt.Sprint(3*maxLying-1)] == nil {
		t.Errorf("%d tags lie there", len(b.tags))
	}
}

// noChip is never polled.
type noChip struct{ Chip }

func (noChip) Text(context.Context, string) (string, error) { return "", ErrNoText }
