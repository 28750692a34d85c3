package bench

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/drivers/evdev"
	"tableside/drivers/evdev/evdevtest"
	"tableside/engine"
)

// pad is a number pad, and typer a reader that types.
var (
	pad = evdev.Info{Path: "/dev/input/event0", Name: "Pad", Bus: evdev.USB, Phys: "usb-1/input0", Vendor: 0x1c4f,
		Product: 0x0002, Keys: 17}
	typer = evdev.Info{Path: "/dev/input/event1", Name: "Sycreader", Bus: evdev.USB, Phys: "usb-2/input0",
		Vendor: 0xffff, Product: 0x0035, Keys: 100, IDs: []string{"usb-Sycreader-event-kbd"}}
)

func keyboards(c *Chips) (*evdevtest.Device, *evdevtest.Device) {
	c.Wiring.Keyboards = []config.Keyboard{
		{Name: "red", Device: "1c4f:0002", Seat: "red"},
		{Name: "box", Device: "usb-Sycreader-event-kbd", Reads: config.ReadsTags}}
	return c.Bench.Keyboards.Plug(pad), c.Bench.Keyboards.Plug(typer)
}

// score is a match of two that counts.
var score = engine.Setup{Game: "tally/score", Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}}}

// TestKeyboard tests that keys of a keyboard play, that an unknown key and what a reader
// types can be taught, and that a card that lies on such a reader is tapped once.
func TestKeyboard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var keys, reader *evdevtest.Device
		b := sitAt(t, score, func(c *Chips) { keys, reader = keyboards(c) })
		points := func(want int) {
			t.Helper()
			if synctest.Wait(); b.table.Frame().View.Seats[0].Counters[0].Value != want {
				t.Errorf("got %+v, want %d", b.table.Frame().View.Seats[0].Counters, want)
			}
		}
		unknown := func(key, tag string) {
			t.Helper()
			synctest.Wait()
			r := b.table.Frame().Status.Receipt
			if r.Outcome != engine.Unknown || r.Text.Key != key || r.Text.Args["tag"] != tag || r.Text.Args["learn"] != true {
				t.Errorf("got %+v, want %s of %s", r, key, tag)
			}
		}
		teach := func(tag, card string) {
			t.Helper()
			r := b.table.Do(t.Context(), engine.Order{Do: "learn", Tag: tag, Card: card})
			if r.Outcome != engine.Accepted {
				t.Fatalf("%s: %+v", tag, r)
			}
		}
		synctest.Wait()   // both are open
		keys.Tap(78, 103) // KPPLUS, UP
		points(2)
		keys.Tap(14) // BACKSPACE
		points(1)

		teach("", "mutants/zombie.1") // a lesson of cards does not take a key
		keys.Tap(59)                  // F1
		unknown("receipt.unknown-key", "key:KEY_F1@1c4f:0002")
		teach("", "key/plus")
		keys.Tap(59)
		keys.Tap(59)
		points(2)

		reader.Tap(11, 11, 2, 3, 28) // 0012
		unknown("receipt.unknown-tag", "typed:0012")
		teach("typed:0012", "key/undo")
		time.Sleep(time.Second)
		for range 8 { // it lies there: this reader types it again and again
			reader.Tap(11, 11, 2, 3, 28)
			time.Sleep(300 * time.Millisecond)
		}
		points(1)
		reader.Tap(11, 5, 30, 2, 48, 3, 46, 4, 28) // a UID in lower case, as other readers have it
		unknown("receipt.unknown-tag", "04A1B2C3")
	})
}

