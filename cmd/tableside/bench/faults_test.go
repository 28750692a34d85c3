package bench

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/spi"

	"tableside/cmd/tableside/rig"
	"tableside/drivers/nfc/nfctest"
	"tableside/engine"
	"tableside/engine/enginetest"
)

func (b *benched) health(part string) engine.Part {
	for _, p := range b.table.Frame().Status.Health {
		if p.Name == part {
			return p
		}
	}
	b.Fatalf("there is no part %s", part)
	return engine.Part{}
}

// within waits until a part is OK or not, as wanted, while the match goes on.
func (b *benched) within(limit time.Duration, part string, ok bool) time.Duration {
	b.Helper()
	began := time.Now()
	for n := 0; ; n++ {
		if p := b.health(part); (p.Health == engine.OK) == ok {
			return time.Since(began)
		}
		if time.Since(began) > limit {
			b.Fatalf("after %v %s is %+v", limit, part, b.health(part))
		}
		key := []string{"plus", "plus", "minus"}[n%3]
		if r := b.table.Input(b.Context(), engine.Input{Seat: "red", Verb: engine.Key,
			Args: []string{key}}); r.Outcome != engine.Accepted {
			b.Fatalf("the match does not go on: %+v", r)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// TestFaults tests that a part that breaks in a match is reported within two
// seconds, and works again within five after it was repaired, while the match and all
// other parts go on. In brief, each part breaks in one way.
func TestFaults(t *testing.T) {
	const reported, back = 2 * time.Second, 5 * time.Second
	// A panel that does not end its refresh is reported after its own limit. After
	// its repair it is cleaned first.
	const refresh = 10 * time.Second
	type fault struct {
		part            string
		name            string
		broken          func(*Bench)
		repaired        func(*Bench)
		reported, again time.Duration
	}
	var faults []fault
	add := func(part, name string, broken, repaired func(*Bench)) {
		f := fault{part: part, name: name, broken: broken, repaired: repaired, reported: reported, again: back}
		if part == "panel" {
			f.reported, f.again = reported+refresh, back+refresh
		}
		faults = append(faults, f)
	}
	for _, place := range []string{"table", "red", "blue", "yellow"} { // SPI, MFRC522, UART, I2C behind a multiplexer
		part := "reader-" + place
		chip := func(b *Bench) faultyChip { return b.Chips[place] }
		add(part, "dead", func(b *Bench) { chip(b).Kill() }, func(b *Bench) { chip(b).Revive() })
		add(part, "unplugged", func(b *Bench) { chip(b).Unplug() }, func(b *Bench) { chip(b).Plug() })
		add(part, "mute", func(b *Bench) { chip(b).MuteAfter(7) }, func(b *Bench) { chip(b).Revive() })
		add(part, "corrupted", func(b *Bench) { chip(b).Corrupt(1) }, func(b *Bench) { chip(b).Corrupt(0) })
	}
	add("reader-yellow", "multiplexer dead", func(b *Bench) { b.Mux.Kill() }, func(b *Bench) { b.Mux.Revive() })
	add("keys", "chip gone", func(b *Bench) { b.Board.Unplug() }, func(b *Bench) { b.Board.Plug() })
	add("screen-red", "dead", func(b *Bench) { b.Screen.Kill() }, func(b *Bench) { b.Screen.Revive() })
	add("screen-red", "unplugged", func(b *Bench) { b.Screen.Unplug() }, func(b *Bench) { b.Screen.Plug() })
	add("lights", "bus fails", func(b *Bench) { b.Strip.Fail(errors.New("input/output error")) },
		func(b *Bench) { b.Strip.Fail(nil) })
	add("panel", "dead", func(b *Bench) { b.Glass.Kill() }, func(b *Bench) { b.Glass.Revive() })
	add("panel", "unplugged", func(b *Bench) { b.Glass.Unplug() }, func(b *Bench) { b.Glass.Plug() })
	add("panel", "busy for ever", func(b *Bench) { b.Glass.StickBusy(0) }, func(b *Bench) { b.Glass.FreeBusy() })

	if enginetest.Brief() {
		faults = slices.CompactFunc(faults, func(a, b fault) bool { return a.part == b.part })
	}
	for _, f := range faults {
		t.Run(f.part+" "+f.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := sitAt(t, scoring, func(c *Chips) { keepReaders(c, readersOf(f.part, f.name)...) })
				if err := b.Ready(t.Context(), b.table); err != nil {
					t.Fatal(err)
				}
				b.within(time.Second, f.part, true)
				time.Sleep(3 * time.Second)
				f.broken(b.Bench)
				reportedAfter := b.within(f.reported, f.part, false)
				reason := b.health(f.part).Reason
				time.Sleep(20 * time.Second) // the table gets used to it
				for _, p := range b.table.Frame().Status.Health {
					if p.Name != f.part && p.Health != engine.OK {
						t.Errorf("meanwhile %+v", p)
					}
				}
				f.repaired(b.Bench)
				backAfter := b.within(f.again, f.part, true)
				if reason == "" {
					t.Error("nothing says why")
				}
				t.Logf("reported after %v, back after %v: %s", reportedAfter, backAfter, reason)
				b.works(f.part)
			})
		})
	}
}

// readersOf returns the readers that a fault concerns: with the multiplexer all are there,
// with the screen the one on its bus. Others would only repeat their polls.
func readersOf(part, fault string) []string {
	place, isReader := strings.CutPrefix(part, "reader-")
	switch {
	case strings.HasPrefix(fault, "multiplexer"):
		return []string{"table", "red", "blue", "yellow"}
	case isReader:
		return []string{place}
	case part == "screen-red":
		return []string{"yellow"} // both on I2CBus
	}
	return nil
}

