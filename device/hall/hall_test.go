package hall

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/engine"
)

// A room is a hall with a clock that tests set, and what it showed.
type room struct {
	*Hall
	now     time.Time
	shown   map[string]*engine.Frame
	changes int
}

func newRoom() *room {
	r := &room{now: time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC), shown: map[string]*engine.Frame{}}
	r.Hall = New(Config{
		Show:    func(name string, f *engine.Frame) { r.shown[name] = f },
		Changed: func() { r.changes++ },
		Now:     func() time.Time { return r.now },
	})
	r.Listening(true)
	return r
}

// A sign of life that names a state which never came asks for it.
func TestMissed(t *testing.T) {
	r := newRoom()
	missed := 0
	r.Hall.cfg.Missed = func() { missed++ }
	for i, step := range []struct {
		do     func()
		missed int
	}{
		{func() { r.Alive("one", "m", 3, time.Time{}) }, 0}, // the state is still to come
		{func() { r.State("one", state("m", 3, "red"), true) }, 0},
		{func() { r.Alive("one", "m", 3, time.Time{}) }, 0},
		{func() { r.Alive("one", "m", 5, time.Time{}) }, 1},
		{func() { r.Alive("one", "m", 5, time.Time{}) }, 2},
		{func() { r.State("one", state("m", 6, "red"), false) }, 2},
		{func() { r.Alive("one", "m", 5, time.Time{}) }, 2}, // a late one
		{func() { r.Alive("one", "n", 0, time.Time{}) }, 3},
	} {
		if step.do(); missed != step.missed {
			t.Errorf("step %d: asked %d times, want %d", i, missed, step.missed)
		}
	}
}

// A state that does not come is asked for at each look; one that came is not, and nothing is
// while nobody listens.
func TestMissedAgain(t *testing.T) {
	r := newRoom()
	missed := 0
	r.Hall.cfg.Missed = func() { missed++ }
	r.State("one", state("m", 3, "red"), true)
	asked := func(when string, want int) {
		t.Helper()
		if missed != want {
			t.Errorf("%s: asked %d times, want %d", when, missed, want)
		}
		missed = 0
	}
	r.Alive("one", "m", 5, time.Time{})
	asked("at once", 1)
	r.Review()
	r.Review()
	asked("at each look", 2)
	r.State("one", state("m", 5, "red"), true)
	r.Review()
	asked("for a state that came", 0)
	r.Alive("one", "m", 6, time.Time{})
	asked("for another", 1)
	r.Listening(false)
	r.pass(time.Minute)
	asked("while nobody listens", 0)
	r.Listening(true)
	r.State("one", state("m", 5, "red"), true) // by a broker that has not recovered yet
	r.Review()
	asked("after another connection", 1)
	r.State("one", state("m", 6, "red"), true)
	r.pass(time.Hour)
	asked("for that, when it has come", 0)
}

// pass lets time pass; the hall looks every second.
func (r *room) pass(d time.Duration) {
	for end := r.now.Add(d); r.now.Before(end); {
		r.now = r.now.Add(time.Second)
		r.Review()
	}
}

func (r *room) table(t *testing.T, name string) Table {
	t.Helper()
	l, _ := r.List(0)
	for _, e := range l.Tables {
		if e.Name == name {
			return e
		}
	}
	t.Fatalf("no table %s in %+v", name, l)
	return Table{}
}

// state returns a state in which a seat is asked, and both may do something.
func state(match string, seq int, asked engine.Seat) *engine.View {
	return &engine.View{
		Schema: 1, Table: "one", Match: engine.Null(match), Seq: seq, Game: "tally/score", Title: "Tally", Round: 3,
		Seats: []engine.SeatView{
			{ID: "red", Name: "Alice", Colour: "#d7263d", Counters: engine.Counters{
				{Name: "hand", Value: 5}, {Name: "score", Value: seq}}},
			{ID: "blue", Colour: "#1b6ec2", Counters: engine.Counters{{Name: "hand", Value: 2}}},
		},
		Prompts: []engine.Prompt{{Seat: asked, Text: "Your turn"}, {Seat: "red", May: true}, {Seat: "blue", May: true}},
		Labels:  map[string]string{"counter.score": "points"},
	}
}

