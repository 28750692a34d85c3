package evening

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"tableside/engine"
)

// Draw returns the pairings of the next round. The format of the evening decides how Draw
// pairs players, and chance decides between equal players. If no round can be drawn, Draw
// refuses and gives the reason.
func (s *State) Draw(chance *rand.Rand) ([]Pairing, error) {
	if s.Format == Free {
		return nil, engine.Refuse("evening.by-hand")
	}
	if err := s.checkReady(); err != nil {
		return nil, err
	}
	players := s.present()
	if len(players) < 2 {
		return nil, engine.Refuse("evening.too-few")
	}
	var groups [][]int
	var err error
	switch s.Format {
	case KnockOut:
		groups, err = s.knockOut(players)
	case RoundRobin:
		groups, err = s.roundRobin(players, chance)
	default:
		groups = s.swiss(players, chance)
	}
	if err != nil {
		return nil, err
	}
	return s.assign(groups), nil
}

// checkReady returns an error with the reason why no further round can begin yet. If a round
// can begin, the error is nil.
func (s *State) checkReady() error {
	switch n := s.Missing(); {
	case s.Over:
		return engine.Refuse("evening.is-over")
	case n > 0:
		return engine.Refuse("evening.missing", "n", n)
	case len(s.Rounds) >= maxRounds:
		return engine.Refuse("evening.rounds-most", "most", maxRounds)
	}
	return nil
}

// assign makes a pairing of each group, and assigns the tables in use to the pairings in
// order. A bye gets no table. If there are too few tables, the last pairings get no table.
func (s *State) assign(groups [][]int) []Pairing {
	var list []Pairing
	next := 0
	for _, players := range groups {
		p := Pairing{Players: players}
		for len(players) > 1 && next < len(s.Tables) && p.Table == "" {
			if !s.Tables[next].Out {
				p.Table = s.Tables[next].Name
			}
			next++
		}
		list = append(list, p)
	}
	return list
}

// A field holds the players for whom a round is to be drawn. It also holds their records, and
// how often they have met. The players are numbered from 0 in the order of their points, the
// most points first. Among players with equal points, the order is random.
type field struct {
	players  []int
	records  []record
	meetings [][]int // how often two have met
}

func (s *State) field(players []int, chance *rand.Rand) *field {
	f := &field{players: slices.Clone(players), records: s.records()}
	chance.Shuffle(len(f.players), func(i, j int) { f.players[i], f.players[j] = f.players[j], f.players[i] })
	slices.SortStableFunc(f.players, func(a, b int) int { return cmp.Compare(f.records[b].points, f.records[a].points) })
	at := map[int]int{}
	for i, n := range f.players {
		at[n] = i
	}
	for _, n := range f.players {
		met := make([]int, len(f.players))
		for _, g := range f.records[n].games {
			if other, plays := at[g.opponent]; plays {
				met[other]++
			}
		}
		f.meetings = append(f.meetings, met)
	}
	return f
}

func (f *field) points(i int) Points { return f.records[f.players[i]].points }

// swiss draws a round by the Swiss system. Players meet others with about as many points, and
// nobody meets the same player a second time while this can be avoided. (FIDE handbook C.04.1)
func (s *State) swiss(players []int, chance *rand.Rand) [][]int {
	f := s.field(players, chance)
	if s.Size > 2 && len(players) > 2 {
		return f.playerGroups(f.divideTables(s.Size))
	}
	return f.playerGroups(f.pairs())
}

// pairs divides all players into pairs. If their number is odd, one player has a bye. No two
// players meet more often than necessary. pairs also looks for a round in which few players
// meet an opponent again. It tries 2 such players, then 4, and so on. For each of these
// numbers it tries only one group of players. So it may miss the best round if players came
// late or left.
func (f *field) pairs() [][]int {
	most := 0
	bye, m := f.matching(most, 0)
	for m == nil {
		most++
		bye, m = f.matching(most, 0)
	}
	for repeats := 2; most > 0 && repeats < len(f.players); repeats += 2 {
		bye, m := f.matching(0, repeats)
		if m == nil {
			continue
		}
		pairs, left := f.choose(bye, m)
		among := f.subfield(left)
		if _, m := among.matching(most, 0); m != nil {
			rest, _ := among.choose(-1, m)
			for _, pair := range rest {
				pairs = append(pairs, []int{left[pair[0]], left[pair[1]]})
			}
			return pairs
		}
	}
	pairs, _ := f.choose(bye, m)
	return pairs
}

// matching pairs all players so that no pair has met more often than limit. If the number of
// players is odd, one player has a bye, and the first result is the index of this player. If
// the number is even, the first result is -1. If no such pairing is possible, the first result
// is -1, and the second result is nil.
//
// Only players with the fewest byes so far can have the bye. matching tries them from the
// lowest upwards. The bye goes to the first of them for whom all other players can be paired.
//
// A placeholder is a point of the graph that is numbered after the players. repeats is the
// number of placeholders. Players who are paired with placeholders are left for a second
// matching, in which they may meet again.
func (f *field) matching(limit, repeats int) (bye int, m *matching) {
	joined := f.possiblePairs(limit, repeats)
	if len(f.players)%2 == 0 {
		if m = newMatching(joined); m.fill() {
			return -1, m
		}
		return -1, nil
	}
	fewest := math.MaxInt
	for _, n := range f.players {
		fewest = min(fewest, f.records[n].byes)
	}
	for i, n := range slices.Backward(f.players) {
		if f.records[n].byes > fewest {
			continue
		}
		m = newMatching(joined)
		m.excluded[i] = true
		if m.fill() {
			return i, m
		}
	}
	return -1, nil
}

