package engine

import (
	"slices"
	"strconv"
	"time"
)

// These are the names of the clock options, which every game has. An option with the value 0
// sets no limit or adds no time.
const (
	optionMinutes = "clock-minutes" // minutes of each seat for the whole match
	optionTurn    = "clock-turn"    // seconds for each turn
	optionAdd     = "clock-add"     // seconds that a seat gets for each turn after its first
)

func clockOptions() []Option {
	option := func(name string) Option {
		return Option{Name: name, Default: "0", Check: Between(0, 999), Advanced: true}
	}
	return []Option{option(optionMinutes), option(optionTurn), option(optionAdd)}
}

// limits holds the time limits of a match, where 0 stands for no limit. A match without limits
// has no clock.
type limits struct{ match, turn, add time.Duration }

func limitsOf(s Setup) limits {
	read := func(name string, unit time.Duration) time.Duration {
		n, _ := strconv.Atoi(s.Option(name)) // checked before; 0 if it is not set
		return time.Duration(n) * unit
	}
	return limits{read(optionMinutes, time.Minute), read(optionTurn, time.Second), read(optionAdd, time.Second)}
}

// check returns a *SetupError if each turn adds time but the whole match has no time limit.
// Without this limit, there is nothing to which a turn could add time.
func (l limits) check() error {
	if l.add > 0 && l.match == 0 {
		return setupError("setup.clock-add")
	}
	return nil
}

// Timed reports whether the match has a time limit, and therefore a clock.
func (s Setup) Timed() bool { return limitsOf(s) != limits{} }

// A TurnCounter is a State that counts its turns. A game needs this count if a seat may have
// two turns in a row, or if all seats may have a turn at the same time. Turns returns 0 before
// the first turn, and a new number as soon as a turn begins. With any other State, a turn
// begins when the field Turn of the View changes.
type TurnCounter interface {
	Turns() int
}

// A clock counts the time for which the match waits for each seat. Only a match with time
// limits uses a clock. A clock is a value: every input leads to a new clock, and an undo
// restores the clock from before the input.
type clock struct {
	limits  limits
	at      time.Duration // the time of the match at which the other fields were true
	seats   []seatTime    // clockwise; copied before a change, since clocks share it
	stopped bool          // by hand, or because nobody has played yet
	over    bool          // whether the match is over
	turn    Null          // whose turn it is, or was when the match ended
	turns   int           // changes with each turn; 0 before the first
}

type seatTime struct {
	id      Seat
	running bool
	begun   bool          // it has had a turn
	used    time.Duration // in the whole match
	turn    time.Duration // in this turn
	extra   time.Duration // on top of the limit of the match; below 0 if a correction took time away
}

func (c clock) enabled() bool { return c.limits != limits{} }

// newClock returns the clock at the beginning of a match. The clock stands still until the
// first input of a player, because the players deal the cards first.
func newClock(l limits, seats []Player, state State) clock {
	c := clock{limits: l, stopped: true}
	for _, p := range seats {
		c.seats = append(c.seats, seatTime{id: p.Seat})
	}
	v := state.View()
	c.watch(&v, state, false)
	return c
}

// advance returns the clock as it is at a later time of the match.
func (c clock) advance(at time.Duration) clock {
	elapsed := at - c.at
	c.at, c.seats = at, slices.Clone(c.seats)
	for i := range c.seats {
		if s := &c.seats[i]; s.running && !c.stopped {
			s.used += elapsed
			s.turn += elapsed
		}
	}
	return c
}

// follow returns the clock after an input, given the view and the state after this input. A
// correction of the clock may stop the clock, start it, or change the time that a seat has
// left for the match. A correction of anything else never does this. Every input that is not a
// correction starts the clock if it is stopped.
func (c clock) follow(in Input, v *View, state State) clock {
	c.seats = slices.Clone(c.seats)
	c.watch(v, state, in.Verb == Set)
	switch {
	case isClockCorrection(in):
		c.set(in)
	case in.Verb != Set:
		c.stopped = false
	}
	return c
}