// Nobody is gone by a last will, and everybody is after a long silence; a sign of life
// brings a table back, and what the broker had kept does not.
func TestSilence(t *testing.T) {
	r := newRoom()
	r.State("one", state("a", 1, "red"), true)
	r.Status("one", "offline")
	if e := r.table(t, "one"); !e.Here || e.Heard != nil {
		t.Errorf("by its will alone: %+v", e)
	}
	r.pass(silenceLimit)
	if e := r.table(t, "one"); !e.Here {
		t.Errorf("too early: %+v", e)
	}
	r.pass(2 * time.Second)
	if e := r.table(t, "one"); e.Here || e.Heard != nil || !r.shown["one"].Status.Away {
		t.Errorf("after a long silence: %+v", e)
	}
	r.State("one", state("a", 2, "red"), true)
	r.Status("one", "online")
	if e := r.table(t, "one"); e.Here || e.Seq != 2 {
		t.Errorf("what the broker had kept: %+v", e)
	}
	r.Alive("one", "a", 2, time.Time{})
	back := r.now
	if e := r.table(t, "one"); !e.Here || !e.Heard.Equal(back) || r.shown["one"].Status.Away {
		t.Errorf("after a sign of life: %+v", e)
	}
	r.pass(silenceLimit + 2*time.Second)
	r.State("one", state("a", 3, "red"), false) // by a bridge
	if e := r.table(t, "one"); e.Here || e.Seq != 3 || !e.Heard.Equal(back) || !r.shown["one"].Status.Away {
		t.Errorf("a state of a table that gives signs of life: %+v", e)
	}
	for range 10 {
		r.pass(10 * time.Second)
		r.Alive("one", "a", 3, time.Time{})
		r.Status("one", "offline") // a storm of wills
	}
	if e := r.table(t, "one"); !e.Here {
		t.Errorf("with signs of life: %+v", e)
	}
	last := r.now
	r.Listening(false)
	r.pass(time.Hour)
	if e := r.table(t, "one"); !e.Here {
		t.Errorf("while the hall hears nobody: %+v", e)
	}
	if s := r.shown["one"].Status; !s.Away || !s.Heard.Equal(last) {
		t.Errorf("an old state is shown as if it were the newest: %+v", s)
	}
	r.Listening(true)
	if r.shown["one"].Status.Away {
		t.Error("away, although the hall listens again")
	}
	r.pass(silenceLimit + 2*time.Second)
	if e := r.table(t, "one"); e.Here || !e.Heard.Equal(last) || !r.shown["one"].Status.Heard.Equal(last) {
		t.Errorf("after an hour: %+v, heard %s", e, r.shown["one"].Status.Heard)
	}
}

// The clock of a kept state has been running since the state was made.
func TestKeptClock(t *testing.T) {
	r := newRoom()
	left := int64(600_000)
	s := state("a", 1, "red")
	s.Clock = &engine.ClockView{At: r.now.Add(-4 * time.Minute), Running: []engine.Seat{"red"},
		Seats: []engine.ClockSeat{{Seat: "red", Left: &left}}}
	rest := func() int64 { return *r.shown["one"].Clock(r.now).Seats[0].Left }
	r.State("one", s, true)
	r.State("one", s, true)
	if got := rest(); got != 360_000 || r.changes != 2 || !r.shown["one"].View.Clock.At.IsZero() {
		t.Errorf("%d ms are left, %d changes, %+v", got, r.changes, r.shown["one"].View.Clock)
	}
	next := *s
	next.Seq = 2
	r.State("one", &next, false) // its clock may be wrong: it was made now
	if got := rest(); got != 600_000 {
		t.Errorf("live: %d ms are left", got)
	}
	late := next
	late.Seq, late.Clock = 3, &engine.ClockView{At: r.now.Add(time.Hour), Running: s.Clock.Running, Seats: s.Clock.Seats}
	r.State("one", &late, true)
	if got := rest(); got != 600_000 {
		t.Errorf("from the future: %d ms are left", got)
	}
}

