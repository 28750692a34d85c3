package tally

import (
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// applyChoice applies the choice of an amount, a number or a row. Examples are "choose +5",
// "choose 12" and "choose sixes 24". A number without a sign is the answer to what the match
// asks for: a bid, tricks, the points of the chosen row, or an amount. In a countdown, this
// amount is subtracted.
func (s *state) applyChoice(at int, in engine.Input) ([]engine.Event, error) {
	selected := s.seats[at].selected
	if n, ok := amount(in.Arg(0)); ok && len(in.Args) == 1 {
		return s.add(at, selected, n)
	}
	n, ok := engine.Whole(in.Arg(0), 0, maxNumber)
	counter := s.counterNamed(in.Arg(0))
	switch {
	case counter >= 0 && len(s.counters) > 1 && s.rowNamed(in.Arg(0)) < 0 && s.has(at, counter):
		return s.countApart(at, counter, in)
	case !ok:
		return s.choose(at, in)
	case len(in.Args) > 1 || !s.sheet:
	case s.bids != nil:
		return s.bid(at, n)
	case s.seats[at].row > 0:
		return s.fill(at, n*s.rows[s.seats[at].row-1].times)
	case n == 0:
		return s.zero(at)
	case s.target != nil && *s.target < s.start[0]:
		return s.add(at, selected, -n) // a countdown
	default:
		return s.add(at, selected, n)
	}
	return nil, engine.Refuse("refusal.nothing")
}

func is(in engine.Input, verb engine.Verb, word string) bool {
	return in.Verb == verb && len(in.Args) == 1 && in.Args[0] == word
}

// amount reads a number with a sign, such as "+5" or "-10". If the argument is not such a
// number, or if the number is not between -maxNumber and maxNumber, the second result is
// false.
//
// It does not read a number without a sign, which might be meant as the new value of a
// counter. Only a match with a sheet accepts a number without a sign.
func amount(arg string) (int, bool) {
	n, err := strconv.Atoi(arg)
	signed := strings.HasPrefix(arg, "+") || strings.HasPrefix(arg, "-")
	return n, err == nil && signed && -maxNumber <= n && n <= maxNumber
}

func refuseNumber(arg string) error {
	if digits := strings.TrimLeft(arg, "+-"); len(digits) > 5 && strings.Trim(digits, "0123456789") == "" {
		return engine.Refuse("refusal.number", "n", maxNumber)
	}
	return engine.Refuse("refusal.nothing")
}

func (s *state) zero(at int) ([]engine.Event, error) {
	if s.seats[at].selected > 0 {
		return nil, engine.Refuse("refusal.nothing")
	}
	if s.cell(s.currentLine(&s.seats[at]), s.column(at)).filled() {
		return nil, engine.Refuse("refusal.zero", "seat", s.seats[at].id)
	}
	if s.misses > 0 {
		return s.miss(at), nil
	}
	s.score(at, 0)
	return []engine.Event{s.changed(at, 0, 0)}, nil
}

// add moves a counter of a seat by n. The counter stops at its bounds. For example,
// "+5" adds only 2 to a counter that is two below the limit. If the counter cannot move at
// all, or if the seat is out, the input is refused.
//
// If the seat has chosen a row, add fills that row. If the counter then goes past the target
// of the match, handlePast may take the points back or set the counter back.
func (s *state) add(at, counter, n int) ([]engine.Event, error) {
	p := &s.seats[at]
	was := p.values[counter]
	now := s.clamp(counter, was, n)
	if counter == 0 && s.goesPast(was+n) {
		now = was + n // whatever the bounds: handlePast takes it back
	}
	switch {
	case s.isOut(at):
		return nil, engine.Refuse("refusal.out", "seat", p.id)
	case now == was:
		return nil, engine.Refuse("refusal.bound", "counter", engine.ParseWord(s.counterWords[counter]), "n", was)
	case p.row > 0 && counter == 0:
		return s.fill(at, now-was)
	case counter > 0:
		s.put(at, counter, now)
		s.apartRound = s.round
	default:
		s.score(at, now-was)
		if s.misses > 0 {
			p.values[s.misses] = 0
		}
		if passed := s.handlePast(at, now-was); passed != nil {
			return passed, nil
		}
	}
	events := []engine.Event{s.changed(at, counter, now-was)}
	if s.isDealt(counter) { // it costs as much of the first counter
		life := p.values[0]
		s.score(at, s.clamp(0, life, was-now)-life)
		if by := p.values[0] - life; by != 0 {
			events = append(events, s.changed(at, 0, by))
		}
	}
	return append(events, s.tellOut(at)...), nil
}

func (s *state) changed(at, counter, by int) engine.Event {
	return engine.Event{Name: gainOrLose(by), Seat: s.seats[at].id, N: max(by, -by), Word: s.counterWords[counter]}
}

func gainOrLose(by int) string {
	if by < 0 {
		return "lose"
	}
	return "gain"
}

// goesPast reports whether a value of the first counter is past the target. If the match has
// no rule for this case, goesPast returns false.
func (s *state) goesPast(value int) bool {
	return s.over != counts && s.reaches(value) && value != *s.target
}

// handlePast handles an entry of n points that has gone past the target. It takes the points
// back. If the option "over" gives a value to which the counter goes back, handlePast also
// sets the counter to this value. The returned event says whether the counter went back or the
// entry only counts nothing. If the entry stands, handlePast does nothing and returns nil.
//
// In a sheet with named rows, the chosen row then holds 0. The points by which the counter
// goes back are entered in the bonus row.
func (s *state) handlePast(at, n int) []engine.Event {
	p := &s.seats[at]
	if !s.goesPast(p.values[0]) {
		return nil
	}
	s.score(at, -n)
	p.row = 0
	if s.over == bust {
		return []engine.Event{{Name: "bust", Seat: p.id}}
	}
	back := parseNumber(s.over, 0)
	s.score(at, back-p.values[0])
	return []engine.Event{{Name: "back", Seat: p.id, N: back}}
}

// clamp returns the value that a counter has after a change by n. The counter stays within its
// bounds. A correction may have put the counter beyond its bounds. Such a counter can come
// back, but cannot go further. If the rules have a floor, the first counter cannot fall below
// the target.
func (s *state) clamp(counter, value, n int) int {
	low := s.low
	if counter == 0 && s.floor {
		low = max(low, *s.target)
	}
	return min(max(value+n, min(low, value)), max(s.limit, value))
}

// put sets a counter of a seat. If it is the first counter, or that of bags, it is set for all seats of the
// same team, and these seats are recorded as the last to move.
func (s *state) put(at, counter, value int) {
	if counter > 0 && s.deals == nil {
		s.seats[at].values[counter] = value
		return
	}
	for i := range s.seats {
		if s.column(i) == s.column(at) {
			s.seats[i].values[counter] = value
			s.moveOrder = append(slices.DeleteFunc(s.moveOrder, func(other int) bool { return other == i }), i)
		}
	}
}

func (s *state) pick(at, step int) ([]engine.Event, error) {
	if len(s.counters) == 1 {
		return nil, engine.Refuse("refusal.one-counter")
	}
	p := &s.seats[at]
	p.selected = (p.selected + step + len(s.counters)) % len(s.counters)
	for !s.has(at, p.selected) {
		p.selected = (p.selected + step + len(s.counters)) % len(s.counters)
	}
	return []engine.Event{{Name: "pick", Seat: p.id, Word: s.counterWords[p.selected]}}, nil
}