// TestHeldAtStart tests that a bus that another program holds at the start shows
// only in the health of the parts on it, and that they work when it is free.
func TestHeldAtStart(t *testing.T) {
	for part, bus := range map[string]string{"panel": "SPI1.0", "lights": "SPI2.0", "screen-red": I2CBus,
		"reader-yellow": I2CBus} {
		t.Run(part, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				held := &heldPorts{bus: bus}
				held.taken.Store(true)
				b := sitAt(t, scoring, func(c *Chips) {
					keepReaders(c, readersOf(part, "")...)
					held.Ports = c.Ports
					c.Ports = held
				})
				b.within(2*time.Second, part, false)
				time.Sleep(5 * time.Second)
				if p := b.health(part); p.Health == engine.OK || !strings.Contains(p.Reason, "device or resource busy") {
					t.Errorf("%+v", p)
				}
				held.taken.Store(false)
				b.within(12*time.Second, part, true)
				b.works(part)
			})
		})
	}
}

// heldPorts is a bench with a bus that another program may hold.
type heldPorts struct {
	rig.Ports
	bus   string
	taken atomic.Bool
}

func (h *heldPorts) held(name string) error {
	if h.taken.Load() && name == h.bus {
		return fmt.Errorf("%s: device or resource busy", name)
	}
	return nil
}

func (h *heldPorts) SPI(name string) (spi.Port, error) {
	if err := h.held(name); err != nil {
		return nil, err
	}
	return h.Ports.SPI(name)
}

func (h *heldPorts) I2C(path string) (i2c.Bus, error) {
	if err := h.held(path); err != nil {
		return nil, err
	}
	return h.Ports.I2C(path)
}

var scoring = engine.Setup{Game: "tally/score", First: "red", Options: map[string]string{"target": "1000"},
	Seats: []engine.Player{{Seat: "red", Name: "Alice"}, {Seat: "blue", Name: "Max"}, {Seat: "yellow", Name: "Zoé"}}}

// works tests that a part works, by using it once.
func (b *benched) works(part string) {
	b.Helper()
	switch kind, place, _ := strings.Cut(part, "-"); kind {
	case "reader":
		r, err := b.hands.tap(b.Context(), place, "stranger.1", "")
		if err != nil || r.Outcome != engine.Unknown {
			b.Errorf("a tap on %s: %+v, %v", place, r, err)
		}
	case "keys":
		before := b.table.Frame().View.Seq
		if r, err := b.hands.press(b.Context(), "blue", "plus"); err != nil || r.Seq != before+1 {
			b.Errorf("a key: %+v, %v", r, err)
		}
	case "panel":
		b.changes("the panel", func() string { return string(b.Bench.Glass.Glass().Pix) })
	case "screen":
		b.changes("the screen", func() string { return string(b.Bench.Screen.Glass().Pix) })
	case "lights":
		b.changes("the strip", func() string { return fmt.Sprint(b.Bench.Strip.Colours()) })
	}
}

func (b *benched) changes(what string, seen func() string) {
	b.Helper()
	before := seen()
	b.table.Input(b.Context(), engine.Input{Seat: "red", Verb: engine.Choose, Args: []string{"+7"}})
	for range 100 {
		time.Sleep(100 * time.Millisecond)
		if seen() != before {
			return
		}
	}
	b.Errorf("%s does not change", what)
}

// TestBrownOuts tests that a reader without power for a moment neither lifts nor taps
// the card on it.
func TestBrownOuts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := sit(t, scoring)
		for _, place := range []string{"table", "red", "blue", "yellow"} {
			if _, err := b.hands.tap(t.Context(), place, "stranger."+place, ""); err != nil {
				t.Fatalf("%s: %v", place, err)
			}
		}
		before := b.table.Frame().Status.Receipt.N
		for _, chip := range b.Bench.Chips {
			chip.BrownOut()
		}
		b.Bench.Screen.BrownOut()
		b.Bench.Strip.BrownOut()
		b.Bench.Glass.BrownOut()
		time.Sleep(10 * time.Second)
		if n := b.table.Frame().Status.Receipt.N; n != before {
			t.Errorf("%d more receipts: a card was tapped again", n-before)
		}
		for _, part := range b.table.Frame().Status.Health {
			if part.Health != engine.OK {
				t.Errorf("%+v", part)
			}
		}
		b.works("panel")
		b.works("screen-red")
		b.works("lights")
	})
}

// TestEdgeAndTwoCards tests that a card at the edge of the field, which answers only
// at times, is tapped once; that a second card beside it is tapped, too; and that a
// card is tapped again when it was lifted and laid down.
func TestEdgeAndTwoCards(t *testing.T) {
	for _, place := range []string{"table", "red", "blue", "yellow"} {
		t.Run(place, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := sitAt(t, scoring, only(place))
				if err := b.Ready(t.Context(), b.table); err != nil {
					t.Fatal(err)
				}
				field := b.Bench.Fields[place]
				first, second := nfctest.NewNTAG213(uidOf("first")), nfctest.NewNTAG213(uidOf("second"))
				receipts := 0
				count := func(after string, more int) {
					t.Helper()
					receipts += more
					time.Sleep(5 * time.Second)
					n := 0
					if r := b.table.Frame().Status.Receipt; r != nil {
						n = r.N
					}
					if n != receipts {
						t.Errorf("%s: %d taps, want %d", after, n, receipts)
					}
				}
				field.Edge(first, 4)
				field.Put(first)
				count("a card at the edge", 1)
				field.Put(second)
				count("a second one beside it", 1)
				field.Take(second)
				count("the second one lifted", 0)
				field.Take(first)
				count("both lifted", 0)
				field.Edge(first, 0)
				field.Put(first)
				count("the first one again", 1)
			})
		})
	}
}