// A hall whose network fails silently hears nobody, and learns it late: those who fell
// silent with it are not gone, and one who left before still is.
func TestDeafness(t *testing.T) {
	r := newRoom()
	for _, name := range []string{"one", "two", "left"} {
		s := state("a", 1, "red")
		s.Table = name
		r.State(name, s, false)
	}
	for range 6 {
		r.Alive("one", "a", 1, time.Time{})
		r.Alive("two", "a", 1, time.Time{})
		r.pass(10 * time.Second)
	}
	r.pass(silenceLimit)
	for name, here := range map[string]bool{"one": false, "two": false, "left": false} {
		if e := r.table(t, name); e.Here != here {
			t.Errorf("before the hall knows: %+v", e)
		}
	}
	_, version := r.List(0)
	r.Listening(false)
	for name, here := range map[string]bool{"one": true, "two": true, "left": false} {
		if e := r.table(t, name); e.Here != here {
			t.Errorf("once the hall knows: %+v", e)
		}
	}
	r.Trouble("the password is refused")
	if l, _ := r.List(version); len(l.Tables) != 2 || l.Why != "the password is refused" {
		t.Errorf("pages are told of %d tables", len(l.Tables))
	}
}

// The newest state wins, in whatever order states arrive.
func TestNewest(t *testing.T) {
	type step struct {
		match string
		seq   int
		how   string // "" live, "kept", "alive"
	}
	for name, c := range map[string]struct {
		steps []step
		match string
		seq   int
	}{
		"in order":            {[]step{{"b", 1, ""}, {"b", 2, ""}}, "b", 2},
		"overtaken":           {[]step{{"b", 2, ""}, {"b", 1, ""}, {"b", 2, "kept"}, {"b", 1, "kept"}}, "b", 2},
		"next match":          {[]step{{"b", 9, ""}, {"c", 0, ""}, {"b", 8, ""}}, "c", 0},
		"late, match is over": {[]step{{"b", 9, ""}, {"c", 0, ""}, {"c", 0, "alive"}, {"b", 10, "kept"}}, "c", 0},
		"no match":            {[]step{{"b", 9, ""}, {"", 0, ""}}, "", 0},
		"after no match":      {[]step{{"", 0, ""}, {"", 0, "alive"}, {"b", 1, ""}}, "b", 1},
		"resumed":             {[]step{{"c", 9, ""}, {"b", 4, ""}, {"b", 4, "alive"}}, "b", 4},
		"resumed, goes on":    {[]step{{"c", 9, ""}, {"b", 4, "alive"}, {"b", 4, ""}, {"b", 5, ""}}, "b", 5},
		"resumed, state lost": {[]step{{"c", 9, ""}, {"b", 4, "alive"}, {"b", 4, "kept"}}, "b", 4},
		"without its end":     {[]step{{"b", 9, ""}, {"b", 7, ""}, {"b", 7, "alive"}, {"b", 7, "alive"}}, "b", 7},
		"a late sign":         {[]step{{"b", 8, ""}, {"b", 7, "alive"}, {"b", 7, ""}, {"b", 8, "alive"}}, "b", 8},
		"sign, overtaken":     {[]step{{"b", 0, ""}, {"b", 0, "alive"}, {"b", 1, ""}, {"b", 0, "kept"}}, "b", 1},
		"match before, kept":  {[]step{{"a", 9, ""}, {"a", 9, "alive"}, {"b", 0, ""}, {"a", 9, "kept"}}, "b", 0},
		"free, kept":          {[]step{{"", 0, ""}, {"", 0, "alive"}, {"b", 0, ""}, {"", 0, "kept"}}, "b", 0},
		"late sign, kept": {[]step{{"b", 0, ""}, {"b", 0, "alive"}, {"b", 1, ""}, {"b", 0, "kept"}, {"b", 0, "alive"}},
			"b", 1},
		"lost, kept": {[]step{{"b", 7, ""}, {"b", 9, "alive"}, {"b", 9, "kept"}}, "b", 9},
	} {
		r := newRoom()
		for _, s := range c.steps {
			if s.how == "alive" {
				r.Alive("one", engine.Null(s.match), s.seq, time.Time{})
			} else {
				r.State("one", state(s.match, s.seq, "red"), s.how == "kept")
			}
		}
		v := r.shown["one"].View
		if e := r.table(t, "one"); string(v.Match) != c.match || v.Seq != c.seq || e.Match != v.Match || e.Seq != v.Seq {
			t.Errorf("%s: match %s, seq %d; want %s, %d", name, v.Match, v.Seq, c.match, c.seq)
		}
	}
}

