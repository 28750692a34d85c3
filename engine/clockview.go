package engine

import (
	"slices"
	"time"
)

// A ClockView shows the clock of a match with time limits. The times of the seats are in
// milliseconds. In a frame, they are the times at the moment when the frame was made.
// Otherwise, they are the times at the last input.
type ClockView struct {
	At      time.Time   `json:"at,omitzero"`       // see Frame.Clock; zero in other views
	Running []Seat      `json:"running"`           // whose time runs
	Stopped bool        `json:"stopped,omitempty"` // by hand, or because nobody has played yet
	Seats   []ClockSeat `json:"seats"`             // clockwise
}

// A ClockSeat holds the times of a seat. The field Left holds the time until the limit for the
// match, and the field Turn holds the time until the limit for a turn. If the match has no
// limit of one kind, the field for this limit is nil.
type ClockSeat struct {
	Seat Seat   `json:"seat"`
	Used int64  `json:"used"`           // in this match
	Left *int64 `json:"left,omitempty"` // of the limit for the match; below 0 once that has passed
	Turn *int64 `json:"turn,omitempty"` // of the limit for a turn, likewise
}

// Nudge is the remaining time at which displays begin to warn a seat of a limit.
const Nudge = 10 * time.Second

func (c clock) view() *ClockView {
	if !c.enabled() {
		return nil
	}
	v := &ClockView{Running: []Seat{}, Stopped: c.stopped && !c.over, Seats: []ClockSeat{}}
	left := func(limit, used time.Duration) *int64 {
		n := (limit - used).Milliseconds()
		return &n
	}
	for _, s := range c.seats {
		one := ClockSeat{Seat: s.id, Used: s.used.Milliseconds()}
		if c.limits.match > 0 {
			one.Left = left(c.limits.match+s.extra, s.used)
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

// After returns a copy of the clock as it will be after some more time, if nothing happens
// meanwhile.
func (v *ClockView) After(later time.Duration) *ClockView {
	again := *v
	again.Seats = slices.Clone(v.Seats)
	ms := later.Milliseconds()
	for i := range again.Seats {
		s := &again.Seats[i]
		if !slices.Contains(v.Running, s.Seat) {
			continue
		}
		s.Used += ms
		for _, left := range []**int64{&s.Left, &s.Turn} {
			if *left != nil {
				n := **left - ms
				*left = &n
			}
		}
	}
	return &again
}

// Seat returns the times of a seat, and whether the time of the seat runs. If there is no
// clock or no such seat, Seat returns nil and false.
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

// Rest returns the time until the first limit of the seat, below 0 if that limit has passed.
func (s *ClockSeat) Rest() time.Duration {
	var rest *int64
	for _, left := range []*int64{s.Left, s.Turn} {
		if left != nil && (rest == nil || *left < *rest) {
			rest = left
		}
	}
	return time.Duration(*rest) * time.Millisecond
}

// Hurry returns how urgent a seat's time is. The result is "over" from the moment when the
// seat reaches its first limit. Before that, the result is "low" while the time left is at
// most the constant Nudge. If more time is left, or if the seat's time stands still, the
// result is "". Without a clock, the result is also "".
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

// Next returns the time until a display that does not count seconds must be drawn again. Such
// a display shows whole minutes. It is drawn again when a seat has one minute less, when the
// time left falls to the constant Nudge, and when no time is left. If none of these will
// happen, Next returns 0.
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