// possiblePairs returns which players may meet so that no pair has met more often than limit. Each
// player may also be paired with each placeholder.
func (f *field) possiblePairs(limit, repeats int) [][]bool {
	n := len(f.players)
	joined := make([][]bool, n+repeats)
	for i := range joined {
		joined[i] = make([]bool, n+repeats)
		for j := range joined {
			if joined[i][j] = (i < n) != (j < n); i < n && j < n {
				joined[i][j] = i != j && f.meetings[i][j] <= limit
			}
		}
	}
	return joined
}

// choose turns a matching into pairs of opponents. In the order of their numbers, each player
// gets the best opponent with whom all others can still be paired. The second result holds the
// players who are paired with placeholders instead. bye is the index of the player with the
// bye, or -1 if there is no bye. The player with the bye comes last, as a pair of one.
func (f *field) choose(bye int, m *matching) (pairs [][]int, left []int) {
	for i := range f.players {
		if m.excluded[i] {
			continue
		}
		wanted := f.possibleOpponents(i)
		if at := slices.IndexFunc(wanted, func(j int) bool { return m.pair(i, j) }); at >= 0 {
			pairs = append(pairs, []int{i, wanted[at]})
			continue
		}
		m.pair(i, m.mate[i])
		left = append(left, i)
	}
	if bye >= 0 {
		pairs = append(pairs, []int{bye})
	}
	return pairs, left
}

// subfield returns a field with the players at the given indexes.
func (f *field) subfield(indexes []int) *field {
	g := &field{records: f.records}
	for _, i := range indexes {
		var met []int
		for _, j := range indexes {
			met = append(met, f.meetings[i][j])
		}
		g.players, g.meetings = append(g.players, f.players[i]), append(g.meetings, met)
	}
	return g
}

// possibleOpponents returns the opponents whom player i may still get, the best first. These
// are the players who are numbered after i. The best are those whom i has met least often.
// Among equal opponents, those with the nearest points come first.
func (f *field) possibleOpponents(i int) []int {
	var list []int
	for j := i + 1; j < len(f.players); j++ {
		list = append(list, j)
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Or(cmp.Compare(f.meetings[i][a], f.meetings[i][b]), cmp.Compare(f.points(b), f.points(a)))
	})
	return list
}

// playerGroups returns the groups with the numbers of the players in place of their indexes.
// Each group is in the order of play. The player who has begun least often comes first. Among
// equal players, one who did not begin last time comes first.
func (f *field) playerGroups(groups [][]int) [][]int {
	var list [][]int
	for _, group := range groups {
		var players []int
		for _, i := range group {
			players = append(players, f.players[i])
		}
		slices.SortStableFunc(players, func(a, b int) int {
			return cmp.Or(cmp.Compare(f.records[a].firsts, f.records[b].firsts),
				cmp.Compare(f.records[a].beganLast, f.records[b].beganLast))
		})
		list = append(list, players)
	}
	return list
}

// divideTables divides the players into groups, one group for each table. No group has more
// than size players, and the sizes of the groups differ by at most one. At first the groups
// follow the order of points. Then divideTables exchanges players of two groups, as long as
// this makes the round better, but in at most 30 passes.
func (f *field) divideTables(size int) [][]int {
	n := (len(f.players) + size - 1) / size
	groups := make([][]int, n)
	at := 0
	for i := range groups {
		seats := (len(f.players) - at + n - i - 1) / (n - i)
		for range seats {
			groups[i] = append(groups[i], at)
			at++
		}
	}
	const most = 30 // passes; a round is good long before
	for range most {
		if !f.improve(groups) {
			break
		}
	}
	return groups
}

// improve exchanges two players of different tables wherever the two tables together become
// better. It reports whether it has exchanged any players.
func (f *field) improve(groups [][]int) (better bool) {
	for a := range groups {
		for b := a + 1; b < len(groups); b++ {
			for i := range groups[a] {
				for j := range groups[b] {
					before := f.cost(groups[a], i) + f.cost(groups[b], j)
					groups[a][i], groups[b][j] = groups[b][j], groups[a][i]
					if f.cost(groups[a], i)+f.cost(groups[b], j) < before {
						better = true
						continue
					}
					groups[a][i], groups[b][j] = groups[b][j], groups[a][i]
				}
			}
		}
	}
	return better
}

// repeatCost is the cost of meeting a player a second time, multiplied by MaxSize. This cost
// is more than any difference of points between two players.
const repeatCost = 1 << 20

// cost returns how bad it is for one player of a group to meet the other players of the group.
// i is the index of this player. Meeting somebody again costs most. The squares of the
// differences in points are added to this cost. Differences in points are measured in half
// points.
func (f *field) cost(group []int, i int) int {
	sum := 0
	for k, other := range group {
		if k == i {
			continue
		}
		met := min(f.meetings[group[i]][other], 20)
		far := int(2 * (f.points(group[i]) - f.points(other)) / One)
		sum += repeatCost*met*met/MaxSize + far*far
	}
	return sum
}