// TestKeyboardUnplugged tests that a keyboard that is pulled out is reported within two
// seconds, with one reason, and works within five after it is back; and that one that
// floods does no harm.
func TestKeyboardUnplugged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var keys *evdevtest.Device
		b := sitAt(t, score, func(c *Chips) {
			keepReaders(c)
			keys, _ = keyboards(c)
		})
		synctest.Wait()
		for range 3 {
			keys.Unplug()
			b.within(2*time.Second, "keyboard-red", false)
			if why := b.health("keyboard-red").Reason; why != "evdev: 1c4f:0002: not plugged in" {
				t.Errorf("reason %q", why)
			}
			time.Sleep(10 * time.Second)
			keys = b.Bench.Keyboards.Plug(pad)
			b.within(5*time.Second, "keyboard-red", true)
		}
		before := b.table.Frame().View.Seats[0].Counters[0].Value
		for range 5000 {
			keys.Tap(78)
			time.Sleep(time.Millisecond)
		}
		if p := b.health("keyboard-red"); p.Health != engine.Degraded || !strings.Contains(p.Reason, "sends more") {
			t.Errorf("5,000 presses in 5 s: %+v", p)
		}
		if after := b.table.Frame().View.Seats[0].Counters[0].Value; after != before+100 {
			t.Errorf("%d of 5,000 counted, want the first 100", after-before)
		}
		time.Sleep(2 * time.Second)
		keys.Tap(78)
		if b.within(time.Second, "keyboard-red", true) > time.Second {
			t.Error("it is still ill")
		}
	})
}

// TestTypedTwice tests that a card that is typed twice is two taps, that two that lie on
// a reader which types them in turn are one tap each, and that neither keeps others from
// counting: a reader that types never reports that a card was taken off.
func TestTypedTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reader *evdevtest.Device
		b := sitAt(t, score, func(c *Chips) {
			_, reader = keyboards(c)
			c.Wiring.Keyboards[1].Seat = "red"
		})
		for tag, card := range map[string]string{"typed:1": "key/plus", "typed:2": "key/minus", "typed:3": "key/plus"} {
			if r := b.table.Do(t.Context(), engine.Order{Do: "learn", Tag: tag, Card: card}); r.Outcome != engine.Accepted {
				t.Fatalf("%s: %+v", tag, r)
			}
		}
		points := func(what string, want int) {
			t.Helper()
			if synctest.Wait(); b.table.Frame().View.Seats[0].Counters[0].Value != want {
				t.Errorf("%s: got %+v, want %d", what, b.table.Frame().View.Seats[0].Counters, want)
			}
		}
		const one, two, three, enter = 2, 3, 4, 28
		synctest.Wait()
		for n := range 5 {
			reader.Tap(one, enter)
			points("shown again", n+1)
			time.Sleep(500 * time.Millisecond)
		}
		for range 20 {
			reader.Tap(one, enter)
			time.Sleep(100 * time.Millisecond)
			reader.Tap(two, enter)
			time.Sleep(100 * time.Millisecond)
		}
		points("both lie there", 5)
		reader.Tap(three, enter)
		points("another", 6)
	})
}

// TestKeyOfOneKeyboard tests that a key holds on the keyboard on which it was learnt,
// and that one in the tags file without a keyboard holds on all.
func TestKeyOfOneKeyboard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var red, blue *evdevtest.Device
		b := sitAt(t, score, func(c *Chips) {
			c.Wiring.Keyboards = []config.Keyboard{{Name: "red", Device: "1c4f:0002", Seat: "red"},
				{Name: "blue", Device: typer.IDs[0], Seat: "blue"}}
			red, blue = c.Bench.Keyboards.Plug(pad), c.Bench.Keyboards.Plug(typer)
		})
		teach := func(tag, card string) {
			t.Helper()
			if r := b.table.Do(t.Context(), engine.Order{Do: "learn", Tag: tag, Card: card}); r.Outcome != engine.Accepted {
				t.Fatalf("%s: %+v", tag, r)
			}
		}
		const f1, f2 = 59, 60
		receipt := func() engine.Receipt { synctest.Wait(); return *b.table.Frame().Status.Receipt }
		synctest.Wait()
		teach("", "key/plus")
		red.Tap(f1)
		synctest.Wait()
		red.Tap(f1)
		if r := receipt(); r.Outcome != engine.Accepted || r.Seat != "red" {
			t.Errorf("learnt: %+v", r)
		}
		blue.Tap(f1)
		if r := receipt(); r.Outcome != engine.Unknown || r.Text.Args["tag"] != "key:KEY_F1@usb-Sycreader-event-kbd" ||
			r.Text.Args["name"] != "KEY_F1" {
			t.Errorf("on another keyboard: %+v", r)
		}
		teach("key:KEY_F2", "key/plus")
		for _, k := range []*evdevtest.Device{red, blue} {
			k.Tap(f2)
			if r := receipt(); r.Outcome != engine.Accepted {
				t.Errorf("of all keyboards: %+v", r)
			}
		}
	})
}
