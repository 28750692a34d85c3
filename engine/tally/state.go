package tally

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tableside/engine"
)

// A state holds a match: plain numbers that Apply changes in place. It does not
// keep whatever can be computed from them, such as whether the match is over, so
// that no correction can make it inconsistent.
type state struct {
	rules
	words engine.Words
	seats []seat // clockwise
	first int    // seat that began
	turn  int    // seat whose turn it is
	round int    // from 1
	ended bool   // by the players
	moved []int  // seats in the order in which their first counters last moved
	lines []line // of the sheet, in order
}

type seat struct {
	id       engine.Seat
	values   []int // of each counter
	selected int   // the counter that plus and minus change
	row      int   // the named row that is filled next, from 1; 0 if none is chosen
}

func newState(r rules, words engine.Words, setup engine.Setup) *state {
	s := &state{rules: r, words: words, round: 1}
	for i, p := range setup.Seats {
		s.seats = append(s.seats, seat{id: p.Seat, values: slices.Clone(r.start)})
		s.moved = append(s.moved, i)
		if p.Seat == setup.First {
			s.first, s.turn = i, i
		}
	}
	return s
}

// Copy makes this an engine.Copier: a match may have no end.
func (s *state) Copy() engine.Copier {
	again := *s
	again.seats, again.moved = slices.Clone(s.seats), slices.Clone(s.moved)
	for i := range again.seats {
		again.seats[i].values = slices.Clone(again.seats[i].values)
	}
	again.lines = slices.Clone(s.lines)
	for i := range again.lines {
		again.lines[i].cells = slices.Clone(again.lines[i].cells)
	}
	return &again
}

// Apply applies one input. It accepts corrections even when the match is over:
// the table is right, and a slip may have ended it.
func (s *state) Apply(in engine.Input) ([]engine.Event, error) {
	over := s.over()
	if over && in.Verb != engine.Set {
		return nil, engine.Refuse("refusal.over")
	}
	events, err := s.take(in)
	if err == nil && s.over() && !over {
		for _, winner := range s.winners() {
			events = append(events, engine.Event{Name: "win", Seat: winner})
		}
	}
	return events, err
}

func (s *state) take(in engine.Input) ([]engine.Event, error) {
	switch at := s.at(in.Seat); {
	case in.Verb == engine.Set:
		return s.correct(in)
	case is(in, engine.Key, "next"):
		return s.next(in)
	case is(in, engine.Choose, "end"):
		s.ended = true
		return []engine.Event{{Name: "end", Seat: in.Seat}}, nil
	case in.Verb == engine.Tap || in.Verb == engine.Lift:
		return nil, engine.Refuse("refusal.no-cards")
	case at < 0:
		return nil, engine.Refuse("refusal.whose")
	case is(in, engine.Key, "plus"):
		return s.add(at, s.step)
	case is(in, engine.Key, "minus"):
		return s.add(at, -s.step)
	case is(in, engine.Key, "left"):
		return s.pick(at, -1)
	case is(in, engine.Key, "right"):
		return s.pick(at, 1)
	case is(in, engine.Key, "no") && s.seats[at].row > 0:
		s.seats[at].row = 0
		return []engine.Event{{Name: "no-row", Seat: in.Seat}}, nil
	case in.Verb == engine.Choose && !in.Confirmed():
		return s.count(at, in)
	}
	return nil, engine.Refuse("refusal.nothing")
}

// count applies an amount or a row: "choose +5", "choose 12", "choose sixes 24".
func (s *state) count(at int, in engine.Input) ([]engine.Event, error) {
	if n, ok := amount(in.Arg(0)); ok && len(in.Args) == 1 {
		return s.add(at, n)
	}
	n, ok := bare(in.Arg(0))
	switch {
	case !ok:
		return s.choose(at, in)
	case len(in.Args) > 1 || !s.sheet:
	case s.bids != nil:
		return s.bid(at, n)
	case s.seats[at].row > 0:
		return s.fill(at, n)
	case n == 0:
		return s.zero(at)
	case s.target != nil && *s.target < s.start[0]:
		return s.add(at, -n) // a countdown
	default:
		return s.add(at, n)
	}
	return nil, engine.Refuse("refusal.nothing")
}

func is(in engine.Input, verb engine.Verb, word string) bool {
	return in.Verb == verb && len(in.Args) == 1 && in.Args[0] == word
}

