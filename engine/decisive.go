package engine

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// A stretch is a round, or a turn in a match without rounds.
type stretch struct {
	seq, second, round int
	points, after      map[Seat]int
	played             map[Seat]int // the points without those told apart; only of a round
	events             []Event
	lines              []string
	final              bool // it ended the match
}

// apart returns the points of each round that an event with a key "apart.<event>" brought.
func (t *teller) apart() []Apart {
	var list []Apart
	for i, now := range t.moments[1:] {
		for _, e := range now.events {
			key := "apart." + e.Name
			if e.N == 0 || !t.words.Has(key) {
				continue
			}
			round := t.moments[i].round
			at := slices.IndexFunc(list, func(a Apart) bool { return a.Event == e.Name && a.Round == round })
			if at < 0 {
				at = len(list)
				list = append(list, Apart{Event: e.Name, Label: t.say(key), Round: round, Points: map[Seat]int{}})
			}
			list[at].Points[e.Seat] += e.N
		}
	}
	return list
}

func (t *teller) rounds() []stretch {
	var list []stretch
	for _, r := range t.result.Rounds {
		s := stretch{seq: r.Seq, second: r.Second, round: r.Round, points: r.Points, after: r.Totals, lines: r.Lines}
		s.played, s.final = maps.Clone(r.Points), t.isFinal(r.Seq)
		for _, a := range t.result.Apart {
			for seat, n := range a.Points {
				if a.Round == r.Round {
					s.played[seat] -= n
				}
			}
		}
		list = append(list, s)
	}
	return list
}

func (t *teller) isFinal(seq int) bool { return seq == len(t.moments)-1 && t.result.Over }

// turns returns the turns in which a value changed: what a seat does without a break in a turn.
// What was corrected by hand belongs to none.
func (t *teller) turns() []stretch {
	var list []stretch
	var turn, entered string
	for i, now := range t.moments[1:] {
		previous := t.moments[i]
		owner := fmt.Sprint(previous.round, previous.turn, now.input.Seat)
		if owner != turn {
			turn, entered = owner, ""
		}
		points := map[Seat]int{}
		for seat, n := range now.values {
			if n -= previous.values[seat]; n != 0 && now.input.Verb != Set {
				points[seat] = n
			}
		}
		if final := t.isFinal(i + 1); len(points) == 0 && !final {
			continue
		}
		if entered == "" {
			entered = turn
			list = append(list, stretch{round: previous.round, points: map[Seat]int{}})
		}
		s := &list[len(list)-1]
		s.seq, s.second, s.after, s.final = i+1, int(now.input.At/time.Second), now.values, t.isFinal(i+1)
		for seat, n := range points {
			s.points[seat] += n
		}
		s.events, s.lines = append(s.events, now.events...), append(s.lines, t.lines(now.events)...)
	}
	return list
}

// ahead returns the winners. As long as there are none, it returns the seats that are ahead.
func (t *teller) ahead() []Seat {
	var seats []Seat
	for _, s := range t.result.Seats {
		if s.Won || !t.result.Over && s.Rank == 1 {
			seats = append(seats, s.Seat)
		}
	}
	return seats
}

// lead returns by how much the winners are ahead of the best of the others.
func (t *teller) lead(values map[Seat]int) int {
	ahead, first, second := t.ahead(), []int{}, []int{}
	for seat, n := range values {
		if slices.Contains(ahead, seat) {
			first = append(first, t.view.Worth(n))
		} else {
			second = append(second, t.view.Worth(n))
		}
	}
	lead := 0
	if len(first) > 0 {
		lead = slices.Max(first)
	}
	if len(second) > 0 {
		lead -= slices.Max(second)
	}
	return lead
}

// swing returns by how much a stretch brought the winners further ahead.
func (t *teller) swing(s stretch) int {
	before := map[Seat]int{}
	for seat, n := range s.after {
		before[seat] = n - s.points[seat]
	}
	return t.lead(s.after) - t.lead(before)
}

// decisive returns the stretches that changed the lead most, in the order of play. The turn that
// ended the match is one of them. There are at most as many as given.
func (t *teller) decisive(list []stretch, most int) []int {
	if t.counter == "" || t.view.TablePlays() && !t.words.Has("amount."+t.counter) {
		return nil // only the players know how they are doing, or the boss
	}
	chosen, weight := []int{}, make([]int, len(list))
	for i, s := range list {
		weight[i] = size(t.swing(s))
		if s.final && len(t.result.Rounds) < 2 && (len(s.points) > 0 || len(list) == 1 || t.because(s.events) != "") {
			weight[i] = math.MaxInt // always told
		}
		if weight[i] > 0 {
			chosen = append(chosen, i)
		}
	}
	slices.SortStableFunc(chosen, func(a, b int) int {
		return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(b, a))
	})
	chosen = chosen[:min(len(chosen), most)]
	slices.Sort(chosen)
	return chosen
}

// sides returns the sides that have values, in the order of the ranking.
func (t *teller) sides(values map[Seat]int) [][]Seat {
	return slices.DeleteFunc(slices.Clone(t.result.Sides), func(side []Seat) bool {
		_, has := values[side[0]]
		return !has
	})
}

// best returns the sides with the greatest worth of some values.
func (t *teller) best(values map[Seat]int) (best [][]Seat, n int) {
	for _, side := range t.sides(values) {
		switch c := cmp.Compare(t.view.Worth(values[side[0]]), t.view.Worth(n)); {
		case len(best) == 0 || c > 0:
			best, n = [][]Seat{side}, values[side[0]]
		case c == 0:
			best = append(best, side)
		}
	}
	return best, n
}

// other returns the first seat of the other one of two sides.
func other(sides [][]Seat, side []Seat) Seat {
	if sides[0][0] == side[0] {
		return sides[1][0]
	}
	return sides[0][0]
}

// climb returns the lowest place of a seat in the race of a round and its place at the end, if
// that is higher by much.
func (t *teller) climb(s stretch, seat Seat) (low, high int, climbs bool) {
	course := t.result.Course
	if course.Counter == t.counter || course.Counter == "" || seat == "" {
		return 0, 0, false
	}
	from := 0
	for _, r := range t.result.Rounds {
		if r.Seq < s.seq {
			from = r.Seq
		}
	}
	// The last input of a round may already set up the next one.
	high = t.moments[s.seq-1].race[seat]
	low = high
	for _, now := range t.moments[from:s.seq] {
		low = min(low, now.race[seat])
	}
	return low, high, high-low >= 3
}

// causeOf returns the kind of the card of the last event before the one that changed the value of
// a seat by n. If more cards did that, or none, it returns "".
func causeOf(events []Event, seat Seat, n int) string {
	card, cause := "", ""
	for _, e := range events {
		switch {
		case e.Card != "":
			card, _, _ = strings.Cut(e.Card, ".")
		case e.Seat == seat && e.N == size(n) && card != "":
			cause = card
		case e.Seat == seat && e.N > 0 && e.N < size(n):
			return ""
		}
	}
	return cause
}

func size(n int) int { return max(n, -n) }
