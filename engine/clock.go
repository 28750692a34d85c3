package engine

import (
	"slices"
	"strconv"
	"time"
)

// Options that every game has: the limits of its clock. A limit of 0 is none.
const (
	optionMinutes = "clock-minutes" // of each seat for the whole match
	optionTurn    = "clock-turn"    // seconds of a turn
	optionAdd     = "clock-add"     // seconds that each turn adds to its seat
)

func clockOptions() []Option {
	option := func(name string) Option {
		return Option{Name: name, Default: "0", Check: Between(0, 999), Advanced: true}
	}
	return []Option{option(optionMinutes), option(optionTurn), option(optionAdd)}
}

// limits holds the limits of a match. Without any there is no clock.
type limits struct{ match, turn, add time.Duration }

func limitsOf(s Setup) (limits, error) {
	read := func(name string, unit time.Duration) time.Duration {
		n, _ := strconv.Atoi(s.Option(name)) // checked, or not set
		return time.Duration(n) * unit
	}
	l := limits{read(optionMinutes, time.Minute), read(optionTurn, time.Second), read(optionAdd, time.Second)}
	if l.add > 0 && l.match == 0 {
		return l, setupError("setup.clock-add")
	}
	return l, nil
}

// A clock counts the time that the seats of a match with limits are asked. It is a value:
// every input leads to a new one, and an undo goes back to that of before.
type clock struct {
	limits  limits
	at      time.Duration // the time of the match at which all this was true
	seats   []seatTime    // clockwise; never changed
	stopped bool          // by hand, or because nobody has played yet
	over    bool          // the match
	turn    Null
	round   int
}

type seatTime struct {
	id      Seat
	running bool
	used    time.Duration // in the whole match
	turn    time.Duration // in this turn
	given   time.Duration // beyond the limit of the match
}

// on reports whether the match has a clock.
func (c clock) on() bool { return c.limits != limits{} }

// newClock returns the clock at the beginning of a match. It stands still until somebody
// plays: first the cards are dealt.
func newClock(l limits, seats []Player, v *View) clock {
	c := clock{limits: l, stopped: true}
	for _, p := range seats {
		c.seats = append(c.seats, seatTime{id: p.Seat})
	}
	return c.ask(v, true)
}

