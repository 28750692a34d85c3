package tally

import (
	"slices"
	"strconv"
	"strings"

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
}

type seat struct {
	id       engine.Seat
	values   []int // of each counter
	selected int   // the counter that plus and minus change
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
		return s.next(in.Seat)
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
	case in.Verb == engine.Choose && len(in.Args) == 1:
		if n, ok := amount(in.Arg(0)); ok {
			return s.add(at, n)
		}
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

// amount reads "+5" or "-10". It needs the sign: a bare number might be meant as
// the new value.
func amount(arg string) (int, bool) {
	n, err := strconv.Atoi(arg)
	signed := strings.HasPrefix(arg, "+") || strings.HasPrefix(arg, "-")
	return n, err == nil && signed && -most <= n && n <= most
}

// add moves the selected counter by n, up to its bounds. It refuses only if the
// counter cannot move at all, so that "+5" works two below the limit.
func (s *state) add(at, n int) ([]engine.Event, error) {
	p := &s.seats[at]
	was := p.values[p.selected]
	now := s.clamp(p.selected, was, n)
	word := s.word(p.selected)
	switch {
	case s.out(at):
		return nil, engine.Refuse("refusal.out", "seat", p.id)
	case now > was:
		s.put(at, p.selected, now)
		return []engine.Event{{Name: "gain", Seat: p.id, N: now - was, Word: word}}, nil
	case now < was:
		s.put(at, p.selected, now)
		events := []engine.Event{{Name: "lose", Seat: p.id, N: was - now, Word: word}}
		if s.out(at) {
			events = append(events, engine.Event{Name: "out", Seat: p.id})
		}
		return events, nil
	}
	return nil, engine.Refuse("refusal.bound", "counter", engine.ParseWord(word), "n", was)
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

func (s *state) put(at, counter, value int) {
	s.seats[at].values[counter] = value
	if counter == 0 {
		s.moved = append(slices.DeleteFunc(s.moved, func(i int) bool { return i == at }), at)
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
func (s *state) next(id engine.Seat) ([]engine.Event, error) {
	if s.turns {
		active := s.seats[s.turn].id
		if id != active && id != engine.Table {
			return nil, engine.Refuse("refusal.turn", "seat", active)
		}
	}
	var events []engine.Event
	for range s.seats { // skip those that are out
		if s.turns {
			s.turn = (s.turn + 1) % len(s.seats)
		}
		if s.turn == s.first {
			s.round++
			events = append(events, engine.Event{Name: "round", N: s.round - 1})
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

// correct applies "red set score 7", "table set round 3" or "table set turn
// red". It ignores the bounds.
func (s *state) correct(in engine.Input) ([]engine.Event, error) {
	if len(in.Args) != 2 {
		return nil, engine.Refuse("refusal.set")
	}
	what, value := in.Args[0], in.Args[1]
	n, err := strconv.Atoi(value)
	isNumber := err == nil && -most <= n && n <= most
	at := slices.IndexFunc(s.seats, func(p seat) bool { return p.id == in.Seat })
	counter := slices.Index(s.counters, nameOf(what)) // also as players see it: "Énergie"
	if counter < 0 {
		counter = slices.IndexFunc(s.titles, same(what))
	}
	turn := s.at(engine.Seat(value))
	switch {
	case what == "round" && isNumber && n >= 1:
		s.round = n
		return []engine.Event{{Name: "set-round", Seat: in.Seat, N: n}}, nil
	case what == "turn" && s.turns && turn >= 0:
		s.turn = turn
		return []engine.Event{{Name: "turn", Seat: s.seats[turn].id}}, nil
	case counter >= 0 && at >= 0 && isNumber:
		s.put(at, counter, n)
		return []engine.Event{{Name: "set", Seat: in.Seat, N: n, Word: s.word(counter)}}, nil
	}
	return nil, engine.Refuse("refusal.set")
}

// over reports whether the match is over: the players have ended it, the last
// round was played, or a first counter has reached the target, or all but one
// have if that puts a seat out.
func (s *state) over() bool {
	fallen := 0
	for i := range s.seats {
		if s.reached(s.seats[i]) {
			fallen++
		}
	}
	enough := 1
	if s.outs {
		enough = max(1, len(s.seats)-1)
	}
	return s.ended || s.rounds > 0 && s.round > s.rounds || fallen >= enough
}

// out reports whether a seat has lost its last life and plays no more.
func (s *state) out(at int) bool { return s.outs && s.reached(s.seats[at]) }

// reached reports whether a seat's first counter has reached the target: from
// below if the target is above the start, else from above, like 0 lives.
func (s *state) reached(p seat) bool {
	switch {
	case s.target == nil:
		return false
	case *s.target > s.start[0]:
		return p.values[0] >= *s.target
	}
	return p.values[0] <= *s.target
}

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

// Words returns the titles of counters, and of the track of the first, that the
// catalogue does not have.
func (s *state) Words() engine.Words {
	words := engine.Words{}
	for i, name := range s.counters {
		for _, key := range []string{"counter." + name, "track." + name} {
			if !s.words.Has(key) {
				words[key] = engine.Worded(func(engine.Lang) string { return s.titles[i] })
			}
		}
	}
	return words
}
