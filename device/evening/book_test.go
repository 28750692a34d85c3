package evening

import (
	"bytes"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"tableside/device/history"
	"tableside/engine"
)

// A club is a book with one evening, and a clock that tests set.
type club struct {
	*Book
	t      *testing.T
	id     string
	now    time.Time
	chance *rand.Rand   // of the results
	log    bytes.Buffer // of the book
}

func fields(s string) []string { return strings.Fields(s) }

// begun returns a club with an evening of some players, p1 and so on, at tables a, b and c.
func begun(t *testing.T, format string, size, players int) *club {
	t.Helper()
	e := &club{t: t, now: time.Date(2026, 11, 23, 19, 0, 0, 0, time.UTC), chance: rand.New(rand.NewPCG(7, 7))}
	e.open(t.TempDir())
	var names []string
	for i := range players {
		names = append(names, fmt.Sprint("p", i+1))
	}
	var err error
	e.id, err = e.Create(Plan{Name: "Friday", Format: format, Size: size, Players: names, Tables: fields("a b c")})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (e *club) open(dir string) {
	book, err := Open(Config{Dir: dir, Now: func() time.Time { return e.now }, Chance: rand.New(rand.NewPCG(4, 2)),
		Changed: func(string) {}, Log: slog.New(slog.NewTextHandler(&e.log, nil))})
	if err != nil {
		e.t.Fatal(err)
	}
	book.replace = func(file, text string) error { return os.WriteFile(file, []byte(text), 0o640) } // without the disk
	e.Book = book
}

func (e *club) state() *State { return e.evenings[e.id].state() }

func (e *club) change(c Change) {
	e.t.Helper()
	e.now = e.now.Add(time.Second)
	if err := e.Change(e.id, c); err != nil {
		e.t.Fatalf("%s: %v", c.Do, err)
	}
}

func (e *club) next() { e.t.Helper(); e.change(Change{Do: "next"}) }

// finish enters random results for the running round.
func (e *club) finish() {
	e.t.Helper()
	r := e.state().Round()
	for i := range r.Pairings {
		if p := &r.Pairings[i]; !p.Bye() && p.Result == nil {
			var places []int
			for range p.Players {
				places = append(places, 1+e.chance.IntN(3))
			}
			e.change(Change{Do: "result", Round: len(e.state().Rounds), Board: i + 1, Places: places})
		}
	}
}

func (e *club) said(table string, names ...string) {
	e.t.Helper()
	e.now = e.now.Add(time.Minute)
	var seats []history.Player
	for i, name := range names {
		seats = append(seats, history.Player{Name: name, Won: i == 0, Rank: i + 1, Value: 10 - i})
	}
	e.tell(table, e.now.Format("2006-01-02T15-04-05Z"), seats)
}

func (e *club) tell(table, match string, seats []history.Player) {
	e.t.Helper()
	if err := e.Result(ended(table, match, seats), 0); err != nil {
		e.t.Fatal(err)
	}
}

func ended(table, match string, seats []history.Player) history.Entry {
	e := history.Entry{Table: table, ID: match, Game: "tally/score", Seats: seats}
	if seats[0].Value > 0 {
		e.Counter = "score"
	}
	return e
}

func (e *club) view() View {
	e.t.Helper()
	v, err := e.View(e.id)
	if err != nil {
		e.t.Fatal(err)
	}
	return *v
}

// TestResults lets tables tell results: those of the round count, a correction stays, and
// everything else is set aside until somebody decides.
func TestResults(t *testing.T) {
	e := begun(t, KnockOut, 2, 4) // p1 meets p4 at a, p2 meets p3 at b
	e.next()
	e.said("a", "  P4 ", "p1")
	r := e.view().Rounds[0].Pairings[0].Result
	if r == nil || !reflect.DeepEqual(r.Places, []int{2, 1}) || !reflect.DeepEqual(r.Scores, []int{9, 10}) || r.Hand {
		t.Fatalf("the result is %+v", r)
	}
	e.said("a", "p2", "p3")
	e.said("b", "p2", "somebody")
	e.said("c", "", "")
	e.said("garden", "p2", "p3")  // the evening does not use that table
	e.said("garden", "p2", "p3x") // and these do not meet
	e.tell("b", "2026-11-23T12-00-00Z", []history.Player{{Name: "p2"}, {Name: "p3"}})
	if why := aside(e.view()); why != "elsewhere:2 nobody:0 nobody:0 elsewhere:2 before:2" {
		t.Errorf("set aside: %s", why)
	}
	e.change(Change{Do: "take", N: 1})
	r = e.view().Rounds[0].Pairings[1].Result
	if r == nil || !reflect.DeepEqual(r.Places, []int{1, 2}) || !r.Hand {
		t.Errorf("taken: %+v", r)
	}
	e.refuses(Change{Do: "take", N: 1}, "evening.no-aside")
	e.refuses(Change{Do: "take", N: 2}, "evening.take")
	e.change(Change{Do: "dismiss", N: 2})
	e.change(Change{Do: "dismiss", N: 3})
	e.change(Change{Do: "dismiss", N: 4})
	e.change(Change{Do: "dismiss", N: 5})

	e.change(Change{Do: "result", Round: 1, Board: 1, Places: []int{1, 2}, Scores: []int{3, 0}})
	e.said("a", "p4", "p1")
	if v := e.view(); aside(v) != "corrected:1" || v.Rounds[0].Pairings[0].Result.Places[0] != 1 {
		t.Errorf("a correction was overwritten, or nobody says so: %s", aside(v))
	}
	e.change(Change{Do: "dismiss", N: 6})
	e.next()
	e.said("b", "p2", "p3")
	if why := aside(e.view()); why != "corrected:2" {
		t.Errorf("a result of an earlier round: %s", why)
	}
}

func aside(v View) string {
	var all []string
	for _, d := range v.Aside {
		all = append(all, fmt.Sprintf("%s:%d", d.Why, d.Board))
	}
	return strings.Join(all, " ")
}

// TestResultAgain tells results twice, as a broker does, and a match that went on.
func TestResultAgain(t *testing.T) {
	e := begun(t, KnockOut, 2, 2)
	e.next()
	first := []history.Player{{Name: "p1", Won: true, Rank: 1, Value: 5}, {Name: "p2", Rank: 2, Value: 3}}
	match := e.now.Format("2006-01-02T15-04-05Z")
	e.tell("a", match, first)
	seq := e.view().Seq
	e.tell("a", match, first)
	if e.view().Seq != seq {
		t.Error("the same result counts again")
	}
	e.change(Change{Do: "result", Round: 1, Board: 1})
	e.tell("a", match, first)
	if e.view().Rounds[0].Pairings[0].Result != nil {
		t.Error("what was removed came back by itself")
	}
	e.change(Change{Do: "undo"})
	e.tell("a", match, []history.Player{{Name: "p1", Rank: 2, Value: 5}, {Name: "p2", Won: true, Rank: 1, Value: 7}})
	if r := e.view().Rounds[0].Pairings[0].Result; r.Places[0] != 2 || r.Scores[1] != 7 {
		t.Errorf("the match went on: %+v", r)
	}
	e.said("a", "p1", "p2")
	if why := aside(e.view()); why != "second:1" {
		t.Errorf("a second match of the two: %s", why)
	}
	e.refuses(Change{Do: "undo", Seq: seq}, "evening.meanwhile")
}

// TestUndoPeople takes back what people did, one change after the other, and brings it back:
// what tables told meanwhile stays.
func TestUndoPeople(t *testing.T) {
	e := begun(t, KnockOut, 2, 4)
	e.change(Change{Do: "rename", Player: 4, Name: "Zoé"})
	e.next()
	e.change(Change{Do: "result", Round: 1, Board: 1, Places: []int{2, 1}}) // a mistake
	e.said("b", "p3", "p2")
	told := e.view().Rounds[0].Pairings[1].Result
	if told == nil || e.view().Undo != "result" {
		t.Fatalf("told %+v, undo says %q", told, e.view().Undo)
	}
	results := func(when string, first, second bool) {
		t.Helper()
		for range 2 {
			p := e.view().Rounds[0].Pairings
			if (p[0].Result != nil) != first || second && !reflect.DeepEqual(p[1].Result, told) {
				t.Errorf("%s: %+v, %+v", when, p[0].Result, p[1].Result)
			}
			e.open(e.cfg.Dir)
		}
	}
	e.change(Change{Do: "undo"})
	results("after an undo", false, true)
	e.said("b", "p3", "p1")
	e.change(Change{Do: "redo"})
	results("after a redo", true, true)
	e.change(Change{Do: "undo"})
	e.change(Change{Do: "undo"})
	if v := e.view(); len(v.Rounds) != 0 || len(v.Aside) != 2 || v.Undo != "rename" {
		t.Errorf("without a round: %d rounds, %d aside, undo says %q", len(v.Rounds), len(v.Aside), v.Undo)
	}
	e.change(Change{Do: "redo"})
	e.change(Change{Do: "redo"})
	results("all again", true, true)
	e.refuses(Change{Do: "redo"}, "refusal.nothing-to-redo")
}

// TestUndoRound takes back a round while its matches are played, and brings it back after a
// table has reported another match: the matches of the round began before that, and count.
func TestUndoRound(t *testing.T) {
	e := begun(t, KnockOut, 2, 8)
	e.next()
	for i := range 4 {
		e.change(Change{Do: "result", Round: 1, Board: i + 1, Places: []int{1, 2}})
	}
	e.next()
	earlier, p := e.state().names(e.state().pairingAt(1, 1)), e.state().Rounds[1].Pairings
	first, second := e.state().names(&p[0]), e.state().names(&p[1])
	slow := e.now.Add(time.Minute).Format("2006-01-02T15-04-05Z")
	e.said("a", first...)
	began := e.view().Rounds[1].At
	e.now = e.now.Add(20 * time.Minute)
	for range 2 {
		e.change(Change{Do: "undo"})
		e.said("c", earlier...)
		e.change(Change{Do: "redo"})
	}
	for range 2 {
		round := e.view().Rounds[1]
		if r := round.Pairings[0].Result; r == nil || r.From == "" || !round.At.Equal(began) {
			t.Errorf("the round began at %v, want %v; its first result is %+v", round.At, began, r)
		}
		e.open(e.cfg.Dir)
	}
	e.tell("b", slow, []history.Player{{Name: second[0], Won: true, Rank: 1}, {Name: second[1], Rank: 2}})
	if v := e.view(); v.Rounds[1].Pairings[1].Result == nil {
		t.Errorf("a match that began before the undo does not count: %s aside", aside(v))
	}
}

// TestRedoWithoutTime reads the journal of an older version, whose round was brought back
// without its time: what was taken back before it can still be brought back.
func TestRedoWithoutTime(t *testing.T) {
	e := begun(t, KnockOut, 2, 4)
	e.next()
	e.change(Change{Do: "result", Round: 1, Board: 1, Places: []int{2, 1}})
	e.said("b", e.state().names(e.state().pairingAt(1, 2))...)
	e.change(Change{Do: "undo"})
	e.change(Change{Do: "undo"})
	k := e.evenings[e.id]
	round := k.undone[len(k.undone)-1]
	round.Args = round.Args[:3]
	if err := e.apply(k, []engine.Input{round}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if v := e.view(); !v.Redo || len(v.Rounds) != 1 {
			t.Errorf("%d rounds, and redo is possible: %v", len(v.Rounds), v.Redo)
		}
		e.open(e.cfg.Dir)
	}
}

// TestUndoPlayers takes back all players of one change at once.
func TestUndoPlayers(t *testing.T) {
	e := begun(t, Swiss, 2, 2)
	e.change(Change{Do: "players", Names: []string{"x", "y", "z"}})
	e.change(Change{Do: "undo"})
	if got := len(e.view().People); got != 2 {
		t.Errorf("%d players, want 2", got)
	}
	e.change(Change{Do: "redo"})
	if v := e.view(); len(v.People) != 5 || v.People[2].Name != "x" {
		t.Errorf("again: %+v", v.People)
	}
	for range 3 { // tables, and the first players
		e.change(Change{Do: "undo"})
	}
	e.refuses(Change{Do: "undo"}, "refusal.nothing-to-undo")
}

// TestNoTable counts a match at any table for players who have none in particular.
func TestNoTable(t *testing.T) {
	e := begun(t, KnockOut, 2, 8) // four pairings, three tables
	e.next()
	names := e.state().names(e.state().pairingAt(1, 4))
	e.said("garden", names...)
	if r := e.view().Rounds[0].Pairings[3].Result; r == nil || r.Hand {
		t.Errorf("the result is %+v", r)
	}
}

// TestAnyInput applies inputs made of all words: each is refused or taken, and none is a
// fault of the rules.
func TestAnyInput(t *testing.T) {
	words := fields("player rename out in table no-table round swap move result heard take dismiss evening over on - " +
		"0 1 2 3 9 1,2 2,1 1,1 0:1,2 1:1,2;2:3,4 0: a/2026-11-23T19-30-00Z any p1 p2 a b")
	words = append(words, "p1 p2", `"p 3" p4`, "", "x/")
	for seed := range uint64(60) {
		chance := rand.New(rand.NewPCG(seed, 6))
		e := begun(t, []string{Swiss, RoundRobin, KnockOut, Free}[seed%4], 2, 4)
		match := e.evenings[e.id].match
		for range 150 {
			in := engine.Input{Seat: engine.Table, Verb: engine.Set}
			for range 2 + chance.IntN(5) {
				in.Args = append(in.Args, words[chance.IntN(len(words))])
			}
			switch chance.IntN(12) {
			case 0:
				in = engine.Input{Seat: engine.Table, Verb: engine.Undo}
			case 1, 2:
				if pairings, err := e.state().Draw(e.cfg.Chance); err == nil {
					in = e.state().round(pairings)[0]
				}
			}
			if _, err := match.Apply(in); err != nil {
				if _, refused := engine.AsRefusal(err); !refused {
					t.Fatalf("seed %d: %s: %v", seed, in.Command(), err)
				}
			}
		}
		e.view()
	}
}

// TestOldResult sets a match aside that began before its round.
func TestOldResult(t *testing.T) {
	e := begun(t, KnockOut, 2, 2)
	e.now = e.now.Add(time.Hour)
	e.next()
	e.tell("a", "2026-11-23T19-30-00Z", []history.Player{{Name: "p1", Won: true}, {Name: "p2"}})
	if why := aside(e.view()); why != "before:1" {
		t.Errorf("set aside: %s", why)
	}
}

// TestJournal opens a book again: after a stop, with a torn line, and with a damaged one.
func TestJournal(t *testing.T) {
	e := begun(t, Swiss, 2, 5)
	e.next()
	e.finish()
	e.change(Change{Do: "rename", Player: 2, Name: "Zoé 2"})
	e.change(Change{Do: "undo"})
	want := e.view()
	path := filepath.Join(e.cfg.Dir, e.id+suffix)
	if again := reopened(e); !reflect.DeepEqual(again, want) {
		t.Errorf("after a stop: %+v\nwant %+v", again, want)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(data, "400s table set pl"...), 0o640); err != nil {
		t.Fatal(err)
	}
	if again := reopened(e); !reflect.DeepEqual(again, want) {
		t.Errorf("after a torn line: %+v\nwant %+v", again, want)
	}
	e.change(Change{Do: "over"})
	e.refuses(Change{Do: "next"}, "evening.is-over")
	if again := reopened(e); !again.Over || again.Damage != 0 {
		t.Errorf("the line after a torn one: %+v", again)
	}
	data, err = os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	broken := bytes.Replace(data, []byte("set round 1"), []byte("set round 2"), 1)
	if err := os.WriteFile(path, broken, 0o640); err != nil {
		t.Fatal(err)
	}
	nothing := filepath.Join(e.cfg.Dir, "2020-01-01T00-00-00Z"+suffix)
	if err := os.WriteFile(nothing, []byte("nothing\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"2020-01-01T00-00-01Z": "", "2020-01-01T00-00-02Z": string(data[:60])} {
		if err := os.WriteFile(filepath.Join(e.cfg.Dir, name+suffix), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	again := reopened(e)
	left, _ := filepath.Glob(filepath.Join(e.cfg.Dir, "2020*"))
	if len(left) != 1 || strings.Contains(e.log.String(), "00-02Z") {
		t.Errorf("unfinished heads are left: %v, %s", left, e.log.String())
	}
	if !strings.Contains(e.log.String(), "2020-01-01T00-00-00Z") || len(e.List()) != 1 {
		t.Errorf("a file that is no journal: %s", e.log.String())
	}
	if again.Damage == 0 || len(again.People) != 5 || len(again.Rounds) != 0 {
		t.Errorf("damaged: %+v", again)
	}
	e.refuses(Change{Do: "on"}, "evening.damaged")
}

func reopened(e *club) View {
	e.open(e.cfg.Dir)
	return e.view()
}

// TestUnwritable makes a change that cannot be written: the evening stays as it was.
func TestUnwritable(t *testing.T) {
	e := begun(t, Swiss, 2, 4)
	want := e.view()
	k := e.evenings[e.id]
	path := k.path
	k.path = filepath.Join(e.cfg.Dir, "no", "such", "folder")
	if err := e.Change(e.id, Change{Do: "next"}); err == nil {
		t.Fatal("nothing was written, and nobody says so")
	}
	k.path = path
	e.change(Change{Do: "next"})
	e.change(Change{Do: "undo"})
	if got := e.view(); len(got.Rounds) != len(want.Rounds) || got.Seq != want.Seq+2 {
		t.Errorf("got %+v", got)
	}
}

// A folder that cannot be read ends no evening in a search for a name that is free.
func TestSickFolder(t *testing.T) {
	e := begun(t, Swiss, 2, 2)
	e.cfg.Dir = filepath.Join(e.evenings[e.id].path, "in", "a", "file")
	if id, err := e.Create(Plan{Name: "Friday", Format: Swiss, Players: fields("p1 p2")}); err == nil {
		t.Errorf("%s begins in a folder that is a file", id)
	}
}

// TestRefused checks what an evening refuses.
func TestRefused(t *testing.T) {
	e := begun(t, Swiss, 2, 4)
	e.refuses(Change{Do: "players", Names: []string{"new", " P1 "}}, "evening.name-twice")
	e.refuses(Change{Do: "players", Names: []string{"a, b"}}, "evening.name")
	e.refuses(Change{Do: "players", Names: []string{strings.Repeat("x", 25)}}, "evening.name")
	e.refuses(Change{Do: "pair", Pairings: [][]string{{"p1", "p2"}}}, "evening.unreadable")
	e.refuses(Change{Do: "out", Player: 5}, "evening.no-player")
	e.refuses(Change{Do: "fly"}, "evening.unreadable")
	e.next()
	e.refuses(Change{Do: "next"}, "evening.missing")
	e.refuses(Change{Do: "result", Round: 1, Board: 1, Places: []int{1}}, "evening.result")
	e.refuses(Change{Do: "result", Round: 1, Board: 9, Places: []int{1, 2}}, "evening.no-pairing")
	e.change(Change{Do: "result", Round: 1, Board: 1, Places: []int{1, 2}})
	p := e.state().Round().Pairings
	e.refuses(Change{Do: "swap", Player: p[0].Players[0], Other: p[1].Players[0]}, "evening.has-result")
	e.change(Change{Do: "result", Round: 1, Board: 1})
	a, b := p[0].Players[0], p[1].Players[0]
	e.change(Change{Do: "swap", Player: a, Other: b})
	e.change(Change{Do: "move", Board: 1, Name: "b"})
	p = e.state().Round().Pairings
	at := p[0].Table + p[1].Table
	if p[0].Players[0] != b || p[1].Players[0] != a || at != "ba" {
		t.Errorf("after a swap: %v", p)
	}
	for _, plan := range []Plan{{Name: "x", Format: RoundRobin, Size: 3}, {Format: Swiss, Size: 2},
		{Name: "x", Format: "lot", Size: 2}, {Name: "x", Format: Swiss, Size: 9}} {
		if _, err := e.Create(plan); err == nil {
			t.Errorf("created %+v", plan)
		} else if text, refused := Said(err, engine.French); !refused || !strings.Contains(text, " ") {
			t.Errorf("%+v: %s", plan, text)
		}
	}
	if err := e.Change("2020-01-01T00-00-00Z", Change{Do: "next"}); err != ErrNotFound {
		t.Errorf("an unknown evening: %v", err)
	}
}

// TestFree pairs by hand.
func TestFree(t *testing.T) {
	e := begun(t, Free, 4, 6)
	e.refuses(Change{Do: "next"}, "evening.by-hand")
	e.refuses(Change{Do: "pair", Pairings: [][]string{{"p1", "nobody"}}}, "evening.nobody-named")
	e.refuses(Change{Do: "pair", Pairings: [][]string{{"p1", "p2"}, {"p1", "p3"}}}, "evening.plays-twice")
	e.change(Change{Do: "pair", Pairings: [][]string{{"p1", "P2", "p5"}, {"p3", "p4"}}})
	e.said("a", "p5", "p1", "p2")
	v := e.view()
	if p := v.Rounds[0].Pairings[0]; p.Result == nil || !reflect.DeepEqual(p.Result.Places, []int{2, 3, 1}) {
		t.Errorf("the pairing is %+v", p)
	}
	if s := v.Standings; s[0].Player != 5 || s[0].Points != One || s[1].Points != One/2 {
		t.Errorf("the standings are %+v", s)
	}
}

// TestNames checks that journals hold every name.
func TestNames(t *testing.T) {
	e := begun(t, KnockOut, 2, 0)
	e.change(Change{Do: "players", Names: []string{`Jean "Jo" d'Or`, "#1 Ünal"}})
	e.next()
	e.said("a", `jean  "jo" D'OR`, "#1 Ünal")
	if v := reopened(e); v.Rounds[0].Pairings[0].Result == nil {
		t.Errorf("got %+v", v)
	}
}