// The list tells what it says it does, as JSON, and how long somebody is asked.
func TestList(t *testing.T) {
	r := newRoom()
	r.State("one", state("a", 1, "red"), true)
	r.pass(time.Minute)
	r.State("one", state("a", 2, "blue"), false)
	r.pass(30 * time.Second)
	r.State("one", state("a", 3, "blue"), false)
	r.Health("one", engine.Part{Name: "reader-red", Health: engine.Degraded, Reason: "no answer"})
	r.Aside("tableside/x/state", errors.New(strings.Repeat("é", 500)))
	l, version := r.List(0)
	l.Aside.Why = fmt.Sprint(len([]rune(l.Aside.Why)))
	data, err := json.Marshal(l)
	want := `{"at":"2026-11-21T20:01:30Z","listening":true,"since":"2026-11-21T20:00:00Z","keeps":false,` +
		`"aside":{"n":1,"topic":"tableside/x/state","why":"121"},"tables":[{"table":"one","here":true,` +
		`"heard":"2026-11-21T20:01:30Z","call":null,"ahead":0,"known":true,"match":"a","seq":3,"game":"tally/score","title":"Tally","round":3,"rounds":0,` +
		`"score":"points","seats":[{"id":"red","name":"Alice","colour":"#d7263d","score":3},` +
		`{"id":"blue","name":"","colour":"#1b6ec2","score":null}],"asked":[{"seat":"blue","text":"Your turn"}],` +
		`"since":"2026-11-21T20:01:00Z","longer":false,"winners":[],` +
		`"health":[{"part":"reader-red","health":"degraded","reason":"no answer"}]}],"left":[]}`
	if err != nil || string(data) != want {
		t.Errorf("%s\nwant\n%s", data, want)
	}
	if l, now := r.List(version); len(l.Tables) != 0 || now != version {
		t.Errorf("nothing has changed: %+v", l)
	}
	changes := r.changes
	r.State("one", state("a", 3, "blue"), true) // once more, as each minute
	r.Alive("one", "a", 3, time.Time{})
	if r.changes != changes {
		t.Error("what is known already is a change")
	}
	r.State("two", state("a", 1, "red"), true)
	if e := r.table(t, "two"); !e.Longer {
		t.Error("nobody knows how long a table was asked that the hall has just found")
	}
}

// A table that clears its topics, as one that got another name, leaves the list.
func TestForget(t *testing.T) {
	r := newRoom()
	r.Health("one", engine.Part{Name: "page", Health: engine.OK})
	r.Status("one", "online")
	r.State("one", state("a", 1, "red"), false)
	_, version := r.List(0)
	r.Health("one", engine.Part{Name: "page"})
	r.State("one", nil, false)
	r.Status("one", "")
	l, _ := r.List(version)
	if len(l.Tables) != 0 || len(l.Left) != 1 || l.Left[0] != "one" || r.shown["one"] != nil {
		t.Errorf("%+v", l)
	}
	r.Alive("one", "a", 1, time.Time{})
	changes := r.changes
	r.Alive("one", "a", 1, time.Time{})
	if l, now := r.List(0); len(l.Tables) != 0 || r.changes != changes {
		t.Errorf("a sign of life alone is no table, nor a change: %+v, version %d", l, now)
	}
}

// What a table cleared while the hall was away is not repeated by the broker, and goes.
func TestCleared(t *testing.T) {
	r := newRoom()
	page := engine.Part{Name: "page", Health: engine.OK}
	r.State("one", state("a", 1, "red"), true)
	r.Health("one", page)
	r.Health("one", engine.Part{Name: "reader", Health: engine.Broken})
	r.Status("two", "online")
	for round, parts := range []int{2, 2, 1} {
		r.Round() // the broker has nothing in its memory yet, the first time
		if n := len(r.table(t, "one").Health); n != parts {
			t.Errorf("after round %d: %d parts", round, n)
		}
		r.Health("one", page)
	}
	if l, _ := r.List(0); len(l.Tables) != 1 || !l.Tables[0].Known {
		t.Errorf("%+v", l)
	}
	r.Round()
	r.Round()
	if n := len(r.table(t, "one").Health); n != 1 {
		t.Errorf("%d parts after a round without them", n)
	}
}

