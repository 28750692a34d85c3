package tally

import (
	"slices"
	"strings"

	"tableside/engine"
)

// How a match ends, by the option "result": what the prompt asks, and what is said if one has won, if all
// have, and if none has.
var endings = map[string]struct{ prompt, one, all, none string }{
	byPoints: {prompt: "tie", one: "named", all: "shared"},
	byWinner: {prompt: "winner", one: "win", all: "draw"},
	together: {prompt: "together", all: "all-won", none: "all-lost"},
}

// winners returns the seats that have won, or nil before the end. If the players have named the
// winners, these have won. Otherwise see rank.
func (s *state) winners() (winners []engine.Seat) {
	columns := s.named
	switch {
	case !s.isOver():
		return nil
	case columns == nil:
		columns, _ = s.rank()
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
// or else all, with the best first counter, and then the best ones of the option "tie". If anything
// else than the first counter has decided for a single one, the event tells what.
func (s *state) rank() (best []int, why engine.Event) {
	var all, in, through []int
	for column := range s.columns {
		all = append(all, column)
		if s.isColumnOut(column) {
			continue
		}
		in = append(in, column)
		if meetsAny(s.finish, s.seats[column]) {
			through = append(through, column)
		}
	}
	switch best = through; {
	case len(in) == 0:
		best = all
	case len(through) == 0:
		best = in
	}
	best = bestOf(best, s.goalLow, func(column int) int { return s.seats[column].values[0] })
	var by *item
	for _, t := range s.ties {
		level := len(best)
		best = bestOf(best, t.low, func(column int) (sum int) {
			for at := column; at < len(s.seats); at += s.columns {
				sum += s.seats[at].values[t.first]
			}
			return sum
		})
		if len(best) < level {
			by = t
		}
	}
	winner := s.seats[best[0]]
	switch {
	case len(best) > 1:
	case s.columns > 1 && len(in) == 1 && !s.elimination:
		why.Name = "last"
	case by != nil:
		why = engine.Event{Name: "tie", N: winner.values[by.first], Word: s.counterWords[by.first]}
	case len(through) > 0:
		if why.Name = "finish"; len(through) > 1 {
			why.Name = "finish-best"
		}
		for _, i := range s.finish {
			if meetsAny([]*item{i}, winner) {
				why.N, why.Word = i.n, s.counterWords[i.first]
			}
		}
	}
	why.Seat = winner.id
	return best, why
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

// nameWinner says by hand who has won: "table set winner red", several, all, or none to take it
// back. Where nobody has points, that ends the match, and "table" has won if all have lost together.
func (s *state) nameWinner(in engine.Input) ([]engine.Event, error) {
	ending, counts := endings[s.result], s.result == byPoints
	if counts && !s.isOver() {
		return nil, engine.Refuse("refusal.winner-early")
	}
	named, name := []int{}, ending.one
	switch value := strings.Join(in.Args[1:], " "); {
	case value == none:
		s.named, s.ended = nil, s.ended && counts
		return []engine.Event{{Name: "no-winner", Seat: in.Seat}}, nil
	case value == "all":
		for column := range s.columns {
			named = append(named, column)
		}
	case ending.none != "" && value == string(engine.Table):
		name = ending.none
	default:
		for _, id := range in.Args[1:] {
			at := s.indexOf(engine.Seat(id))
			if at < 0 || ending.one == "" {
				return nil, engine.Refuse("refusal.winner")
			}
			if !slices.Contains(named, s.column(at)) {
				named = append(named, s.column(at))
			}
		}
	}
	s.named, s.ended = named, s.ended || !counts
	if len(named) == s.columns && (s.columns > 1 || ending.one == "") {
		name = ending.all
	}
	if name != ending.one {
		return tell(name, []engine.Seat{engine.Table}), nil
	}
	return tell(name, s.winners()), nil
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
	best, _ := s.rank()
	if s.named != nil || s.isOver() && s.result != together && (s.version < winnerVersion || len(best) < 2) {
		return nil
	}
	ending := endings[s.result]
	p := engine.Prompt{Seat: engine.Table, Key: ending.prompt, Args: engine.Args{}}
	offer := func(key, value string, args engine.Args) {
		p.Options = append(p.Options, answer(key, args, engine.Table, engine.Set, "winner", value))
	}
	if ending.one != "" {
		for _, column := range best {
			seat := s.seats[column].id
			offer("winner", string(seat), engine.Args{"seat": seat})
		}
	}
	if s.columns > 1 || ending.one == "" {
		offer(ending.all, "all", nil)
	}
	if ending.none != "" {
		offer(ending.none, string(engine.Table), nil)
	}
	return []engine.Prompt{p}
}