// at returns the index of the seat that an input is for, or -1. A shared key is
// for the seat whose turn it is, so without turns for nobody.
func (s *state) at(id engine.Seat) int {
	if id == engine.Table && s.turns {
		return s.turn
	}
	return slices.IndexFunc(s.seats, func(p seat) bool { return p.id == id })
}

// amount reads "+5" or "-10". Without a sign, a number might be meant as the new
// value: only a match with a sheet takes it.
func amount(arg string) (int, bool) {
	n, err := strconv.Atoi(arg)
	signed := strings.HasPrefix(arg, "+") || strings.HasPrefix(arg, "-")
	return n, err == nil && signed && -most <= n && n <= most
}

// bare reads "12".
func bare(arg string) (int, bool) {
	n, err := strconv.Atoi(arg)
	return n, err == nil && strconv.Itoa(n) == arg && 0 <= n && n <= most
}

// zero enters that a seat got nothing in this round.
func (s *state) zero(at int) ([]engine.Event, error) {
	if s.seats[at].selected > 0 {
		return nil, engine.Refuse("refusal.nothing")
	}
	if s.cell(s.here(&s.seats[at]), s.column(at)).filled() {
		return nil, engine.Refuse("refusal.zero", "seat", s.seats[at].id)
	}
	s.score(at, 0)
	return []engine.Event{s.changed(at, 0)}, nil
}

// add moves the selected counter by n, up to its bounds. It refuses only if the
// counter cannot move at all, so that "+5" works two below the limit.
func (s *state) add(at, n int) ([]engine.Event, error) {
	p := &s.seats[at]
	was := p.values[p.selected]
	now := s.clamp(p.selected, was, n)
	switch {
	case s.out(at):
		return nil, engine.Refuse("refusal.out", "seat", p.id)
	case p.selected == 0 && s.goesPast(was+n):
		return s.pass(at)
	case now == was:
		return nil, engine.Refuse("refusal.bound", "counter", engine.ParseWord(s.word(p.selected)), "n", was)
	case p.row > 0 && p.selected == 0:
		return s.fill(at, now-was)
	case p.selected > 0:
		s.put(at, p.selected, now)
	default:
		s.score(at, now-was)
	}
	events := []engine.Event{s.changed(at, now-was)}
	if now < was && s.out(at) {
		events = append(events, engine.Event{Name: "out", Seat: p.id})
	}
	return events, nil
}

// changed returns the event of a change of the selected counter.
func (s *state) changed(at, by int) engine.Event {
	p := s.seats[at]
	e := engine.Event{Name: "gain", Seat: p.id, N: by, Word: s.word(p.selected)}
	if by < 0 {
		e.Name, e.N = "lose", -by
	}
	return e
}

// goesPast reports whether a value lies beyond the target and does not count.
func (s *state) goesPast(value int) bool {
	return (s.past.bust || s.past.back != nil) && s.reaches(value) && value != *s.target
}

// pass applies an entry that goes past the target: it is lost, or the counter goes back.
func (s *state) pass(at int) ([]engine.Event, error) {
	id, by := s.seats[at].id, 0
	e := engine.Event{Name: "bust", Seat: id}
	if s.past.back != nil {
		by = *s.past.back - s.seats[at].values[0]
		e = engine.Event{Name: "back", Seat: id, N: *s.past.back}
	}
	s.score(at, by)
	return []engine.Event{e}, nil
}

// clamp returns the value of a counter after a change by n. A correction may
// have put it beyond its bounds: from there it can come back, but not go
// further. A counter that falls to a target falls no further.
func (s *state) clamp(counter, was, n int) int {
	low := s.low
	if counter == 0 && s.floor {
		low = max(low, *s.target)
	}
	return min(max(was+n, min(low, was)), max(s.limit, was))
}

// put sets a counter; the first is that of all seats of a team.
func (s *state) put(at, counter, value int) {
	if counter > 0 {
		s.seats[at].values[counter] = value
		return
	}
	for i := range s.seats {
		if s.column(i) == s.column(at) {
			s.seats[i].values[0] = value
			s.moved = append(slices.DeleteFunc(s.moved, func(other int) bool { return other == i }), i)
		}
	}
}

// pick selects another counter; the first follows the last.
func (s *state) pick(at, by int) ([]engine.Event, error) {
	if len(s.counters) == 1 {
		return nil, engine.Refuse("refusal.one-counter")
	}
	p := &s.seats[at]
	p.selected = (p.selected + by + len(s.counters)) % len(s.counters)
	return []engine.Event{{Name: "pick", Seat: p.id, Word: s.word(p.selected)}}, nil
}