// Strangers cannot fill the memory: of too many tables and parts some are set aside.
func TestTooMany(t *testing.T) {
	r := newRoom()
	for i := range maxTables + 3 {
		r.Status(fmt.Sprint("t", i), "online")
	}
	for i := range maxParts + 3 {
		r.Health("t0", engine.Part{Name: fmt.Sprint("p", i), Health: engine.OK})
	}
	l, _ := r.List(0)
	if len(l.Tables) != maxTables || l.Aside.N != 3 || len(r.table(t, "t0").Health) != maxParts {
		t.Errorf("%d tables, %d set aside", len(l.Tables), l.Aside.N)
	}
	r.Status("later", "")
	r.Alive("later", "a", 1, time.Time{})
	if after, _ := r.List(0); after.Aside.N != l.Aside.N {
		t.Errorf("%d set aside, though they are no tables", after.Aside.N)
	}

	for i := range maxTables { // all but two give signs of life; one of the two has a state
		if i != 7 && i != 8 {
			r.Alive(fmt.Sprint("t", i), "", 0, time.Time{})
		}
	}
	r.State("t7", state("a", 1, "red"), true)
	r.now = r.now.Add(silenceLimit - time.Second)
	for i := range maxTables {
		if i != 7 && i != 8 {
			r.Alive(fmt.Sprint("t", i), "", 0, time.Time{})
		}
	}
	r.pass(3 * time.Second)
	r.Status("new", "online")
	r.Status("too-many", "online")
	after, _ := r.List(0)
	var names []string
	for _, e := range after.Tables {
		names = append(names, e.Name)
	}
	if len(names) != maxTables || !slices.Contains(names, "new") || slices.Contains(names, "t8") ||
		!slices.Contains(names, "t7") || after.Aside.N != l.Aside.N+1 {
		t.Errorf("%d tables, %d set aside; room is to be made of t8 alone", len(names), after.Aside.N)
	}
}

// TestCall checks that a call stays until the table takes it back, or the broker no longer
// keeps it.
func TestCall(t *testing.T) {
	r := newRoom()
	since := r.now.Add(-time.Minute)
	r.Call("one", since) // the first that is heard of it
	r.State("one", state("m", 3, "red"), true)
	if got := r.table(t, "one").Call; got == nil || !got.Equal(since) {
		t.Fatalf("since %v", got)
	}
	r.Round()
	r.Call("one", since)
	r.Round()
	if r.table(t, "one").Call == nil {
		t.Error("a call that came again is forgotten")
	}
	r.Round()
	r.Round()
	if got := r.table(t, "one").Call; got != nil {
		t.Errorf("a call that the broker does not keep: since %v", got)
	}
	r.Call("one", since)
	r.Call("one", time.Time{})
	if got := r.table(t, "one").Call; got != nil {
		t.Errorf("taken back: since %v", got)
	}
}

// TestClocks compares the clocks of tables with the hall's, as their signs of life tell them.
func TestClocks(t *testing.T) {
	r := newRoom()
	r.State("one", state("a", 1, "red"), false)
	ahead := func(d time.Duration) (changes int) {
		before := r.changes
		r.Alive("one", "a", 1, r.now.Add(d))
		return r.changes - before
	}
	for _, step := range []struct {
		tells, want time.Duration
		changes     int
	}{
		{-20 * time.Second, 0, 0},
		{-26 * time.Hour, -26 * time.Hour, 1},
		{-26*time.Hour - 2*time.Second, -26 * time.Hour, 0}, // it was longer on its way
		{5 * time.Minute, 5 * time.Minute, 1},
		{time.Second, 0, 1}, // somebody has set the clock
	} {
		if got := ahead(step.tells); got != step.changes {
			t.Errorf("%v: %d changes, want %d", step.tells, got, step.changes)
		}
		if got, listed := r.Ahead("one"), r.table(t, "one").Ahead; got != step.want || listed != int(step.want.Seconds()) {
			t.Errorf("%v: got %v, and %d in the list; want %v", step.tells, got, listed, step.want)
		}
	}
	left := int64(600_000)
	s := state("a", 2, "red")
	s.Clock = &engine.ClockView{At: r.now.Add(time.Hour - 4*time.Minute), Running: []engine.Seat{"red"},
		Seats: []engine.ClockSeat{{Seat: "red", Left: &left}}}
	r.State("one", s, true)
	ahead(time.Hour)
	if got := *r.shown["one"].Clock(r.now).Seats[0].Left; got != 360_000 {
		t.Errorf("%d ms are left by a clock that the broker has kept", got)
	}
	r.Alive("one", "a", 1, time.Time{}) // an older program, after an update that was taken back
	if got := r.Ahead("one"); got != 0 {
		t.Errorf("without a time: %v", got)
	}
	if got := r.Ahead("nobody"); got != 0 {
		t.Errorf("an unknown table: %v", got)
	}
}
