package device

import (
	"context"
	"fmt"
	"testing"

	"tableside/engine"
	"tableside/engine/mindbug"
)

// A player is a Computer that only says that it plays.
type player struct{}

func (player) Connect(*Table)                     {}
func (player) CanPlay(engine.Setup) bool          { return true }
func (player) Hand([]engine.Seat, bool)           {}
func (player) Peek(engine.Seat, string, int) bool { return false }
func (player) Asks(int) *engine.Prompt            { return nil }

// TestComputerSeats looks at the first frame of matches in which a seat is the table's, taken or not.
func TestComputerSeats(t *testing.T) {
	config := configured(t.TempDir())
	config.Games, config.Computer = mindbug.Games(), player{}
	table := start(t, config)
	shows := func(want string, o engine.Order) {
		t.Helper()
		if r := table.Do(t.Context(), o); r.Outcome != engine.Accepted {
			t.Fatalf("%s: %+v", o.Do, r)
		}
		if s := table.Frame().Status; fmt.Sprint(s.Computer, s.Taken) != want {
			t.Errorf("after %s: %v %v, want %s", o.Do, s.Computer, s.Taken, want)
		}
	}
	shows("[blue] []", engine.Order{Do: "begin", Setup: engine.Setup{Game: "mindbug/first-contact",
		Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}}, Computer: map[engine.Seat]string{"blue": "easy"}}})
	if r := table.Do(t.Context(), engine.Order{Do: "take-seat", Seat: "red"}); r.Outcome != engine.Refused {
		t.Errorf("red is taken: %+v", r)
	}
	shows("[] [blue]", engine.Order{Do: "take-seat", Seat: "blue"})
	shows("[blue] []", engine.Order{Do: "leave-seat", Seat: "blue"})
	shows("[] [blue]", engine.Order{Do: "take-seat", Seat: "blue"})
	for _, match := range []string{string(table.Frame().View.Match), "another"} {
		told := make(chan bool)
		table.Add(Part{Name: "chances of " + match, Source: SourceFunc(func(_ context.Context, emit Emit) error {
			<-emit(Foreseen{Match: match, Chances: engine.Chances{Of: len(match)}})
			close(told)
			return nil
		})})
		<-told
	}
	if c := table.Frame().Status.Chances; c == nil || c.Of != len(table.Frame().View.Match) {
		t.Errorf("%+v", c)
	}
	shows("[] []", engine.Order{Do: "abandon"})
	shows("[blue] []", engine.Order{Do: "rematch"})
	if c := table.Frame().Status.Chances; c != nil {
		t.Errorf("the chances of the match before: %+v", c)
	}
}

// TestRematchWithoutComputer plays on among people where the table plays no seat.
func TestRematchWithoutComputer(t *testing.T) {
	dir := t.TempDir()
	config := configured(dir)
	config.Games, config.Computer = mindbug.Games(), player{}
	first := start(t, config)
	if r := first.Do(t.Context(), engine.Order{Do: "begin", Setup: engine.Setup{Game: "mindbug/first-contact",
		Computer: map[engine.Seat]string{"blue": "easy"}}}); r.Outcome != engine.Accepted {
		t.Fatal(r)
	}
	first.stop()
	config.Computer = nil
	table := start(t, config)
	for _, do := range []string{"resume", "abandon", "rematch"} {
		if r := table.Do(t.Context(), engine.Order{Do: do}); r.Outcome != engine.Accepted {
			t.Fatalf("%s: %+v", do, r)
		}
	}
	if v := table.Frame().View; v.Match == "" || len(v.Seats) != 2 {
		t.Errorf("no rematch: %+v", v)
	}
}
