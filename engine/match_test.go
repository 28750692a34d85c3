package engine

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// A pen is the smallest game that can fail: it counts keys.
//
//	key plus      counts
//	key minus     counts, and then is refused: the state is half changed
//	key left      panics, half changed
//	key right     fails with an error
//	tap card      is refused unless it is confirmed
//	choose word   counts, and the word is a definition to keep
type pen struct{ broken *bool } // broken: the rules no longer fold

func (pen) Info() Info {
	return Info{Name: "pen/plain", Rules: 2, MinSeats: 1, MaxSeats: 3, Options: []Option{
		{Name: "ink", Default: "blue", Values: []string{"blue", "black"}},
		{Name: "pages", Default: "3", Check: Between(1, 9)},
	}}
}

func (p pen) New(Setup) (func() (State, error), error) {
	return func() (State, error) { return &penState{pen: p}, nil }, nil
}

type penState struct {
	pen
	n  int
	at time.Duration
}

func (s *penState) Apply(in Input) ([]Event, error) {
	if s.broken != nil && *s.broken {
		return nil, errors.New("broken")
	}
	s.n++
	s.at = in.At
	switch {
	case in.Verb == Tap && !in.Confirmed():
		return nil, RefuseUnless("refusal.cannot-be", "card", CardWord(in.Arg(0)))
	case in.Arg(0) == "minus":
		return nil, Refuse("refusal.minus")
	case in.Arg(0) == "left":
		panic("no ink")
	case in.Arg(0) == "right":
		return nil, errors.New("torn paper")
	}
	line := Event{Name: "line", Seat: in.Seat, N: s.n}
	if in.Verb == Choose {
		line.Define = in.Arg(0)
	}
	return []Event{line}, nil
}

func (s *penState) View() View {
	v := View{Phase: "play", Counters: Counters{{"lines", s.n}, {"at", int(s.at / time.Millisecond)}}}
	v.Seats = []SeatView{{ID: "red"}, {ID: "blue"}}
	if s.n >= 9 {
		v.Winners = []Seat{"red"}
	}
	return v
}

