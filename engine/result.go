package engine

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// A Result sums up a match. It holds the ranking, the points of each round and the moments that
// mattered. The Result is computed from the journal. So a table that was switched off during
// the match comes to the same result.
type Result struct {
	Match   Null          `json:"match"`
	Game    Null          `json:"game"`
	Title   string        `json:"title"` // of the game
	Begin   time.Time     `json:"begin"`
	Seconds int           `json:"seconds"` // of play, up to the last input
	Over    bool          `json:"over"`
	Counter string        `json:"counter"` // by which the seats are compared; "" if they are not
	Label   string        `json:"label"`   // what the counter is called
	Scored  bool          `json:"scored"`  // the counter counts points, rather than lives
	Winners []Seat        `json:"winners"`
	Why     string        `json:"why"`             // a sentence that explains the end; "" if there is nothing to say
	Seats   []Standing    `json:"seats"`           // the best first
	Sides   [][]Seat      `json:"sides"`           // the players or teams, the best first
	Rounds  []RoundResult `json:"rounds"`          // the rounds that are over; none in a game without rounds
	Apart   []Apart       `json:"apart,omitempty"` // points of a round that did not come from playing it
	Moves   []Decision    `json:"moves"`           // those that mattered, in the order of play
	Course  Course        `json:"course"`          // of the race, for a chart
}

// A Standing is the place of a seat in the ranking. Seats that tie have the same rank.
type Standing struct {
	Seat   Seat   `json:"seat"`
	Name   string `json:"name"` // as typed
	Shown  string `json:"-"`    // Name, or else what the seat is called; only in a Result
	Colour string `json:"colour"`
	Rank   int    `json:"rank"` // from 1
	Won    bool   `json:"won"`
	Value  int    `json:"value"` // of the counter
}

// A RoundResult holds the points that each seat got in a round, and the totals after it.
type RoundResult struct {
	Round  int          `json:"round"`
	Seq    int          `json:"n"`      // number of the input that ended it, among those in force
	Second int          `json:"second"` // of the match, when it ended
	Points map[Seat]int `json:"points"` // gained in this round
	Totals map[Seat]int `json:"totals"` // at its end
	Lines  []string     `json:"lines"`  // the events of the input that ended it
}

// Apart holds points that are part of a round, but did not come from playing it. An event of the
// game brought them: that whose name has the key "apart.<event>" in the game's catalogue.
type Apart struct {
	Event  string       `json:"event"`
	Label  string       `json:"label"`
	Round  int          `json:"round"`
	Points map[Seat]int `json:"points"`
}

// A Decision is a round or a turn that changed the race most, or the turn that ended the match.
type Decision struct {
	Seq    int      `json:"n"`      // number of its last input that counts, among those in force
	Seat   Seat     `json:"seat"`   // who it is about
	Round  int      `json:"round"`  // 0 without rounds
	Second int      `json:"second"` // of the match
	Swing  int      `json:"swing"`  // by how much further ahead the winners are after it
	Text   string   `json:"text"`   // in one sentence
	Lines  []string `json:"lines"`  // its events
}

// A moment describes the table after one input, or before the first one. It holds the values
// that two counters have for each seat: that by which the seats are compared, and that of the
// race.
type moment struct {
	input  Input
	events []Event
	round  int
	turn   Null
	values map[Seat]int
	race   map[Seat]int
}

// Summarise computes the result of a match from its journal, in a language. The game must be the
// game of the journal. Summarise calls limit before every line, unless limit is nil. If limit returns
// an error, or the match cannot be replayed to its end, Summarise returns the error.
func Summarise(game Game, j *Journal, lang Lang, limit func() error) (Result, error) {
	m, err := Replay(game, j, limit, nil)
	if err != nil {
		return Result{}, err
	}
	return m.Result(lang)
}

// Result sums up the match as far as it was played, in a language, with the three moves that
// mattered most. It folds all inputs again. If the inputs no longer fold, Result returns an error.
func (m *Match) Result(lang Lang) (Result, error) { return m.ResultWith(3, lang) }

