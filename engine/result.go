package engine

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// A Result sums up a match. It holds the ranking, the points of each round and the moves that
// mattered. The Result is computed from the journal. So a table that was switched off during
// the match comes to the same result.
type Result struct {
	Match   Null          `json:"match"`
	Game    Null          `json:"game"`
	Title   string        `json:"title"` // of the game; filled by In
	Begin   time.Time     `json:"begin"`
	Seconds int           `json:"seconds"` // of play, up to the last input
	Over    bool          `json:"over"`
	Counter string        `json:"counter"` // by which the seats are compared; "" if they are not
	Label   string        `json:"label"`   // what the counter is called; filled by In
	Winners []Seat        `json:"winners"`
	Seats   []Standing    `json:"seats"`  // the best first
	Rounds  []RoundResult `json:"rounds"` // the rounds that are over; none in a game without rounds
	Moves   []Decision    `json:"moves"`  // those that mattered, in the order of play

	words Words
}

// A Standing is the place of a seat in the ranking. Seats that tie have the same rank.
type Standing struct {
	Seat   Seat   `json:"seat"`
	Name   string `json:"name"` // as typed
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
	Lines  []string     `json:"lines"`  // the events of the input that ended it; filled by In

	events []Event
}

// A Decision is a move that mattered: it brought the winners furthest ahead, or it
// ended the match.
type Decision struct {
	Seq    int      `json:"n"` // number of the input among those in force
	Seat   Seat     `json:"seat"`
	Round  int      `json:"round"`  // 0 without rounds
	Second int      `json:"second"` // of the match
	Swing  int      `json:"swing"`  // by how much more the winners are ahead after it
	Lines  []string `json:"lines"`  // its events; filled by In

	events []Event
}

// maxDecisions is the greatest number of moves of a match that count as decisive.
const maxDecisions = 4

// A moment describes the table after one input. It holds the value that one counter has for
// each seat.
type moment struct {
	input  Input
	events []Event
	round  int
	values map[Seat]int
}

// Summarise computes the result of a match from its journal. The game must be the game of the
// journal. If the match cannot begin, Summarise returns an error. If today's rules refuse an
// input, the error is a *SyntaxError.
func Summarise(game Game, j *Journal) (Result, error) {
	m, err := NewMatch(game, j.Setup)
	if err != nil {
		return Result{}, err
	}
	for _, line := range j.Lines {
		if line.Mark != nil {
			continue
		}
		if _, err := m.Apply(line.Input); err != nil {
			return Result{}, Faultf(line.Number, "today's rules refuse the input %q", line.Input.Command())
		}
	}
	return m.Result()
}

// Standings returns the present ranking of the match. The first result is the name of the
// counter that compares the seats. If no counter compares the seats, this result is "". The
// second result holds the seats, the best first.
func (m *Match) Standings() (counter string, seats []Standing) {
	view, r := m.View(), Result{}
	r.rank(&view)
	return r.Counter, r.Seats
}

// Result sums up the match as far as it was played. It folds all inputs again. If the inputs
// no longer fold, Result returns an error.
func (m *Match) Result() (Result, error) {
	last := m.View()
	first, moments, err := retrace(m.game, m, counterOf)
	if err != nil {
		return Result{}, err
	}
	r := Result{
		Match: last.Match, Game: last.Game, Begin: m.setup.Begin, Seconds: int(m.last / time.Second),
		Over: len(last.Winners) > 0, Winners: last.Winners, Rounds: []RoundResult{}, Moves: []Decision{}, words: m.Words(),
	}
	r.rank(&last)
	r.Rounds = summariseRounds(&last, first, moments)
	last.Sheet.correctRounds(r.Rounds, valuesOf(&last, r.Counter))
	r.Moves = findDecisions(&last, leaders(r), first, moments)
	return r, nil
}

