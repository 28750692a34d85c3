package tally

import (
	"slices"
	"strings"

	"tableside/engine"
)

// A tieBreak is a counter that decides between those who are level.
type tieBreak struct {
	counter int
	low     bool // the fewest win
}

// winners returns the seats that have won, or nil before the end. If the players have named the
// winners, these have won. Otherwise see rank.
func (s *state) winners() (winners []engine.Seat) {
	columns := s.named
	switch {
	case !s.isOver():
		return nil
	case columns == nil:
		columns, _, _ = s.rank()
	case len(columns) == 0:
		return []engine.Seat{engine.Table}
	}
	for at, p := range s.seats {
		if slices.Contains(columns, s.column(at)) {
			winners = append(winners, p.id)
		}
	}
	return winners
}

// rank returns the best columns: of those that are not out, those that have met the option "finish",
// or else all, with the best first counter, and then the best ones of the option "tie". It also
// returns how many had met the option "finish", and the last counter that broke a tie, or nil.
func (s *state) rank() (best []int, finished int, by *tieBreak) {
	var all, through []int
	for column := range s.columns {
		all = append(all, column)
		if s.isColumnOut(column) {
			continue
		}
		best = append(best, column)
		if meetsAny(s.finish, s.seats[column]) {
			through = append(through, column)
		}
	}
	if len(best) == 0 {
		best = all
	}
	if len(through) > 0 {
		best = through
	}
	best = bestOf(best, s.goalLow, func(column int) int { return s.seats[column].values[0] })
	for i, t := range s.ties {
		level := len(best)
		best = bestOf(best, t.low, func(column int) (sum int) {
			for at := column; at < len(s.seats); at += s.columns {
				sum += s.seats[at].values[t.counter]
			}
			return sum
		})
		if len(best) < level {
			by = &s.ties[i]
		}
	}
	return best, len(through), by
}

func bestOf(list []int, low bool, value func(int) int) []int {
	best := slices.MaxFunc(list, func(a, b int) int {
		if low {
			a, b = b, a
		}
		return value(a) - value(b)
	})
	return slices.DeleteFunc(list, func(one int) bool { return value(one) != value(best) })
}

// reason returns the event that tells what else than the first counter has decided a match that is
// over, if anything has.
func (s *state) reason() []engine.Event {
	best, finished, by := s.rank()
	winner := s.seats[best[0]]
	e := engine.Event{Name: "finish", Seat: winner.id}
	switch {
	case s.named != nil || len(best) > 1:
		return nil
	case s.columns > 1 && s.left() == 1 && !s.elimination:
		e.Name = "last"
		return []engine.Event{e}
	case by != nil:
		e.Name, e.N, e.Word = "tie", winner.values[by.counter], s.counterWords[by.counter]
		return []engine.Event{e}
	case finished == 0:
		return nil
	case finished > 1:
		e.Name = "finish-best"
	}
	for _, c := range s.finish {
		if meetsAny([]condition{c}, winner) {
			e.N, e.Word = c.n, s.counterWords[c.first]
		}
	}
	return []engine.Event{e}
}

// nameWinner says by hand who has won: "table set winner red", several, all, or none to take it
// back. Where nobody has points, that ends the match, and "table" has won if all have lost together.
func (s *state) nameWinner(in engine.Input) ([]engine.Event, error) {
	named, counts := []int{}, s.result == byPoints
	if counts && !s.isOver() {
		return nil, engine.Refuse("refusal.winner-early")
	}
	switch value := strings.Join(in.Args[1:], " "); {
	case value == none:
		s.named, s.ended = nil, s.ended && counts
		return []engine.Event{{Name: "no-winner", Seat: in.Seat}}, nil
	case value == "all":
		for column := range s.columns {
			named = append(named, column)
		}
	case s.result == together && value == string(engine.Table):
	default:
		for _, name := range in.Args[1:] {
			at := s.indexOf(engine.Seat(name))
			if at < 0 || s.result == together {
				return nil, engine.Refuse("refusal.winner")
			}
			named = append(named, s.column(at))
		}
	}
	s.named, s.ended = named, s.ended || !counts
	name, winners := "named", []engine.Seat{engine.Table}
	switch {
	case s.result == together && len(named) == 0:
		name = "all-lost"
	case s.result == together:
		name = "all-won"
	case len(named) == s.columns && s.columns > 1 && counts:
		name = "shared"
	case len(named) == s.columns && s.columns > 1:
		name = "draw"
	case counts:
		winners = s.winners()
	default:
		name, winners = "win", s.winners()
	}
	return tell(name, winners), nil
}

func tell(name string, seats []engine.Seat) (events []engine.Event) {
	for _, seat := range seats {
		events = append(events, engine.Event{Name: name, Seat: seat})
	}
	return events
}

// askWinner returns the prompt that asks who has won, where nobody has points, and after a tie.
// Where it need not be asked, it returns nil.
func (s *state) askWinner() []engine.Prompt {
	best, _, _ := s.rank()
	over, key, all := s.isOver(), "winner", "draw"
	if s.named != nil || over && s.result != together && (!s.asksWinner || len(best) < 2) {
		return nil
	}
	if s.result == byPoints {
		key, all = "tie", "shared"
	}
	p := engine.Prompt{Seat: engine.Table, Key: key, Args: engine.Args{}}
	offer := func(key, value string) {
		p.Options = append(p.Options, answer(key, engine.Table, engine.Set, "winner", value))
	}
	if s.result == together {
		p.Key = together
		offer("all-won", "all")
		offer("all-lost", string(engine.Table))
		return []engine.Prompt{p}
	}
	for i, column := range best {
		offer("winner", string(s.seats[column].id))
		p.Options[i].Args = engine.Args{"seat": s.seats[column].id}
	}
	if s.columns > 1 {
		offer(all, "all")
	}
	return []engine.Prompt{p}
}