// to returns the clock as it is later.
func (c clock) to(at time.Duration) clock {
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

// follow returns the clock after an input, which led to a view.
func (c clock) follow(in Input, v *View, events []Event) clock {
	begins := v.Turn != c.turn || v.Round != c.round ||
		slices.ContainsFunc(events, func(e Event) bool { return e.Name == EventTurn })
	c = c.ask(v, begins)
	if isClock(in) {
		return c.set(in)
	}
	c.stopped = false
	return c
}

// ask lets the time of the seats run that a view asks. A turn that begins begins for
// everybody: others may be asked in it.
func (c clock) ask(v *View, begins bool) clock {
	c.turn, c.round, c.over = v.Turn, v.Round, len(v.Winners) > 0
	c.seats = slices.Clone(c.seats)
	for i := range c.seats {
		s := &c.seats[i]
		s.running = !c.over && v.asks(s.id)
		if begins {
			s.turn = 0
			if v.Turn == Null(s.id) || v.Turn == "" {
				s.given += c.limits.add
			}
		}
	}
	return c
}

// asks reports whether the match waits for a seat: the one of the first prompt or, if
// that is for everybody, whose turn it is. Where nobody has the turn, it waits for all
// that have a prompt.
func (v *View) asks(seat Seat) bool {
	switch {
	case v.Turn == "":
		return slices.ContainsFunc(v.Prompts, func(p Prompt) bool { return p.Seat == seat })
	case len(v.Prompts) > 0 && v.Prompts[0].Seat != Table:
		return v.Prompts[0].Seat == seat
	}
	return v.Turn == Null(seat)
}

// isClock reports whether an input corrects the clock: "table set clock stop",
// "table set clock run", "red set clock 300".
func isClock(in Input) bool { return in.Verb == Set && in.Arg(0) == "clock" }

// mostSeconds is how much time a correction gives at most.
const mostSeconds = 999 * 60

// checkClock refuses a correction of the clock that makes no sense now.
func (m *Match) checkClock(in Input) error {
	if !m.clock.on() || !isClock(in) {
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
	case len(in.Args) != 2 || err != nil || n < 0 || n > mostSeconds || in.Seat == Table || c.limits.match == 0:
		return Refuse("refusal.clock")
	}
	return nil
}

// clockEvents returns the event of a correction of the clock.
func clockEvents(in Input) []Event {
	switch word := in.Arg(1); word {
	case "stop", "run":
		return []Event{{Name: "clock-" + word, Seat: in.Seat}}
	default:
		n, _ := strconv.Atoi(word)
		return []Event{{Name: "clock-set", Seat: in.Seat, N: n}}
	}
}

// set returns the clock after a correction.
func (c clock) set(in Input) clock {
	switch word := in.Arg(1); word {
	case "stop", "run":
		c.stopped = word == "stop"
	default:
		n, _ := strconv.Atoi(word)
		for i := range c.seats {
			if s := &c.seats[i]; s.id == in.Seat {
				s.given = time.Duration(n)*time.Second - c.limits.match + s.used
			}
		}
	}
	return c
}

// A ClockView shows the clock of a match with limits. All times are in milliseconds, as
// they were at the last input; a frame has them as they were when it was made.
type ClockView struct {
	Running []Seat      `json:"running"`           // whose time runs
	Stopped bool        `json:"stopped,omitempty"` // by hand, or because nobody has played yet
	Seats   []ClockSeat `json:"seats"`             // clockwise
}

// A ClockSeat holds the times of a seat.
type ClockSeat struct {
	Seat Seat `json:"seat"`
	Used int  `json:"used"`           // in this match
	Left *int `json:"left,omitempty"` // of the limit for the match; below 0 it is over
	Turn *int `json:"turn,omitempty"` // left of the limit for a turn
}

// Nudge is how long before its end a seat is told that its time runs out.
const Nudge = 10 * time.Second

func (c clock) view() *ClockView {
	if !c.on() {
		return nil
	}
	v := &ClockView{Running: []Seat{}, Stopped: c.stopped && !c.over, Seats: []ClockSeat{}}
	left := func(limit, used time.Duration) *int {
		n := int((limit - used).Milliseconds())
		return &n
	}
	for _, s := range c.seats {
		one := ClockSeat{Seat: s.id, Used: int(s.used.Milliseconds())}
		if c.limits.match > 0 {
			one.Left = left(c.limits.match+s.given, s.used)
		}
		if c.limits.turn > 0 {
			one.Turn = left(c.limits.turn, s.turn)
		}
		v.Seats = append(v.Seats, one)
		if s.running && !c.stopped {
			v.Running = append(v.Running, s.id)
		}
	}
	return v
}

// After returns the clock as it is later, if nothing has happened meanwhile.
func (v *ClockView) After(later time.Duration) *ClockView {
	again := *v
	again.Seats = slices.Clone(v.Seats)
	ms := int(later.Milliseconds())
	for i := range again.Seats {
		s := &again.Seats[i]
		if !slices.Contains(v.Running, s.Seat) {
			continue
		}
		s.Used += ms
		for _, left := range []**int{&s.Left, &s.Turn} {
			if *left != nil {
				n := **left - ms
				*left = &n
			}
		}
	}
	return &again
}

// Seat returns the times of a seat, and whether they run. It returns nil without a clock.
func (v *ClockView) Seat(id Seat) (s *ClockSeat, running bool) {
	if v == nil {
		return nil, false
	}
	i := slices.IndexFunc(v.Seats, func(s ClockSeat) bool { return s.Seat == id })
	if i < 0 {
		return nil, false
	}
	return &v.Seats[i], slices.Contains(v.Running, id)
}

// Rest returns the time until the first limit of the seat.
func (s *ClockSeat) Rest() time.Duration {
	var rest *int
	for _, left := range []*int{s.Left, s.Turn} {
		if left != nil && (rest == nil || *left < *rest) {
			rest = left
		}
	}
	return time.Duration(*rest) * time.Millisecond
}

// Hurry tells how urgent a seat's time is: "low" in its last seconds, "over" after them, ""
// before or while it stands still.
func (v *ClockView) Hurry(id Seat) string {
	s, running := v.Seat(id)
	switch {
	case !running:
		return ""
	case s.Rest() <= 0:
		return "over"
	case s.Rest() <= Nudge:
		return "low"
	}
	return ""
}

// Next returns how long it takes until displays have something new to show that do not
// count seconds: another minute, a nudge, or the end of a seat's time. It returns 0 if
// nothing will change.
func (v *ClockView) Next() time.Duration {
	if v == nil {
		return 0
	}
	next := time.Duration(0)
	soon := func(d time.Duration) {
		if d > 0 && (next == 0 || d < next) {
			next = d
		}
	}
	for _, id := range v.Running {
		s, _ := v.Seat(id)
		soon(s.Rest() - Nudge)
		soon(s.Rest())
		if s.Left != nil && *s.Left > 0 {
			soon((time.Duration(*s.Left)*time.Millisecond-1)%time.Minute + 1)
		}
	}
	return next
}
