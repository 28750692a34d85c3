package mutants

import (
	"cmp"
	"slices"
	"strconv"

	"tableside/engine"
)

// holds reports whether a condition holds for a player.
func (s *state) holds(p *player, c Condition) bool {
	switch c {
	case InTopSpace:
		return s.onTop(p)
	case IfInRedZone:
		return s.inRedZone(p)
	case IfDominated:
		return s.countOpponents(p, OpponentsDominating) > 0
	case IfDominating:
		return s.countOpponents(p, OpponentsDominated) > 0
	case IfNotDominating:
		return s.countOpponents(p, OpponentsDominated) == 0
	case IfDominatingAll:
		return s.countOpponents(p, OpponentsDominated) == len(s.players)-1
	case IfIncubating:
		return p.incubator != nil
	}
	return true
}

func (s *state) inRedZone(p *player) bool { return s.power.space(p.index) <= s.rules.board.RedZone }

// gainPower moves a player's power marker up n spaces ("Gain Power"). If the marker reaches
// the Top Space, each remaining point of power moves every opponent back one space instead.
func (s *state) gainPower(p *player, n int) {
	space := s.power.space(p.index)
	steps := min(n, s.rules.board.Spaces-space)
	if steps > 0 {
		s.power.land(p.index, space+steps)
	}
	s.tell("gains-power", p, n)
	left := n - max(steps, 0)
	if left == 0 {
		return
	}
	before := make([]int, len(s.players))
	for i := range before {
		before[i] = s.power.space(i)
	}
	for range left {
		for _, o := range s.opponents(p) {
			s.slideBack(o, 1)
		}
	}
	for _, o := range s.opponents(p) {
		s.tellMarker("falls-back", o, before[o.index])
	}
}

func (s *state) tellMarker(event string, p *player, previous int) {
	if now := s.power.space(p.index); now != previous {
		path := engine.Literal(strconv.Itoa(previous) + "→" + strconv.Itoa(now))
		s.Emit(engine.Event{Name: event, Seat: p.seat, N: previous - now, Word: path.Word()})
	}
}

// losePower moves a player's power marker down n spaces ("Lose Power"). The marker stops at
// the lowest space. A marker that does not move keeps its place in its stack.
func (s *state) losePower(p *player, n int) {
	s.slideBack(p, n)
	s.tell("loses-power", p, n)
}

func (s *state) slideBack(p *player, n int) {
	if to := max(1, s.power.space(p.index)-n); to < s.power.space(p.index) {
		s.power.land(p.index, to)
	}
}

// losePoints loses victory points; a score never goes below 0.
func (s *state) losePoints(p *player, n int) {
	before := s.score.space(p.index)
	s.tell("loses-points", p, n)
	if to := max(0, before-n); to < before {
		s.score.land(p.index, to)
	}
}

// A track is a row of spaces with one marker for each seat. Markers on the same space are
// stacked, and the last marker to land is on top.
type track struct {
	markers  []marker
	landings int // how many there were
}

type marker struct {
	space int
	level int // when it landed: a greater number is higher in the stack
}

func newTrack(seats int) track { return track{markers: make([]marker, seats)} }

func (t *track) land(seat, space int) {
	t.landings++
	t.markers[seat] = marker{space, t.landings}
}

func (t *track) placed(seat int) bool { return t.markers[seat].level > 0 }

func (t *track) space(seat int) int { return t.markers[seat].space }

func (t *track) isAhead(a, b int) bool {
	x, y := t.markers[a], t.markers[b]
	return x.space > y.space || x.space == y.space && x.level > y.level
}

func (t *track) compare(a, b int) int {
	x, y := t.markers[a], t.markers[b]
	return cmp.Or(cmp.Compare(x.space, y.space), cmp.Compare(x.level, y.level))
}

func (t *track) ranking() []int {
	seats := make([]int, len(t.markers))
	for i := range seats {
		seats[i] = i
	}
	slices.SortStableFunc(seats, func(a, b int) int { return t.compare(b, a) })
	return seats
}
