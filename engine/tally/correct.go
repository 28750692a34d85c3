package tally

import (
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// correct applies a correction of a counter, a cell of the sheet, the round or the turn.
// Examples are "red set score 7", "red set round-2 15", "table set round 3" and "table set
// turn red". For any other input, correct returns a refusal. The new value may be outside the
// bounds that the options "low" and "limit" set.
func (s *state) correct(in engine.Input) ([]engine.Event, error) {
	if in.Arg(0) == "winner" && len(in.Args) > 1 && s.counterNamed("winner") < 0 {
		return s.nameWinner(in)
	}
	if s.result == byPoints { // what the players have said was of other points
		s.named = nil
	}
	if len(in.Args) != 2 {
		return nil, engine.Refuse("refusal.set")
	}
	what, value := in.Args[0], in.Args[1]
	n, err := strconv.Atoi(value)
	isNumber := err == nil && -maxNumber <= n && n <= maxNumber
	at, counter := s.indexOf(in.Seat), s.counterNamed(what)
	turn := s.seatIndex(engine.Seat(value))
	line, part, isCell := s.cellNamed(what)
	switch {
	case what == "round" && isNumber && n >= 1:
		s.round = n
		return []engine.Event{{Name: "set-round", Seat: in.Seat, N: n}}, nil
	case what == "turn" && s.turns && turn >= 0:
		s.turn = turn
		return []engine.Event{{Name: "turn", Seat: s.seats[turn].id}}, nil
	case isCell && at >= 0:
		return s.correctCell(at, line, part, value)
	case counter < 0 && !isCell && what == "out" && at >= 0:
		return s.leave(at, in)
	case counter >= 0 && at >= 0 && isNumber && s.has(at, counter):
		if counter > 0 {
			s.put(at, counter, n)
		} else {
			s.seats[at].row = 0
			s.score(at, n-s.seats[at].values[0])
		}
		return []engine.Event{{Name: "set", Seat: in.Seat, N: n, Word: s.counterWords[counter]}}, nil
	}
	return nil, engine.Refuse("refusal.set")
}

// allParts stands for all parts of a cell in a correction.
const allParts = parts

// cellNamed finds out which cells a correction means by a name such as "round-2", "bid-2" or
// "sixes". It returns the number of the line, and the part of the cells in that line. If there
// is no such line or part, the last result is false.
func (s *state) cellNamed(what string) (n int, p part, ok bool) {
	if s.rows != nil {
		i := s.rowNamed(what)
		return i + 1, points, i >= 0
	}
	name, digits, _ := strings.Cut(what, "-")
	n, ok = engine.Whole(digits, 1, s.round)
	if p = allParts; name != "round" {
		p = part(slices.Index(partNames[:], name))
		ok = ok && p >= 0 && s.bids != nil
	}
	return n, p, ok && s.sheet
}

func (s *state) rowNamed(what string) int {
	if what == bonusRow {
		return len(s.rows)
	}
	return slices.IndexFunc(s.rows, func(r row) bool { return r.name == nameOf(what) || titleMatcher(what)(r.title) })
}

// correctCell applies a correction such as "red set round-2 15" to a part of a seat's cell in
// line n. The value "none" empties the part. If the value is out of bounds or not a number,
// correctCell returns a refusal.
func (s *state) correctCell(at, n int, p part, value string) ([]engine.Event, error) {
	number, err := strconv.Atoi(value)
	low, high := -maxNumber, maxNumber
	if p == bid || p == tricks {
		low, high = 0, maxBid
	}
	empty := value == none
	if !empty && (err != nil || number < low || number > high) {
		return nil, engine.Refuse("refusal.set")
	}
	column := s.column(at)
	s.edit(n, column, func(c *cell) {
		switch {
		case empty && p == allParts:
			*c = cell{}
		case p == allParts: // bid and tricks stay, and the part points takes the difference
			c[points].n += number - s.points(n, column)
			c[points].entered = true
		case s.rows != nil && n > len(s.rows) && !empty: // the value includes the bonus
			c[points].n, c[points].entered = number-s.bonusOf(column), true
		default:
			c[p].n, c[p].entered = number, !empty
		}
	})
	return []engine.Event{s.corrected(at, n, p, value)}, s.checkSum(at)
}

// corrected returns the event that tells players which cell of a seat was corrected, and how.
func (s *state) corrected(at, n int, p part, value string) engine.Event {
	e := engine.Event{Name: "cell", Seat: s.seats[at].id, N: n, Word: engine.Literal(value).Word()}
	if s.rows != nil {
		e = engine.Event{Name: "set", Seat: e.Seat, N: parseNumber(value, 0), Word: s.rowWord(n)}
	}
	switch {
	case s.rows != nil && value == none:
		e.Name = "row-empty"
	case value == none:
		e.Name, e.Word = "cell-empty", ""
	case p != allParts && s.rows == nil:
		e.Name = "cell-" + p.name()
	}
	return e
}