// retrace folds the inputs in force once more and follows one counter. It returns the moment
// before the first input and the moment after each input. Each moment has the values of the
// counter. The callback returns the name of the counter, given the view at the beginning. The
// view at the end may show another counter first.
func retrace(game Game, of *Match, choose func(*View) string) (first moment, moments []moment, err error) {
	m, err := NewMatch(game, of.setup)
	if err != nil {
		return first, nil, err
	}
	m.trusted = true
	begin := m.View()
	counter := choose(&begin)
	at := func() moment {
		v := m.Outline()
		return moment{round: v.Round, values: valuesOf(&v, counter)}
	}
	first = at()
	for _, in := range of.done {
		step, err := m.Apply(in)
		if err != nil {
			return first, nil, fmt.Errorf("fold %q again: %w", in.Command(), err)
		}
		now := at()
		now.input, now.events = in, slices.Clone(step.Events)
		moments = append(moments, now)
	}
	return first, moments, nil
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

// rank fills in the Counter and the Seats. The winners come first, and the losing seats that
// are out of the game come last. Each group is in the order of the counter. If the table
// plays, it has a place too. Then there is no counter, because all players win or lose
// together.
func (r *Result) rank(v *View) {
	against := v.TablePlays()
	if !against {
		r.Counter = counterOf(v)
	}
	out := map[Seat]int{}
	for _, s := range v.Seats {
		n, _ := s.Counters.Get(r.Counter)
		won := slices.Contains(v.Winners, s.ID)
		r.Seats = append(r.Seats, Standing{Seat: s.ID, Name: s.Name, Colour: s.Colour, Won: won, Value: n})
		if slices.Contains(s.State, "out") && !won {
			out[s.ID] = 1
		}
	}
	if against {
		r.Seats = append(r.Seats, Standing{Seat: Table, Won: slices.Contains(v.Winners, Table)})
	}
	order := func(a, b Standing) int {
		return cmp.Or(boolCompare(b.Won, a.Won), cmp.Compare(out[a.Seat], out[b.Seat]),
			cmp.Compare(v.Worth(b.Value), v.Worth(a.Value)))
	}
	slices.SortStableFunc(r.Seats, order)
	for i := range r.Seats {
		r.Seats[i].Rank = i + 1
		if i > 0 && order(r.Seats[i-1], r.Seats[i]) == 0 {
			r.Seats[i].Rank = r.Seats[i-1].Rank
		}
	}
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// leaders returns the winners. As long as there are none, it returns the seats that are ahead.
func leaders(r Result) []Seat {
	if r.Over {
		return r.Winners
	}
	var ahead []Seat
	for _, s := range r.Seats {
		if s.Rank == 1 {
			ahead = append(ahead, s.Seat)
		}
	}
	return ahead
}

// summariseRounds returns the results of the rounds that are over, with the changes of the
// counter. An input that ends a round belongs to the round, with all its changes.
//
// summariseRounds needs the table before the first input, the table after each input, and the
// view at the end of the match.
func summariseRounds(view *View, previous moment, moments []moment) []RoundResult {
	list := []RoundResult{}
	points := map[Seat]int{}
	for i, now := range moments {
		for seat, n := range now.values {
			points[seat] += n - previous.values[seat]
		}
		over := i == len(moments)-1 && len(view.Winners) > 0
		if previous.round > 0 && (now.round > previous.round || over) {
			list = append(list, RoundResult{Round: previous.round, Points: points, Totals: now.values, events: now.events})
			points = map[Seat]int{}
		}
		previous = now
	}
	return list
}

// findDecisions returns the moves that brought the leaders furthest ahead of the others. It
// also returns the move that ended the match. It returns at most maxDecisions moves, in the
// order of play.
//
// findDecisions needs the table before the first input, the table after each input, and the
// view at the end of the match.
func findDecisions(view *View, leaders []Seat, previous moment, moments []moment) []Decision {
	var all []Decision
	for i, now := range moments {
		d := Decision{Seq: i + 1, Seat: now.input.Seat, Round: previous.round, Second: int(now.input.At / time.Second),
			events: now.events}
		for seat, n := range now.values {
			change := view.Worth(n - previous.values[seat])
			if !slices.Contains(leaders, seat) {
				change = -change
			}
			d.Swing += change
		}
		all = append(all, d)
		previous = now
	}
	if len(all) == 0 {
		return []Decision{}
	}
	final := len(all) // the number of the move that ended the match
	if len(view.Winners) == 0 {
		final = 0
	}
	chosen := slices.DeleteFunc(slices.Clone(all), func(d Decision) bool {
		return d.Seq != final && (d.Swing <= 0 || len(d.events) == 0)
	})
	slices.SortStableFunc(chosen, func(a, b Decision) int {
		return cmp.Or(boolCompare(b.Seq == final, a.Seq == final), cmp.Compare(b.Swing, a.Swing), cmp.Compare(b.Seq, a.Seq))
	})
	chosen = chosen[:min(len(chosen), maxDecisions)]
	slices.SortStableFunc(chosen, func(a, b Decision) int { return cmp.Compare(a.Seq, b.Seq) })
	return chosen
}

// In returns the result in a language.
func (r Result) In(lang Lang) Result {
	names := map[Seat]string{}
	for _, s := range r.Seats {
		names[s.Seat] = s.Name
	}
	lines := func(events []Event) []string {
		list := []string{}
		for _, e := range r.words.SpeakEvents(lang, events, names) {
			if e.Spoken != "" {
				list = append(list, e.Spoken)
			}
		}
		return list
	}
	r.Title = r.words.Say(lang, Text{Key: "game." + Title(string(r.Game))}, nil)
	if r.Label = r.Counter; r.words.Has("counter." + r.Counter) {
		r.Label = r.words.Say(lang, Text{Key: "counter." + r.Counter}, nil)
	}
	r.Rounds, r.Moves = slices.Clone(r.Rounds), slices.Clone(r.Moves)
	for i := range r.Rounds {
		r.Rounds[i].Lines = lines(r.Rounds[i].events)
	}
	for i := range r.Moves {
		r.Moves[i].Lines = lines(r.Moves[i].events)
	}
	return r
}

// Name returns the player's name for a seat of the result, or else what the seat is called in
// a language. The seat may be the table.
func (r Result) Name(lang Lang, seat Seat) string {
	for _, s := range r.Seats {
		if s.Seat == seat && s.Name != "" {
			return s.Name
		}
	}
	return r.words.Say(lang, Text{Key: "seat." + string(seat)}, nil)
}
