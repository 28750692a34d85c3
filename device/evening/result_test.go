package evening

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/device/history"
	"tableside/engine"
)

// TestKnockOutGoesOn keeps the winner of a round from which the next one was drawn: neither a
// correction nor a table changes it, but the scores can be mended.
func TestKnockOutGoesOn(t *testing.T) {
	e := begun(t, KnockOut, 2, 4)
	e.next()
	e.change(Change{Do: "result", Round: 1, Board: 1, Places: []int{1, 2}})
	e.change(Change{Do: "result", Round: 1, Board: 2, Places: []int{1, 2}})
	e.next()
	e.refuses(Change{Do: "result", Round: 1, Board: 1, Places: []int{2, 1}}, "evening.goes-on")
	e.refuses(Change{Do: "result", Round: 1, Board: 1, Places: []int{1, 1}}, "evening.goes-on")
	e.refuses(Change{Do: "result", Round: 1, Board: 1}, "evening.goes-on")
	e.change(Change{Do: "result", Round: 1, Board: 1, Places: []int{1, 2}, Scores: []int{9, 3}})
	e.said("a", "p4", "p1")
	if why := aside(e.view()); why != "corrected:1" {
		t.Fatalf("set aside: %s", why)
	}
	e.refuses(Change{Do: "take", N: 1}, "evening.goes-on")
	e.change(Change{Do: "undo"})
	e.change(Change{Do: "undo"})
	e.change(Change{Do: "result", Round: 1, Board: 1, Places: []int{2, 1}})
	e.next()
	if p := e.state().Round().Pairings[0].Players; !slices.Contains(p, 4) || slices.Contains(p, 1) {
		t.Errorf("the final is %v", p)
	}
}

// TestPairAgain pairs by hand while tables still play, and clicks twice.
func TestPairAgain(t *testing.T) {
	e := begun(t, Free, 2, 4)
	first := Change{Do: "pair", Round: 1, Pairings: [][]string{{"p1", "p2"}}}
	e.change(first)
	e.refuses(first, "evening.round-begun")
	e.refuses(Change{Do: "pair", Pairings: [][]string{{"p3", "p4"}}}, "evening.missing")
	e.said("a", "p1", "p2")
	e.change(Change{Do: "pair", Round: 2, Pairings: [][]string{{"p3", "p4"}}})
	swiss := begun(t, Swiss, 2, 3)
	swiss.change(Change{Do: "next", Round: 1})
	swiss.refuses(Change{Do: "next", Round: 1}, "evening.round-begun")
}

// TestAgrees takes the match and the scores of a table that says what somebody entered
// already, and asks about everything that contradicts it.
func TestAgrees(t *testing.T) {
	e := begun(t, KnockOut, 2, 2)
	e.next()
	e.change(Change{Do: "result", Round: 1, Board: 1, Places: []int{1, 2}})
	e.said("a", "p1", "p2")
	r := e.view().Rounds[0].Pairings[0].Result
	if aside(e.view()) != "" || !r.Hand || r.From == "" || !reflect.DeepEqual(r.Scores, []int{10, 9}) {
		t.Errorf("set aside %q, the result is %+v", aside(e.view()), r)
	}
	e.said("a", "p1", "p2")
	e.said("a", "p2", "p1")
	if why := aside(e.view()); why != "corrected:1 corrected:1" {
		t.Errorf("set aside: %s", why)
	}
}

// TestOverStays sets a match aside that went on after the evening was over.
func TestOverStays(t *testing.T) {
	e := begun(t, KnockOut, 2, 2)
	e.next()
	match := e.now.Format("2006-01-02T15-04-05Z")
	e.tell("a", match, []history.Player{{Name: "p1", Won: true, Rank: 1}, {Name: "p2", Rank: 2}})
	e.change(Change{Do: "over"})
	e.tell("a", match, []history.Player{{Name: "p1", Rank: 2}, {Name: "p2", Won: true, Rank: 1}})
	if v := e.view(); aside(v) != "over:1" || v.Rounds[0].Pairings[0].Result.Places[0] != 1 {
		t.Errorf("set aside %q, the result is %+v", aside(v), v.Rounds[0].Pairings[0].Result)
	}
}

// TestAsideMost counts what waits, and not what somebody has settled.
func TestAsideMost(t *testing.T) {
	e := begun(t, Swiss, 2, 4)
	e.next()
	for i := range maxAside + 1 {
		e.said("a", fmt.Sprint("x", i), "y")
		if i == 0 {
			e.change(Change{Do: "dismiss", N: 1})
		}
	}
	if got := len(e.view().Aside); got != maxAside {
		t.Errorf("%d wait, want %d", got, maxAside)
	}
	e.said("a", "one too many", "y") // no error: the table need not tell it again
	if !strings.Contains(e.log.String(), "a result is not kept") {
		t.Errorf("nobody says so: %s", e.log.String())
	}
}

// TestDiskFull tells a result that cannot be written, and then again.
func TestDiskFull(t *testing.T) {
	e := begun(t, KnockOut, 2, 2)
	e.next()
	seats := []history.Player{{Name: "p1", Won: true, Rank: 1}, {Name: "p2", Rank: 2}}
	full := errors.New("no space left on device")
	replace := e.replace
	e.replace = func(string, string) error { return full }
	if err := e.Result(ended("a", e.id, seats), 0); !errors.Is(err, full) {
		t.Fatalf("got %v", err)
	}
	e.replace = replace
	e.tell("a", e.id, seats)
	if e.view().Rounds[0].Pairings[0].Result == nil {
		t.Error("the result is lost")
	}
}

