package evening

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tableside/device/history"
)

// A best of three goes on at its table until somebody has won twice; a match that is played on counts
// as it ended last, and somebody may decide all of it by hand.
func TestBestOfThree(t *testing.T) {
	e := begun(t, KnockOut, 2, 2)
	var err error
	e.id, err = e.Create(Plan{Name: "Final", Format: KnockOut, Best: 3, Players: fields("x y"), Tables: fields("d")})
	if err != nil {
		t.Fatal(err)
	}
	e.next()
	seated := func() string {
		s := e.Seatings()["d"]
		if s == nil {
			return "nobody"
		}
		return fmt.Sprint(strings.Join(s.Players, " "), s.Match)
	}
	expect := func(when, seating string, games int, scores string) {
		t.Helper()
		p := e.state().pairingAt(1, 1)
		got := "-"
		if p.Result != nil {
			got = fmt.Sprint(p.Result.Places, p.Result.Scores)
		}
		if seated() != seating || len(p.Games) != games || got != scores {
			t.Errorf("%s: %s sits there, %d matches, %s", when, seated(), len(p.Games), got)
		}
	}
	expect("at first", "x y0", 0, "-")
	e.said("d", "x", "y")
	expect("after one", "y x2", 1, "-")
	e.refuses(Change{Do: "next"}, "evening.missing")
	e.refuses(Change{Do: "swap", Player: 1, Other: 2}, "evening.has-result")
	e.said("d", "y", "x")
	second := e.now.Format("2006-01-02T15-04-05Z")
	expect("after two", "x y3", 2, "-")
	e.said("d", "x", "y")
	expect("after three", "nobody", 3, "[1 2] [2 1]")
	e.tell("d", second, []history.Player{{Name: "x", Rank: 1, Won: true}, {Name: "y", Rank: 2}})
	expect("when the second was played on", "nobody", 3, "[1 2] [3 0]")
	e.said("d", "y", "x")
	if why := aside(e.view()); why != "second:1" {
		t.Errorf("a fourth match: %s", why)
	}
	e.change(Change{Do: "result", Round: 1, Board: 1})
	expect("when the result was removed", "x y0", 0, "-")
	e.change(Change{Do: "result", Round: 1, Board: 1, Places: []int{2, 1}})
	expect("when it was decided by hand", "nobody", 0, "[2 1] []")
	swiss := Plan{Name: "Swiss", Format: Swiss, Best: 3, Players: fields("x y")}
	if _, err := e.Create(swiss); err == nil || !strings.Contains(err.Error(), "knock-out-only") {
		t.Errorf("a best of three in a Swiss system: %v", err)
	}
}

// Those who lost before the final meet beside it, and the third place ranks below the second.
func TestThirdPlace(t *testing.T) {
	for _, players := range []int{4, 8} {
		e := begun(t, KnockOut, 2, 2)
		var names []string
		for i := range players {
			names = append(names, fmt.Sprint("p", i+1))
		}
		var err error
		e.id, err = e.Create(Plan{Name: "Cup", Format: KnockOut, Third: true, Players: names})
		if err != nil {
			t.Fatal(err)
		}
		rounds := 0
		for !e.view().Last {
			e.next()
			rounds++
			for i, p := range e.state().Round().Pairings {
				places := []int{1, 2}
				if p.Players[1] < p.Players[0] { // the first of the list is the better one
					places = []int{2, 1}
				}
				e.change(Change{Do: "result", Round: rounds, Board: i + 1, Places: places})
			}
		}
		e.refuses(Change{Do: "next"}, "evening.decided")
		v := e.view()
		if last := v.Rounds[rounds-1].Pairings; len(last) != 2 {
			t.Errorf("%d players: the last round is %+v", players, last)
		}
		for i, s := range v.Standings[:4] {
			if s.Rank != i+1 && (players == 4 || i < 3) || s.Player != i+1 {
				t.Errorf("%d players: place %d is %+v", players, i+1, s)
			}
		}
	}
}

// A round has the time that the evening gives it, or what somebody gives it later; undo takes that back.
func TestRoundClock(t *testing.T) {
	e := begun(t, Swiss, 2, 2)
	e.refuses(Change{Do: "clock", Minutes: 50}, "evening.clock")
	var err error
	e.id, err = e.Create(Plan{Name: "Timed", Format: Swiss, Minutes: 50, Players: fields("x y"), Tables: fields("d")})
	if err != nil {
		t.Fatal(err)
	}
	e.next()
	ends := func() time.Time { return e.state().Round().Ends }
	if want := e.now.Add(50 * time.Minute); !ends().Equal(want) || !e.Seatings()["d"].Ends.Equal(want) {
		t.Errorf("the round ends at %v, want %v", ends(), want)
	}
	first := ends()
	e.change(Change{Do: "clock", Minutes: 10})
	if want := e.now.Add(10 * time.Minute); !ends().Equal(want) {
		t.Errorf("the round ends at %v, want %v", ends(), want)
	}
	if undo := e.view().Undo; undo != "clock" {
		t.Errorf("undo takes back %q", undo)
	}
	e.change(Change{Do: "undo"})
	if !ends().Equal(first) {
		t.Errorf("after undo the round ends at %v, want %v", ends(), first)
	}
	e.change(Change{Do: "clock"})
	if !ends().IsZero() {
		t.Errorf("a stopped clock ends at %v", ends())
	}
	e.refuses(Change{Do: "clock", Minutes: 601}, "evening.clock")
}
