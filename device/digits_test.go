package device

import (
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
	"tableside/engine/tally"
)

// TestDigits plays with a number pad: at the empty table, in a list of answers, and in a
// game that counts.
func TestDigits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := configured(t.TempDir())
		config.Games = append([]engine.Game{countGame{}}, tally.Games()...)
		table := start(t, config)
		type keys []string
		press := func(seat engine.Seat, keys keys) (r engine.Receipt) {
			for _, key := range keys {
				r = <-table.Emit(Press{Place: "pad-" + string(seat), Seat: seat, Key: key})
			}
			return r
		}
		at := func(what string, keys keys, seat engine.Seat, holds func(engine.Frame) bool) {
			t.Helper()
			r := press(seat, keys)
			if f := table.Frame(); r.Outcome != engine.Accepted || !holds(f) {
				t.Errorf("%s: %+v; prompts %+v, cursor %d", what, r, f.View.Prompts, f.Status.Cursor)
			}
		}
		asks := func(key string) func(engine.Frame) bool {
			return func(f engine.Frame) bool { return f.View.Prompts[0].Key == key }
		}
		score := func(want int) func(engine.Frame) bool {
			return func(f engine.Frame) bool { return f.View.Seats[0].Counters[0].Value == want }
		}

		at("a game", keys{"1"}, "", asks("lobby-seats"))
		at("a number", keys{"2"}, "red", func(f engine.Frame) bool { return f.Status.Cursor == 1 && asks("lobby-seats")(f) })
		if r := press("red", keys{"7"}); r.Outcome != engine.Refused || r.Spoken != "There is no answer 7 now" {
			t.Errorf("7: %+v", r)
		}
		at("…and Enter", keys{"2", "yes"}, "red", asks("lobby-option"))
		table.Do(t.Context(), engine.Order{Do: "begin", Setup: engine.Setup{Game: "count/plain", First: "red",
			Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}}}})
		at("a list", keys{"next", "2"}, "red", func(f engine.Frame) bool { return f.View.Phase == "bee" })
		table.Do(t.Context(), engine.Order{Do: "abandon"})

		table.Do(t.Context(), engine.Order{Do: "begin", Setup: engine.Setup{Game: "tally/score", First: "red",
			Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}}}})
		at("12 and plus", keys{"1", "2", "plus"}, "red", score(12))
		at("5 and minus", keys{"5", "minus"}, "red", score(7))
		at("1 and Enter", keys{"1", "yes"}, "red", score(8))
		at("plus alone", keys{"plus"}, "red", score(9))
		at("others do not end it", keys{"3"}, "red", score(9))
		at("…but count for themselves", keys{"plus"}, "blue", func(f engine.Frame) bool {
			return f.View.Seats[0].Counters[0].Value == 9 && f.View.Seats[1].Counters[0].Value == 1
		})
		press("red", keys{"3"})
		time.Sleep(maxDigitPause + time.Second)
		at("too late", keys{"plus"}, "red", score(10))
		if r := press("red", keys{"9", "9", "9", "9", "9"}); r.Outcome != engine.Refused {
			t.Errorf("five digits: %+v", r)
		}
		at("an undo", keys{"4", "undo"}, "red", score(9))
	})
}
