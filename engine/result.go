package engine

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// A Result sums up a match. It holds the ranking, the points of each round and the moves that
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
	Winners []Seat        `json:"winners"`
	Seats   []Standing    `json:"seats"`  // the best first
	Rounds  []RoundResult `json:"rounds"` // the rounds that are over; none in a game without rounds
	Moves   []Decision    `json:"moves"`  // those that mattered, in the order of play
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
	Points map[Seat]int `json:"points"` // gained in this round
	Totals map[Seat]int `json:"totals"` // at its end
	Lines  []string     `json:"lines"`  // the events of the input that ended it
}

// A Decision is a move that mattered: it brought the winners furthest ahead, or it
// ended the match.
type Decision struct {
	Seq    int      `json:"n"` // number of the input among those in force
	Seat   Seat     `json:"seat"`
	Round  int      `json:"round"`  // 0 without rounds
	Second int      `json:"second"` // of the match
	Swing  int      `json:"swing"`  // by how much more the winners are ahead after it
	Lines  []string `json:"lines"`  // its events
}

// maxDecisions is the greatest number of moves of a match that count as decisive.
const maxDecisions = 4

// A moment describes the table after one input, or before the first one. It holds the value
// that one counter has for each seat.
type moment struct {
	input  Input
	events []Event
	round  int
	values map[Seat]int
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

// Result sums up the match as far as it was played, in a language. It folds all inputs again. If
// the inputs no longer fold, Result returns an error.
func (m *Match) Result(lang Lang) (Result, error) {
	last := m.View()
	moments, err := retrace(m, counterOf)
	if err != nil {
		return Result{}, err
	}
	words, names := m.Words(), last.Names()
	say := func(events []Event) []string {
		lines := []string{}
		for _, e := range words.SpeakEvents(lang, events, names) {
			if e.Spoken != "" {
				lines = append(lines, e.Spoken)
			}
		}
		return lines
	}
	r := Result{
		Match: last.Match, Game: last.Game, Title: words.Say(lang, Text{Key: "game." + Title(string(last.Game))}, nil),
		Begin: m.setup.Begin, Seconds: int(m.last / time.Second), Over: len(last.Winners) > 0, Winners: last.Winners,
	}
	r.Counter, r.Seats = last.Standings()
	for i, s := range r.Seats {
		r.Seats[i].Shown = cmp.Or(s.Name, words.Say(lang, Text{Key: "seat." + string(s.Seat)}, nil))
	}
	if r.Label = r.Counter; words.Has("counter." + r.Counter) {
		r.Label = words.Say(lang, Text{Key: "counter." + r.Counter}, nil)
	}
	r.Rounds = summariseRounds(&last, moments, say)
	last.Sheet.correctRounds(r.Rounds, valuesOf(&last, r.Counter))
	r.Moves = findDecisions(&last, leaders(r), moments, say)
	return r, nil
}

// retrace folds the inputs in force once more and follows one counter. It returns the moment
// before the first input and the moment after each input. Each moment has the values of the
// counter. The callback returns the name of the counter, given the view at the beginning. The
// view at the end may show another counter first.
func retrace(of *Match, choose func(*View) string) (moments []moment, err error) {
	m, err := NewMatch(of.game, of.setup)
	if err != nil {
		return nil, err
	}
	begin := m.View()
	counter := choose(&begin)
	note := func(in Input, events []Event) {
		v := m.state.View()
		moments = append(moments, moment{in, slices.Clone(events), v.Round, valuesOf(&v, counter)})
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

// leaders returns the winners. As long as there are none, it returns the seats that are ahead.
func leaders(r Result) []Seat {
	var ahead []Seat
	for _, s := range r.Seats {
		if s.Won || !r.Over && s.Rank == 1 {
			ahead = append(ahead, s.Seat)
		}
	}
	return ahead
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
			list = append(list, RoundResult{Round: previous.round, Points: points, Totals: now.values, Lines: say(now.events)})
			points = map[Seat]int{}
		}
	}
	return list
}

// findDecisions returns the moves that brought the leaders furthest ahead of the others. It
// also returns the move that ended the match. It returns at most maxDecisions moves, in the
// order of play.
//
// findDecisions needs the view at the end of the match, and the moments from retrace.
func findDecisions(view *View, leaders []Seat, moments []moment, say func([]Event) []string) []Decision {
	chosen := []Decision{}
	weights := map[int]int{} // by Seq
	for i, now := range moments[1:] {
		previous := moments[i]
		d := Decision{Seq: i + 1, Seat: now.input.Seat, Round: previous.round, Second: int(now.input.At / time.Second)}
		for seat, n := range now.values {
			change := view.Worth(n - previous.values[seat])
			if !slices.Contains(leaders, seat) {
				change = -change
			}
			d.Swing += change
		}
		final := i == len(moments)-2 && len(view.Winners) > 0
		if weights[d.Seq] = d.Swing; final {
			weights[d.Seq] = math.MaxInt
		}
		if final || d.Swing > 0 && len(now.events) > 0 {
			chosen = append(chosen, d)
		}
	}
	slices.SortFunc(chosen, func(a, b Decision) int {
		return cmp.Or(cmp.Compare(weights[b.Seq], weights[a.Seq]), cmp.Compare(b.Seq, a.Seq))
	})
	chosen = chosen[:min(len(chosen), maxDecisions)]
	slices.SortFunc(chosen, func(a, b Decision) int { return cmp.Compare(a.Seq, b.Seq) })
	for i, d := range chosen {
		chosen[i].Lines = say(moments[d.Seq].events)
	}
	return chosen
}