// ResultWith is Result with at most the given number of moves.
func (m *Match) ResultWith(moves int, lang Lang) (Result, error) {
	last := m.View()
	counter, race := "", ""
	moments, err := retrace(m, func(v *View) (string, string) {
		counter, race = counterOf(v), trackedCounter(v)
		if v.TablePlays() {
			race = counter
		}
		return counter, race
	})
	if err != nil {
		return Result{}, err
	}
	words := m.Words()
	r := Result{
		Match: last.Match, Game: last.Game, Title: words.TitleOf(lang, string(last.Game), last.Preset),
		Begin: m.setup.Begin, Seconds: int(m.last / time.Second), Over: len(last.Winners) > 0, Winners: last.Winners,
	}
	r.Counter, r.Seats = last.Standings()
	for i, s := range r.Seats {
		r.Seats[i].Shown = cmp.Or(s.Name, words.Say(lang, Text{Key: "seat." + string(s.Seat)}, nil))
	}
	t := teller{lang: lang, words: words, names: last.Names(), view: &last, counter: counter, moments: moments}
	r.Label = t.label(r.Counter)
	r.Scored = isScored(&last, r, counter, moments[0].values)
	r.Sides = sidesOf(&last, r.Seats)
	r.Rounds = summariseRounds(&last, moments, t.lines)
	last.Sheet.correctRounds(r.Rounds, valuesOf(&last, r.Counter))
	r.Course = courseOf(race, moments, m.setup.Seats)
	r.Course.Label = t.label(race)
	t.tell(&r, moves)
	return r, nil
}

// isScored reports whether the counter of a result counts points. Points begin at 0, or the
// fewest win, or the counter was not there at the beginning. Lives begin with some, and who has
// none is out.
func isScored(last *View, r Result, atFirst string, begin map[Seat]int) bool {
	if r.Counter == "" {
		return false
	}
	if left := slices.DeleteFunc(slices.Clone(last.Seats), func(s SeatView) bool { return slices.Contains(s.State, "out") }); len(left) == len(r.Winners) {
		return false // the others are out
	}
	if r.Counter != atFirst || last.Sheet != nil && last.Sheet.Low {
		return true
	}
	for _, n := range begin {
		if n != 0 {
			return false
		}
	}
	return true
}

// Begins reports whether somebody begins in this match, or has begun: not where all count at once.
func (m *Match) Begins() bool { return m.info.FindsFirst || m.state.View().First != "" }

// Loser returns who alone is last in the ranking of a match that is over, and may begin the next
// one. It returns "" if nobody begins in this game, if all have won, or if the table plays.
func (m *Match) Loser() Seat {
	v := m.View()
	if len(v.Winners) == 0 || !m.Begins() || v.TablePlays() {
		return ""
	}
	_, seats := v.Standings()
	n := len(seats)
	if seats[n-1].Won || n > 1 && seats[n-2].Rank == seats[n-1].Rank {
		return ""
	}
	return seats[n-1].Seat
}

// sidesOf returns the players or teams, the best first. The columns of a sheet are the teams.
func sidesOf(v *View, seats []Standing) [][]Seat {
	sides, placed := [][]Seat{}, map[Seat]bool{}
	for _, s := range seats {
		if placed[s.Seat] {
			continue
		}
		side := []Seat{s.Seat}
		if v.Sheet != nil {
			for _, column := range v.Sheet.Columns {
				if slices.Contains(column, s.Seat) {
					side = column
				}
			}
		}
		for _, seat := range side {
			placed[seat] = true
		}
		sides = append(sides, side)
	}
	return sides
}

