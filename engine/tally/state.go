package tally

import (
	"cmp"
	"slices"
	"time"

	"tableside/engine"
)

// A state holds a match as plain numbers that Apply changes in place. It does not keep what
// can be computed from these numbers. For example, it does not keep whether the match is over.
// Therefore no correction can make a state inconsistent.
type state struct {
	rules
	words          engine.Words
	seats          []seat         // clockwise
	first          int            // seat that began
	turn           int            // seat whose turn it is
	round          int            // from 1
	now            time.Duration  // of the input that is applied
	ended          bool           // by the players, or by the option minutes
	moveOrder      []int          // seats in the order in which their first counters last moved
	cells          map[place]cell // of the sheet
	lastEntryRound int            // not counting corrections of cells; 0 before the first entry
	passed         int            // turns to deal, in earlier rounds, of seats that had left
	apartRound     int            // in which another counter than the first one moved last, by itself; 0 for none
	named          []int          // columns that have won by hand, none for the table; nil if nobody said so

	thrown []string // faces of the last throw

	draft  []string // what was entered for the deal of this round: "taker red"
	booked []deal   // of earlier rounds
	pot    int      // that the winner of the next deal gets
}

type seat struct {
	id       engine.Seat
	values   []int  // of each counter
	selected int    // the counter that plus and minus change
	row      int    // the named row that is filled next, from 1; 0 if none is chosen
	left     bool   // by hand
	name     string // with which the match began
}

func newState(r rules, words engine.Words, setup engine.Setup) *state {
	s := &state{rules: r, words: words, round: 1, cells: map[place]cell{}}
	for i, p := range setup.Seats {
		s.seats = append(s.seats, seat{id: p.Seat, name: p.Name, values: slices.Clone(r.start)})
		s.moveOrder = append(s.moveOrder, i)
		if p.Seat == setup.First {
			s.first, s.turn = i, i
		}
	}
	return s
}

// Turns returns a number that changes with each turn. In a match without turns, all seats play
// at once, and the number changes with each round. With this method a state is an
// engine.TurnCounter.
func (s *state) Turns() int { return s.round*len(s.seats) + s.turn }

// Apply applies one input. After the end of the match, Apply still accepts corrections,
// because a mistake may have ended the match.
func (s *state) Apply(in engine.Input) ([]engine.Event, error) {
	over := s.isOver()
	s.now = in.At
	if over && in.Verb != engine.Set {
		return nil, engine.Refuse("refusal.over")
	}
	events, err := s.take(in)
	if err != nil {
		return nil, err
	}
	if !s.isOver() {
		s.named = nil
		return events, nil
	}
	if _, why := s.rank(); s.named == nil && why.Name != "" {
		events = append(events, why)
	}
	if !over && s.named == nil {
		events = append(events, tell("win", s.winners())...)
	}
	return events, nil
}

func (s *state) take(in engine.Input) ([]engine.Event, error) {
	switch at := s.seatIndex(in.Seat); {
	case in.Verb == engine.Set:
		return s.correct(in)
	case in.Verb == engine.Roll:
		return s.roll(in)
	case is(in, engine.Key, "next"):
		return s.endTurn(in)
	case is(in, engine.Choose, "end"):
		s.ended = true
		return []engine.Event{{Name: "end", Seat: in.Seat}}, nil
	case is(in, engine.Key, "no") && len(s.draft) > 0:
		s.draft = s.draft[:len(s.draft)-1]
		return []engine.Event{{Name: "deal-back", Seat: in.Seat}}, nil
	case s.isOfDeal(in):
		return s.enterDeal(in)
	case in.Verb == engine.Tap || in.Verb == engine.Lift:
		return nil, engine.Refuse("refusal.no-cards")
	case at < 0:
		return nil, engine.Refuse("refusal.whose")
	case s.result != byPoints:
		return nil, engine.Refuse("refusal.no-points")
	case is(in, engine.Key, "plus"):
		return s.add(at, s.seats[at].selected, s.step)
	case is(in, engine.Key, "minus"):
		return s.add(at, s.seats[at].selected, -s.step)
	case is(in, engine.Key, "left"):
		return s.pick(at, -1)
	case is(in, engine.Key, "right"):
		return s.pick(at, 1)
	case is(in, engine.Key, "no") && s.seats[at].row > 0:
		s.seats[at].row = 0
		return []engine.Event{{Name: "no-row", Seat: in.Seat}}, nil
	case in.Verb == engine.Choose && !in.Confirmed():
		return s.applyChoice(at, in)
	}
	return nil, engine.Refuse("refusal.nothing")
}

func (s *state) seatIndex(id engine.Seat) int {
	if id == engine.Table && s.turns {
		return s.turn
	}
	return s.indexOf(id)
}

func (s *state) indexOf(id engine.Seat) int {
	return slices.IndexFunc(s.seats, func(p seat) bool { return p.id == id })
}