// next ends the turn, and with the last turn the round. Without turns, anyone
// ends the round.
func (s *state) next(in engine.Input) ([]engine.Event, error) {
	if s.turns {
		active := s.seats[s.turn].id
		if in.Seat != active && in.Seat != engine.Table {
			return nil, engine.Refuse("refusal.turn", "seat", active)
		}
		s.seats[s.turn].row = 0
	}
	if phase := s.phase(); phase != "play" {
		return nil, engine.Refuse("refusal.missing-" + phase)
	}
	var events []engine.Event
	for range s.seats { // skip those that are out
		if s.turns {
			s.turn = (s.turn + 1) % len(s.seats)
		}
		if s.turn == s.first {
			events = append(events, s.endRound(in.At)...)
		}
		if !s.turns || !s.out(s.turn) {
			break
		}
	}
	if s.turns && !s.over() {
		events = append(events, engine.Event{Name: "turn", Seat: s.seats[s.turn].id})
	}
	return events, nil
}

// endRound ends the round at a time. The only column without points gets the rest of
// what the points add up to: of 0, what the others have lost.
func (s *state) endRound(at time.Duration) []engine.Event {
	var events []engine.Event
	if s.sum != nil && s.missing(s.round, cell.filled) == 1 {
		rest, missing := *s.sum, 0
		for column := range s.columns {
			rest -= s.points(s.round, column)
			if !s.cell(s.round, column).filled() {
				missing = column
			}
		}
		s.enter(s.round, missing, points, rest)
		e := s.changed(missing, rest)
		e.Word = s.word(0)
		events = append(events, e)
	}
	s.round++
	events = append(events, engine.Event{Name: "round", N: s.round - 1})
	if s.minutes > 0 && at >= time.Duration(s.minutes)*time.Minute {
		s.ended = true
		events = append(events, engine.Event{Name: "time", N: s.minutes})
	}
	return events
}

// over reports whether the match is over: the players have ended it, the last
// round was played, all named rows are filled, or a first counter has reached the
// target, or all but one have if that puts a seat out.
func (s *state) over() bool {
	fallen := 0
	for i := range s.columns {
		if s.reached(s.seats[i]) {
			fallen++
		}
	}
	enough := 1
	if s.outs {
		enough = max(1, s.columns-1)
	}
	// Where all count at once, all get the points of the last round.
	if s.sheet && !s.turns && s.begun() {
		enough = len(s.seats) + 1
	}
	return s.ended || s.rounds > 0 && s.round > s.rounds || fallen >= enough || s.full()
}

// out reports whether a seat has lost its last life and plays no more.
func (s *state) out(at int) bool { return s.outs && s.reached(s.seats[at]) }

// reached reports whether a seat's first counter has reached the target.
func (s *state) reached(p seat) bool { return s.reaches(p.values[0]) }

// winners returns all seats with the best first counter, or nil before the end.
func (s *state) winners() []engine.Seat {
	if !s.over() {
		return nil
	}
	var best []engine.Seat
	top := 0
	for _, p := range s.seats {
		value := p.values[0]
		if s.goalLow {
			value = -value
		}
		if len(best) == 0 || value > top {
			best, top = nil, value
		}
		if value == top {
			best = append(best, p.id)
		}
	}
	return best
}

// word returns the name of a counter as the word of an event.
func (s *state) word(counter int) string {
	key := "counter." + s.counters[counter]
	if s.words.Has(key) {
		return key
	}
	return engine.Literal(s.titles[counter]).Word()
}

// typed adds a title as it was typed for the keys that the catalogue does not have.
func (s *state) typed(words engine.Words, title string, keys ...string) {
	for _, key := range keys {
		if !s.words.Has(key) {
			words[key] = engine.Worded(func(engine.Lang) string { return title })
		}
	}
}

// Words returns the titles of counters, of the track of the first, and of rows, that the
// catalogue does not have.
func (s *state) Words() engine.Words {
	words := engine.Words{}
	for i, name := range s.counters {
		s.typed(words, s.titles[i], "counter."+name, "track."+name)
	}
	for _, r := range s.rows {
		s.typed(words, r.title, "row."+r.name)
	}
	return words
}