// retrace folds the inputs in force once more and follows two counters. It returns the moment
// before the first input and the moment after each input. The callback returns the names of the
// counter of a moment's values and of that of its race, given the view at the beginning. The view
// at the end may show another counter first.
func retrace(of *Match, choose func(*View) (counter, race string)) (moments []moment, err error) {
	m, err := NewMatch(of.game, of.setup)
	if err != nil {
		return nil, err
	}
	begin := m.View()
	counter, race := choose(&begin)
	note := func(in Input, events []Event) {
		v := m.state.View()
		now := moment{input: in, events: slices.Clone(events), round: v.Round, turn: v.Turn, values: valuesOf(&v, counter)}
		if now.race = now.values; race != counter {
			now.race = valuesOf(&v, race)
		}
		moments = append(moments, now)
	}
	note(Input{}, nil)
	for _, in := range of.done {
		step, err := m.Apply(in)
		if err != nil {
			return nil, fmt.Errorf("fold %q again: %w", in.Command(), err)
		}
		note(in, step.Events)
	}
	return moments, nil
}

// counterOf returns the counter that shows how well a seat is doing. If the table plays, this
// is the first counter of the table. Otherwise it is the first counter of the seats. If there
// is no such counter, counterOf returns "".
func counterOf(v *View) string {
	counters := v.Counters
	if !v.TablePlays() {
		counters = nil
		if len(v.Seats) > 0 {
			counters = v.Seats[0].Counters
		}
	}
	if len(counters) == 0 {
		return ""
	}
	return counters[0].Name
}

// valuesOf returns the value of a counter for each seat that has the counter. If the table
// plays, the result also holds the value for the table.
func valuesOf(v *View, counter string) map[Seat]int {
	values := map[Seat]int{}
	for _, s := range v.Seats {
		if n, has := s.Counters.Get(counter); has {
			values[s.ID] = n
		}
	}
	if n, has := v.Counters.Get(counter); has && v.TablePlays() {
		values[Table] = n
	}
	return values
}

// Standings returns the present ranking. The first result is the name of the counter that
// compares the seats, or "". The second result holds the seats, the best first. The winners
// come first, and the losing seats that are out of the game come last. Each group is in the
// order of the counter. If the table plays, it has a place too. Then there is no counter,
// because all players win or lose together.
func (v *View) Standings() (counter string, seats []Standing) {
	against := v.TablePlays()
	if !against {
		counter = counterOf(v)
	}
	group := map[Seat]int{} // 0 for most
	for _, seat := range v.Winners {
		group[seat] = -1
	}
	for _, s := range v.Seats {
		if slices.Contains(s.State, "out") && group[s.ID] == 0 {
			group[s.ID] = 1
		}
		n, _ := s.Counters.Get(counter)
		seats = append(seats, Standing{Seat: s.ID, Name: s.Name, Colour: s.Colour, Won: group[s.ID] < 0, Value: n})
	}
	if against {
		seats = append(seats, Standing{Seat: Table, Won: group[Table] < 0})
	}
	order := func(a, b Standing) int {
		return cmp.Or(cmp.Compare(group[a.Seat], group[b.Seat]), cmp.Compare(v.Worth(b.Value), v.Worth(a.Value)))
	}
	slices.SortStableFunc(seats, order)
	for i := range seats {
		seats[i].Rank = i + 1
		if i > 0 && order(seats[i-1], seats[i]) == 0 {
			seats[i].Rank = seats[i-1].Rank
		}
	}
	return counter, seats
}

// summariseRounds returns the results of the rounds that are over, with the changes of the
// counter. An input that ends a round belongs to the round, with all its changes.
//
// summariseRounds needs the view at the end of the match, and the moments from retrace.
func summariseRounds(view *View, moments []moment, say func([]Event) []string) []RoundResult {
	list := []RoundResult{}
	points := map[Seat]int{}
	for i, now := range moments[1:] {
		previous := moments[i]
		for seat, n := range now.values {
			points[seat] += n - previous.values[seat]
		}
		over := i == len(moments)-2 && len(view.Winners) > 0
		if previous.round > 0 && (now.round > previous.round || over) {
			list = append(list, RoundResult{Round: previous.round, Seq: i + 1, Second: int(now.input.At / time.Second),
				Points: points, Totals: now.values, Lines: say(now.events)})
			points = map[Seat]int{}
		}
	}
	return list
}