// watch calls beginTurn if a turn has begun in the state. After a correction, watch calls
// beginTurn only if the turn has also passed to another seat. watch also records the seats
// whose time runs. These are the seats for which the match waits. Once the match is over, no
// seat's time runs.
func (c *clock) watch(v *View, state State, correction bool) {
	if c.over = len(v.Winners) > 0; !c.over {
		turns := c.turns
		if counter, ok := state.(TurnCounter); ok {
			turns = counter.Turns()
		} else if v.Turn != c.turn {
			turns++
		}
		if turns != c.turns && (!correction || v.Turn != c.turn) {
			c.beginTurn(v.Turn, correction)
		}
		c.turn, c.turns = v.Turn, turns
	}
	for i := range c.seats {
		s := &c.seats[i]
		s.running = !c.over && v.isWaitingFor(s.id)
	}
}

// beginTurn begins the turn of a seat. If the seat is "", beginTurn begins the turn of all
// seats. Every seat gets its full time for a turn again, because the match may wait for any
// seat during this turn. The seat whose turn begins is also given extra time for the match, as
// the option clock-add says. No extra time is given in the first turn of a seat, or if a
// correction began the turn.
func (c *clock) beginTurn(seat Null, correction bool) {
	for i := range c.seats {
		s := &c.seats[i]
		s.turn = 0
		if seat != "" && seat != Null(s.id) {
			continue
		}
		if s.begun && !correction {
			s.extra += c.limits.add
		}
		s.begun = true
	}
}

// isWaitingFor reports whether the match waits for the given seat. If no seat has the turn,
// the match waits for every seat with a prompt. If a seat has the turn, the match waits only
// for the seat of the first prompt. If the first prompt is for the table, or if there is no
// prompt, the match waits only for the seat with the turn.
func (v *View) isWaitingFor(seat Seat) bool {
	switch {
	case v.Turn == "":
		return slices.ContainsFunc(v.Prompts, func(p Prompt) bool { return p.Seat == seat })
	case len(v.Prompts) > 0 && v.Prompts[0].Seat != Table:
		return v.Prompts[0].Seat == seat
	}
	return v.Turn == Null(seat)
}

func isClockCorrection(in Input) bool { return in.Verb == Set && in.Arg(0) == "clock" }

// maxSeconds is the most time, in seconds, to which a correction can set the clock of a seat.
const maxSeconds = 999 * 60

// checkClock returns a *Refusal for an invalid correction of the clock. A malformed correction
// is invalid, and so is a correction after the end of the match. A correction must not stop a
// stopped clock or start a running clock. For any other input, checkClock returns nil. In a
// match without a clock, checkClock always returns nil.
func (m *Match) checkClock(in Input) error {
	if !m.clock.enabled() || !isClockCorrection(in) {
		return nil
	}
	c, word := m.clock, in.Arg(1)
	n, err := strconv.Atoi(word)
	switch {
	case c.over:
		return Refuse("refusal.clock-over")
	case len(in.Args) == 2 && (word == "stop" || word == "run"):
		if c.stopped == (word == "stop") {
			return Refuse("refusal.clock-" + word)
		}
	case len(in.Args) != 2 || err != nil || n < 0 || n > maxSeconds || in.Seat == Table || c.limits.match == 0:
		return Refuse("refusal.clock")
	}
	return nil
}

func clockEvents(in Input) []Event {
	switch word := in.Arg(1); word {
	case "stop", "run":
		return []Event{{Name: "clock-" + word, Seat: in.Seat}}
	default:
		n, _ := strconv.Atoi(word)
		return []Event{{Name: "clock-set", Seat: in.Seat, N: n}}
	}
}

// set applies a correction of the clock.
func (c *clock) set(in Input) {
	switch word := in.Arg(1); word {
	case "stop", "run":
		c.stopped = word == "stop"
	default:
		n, _ := strconv.Atoi(word)
		for i := range c.seats {
			if s := &c.seats[i]; s.id == in.Seat {
				s.extra = time.Duration(n)*time.Second - c.limits.match + s.used
			}
		}
	}
}
