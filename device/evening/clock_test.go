package evening

import (
	"fmt"
	"testing"
	"time"

	"tableside/device/history"
)

const matchName = "2006-01-02T15-04-05Z"

// TestTableClockBehind tells results of tables whose clocks are behind the hall's. Where the
// difference is known, they count. Where it is not, somebody is asked, and nothing is dropped.
func TestTableClockBehind(t *testing.T) {
	for _, behind := range []time.Duration{time.Minute, 5 * time.Minute, 26 * time.Hour} {
		for _, known := range []time.Duration{0, -behind} {
			e := begun(t, Swiss, 2, 4)
			e.next()
			p := e.state().Rounds[0].Pairings[0]
			names := e.state().names(&p)
			e.now = e.now.Add(time.Minute)
			match := e.now.Add(-behind).Format(matchName)
			for i := range 2 { // the table did not hear that the hall has it
				seats := []history.Player{{Name: names[0], Won: true, Rank: 1}, {Name: names[1], Rank: 2}}
				err := e.Result(ended(p.Table, match, seats), known+time.Duration(i)*time.Second)
				if err != nil {
					t.Fatal(err)
				}
			}
			counts, want := known != 0 || behind < clockSkew, ""
			if !counts {
				want = "before:1"
			}
			check := func(when string) {
				t.Helper()
				if got := e.view(); aside(got) != want || (got.Rounds[0].Pairings[0].Result != nil) != counts {
					t.Errorf("%v behind, known %v, %s: set aside %q, result %+v", behind, known, when, aside(got),
						got.Rounds[0].Pairings[0].Result)
				}
			}
			check("at once")
			e.open(e.cfg.Dir)
			check("once read again")
		}
	}
}

// TestOldMatches ignores what two who meet now have played before the evening, once they have a
// result.
func TestOldMatches(t *testing.T) {
	e := begun(t, KnockOut, 2, 2)
	e.next()
	e.said("a", "p1", "p2")
	e.tell("a", e.now.Add(-48*time.Hour).Format(matchName),
		[]history.Player{{Name: "p1", Rank: 2}, {Name: "p2", Won: true, Rank: 1}})
	if got := aside(e.view()); got != "" {
		t.Errorf("set aside %q", got)
	}
}

// TestHallClockSetBack sets the hall's clock back by an hour during the evening, as a time
// server or a restart does: the results of the next rounds count.
func TestHallClockSetBack(t *testing.T) {
	for _, restart := range []bool{false, true} {
		e := begun(t, Swiss, 2, 4)
		e.next()
		e.finish()
		e.now = e.now.Add(-time.Hour)
		if restart {
			e.open(e.cfg.Dir)
		}
		for round := range 2 {
			e.next()
			for i, p := range e.state().Round().Pairings {
				names := e.state().names(&p)
				e.said(p.Table, names...)
				if got := e.view().Rounds[round+1].Pairings[i].Result; got == nil {
					t.Errorf("restart %t, round %d, board %d: no result, set aside %s", restart, round+2, i+1, aside(e.view()))
				}
			}
		}
		if v := e.view(); fmt.Sprint(v.Rounds[1].At) < fmt.Sprint(v.Rounds[0].At) {
			t.Errorf("rounds began at %v and %v", v.Rounds[0].At, v.Rounds[1].At)
		}
	}
}
