package tally

import (
	"fmt"

	"tableside/engine"
)

// View returns the view. Its prompts are complete: a page, a panel or a random
// player that knows nothing else can play the whole game.
func (s *state) View() engine.View {
	v := engine.View{Phase: "play", Round: s.round, Rounds: s.rounds, Winners: s.winners()}
	for at, p := range s.seats {
		var counters engine.Counters
		for i, name := range s.counters {
			counters = append(counters, engine.Counter{Name: name, Value: p.values[i]})
		}
		seat := engine.SeatView{ID: p.id, Counters: counters}
		if s.out(at) {
			seat.State = []string{"out"}
		}
		v.Seats = append(v.Seats, seat)
	}
	if t := s.track(); t != nil {
		v.Tracks = []engine.Track{*t}
	}
	if s.turns {
		v.First = engine.Null(s.seats[s.first].id)
	}
	if s.over() {
		v.Phase = "over"
		if s.rounds > 0 {
			v.Round = min(v.Round, s.rounds)
		}
		return v
	}
	if s.turns {
		v.Turn = engine.Null(s.seats[s.turn].id)
	}
	v.Prompts = s.prompts()
	return v
}

// track returns the first counter as a track, if it has a target or a limit.
func (s *state) track() *engine.Track {
	if s.target == nil && s.limit == most {
		return nil
	}
	t := &engine.Track{ID: s.counters[0], First: s.start[0], Last: s.start[0], Stacks: map[int][]engine.Seat{}}
	reach := func(space int) { t.First, t.Last = min(t.First, space), max(t.Last, space) }
	if s.low > -most {
		reach(s.low)
	}
	if s.limit < most {
		reach(s.limit)
	}
	if s.target != nil {
		reach(*s.target)
		t.Areas = []engine.Area{{ID: "target", From: *s.target, To: *s.target}}
	}
	for _, i := range s.moved {
		space := s.seats[i].values[0]
		t.Stacks[space] = append(t.Stacks[space], s.seats[i].id)
	}
	return t
}

// amounts lists the larger changes that a prompt offers, in steps. Players may
// choose any other.
var amounts = []int{5, -5, 10, -10}

// prompts returns a prompt for every seat at any time, first for the one whose
// turn it is: players lose lives in the turns of others.
func (s *state) prompts() []engine.Prompt {
	var prompts []engine.Prompt
	for i := range s.seats {
		at := (s.turn + i) % len(s.seats)
		p := s.seats[at]
		if s.out(at) && (!s.turns || i > 0) {
			continue
		}
		prompt := engine.Prompt{Seat: p.id, Key: "count", Args: engine.Args{"counter": engine.ParseWord(s.word(p.selected))}}
		if !s.out(at) {
			prompt.Options = s.changes(p)
		}
		if s.turns && i == 0 {
			prompt.Key = "turn"
			prompt.Options = append(prompt.Options, answer("end-turn", p.id, engine.Key, "next"))
		}
		prompts = append(prompts, prompt)
	}
	table := engine.Prompt{Seat: engine.Table, Key: "table"}
	if !s.turns {
		table.Options = append(table.Options, answer("end-round", engine.Table, engine.Key, "next"))
	}
	table.Options = append(table.Options, answer("end", engine.Table, engine.Choose, "end"))
	return append(prompts, table)
}

// changes returns the answers that change the selected counter within its bounds, and
// those that select another counter.
func (s *state) changes(p seat) []engine.Answer {
	var answers []engine.Answer
	value := p.values[p.selected]
	offer := func(n int, verb engine.Verb, arg string) {
		now := s.clamp(p.selected, value, n)
		if now == value {
			return
		}
		key := "gain"
		if now < value {
			key = "lose"
		}
		a := answer(key, p.id, verb, arg)
		a.Args = engine.Args{"n": max(n, -n), "counter": engine.ParseWord(s.word(p.selected))}
		answers = append(answers, a)
	}
	offer(s.step, engine.Key, "plus")
	offer(-s.step, engine.Key, "minus")
	if len(s.counters) > 1 {
		answers = append(answers, answer("left", p.id, engine.Key, "left"), answer("right", p.id, engine.Key, "right"))
	}
	for _, n := range amounts {
		if n*s.step <= most && n*s.step >= -most {
			offer(n*s.step, engine.Choose, fmt.Sprintf("%+d", n*s.step))
		}
	}
	return answers
}

func answer(key string, seat engine.Seat, verb engine.Verb, arg string) engine.Answer {
	in := engine.Input{Seat: seat, Verb: verb, Args: []string{arg}}
	return engine.Answer{Key: key, Input: in.Command()}
}
