package device

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
)

func proposed(game string, players ...string) *engine.Seating {
	return &engine.Seating{Evening: "Friday", Round: 2, Players: players, Game: game, Since: time.Now()}
}

// asks returns what the table asks, and the words of the answers.
func asks(f engine.Frame) string {
	if len(f.View.Prompts) == 0 {
		return "nothing"
	}
	p := f.View.Prompts[0]
	s := p.Text
	for _, o := range p.Options {
		s += " | " + o.Text
	}
	return s
}

// TestSeating follows a proposal of a hall from the empty table over its match to the next.
func TestSeating(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := configured(t.TempDir())
		config.Games = []engine.Game{countGame{step: 1000000}, countGame{step: 1000000, name: "count/second-edition"}}
		table := start(t, config)
		expect := func(when, want string) {
			t.Helper()
			synctest.Wait()
			if got := asks(table.Frame()); got != want {
				t.Fatalf("%s the table asks %q, want %q", when, got, want)
			}
			if seating := table.Frame().Status.Seating; (seating != nil) != (want[0] == 'A' || want[0] == 'M') {
				t.Errorf("%s: the status has %+v", when, seating)
			}
		}
		const games = "What shall we play? | Counting, second-edition | Counting, plain" // the one played here first
		const begin = "Alice – Max: round 2 of Friday | Begin | Another match"
		table.order(engine.Order{Do: "begin", Setup: engine.Setup{Game: "count/second-edition"}})
		table.order(engine.Order{Do: "abandon"})
		first := proposed("count", "Alice", "Max")
		table.Propose(first)
		expect("at first", begin)
		table.must("table choose new")
		expect("when another match is wanted", games)
		timed := *first
		timed.Ends = time.Now().Add(time.Hour)
		table.Propose(&timed)
		expect("when the clock of the round was set meanwhile", games)
		if ends := table.Frame().Status.RoundEnds; !ends.Equal(timed.Ends) {
			t.Errorf("the round ends at %v, want %v", ends, timed.Ends)
		}
		table.must("table undo")
		expect("after undo", begin)
		table.Propose(nil)
		expect("when it is gone", games)
		table.Propose(first)
		table.must("blue key yes")
		v := table.Frame().View
		if v.Game != "count/second-edition" || len(v.Seats) != 2 || v.Seats[0].Name != "Alice" || v.Seats[1].Name != "Max" {
			t.Errorf("view %+v", v)
		}
		if data, _ := table.Journal(""); !strings.Contains(string(data), "\nfirst red #=") {
			t.Errorf("journal\n%s", data)
		}
		table.order(engine.Order{Do: "abandon"})
		expect("once it was abandoned", begin)
		table.must("table choose seated", "red key plus")
		expect("at its end", "What next? | Rematch | Another match")
		table.must("table choose new")
		expect("until the hall knows", games)
		table.must("table choose count/plain", "table choose 2", "table choose 3", "table key yes", "red key plus")
		expect("after another match, until the hall knows", "What next? | Rematch | Another match")
		next := proposed("", "Max", "Zoé")
		next.Since = time.Now().Add(time.Hour)
		table.Propose(next)
		expect("after another match", "Max – Zoé: round 2 of Friday | Rematch | Another match")
		next = proposed("count", "Max", "Zoé")
		table.Propose(next)
		expect("with a game", "Max – Zoé: round 2 of Friday | Begin | Rematch | Another match")
		table.must("table choose new")
		expect("when something else is wanted after a match", "What shall we play? | Counting, plain | Counting, second-edition")
		table.must("table undo")
		expect("after undo", "Max – Zoé: round 2 of Friday | Begin | Another match")
		table.must("table key yes")
		if v := table.Frame().View; v.Game != "count/plain" || v.Seats[0].Name != "Max" {
			t.Errorf("view %+v", v)
		}
		table.stop()
	})
}

// TestSeatingOfAnotherClock plays the proposed match at a table whose clock is behind the hall's,
// or ahead of it. The table does not propose it again, but does so once the hall has taken it back.
func TestSeatingOfAnotherClock(t *testing.T) {
	for _, ahead := range []time.Duration{-26 * time.Hour, -10 * time.Minute, 10 * time.Minute, 26 * time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			config := configured(t.TempDir())
			config.Games = []engine.Game{countGame{step: 1000000}}
			table := start(t, config)
			first := proposed("count", "Zoe\u0301", "Max")
			first.Since = time.Now().Add(-ahead)
			table.Propose(first)
			for _, when := range []string{"at first", "proposed again"} {
				time.Sleep(time.Minute)
				table.order(engine.Order{Do: "begin", Setup: engine.Setup{Game: "count/plain",
					Seats: []engine.Player{{Seat: "red", Name: "MAX"}, {Seat: "blue", Name: "Zoé"}}}})
				table.must("red key plus")
				synctest.Wait()
				if got := asks(table.Frame()); got != "What next? | Rematch | Another match" {
					t.Errorf("%v ahead, %s: once it was played the table asks %q", ahead, when, got)
				}
				time.Sleep(time.Minute)
				table.Propose(nil)
				again := *first
				again.Since = time.Now().Add(-ahead)
				table.Propose(&again)
			}
			table.stop()
		})
	}
}

// TestSeatingWithoutGame checks that the players choose what the hall leaves open, and that
// their number and names stay.
func TestSeatingWithoutGame(t *testing.T) {
	config := configured(t.TempDir())
	config.Games = []engine.Game{countGame{}, countGame{name: "count/second-edition"}}
	table := start(t, config)
	for _, game := range []string{"count", "", "chess"} {
		table.Propose(proposed(game, "Max", "Zoé"))
		table.must("table choose count/plain", "table choose 3", "table key yes")
		if seats := table.Frame().View.Seats; len(seats) != 2 || seats[1].Name != "Zoé" {
			t.Errorf("seats %+v", seats)
		}
		table.order(engine.Order{Do: "abandon"})
	}
	// No game is for so many: the table asks for their number.
	table.Propose(proposed("", "a", "b", "c", "d", "e"))
	table.must("table choose count/plain", "table choose 3", "table choose 3", "table key yes")
	if seats := table.Frame().View.Seats; len(seats) != 3 || seats[2].Name != "c" {
		t.Errorf("seats %+v", seats)
	}
}

// TestSeriesAfterRestart offers the second match of a best of three also after the table was started again.
func TestSeriesAfterRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := configured(t.TempDir())
		config.Games = []engine.Game{countGame{step: 1000000}}
		table, s := start(t, config), proposed("count", "Alice", "Max")
		table.Propose(s)
		time.Sleep(time.Minute)
		table.must("blue key yes", "red key plus")
		second := *s
		second.Match, second.Players = 2, []string{"Max", "Alice"}
		time.Sleep(time.Minute)
		table.Propose(&second)
		synctest.Wait()
		before := asks(table.Frame())
		table.stop()
		again := start(t, config)
		again.Propose(&second)
		synctest.Wait()
		if after := asks(again.Frame()); !strings.Contains(before, "Max – Alice") || !strings.Contains(after, "Max – Alice") {
			t.Errorf("before %q, after %q", before, after)
		}
		again.stop()
	})
}