// TestCreateBesides begins an evening in the second of a journal that cannot be read.
func TestCreateBesides(t *testing.T) {
	e := begun(t, Swiss, 2, 4)
	path := filepath.Join(e.cfg.Dir, e.id+suffix)
	broken := []byte("nothing\n")
	if err := os.WriteFile(path, broken, 0o640); err != nil {
		t.Fatal(err)
	}
	e.open(e.cfg.Dir)
	id, err := e.Create(Plan{Name: "again", Format: Swiss})
	if err != nil || id == e.id {
		t.Errorf("created %q, %v", id, err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, broken) {
		t.Errorf("the other journal has %q, %v", got, err)
	}
	if v, err := e.View(id); err != nil || v.Size != 2 {
		t.Errorf("the evening is %+v, %v", v, err)
	}
}

// TestAbsent lets listed players not come: the others need no more rounds for that.
func TestAbsent(t *testing.T) {
	for _, c := range []struct{ listed, absent int }{{8, 4}, {8, 3}, {17, 5}, {12, 4}} {
		e := begun(t, RoundRobin, 2, c.listed)
		for i := range c.absent {
			e.change(Change{Do: "out", Player: 2 + i*2})
		}
		here := c.listed - c.absent
		for range here - 1 + here%2 {
			e.next()
			byes := 0
			for _, p := range e.state().Round().Pairings {
				if p.Bye() {
					byes++
				}
			}
			if byes != here%2 {
				t.Errorf("%d of %d: %d byes in round %d", here, c.listed, byes, len(e.state().Rounds))
			}
			e.finish()
		}
		e.refuses(Change{Do: "next"}, "evening.all-met")
	}
}

// TestMoveOver moves a pairing to a table at which nobody plays any more.
func TestMoveOver(t *testing.T) {
	e := begun(t, Swiss, 2, 4)
	e.next()
	e.change(Change{Do: "result", Round: 1, Board: 1, Places: []int{1, 2}})
	e.refuses(Change{Do: "move", Board: 1, Name: "c"}, "evening.has-result")
	e.change(Change{Do: "move", Board: 2, Name: "a"})
	if p := e.view().Rounds[0].Pairings; p[0].Table != "a" || p[1].Table != "a" {
		t.Errorf("the tables are %q and %q", p[0].Table, p[1].Table)
	}
}

// TestUnseenNames refuses letters that nobody sees, and names them.
func TestUnseenNames(t *testing.T) {
	e := begun(t, Swiss, 2, 2)
	for _, name := range []string{"\u200b", "p1\u200b", "a\x00b", "a\u202eb"} {
		e.refuses(Change{Do: "players", Names: []string{name}}, "evening.name-unseen")
		e.refuses(Change{Do: "rename", Player: 1, Name: name}, "evening.name-unseen")
		if _, err := e.Create(Plan{Name: "x", Format: Swiss, Players: []string{name}}); err == nil {
			t.Errorf("created with %q", name)
		}
	}
	err := e.Change(e.id, Change{Do: "players", Names: []string{"p1\u200b"}})
	if text, _ := Said(err, engine.English); !strings.Contains(text, `"p1?"`) {
		t.Errorf("it says %q", text)
	}
}

// TestResultChangesBack counts the newest result of a match that was taken back and won twice,
// also when it is the one that was told first.
func TestResultChangesBack(t *testing.T) {
	e := begun(t, KnockOut, 2, 2)
	e.next()
	match := e.now.Format("2006-01-02T15-04-05Z")
	one := []history.Player{{Name: "p1", Won: true, Rank: 1}, {Name: "p2", Rank: 2}}
	two := []history.Player{{Name: "p1", Rank: 2}, {Name: "p2", Won: true, Rank: 1}}
	for i, seats := range [][]history.Player{one, one, two, two, one} {
		e.tell("a", match, seats)
		if i == 3 {
			e.open(e.cfg.Dir) // the journal knows which was the newest
		}
		p := e.view().Rounds[0].Pairings[0]
		if p.Result == nil || p.Result.Places[0] != seats[0].Rank {
			t.Errorf("result %d: got %+v", i, p.Result)
		}
	}
	journal, err := e.Journal(e.id)
	if n := strings.Count(string(journal), "heard"); err != nil || n != 3 {
		t.Errorf("%d results are in the journal, %v", n, err)
	}
}

// An evening of a score sheet's game takes no match of another game of that sheet.
func TestEveningOfAPreset(t *testing.T) {
	e := begun(t, Swiss, 2, 2)
	var err error
	e.id, err = e.Create(Plan{Name: "Hearts", Format: Swiss, Game: "hearts", Players: fields("x y"), Tables: fields("d")})
	if err != nil {
		t.Fatal(err)
	}
	e.next()
	for _, preset := range []string{"", "wizard", "hearts"} {
		if e.state().Missing() != 1 {
			t.Fatalf("a match counted before %q", preset)
		}
		begin := e.now.Add(time.Minute)
		match := history.Entry{Table: "d", ID: begin.Format("2006-01-02T15-04-05Z"), Game: "tally/score", Preset: preset,
			Begin: begin, State: "finished", Seats: []history.Player{{Seat: "red", Name: "x", Rank: 1, Won: true},
				{Seat: "blue", Name: "y", Rank: 2}}}
		if err := e.Result(match, 0); err != nil {
			t.Fatal(err)
		}
	}
	if e.state().Missing() != 0 || len(e.state().Aside) != 0 {
		t.Errorf("got %+v", e.state())
	}
}