func newPen(t *testing.T, p pen) *Match {
	t.Helper()
	m, err := NewMatch(p, Setup{Seats: []Player{{"red", "Alice"}, {"blue", ""}},
		Begin: time.Date(2026, 11, 20, 20, 15, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// do applies a line and returns its events, or the error, in short.
func do(t *testing.T, m *Match, line string) string {
	t.Helper()
	in, err := ParseInput(line)
	if err != nil {
		t.Fatal(err)
	}
	before := m.View()
	step, err := m.Apply(in)
	if err != nil {
		if after := m.View(); !reflect.DeepEqual(before, after) {
			t.Errorf("%q failed, but changed the view to %v", line, after)
		}
		return err.Error()
	}
	var said []string
	for _, e := range step.Events {
		said = append(said, e.Name)
	}
	return strings.Join(said, " ")
}

func lines(m *Match) int {
	v := m.View()
	n, _ := v.Counters.Get("lines")
	return n
}

func TestMatch(t *testing.T) {
	m := newPen(t, pen{})
	for i, c := range []struct {
		line, want string
		lines, seq int
	}{
		{"red undo", "refused: refusal.nothing-to-undo", 0, 0},
		{"red redo", "refused: refusal.nothing-to-redo", 0, 0},
		{"1s red key plus", "line", 1, 1},
		{"red key minus", "refused: refusal.minus", 1, 1},
		{"red key left", `engine: pen/plain: panic in the rules after "red key left": no ink`, 1, 1},
		{"red key right", "torn paper", 1, 1},
		{"red key up", "refused: refusal.no-such-key known=yes, no, left, right, plus, minus, next, roll, undo name=up", 1,
			1},
		{"green key plus", "refused: refusal.no-such-seat name=green", 1, 1},
		{"table key plus", "line", 2, 2},
		{"blue undo", "undo", 1, 3},
		{"blue undo", "undo", 0, 4},
		{"blue redo", "redo line", 1, 5},
		{"red key minus", "refused: refusal.minus", 1, 5}, // a refusal leaves redo open
		{"blue redo", "redo line", 2, 6},
		{"blue redo", "refused: refusal.nothing-to-redo", 2, 6},
		{"red undo", "undo", 1, 7},
		{"red key plus", "line", 2, 8}, // something new closes it
		{"red redo", "refused: refusal.nothing-to-redo", 2, 8},
	} {
		if got := do(t, m, c.line); got != c.want || lines(m) != c.lines || m.Seq() != c.seq {
			t.Fatalf("%d: %q: %q, %d lines, seq %d; want %q, %d, %d", i, c.line, got, lines(m), m.Seq(), c.want, c.lines, c.seq)
		}
	}
	if len(m.Inputs()) != 2 || m.Over() || m.Setup().Option("pages") != "3" || m.Game().Info().Rules != 2 {
		t.Errorf("%d inputs, over %t, setup %v", len(m.Inputs()), m.Over(), m.Setup())
	}
}

func TestTimeRunsOn(t *testing.T) {
	m := newPen(t, pen{})
	for _, c := range []struct{ at, want time.Duration }{
		{5 * time.Second, 5 * time.Second},
		{2 * time.Second, 5 * time.Second}, // a clock that was set back
		{-time.Hour, 5 * time.Second},
		{6*time.Second + 1600*time.Microsecond, 6*time.Second + 2*time.Millisecond}, // as the journal keeps it
		{math.MaxInt64, maxAt},                                                      // a clock that jumped
		{7 * time.Second, maxAt},
	} {
		step, err := m.Apply(Input{At: c.at, Seat: "red", Verb: Key, Args: []string{"plus"}})
		line := step.Input
		if err != nil || line.At != c.want || m.Last() != c.want {
			t.Errorf("%v: line at %v, %v; want %v", c.at, line.At, err, c.want)
		}
		if again, err := ParseInput(line.String()); err != nil || again.At != line.At {
			t.Errorf("%v: the line %q reads back as %v, %v", c.at, line, again, err)
		}
	}
}

// TestStepPosition checks that a Step holds the position in the list of inputs
// and the undone input, so that no caller needs to count.
func TestStepPosition(t *testing.T) {
	m := newPen(t, pen{})
	for _, c := range []struct {
		line     string
		position int
		undone   string
	}{
		{"red key plus", 1, ""}, {"red key no", 2, ""}, {"blue key plus", 3, ""},
		{"red undo", 2, "blue key plus"}, {"red undo", 1, "red key no"}, {"red redo", 2, ""},
		{"red undo", 1, "red key no"}, {"blue key no", 2, ""}, {"red undo", 1, "blue key no"},
		{"red undo", 0, "red key plus"},
	} {
		in, _ := ParseInput(c.line)
		step, err := m.Apply(in)
		if err != nil {
			t.Fatalf("%s: %v", c.line, err)
		}
		undone := ""
		if step.Undone.Verb != "" {
			undone = step.Undone.Command()
		}
		if step.Position != c.position || undone != c.undone || m.Position() != c.position {
			t.Errorf("%s: got position %d, undone %q; want %d, %q", c.line, step.Position, undone, c.position, c.undone)
		}
		for _, e := range step.Events {
			if e.Position != c.position || e.Seq != m.Seq() {
				t.Errorf("%s: event %+v", c.line, e)
			}
		}
	}
}

// TestOverride checks that an input that yes confirms is journalled with
// "anyway": the replay needs no yes.
// TestViewAfterUndo looks at the match only after an undo, and twice after a redo.
func TestViewAfterUndo(t *testing.T) {
	m := newPen(t, pen{})
	for _, in := range []Input{{Seat: "red", Verb: Key, Args: []string{"plus"}}, {Seat: "red", Verb: Undo}} {
		if _, err := m.Apply(in); err != nil {
			t.Fatal(err)
		}
	}
	if n, _ := m.View().Counters.Get("lines"); n != 0 {
		t.Errorf("%d lines after the undo", n)
	}
	if _, err := m.Apply(Input{Seat: "red", Verb: Redo}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		v := m.View()
		if n, _ := v.Counters.Get("lines"); n != 1 || v.Seats[0].Name != "Alice" {
			t.Errorf("%d lines after the redo, seat %q", n, v.Seats[0].Name)
		}
	}
}

func TestOverride(t *testing.T) {
	refused := "refused: refusal.cannot-be card=card.zombie"
	for name, c := range map[string]struct {
		lines []string
		want  string // of the last
		put   string // in the journal
	}{
		"yes":                  {[]string{"red tap zombie.1", "2s red key yes"}, "line", "2s red tap zombie.1 anyway"},
		"yes of all":           {[]string{"red tap zombie.1", "table key yes"}, "line", "0s red tap zombie.1 anyway"},
		"yes of another":       {[]string{"red tap zombie.1", "blue key yes"}, "line", "0s blue key yes"},
		"yes too late":         {[]string{"red tap zombie.1", "blue key plus", "red key yes"}, "line", "0s red key yes"},
		"no":                   {[]string{"red tap zombie.1", "red key no"}, "line", "0s red key no"},
		"yes alone":            {[]string{"red key yes"}, "line", "0s red key yes"},
		"at once":              {[]string{"red tap zombie.1 anyway"}, "line", "0s red tap zombie.1 anyway"},
		"again":                {[]string{"red tap zombie.1", "red tap zombie.1"}, refused, ""},
		"no override for this": {[]string{"red key minus", "red key yes"}, "line", "0s red key yes"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newPen(t, pen{})
			got, put := "", ""
			for _, line := range c.lines {
				in, _ := ParseInput(line)
				step, err := m.Apply(in)
				if got, put = "line", step.Input.String(); err != nil {
					got, put = err.Error(), ""
				}
			}
			if got != c.want || put != c.put {
				t.Errorf("%q, %q; want %q, %q", got, put, c.want, c.put)
			}
		})
	}
}

// TestUnreadable checks that an input that the journal could not read back is
// refused.
func TestUnreadable(t *testing.T) {
	m := newPen(t, pen{})
	for _, in := range []Input{
		{Seat: "red", Verb: "dance"},
		{Seat: "red", Verb: ""},
		{Seat: "red", Verb: Tap},
		{Seat: "red", Verb: Tap, Args: []string{"a\nb"}},
		{Seat: "red", Verb: Tap, Args: []string{"\xff"}},
		{Seat: "red", Verb: Undo, Args: []string{"all"}},
		{Seat: "red", Verb: Set, Args: []string{"name", strings.Repeat("é", MaxLine)}},
	} {
		_, err := m.Apply(in)
		if r, ok := AsRefusal(err); !ok || r.Text.Key != "refusal.unreadable" {
			t.Errorf("%v: %v", in, err)
		}
	}
}

func TestRename(t *testing.T) {
	m := newPen(t, pen{})
	name := func() string { v := m.View(); return v.Seat("blue").Name }
	if do(t, m, `blue set name "Mary Ann"`) != "renamed" || name() != "Mary Ann" || lines(m) != 0 {
		t.Errorf("blue is called %q after %d lines", name(), lines(m))
	}
	for _, line := range []string{"table set name X", `blue set name ""`, "blue set name a b",
		"blue set name " + strings.Repeat("é", 25)} {
		if got := do(t, m, line); got != "refused: refusal.name" {
			t.Errorf("%q: %s", line, got)
		}
	}
	if do(t, m, "blue undo") != "undo" || name() != "" {
		t.Errorf("blue is called %q", name())
	}
}

// TestBrokenRules checks that rules that no longer fold, which is a bug, leave
// the match unchanged.
func TestBrokenRules(t *testing.T) {
	broken := false
	m := newPen(t, pen{&broken})
	do(t, m, "red key plus")
	do(t, m, "red key plus")
	do(t, m, "red undo")
	broken = true
	in, _ := ParseInput("red redo")
	if _, err := m.Apply(in); err == nil {
		t.Error("redo is accepted")
	}
	in.Verb = Undo
	if _, err := m.Apply(in); err != nil {
		t.Errorf("undo to the beginning needs no rules: %v", err)
	}
	broken = false
	if got := do(t, m, "red redo"); got != "redo line" || lines(m) != 1 {
		t.Errorf("%s, %d lines", got, lines(m))
	}
	broken = false
	do(t, m, "red redo")
	broken = true
	if _, err := m.Apply(in); err == nil {
		t.Error("undo is accepted")
	}
	broken = false
	if got := do(t, m, "red key plus"); got != "line" || lines(m) != 3 {
		t.Errorf("%s, %d lines", got, lines(m))
	}
}

func TestComplete(t *testing.T) {
	seats := []Player{{"red", ""}}
	for want, s := range map[string]Setup{
		"setup.seats max=3 min=1 n=0": {},
		"setup.seats max=3 min=1 n=4": {Seats: []Player{{"a", ""}, {"b", ""}, {"c", ""},
			{"d", ""}}},
		"setup.seat-name name=Red":                            {Seats: []Player{{"Red", ""}}},
		"setup.seat-name name=table":                          {Seats: []Player{{"table", ""}}},
		"setup.seat-name name=mark":                           {Seats: []Player{{"mark", ""}}},
		"setup.seat-name name=end":                            {Seats: []Player{{"end", ""}}},
		"setup.computer-seat name=red":                        {Seats: []Player{{"a", ""}}, Computer: map[Seat]string{"red": "easy"}},
		"setup.computer known=easy, normal, strong name=best": {Seats: []Player{{"a", ""}}, Computer: map[Seat]string{"a": "best"}},
		"setup.seat-twice name=red":                           {Seats: []Player{{"red", ""}, {"red", ""}}},
		"setup.name-unseen name=a?b":                          {Seats: []Player{{"red", "a\nb"}}},
		"setup.name-unseen name=?evil?":                       {Seats: []Player{{"red", "\u202eevil\x00"}}},
		"setup.name-long n=25 name=abcdefghijklmnopqrstuvwxy": {Seats: []Player{{"red", "abcdefghijklmnopqrstuvwxy"}}},
		"setup.first name=blue":                               {Seats: seats, First: "blue"},
		"setup.pool-seat name=blue":                           {Seats: seats, Pools: []Pool{{"blue", "zombie", 1}}},
		"setup.option-unknown known=ink, pages, clock-minutes, clock-turn, clock-add name=paper": {Seats: seats,
			Options: map[string]string{"paper": "a4"}},
		"setup.option-value known=blue, black name=ink value=red": {Seats: seats, Options: map[string]string{"ink": "red"}},
		"setup.option-reason name=pages reason={setup.whole-number map[high:9 low:1]} value=10": {Seats: seats,
			Options: map[string]string{"pages": "10"}},
		// The head of the journal would not read back.
		"setup.unreadable": {Seats: seats, Pools: []Pool{{"red", "zombie\nfirst red", 1}}},
	} {
		if _, err := (pen{}).Info().Complete(s); message(err) != want {
			t.Errorf("%+v: %v\nwant %s", s, err, want)
		}
	}
	duel := pen{}.Info()
	duel.MinSeats, duel.MaxSeats = 2, 2
	if _, err := duel.Complete(Setup{Seats: seats}); message(err) != "setup.seats-fixed n=1 of=2" {
		t.Error(err)
	}
	for _, s := range []Setup{
		{Seats: seats, Pools: []Pool{{"red", "zombie", 100}}},
		{Seats: seats, Definitions: []string{""}},
		{Seats: seats, Definitions: []string{"# nothing"}},
		{Seats: seats, Definitions: []string{" card zombie"}},
		{Seats: seats, Definitions: []string{"card zombie\nfirst red"}},
		{Seats: seats, Rules: -1},
		{Seats: seats, Begin: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		if _, err := (pen{}).Info().Complete(s); message(err) != "setup.unreadable" {
			t.Errorf("%+v: %v", s, err)
		}
	}
	s, err := (pen{}).Info().Complete(Setup{Seats: seats, Options: map[string]string{"ink": "black"}})
	if err != nil || s.Rules != 2 || s.Game != "pen/plain" || s.Option("pages") != "3" || s.Option("ink") != "black" {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestListOption checks that a list option takes each of its values once, in any
// order, with the spaces that people type.
func TestListOption(t *testing.T) {
	o := Option{Name: "decks", Values: []string{"forest", "sea"}, List: true}
	for value, want := range map[string]string{
		"sea":          "",
		"sea , forest": "",
		"":             "setup.list-empty",
		"sea,":         "setup.list-empty",
		"Sea":          "setup.list-unknown",
		"sea forest":   "setup.list-unknown",
		"sea, sea":     "setup.list-twice",
	} {
		got := ""
		if e, ok := o.Accepts(value).(*SetupError); ok {
			got = e.Text.Args["reason"].(Text).Key
		}
		if got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
	// A value that the journal could not read back is refused, even if trimming would mend it.
	info := Info{Name: "deck/plain", MaxSeats: 1, MinSeats: 1, Options: []Option{o}}
	if _, err := info.Complete(Setup{Seats: []Player{{"red", ""}},
		Options: map[string]string{"decks": "sea,\nforest"}}); message(err) != "setup.unreadable" {
		t.Error(err)
	}
}

// TestRefuseAnswer checks that a refused answer is quoted as it was typed, and a
// key by its label.
func TestRefuseAnswer(t *testing.T) {
	for line, want := range map[string]string{
		"red choose plus": "refused: refusal.no-answer word=plus",
		"red key plus":    "refused: refusal.no-answer word=key.plus",
	} {
		in, err := ParseInput(line)
		if err != nil {
			t.Fatal(err)
		}
		if got := RefuseAnswer(in).Error(); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}
