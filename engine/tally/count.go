package tally

import (
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// count applies the choice of an amount, a number or a row: "choose +5", "choose 12", "choose
// sixes 24". A number without a sign is what the match asks for: a bid, tricks, the points of
// the chosen row, or an amount, which a countdown subtracts.
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

// amount reads a number with a sign, such as "+5" or "-10". It returns false if the argument
// is no such number, or if it is beyond the constant most in either direction. A number
// without a sign might be meant as the new value: only a match with a sheet takes one, and
// reads it with the function bare.
func amount(arg string) (int, bool) {
	n, err := strconv.Atoi(arg)
	signed := strings.HasPrefix(arg, "+") || strings.HasPrefix(arg, "-")
	return n, err == nil && signed && -maxNumber <= n && n <= maxNumber
}

// bare reads a number without a sign, such as "12". It returns false if the argument is no
// such number, or if it is greater than the constant most.
func bare(arg string) (int, bool) {
	n, err := strconv.Atoi(arg)
	return n, err == nil && strconv.Itoa(n) == arg && 0 <= n && n <= maxNumber
}

// zero enters 0 points for a seat in the line that s.here returns. It refuses if a counter
// other than the first is selected, or if the seat has points in that line already.
func (s *state) zero(at int) ([]engine.Event, error) {
	if s.seats[at].selected > 0 {
		return nil, engine.Refuse("refusal.nothing")
	}
	if s.cell(s.currentLine(&s.seats[at]), s.column(at)).filled() {
		return nil, engine.Refuse("refusal.zero", "seat", s.seats[at].id)
	}
	s.score(at, 0)
	return []engine.Event{s.changed(at, 0)}, nil
}

// add moves the selected counter of a seat by n, but only up to its bounds: two below the
// limit, "+5" adds 2. If the seat has chosen a row, add fills that row. An entry past the
// target may be lost or send the counter back: see s.pass. The input is refused if the counter
// cannot move at all, or if the seat is out.
func (s *state) add(at, n int) ([]engine.Event, error) {
	p := &s.seats[at]
	was := p.values[p.selected]
	now := s.clamp(p.selected, was, n)
	if p.selected == 0 && s.goesPast(was+n) {
		now = was + n // whatever the bounds: pass takes it back
	}
	switch {
	case s.out(at):
		return nil, engine.Refuse("refusal.out", "seat", p.id)
	case now == was:
		return nil, engine.Refuse("refusal.bound", "counter", engine.ParseWord(s.spoken[p.selected]), "n", was)
	case p.row > 0 && p.selected == 0:
		return s.fill(at, now-was)
	case p.selected > 0:
		s.put(at, p.selected, now)
	default:
		s.score(at, now-was)
		if passed := s.pass(at, now-was); passed != nil {
			return passed, nil
		}
	}
	events := []engine.Event{s.changed(at, now-was)}
	if now < was && s.out(at) {
		events = append(events, engine.Event{Name: "out", Seat: p.id})
	}
	return events, nil
}

// changed returns the event "gain" or "lose" for a change of a seat's selected counter.
func (s *state) changed(at, by int) engine.Event {
	p := s.seats[at]
	e := engine.Event{Name: "gain", Seat: p.id, N: by, Word: s.spoken[p.selected]}
	if by < 0 {
		e.Name, e.N = "lose", -by
	}
	return e
}

// goesPast reports whether a value of the first counter is past the target, in a match that
// has a rule against that: the entry counts nothing, or the counter goes back. See the type
// past. In any other match it returns false.
func (s *state) goesPast(value int) bool {
	return (s.past.bust || s.past.back != nil) && s.reaches(value) && value != *s.target
}

// pass takes back an entry that has brought n points and gone past the target. If the option
// over says so, it then sends the counter back. It returns the event of either, or nil if the
// entry counts. In a sheet with named rows, the chosen row then holds 0, and the bonus row
// takes the points by which the counter goes back.
func (s *state) pass(at, n int) []engine.Event {
	p := &s.seats[at]
	if !s.goesPast(p.values[0]) {
		return nil
	}
	s.score(at, -n)
	p.row = 0
	if s.past.back == nil {
		return []engine.Event{{Name: "bust", Seat: p.id}}
	}
	s.score(at, *s.past.back-p.values[0])
	return []engine.Event{{Name: "back", Seat: p.id, N: *s.past.back}}
}

// clamp returns the new value of a counter whose present value changes by n. It keeps the
// value within the counter's bounds. A correction may have put the counter beyond its bounds:
// from there it can come back, but not go further. If the rules have a floor, the first
// counter stops at the target when it falls.
func (s *state) clamp(counter, value, n int) int {
	low := s.low
	if counter == 0 && s.floor {
		low = max(low, *s.target)
	}
	return min(max(value+n, min(low, value)), max(s.limit, value))
}

// put sets a counter of a seat. The first counter is set for all seats of the same team, and
// put records that these seats moved last.
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

// pick selects the next counter of a seat if step is 1, and the previous counter if
// step is -1. The first counter follows the last. It refuses if there is only one counter.
func (s *state) pick(at, step int) ([]engine.Event, error) {
	if len(s.counters) == 1 {
		return nil, engine.Refuse("refusal.one-counter")
	}
	p := &s.seats[at]
	p.selected = (p.selected + step + len(s.counters)) % len(s.counters)
	return []engine.Event{{Name: "pick", Seat: p.id, Word: s.spoken[p.selected]}}, nil
}