// endTurn ends the turn. The last turn of a round also ends the round. In a match without
// turns, anyone may end the round. If it is another seat's turn, or if bids or tricks are
// missing, endTurn returns a refusal.
func (s *state) endTurn(in engine.Input) ([]engine.Event, error) {
	if s.turns {
		active := s.seats[s.turn].id
		if in.Seat != active && in.Seat != engine.Table {
			return nil, engine.Refuse("refusal.turn", "seat", active)
		}
		s.seats[s.turn].row = 0
	}
	for i := range s.seats {
		if s.isDealt(s.seats[i].selected) {
			s.seats[i].selected = 0
		}
	}
	if phase := s.phase(); phase != "play" {
		return nil, engine.Refuse("refusal.missing-" + phase)
	}
	if len(s.draft) > 0 {
		d, next := s.lacking()
		f := cmp.Or(d.asks(false), next) // what nobody may leave out, before what is obvious
		return nil, engine.Refuse("refusal.deal-open", "n", s.round, "field", f.text("field."))
	}
	var events []engine.Event
	if s.misses > 0 && !s.isOut(s.turn) && !s.cell(s.round, s.column(s.turn)).filled() {
		if events = s.miss(s.turn); s.isOver() {
			return events, nil
		}
	}
	for range s.seats { // skip those that are out
		if s.turns {
			s.turn = (s.turn + 1) % len(s.seats)
		}
		if s.turn == s.first {
			ended, err := s.endRound()
			if err != nil {
				return nil, err
			}
			events = append(events, ended...)
		}
		if !s.turns || !s.isOut(s.turn) {
			break
		}
	}
	if s.turns && !s.isOver() {
		events = append(events, engine.Event{Name: "turn", Seat: s.seats[s.turn].id})
	}
	return events, nil
}

// endRound ends the round. If the time of the match has reached the option
// "minutes", the round was the last one.
//
// The option "sum" may fix the total of a round. In this case, the columns without points get
// the rest.
func (s *state) endRound() ([]engine.Event, error) {
	var events []engine.Event
	left, missing := s.rest()
	for _, column := range missing {
		rest := left / len(missing)
		s.enter(s.round, column, points, rest)
		if err := s.checkSum(column); err != nil {
			return nil, err
		}
		events = append(events, s.changed(column, 0, rest))
	}
	s.passed = s.passedNow()
	s.round, s.draft = s.round+1, nil
	events = append(events, engine.Event{Name: "round", N: s.round - 1})
	if s.minutes > 0 && s.now >= time.Duration(s.minutes)*time.Minute {
		s.ended = true
		events = append(events, engine.Event{Name: "time", N: s.minutes})
	}
	return events, nil
}

// rest returns what is left of the sum of a round, and the columns that get it in equal parts when
// the round ends. Where a round adds up to 0, the losers pay or are paid alike. Another sum leaves
// its rest to one column, unless the others have more than all of it already, as after a moon shot
// in Hearts: then nobody gets anything. Nor where one has all in a game whose rules ask then what
// that means.
func (s *state) rest() (left int, columns []int) {
	if s.sum == nil {
		return 0, nil
	}
	left = *s.sum
	for column := range s.columns {
		left -= s.points(s.round, column)
		if !s.cell(s.round, column).filled() && !s.isColumnOut(column) {
			columns = append(columns, column)
		}
	}
	alike := *s.sum == 0 && s.version >= restVersion && len(columns) < s.columns && left != 0
	switch n := len(columns); {
	case s.deals != nil && left == 0:
	case n == 1 && (*s.sum == 0 || left >= 0 || s.version < restVersion), n > 1 && alike && left%n == 0:
		return left, columns
	}
	return left, nil
}

// isOver reports whether the match is over. A match is over in any of these cases:
//
//   - The players or the option "minutes" have ended the match.
//   - The last round was played.
//   - All named rows are filled.
//   - A first counter has reached the target, or another one what the option "finish" says.
//   - All but one are out, or all of those who play alone or together.
//
// In a match with a sheet and without turns, the last two do not end a round that has begun.
func (s *state) isOver() bool {
	there := slices.ContainsFunc(s.seats[:s.columns], func(p seat) bool {
		return !s.elimination && s.reaches(p.values[0]) || meetsAny(s.finish, p)
	})
	// If all count at once, a round that has begun is played to its end: all get its points.
	open := s.sheet && !s.turns && s.hasBegun()
	needed := 2 // to play on
	if s.columns == 1 || s.result == together {
		needed = 1
	}
	for column := range s.columns {
		if !s.isColumnOut(column) {
			needed--
		}
	}
	return s.ended || s.rounds > 0 && s.round > s.rounds || !open && (there || needed > 0) || s.isFull()
}

func (s *state) addTitle(words engine.Words, title string, keys ...string) {
	for _, key := range keys {
		if !s.words.Has(key) {
			words[key] = engine.Worded(func(lang engine.Lang) string { return titleIn(title, lang) })
		}
	}
}

func (s *state) wording(key string, pairs ...any) engine.Wording {
	words, names := engine.Merge(engine.CoreWords(), s.words), map[engine.Seat]string{}
	for _, p := range s.seats {
		names[p.id] = p.name
	}
	return engine.Worded(func(lang engine.Lang) string { return words.Say(lang, engine.T(key, pairs...), names) })
}

// Words returns the texts that the catalogue does not have. These are titles of counters,
// tracks and rows, and faces of the dice.
func (s *state) Words() engine.Words {
	words := engine.Words{}
	for i, name := range s.counters {
		s.addTitle(words, s.titles[i], "counter."+name, "track."+name)
	}
	if s.result == together && s.isOver() {
		words["seat.table"] = s.wording("opponent")
	}
	for at, p := range s.seats {
		if s.dealt > 0 {
			words[s.counterWords[s.dealt+at]] = s.wording("dealt", "seat", p.id)
		}
	}
	for _, r := range s.rows {
		s.addTitle(words, r.title, "row."+r.name)
	}
	for _, face := range s.dice.faces() {
		s.addTitle(words, face, "face."+face)
	}
	return words
}
