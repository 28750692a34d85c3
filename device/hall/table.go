package hall

import (
	"cmp"
	"slices"
	"time"

	"tableside/engine"
)

// A table holds what is known of one table.
type table struct {
	name        string
	view        *engine.View  // nil before the first state
	viewTime    time.Time     // when view arrived
	clockTime   time.Time     // when the clock in a retained view was taken, by the table's clock; zero: unknown
	olderView   *engine.View  // a state that seemed older than view; nil for none
	sign        sign          // the newest sign of life
	viewNewer   bool          // view came after sign and is not older: sign may be out of date
	clockAhead  time.Duration // by how much its clock is ahead of the hall's; 0: not known
	status      string        // what the table, or its broker, last said
	lastHeard   time.Time     // zero: not since the hall began
	gone        bool
	goneAt      time.Time // since when it is gone
	health      map[string]part
	statusRound int       // the round in which its status came last
	callSince   time.Time // since when its people want somebody to come; zero: they do not
	callRound   int       // the round in which callSince came last
	askedSince  time.Time // when the hall first saw that these seats are asked
	askedBefore bool      // they may have been asked before that
	version     int       // of its newest change
}

// A part is the health of a part of a table.
type part struct {
	engine.Part
	round int // in which it came last
}

// A sign says which state is a table's newest. Its zero value says nothing.
type sign struct {
	received bool
	match    engine.Null
	seq      int
}

// empty reports whether the broker retains nothing of a table. A nil table stands for the hall
// itself, and is never empty.
func (t *table) empty() bool {
	return t != nil && t.view == nil && t.status == "" && len(t.health) == 0 && t.callSince.IsZero()
}

func viewOf(t *table) *engine.View {
	if t == nil {
		return nil
	}
	return t.view
}

func (t *table) isBehind() bool {
	switch {
	case !t.sign.received || t.view == nil:
		return false
	case t.view.Match != t.sign.match:
		return !t.viewNewer
	}
	return t.view.Seq < t.sign.seq
}

// askedOf lists the seats whose answer a state waits for. Each seat is listed once.
func askedOf(v *engine.View) []engine.Seat {
	var seats []engine.Seat
	for _, p := range v.Prompts {
		if !p.May && !slices.Contains(seats, p.Seat) {
			seats = append(seats, p.Seat)
		}
	}
	return seats
}

// isCurrent reports whether a state is at least as new as the state that is shown. kept says
// that the broker had retained the state. When a cluster of brokers recovers, states arrive
// late, twice and out of order.
//
// Within a match, the state with the greater seq is newer. The id of a match is the time at
// which it began, so a match with a later id is newer. There is one exception: if the table's
// sign of life has an earlier id than the shown match, the table has resumed the earlier
// match.
func (t *table) isCurrent(v *engine.View, kept bool) bool {
	switch {
	case t.view == nil:
		return true
	case kept && !t.viewNewer && t.sign == sign{true, v.Match, v.Seq}:
		return true
	case v.Match == t.view.Match:
		return v.Seq >= t.view.Seq
	case t.sign.received && t.sign.match == v.Match:
		return !kept || !t.viewNewer
	case kept && t.sign.fits(t.view):
		return false
	case v.Match == "" || t.view.Match == "":
		return true
	}
	return cmp.Less(t.view.Match, v.Match)
}

// minAhead is the smallest difference between two clocks that counts. A sign of life may be some
// seconds on its way, and smaller differences do no harm.
const minAhead = time.Minute

func (t *table) compareClock(at, now time.Time) {
	var ahead time.Duration
	if !at.IsZero() {
		ahead = at.Sub(now).Round(time.Second)
	}
	if (ahead - t.clockAhead).Abs() > 5*time.Second { // else the page would be told at each sign
		t.clockAhead = ahead
	}
}

// madeAt returns since when the clock in the table's view runs, by the hall's clock.
func (t *table) madeAt() time.Time {
	if at := t.clockTime.Add(-t.clockDifference()); !t.clockTime.IsZero() && at.Before(t.viewTime) {
		return at
	}
	return t.viewTime
}

func (t *table) clockDifference() time.Duration {
	if t.clockAhead.Abs() < minAhead {
		return 0
	}
	return t.clockAhead
}

func (s sign) fits(v *engine.View) bool { return s.received && v.Match == s.match && v.Seq >= s.seq }
