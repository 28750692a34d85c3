package evening

import (
	"cmp"
	"slices"
	"strconv"
)

// Points count wins in fractions of a win. At a table of k players, a player gets 1/(k-1) for
// each player beaten, and half as much for each player on the same place. So the winner of any
// table gets 1. Between two players the results are 1, ½ and 0. At tables of up to MaxSize,
// the product of two such results is a whole number of Points.
type Points int64

const (
	share Points = 840 // can be divided by 2, and then by each of 1 to 7
	One          = share * share

	noValue Points = -1 // a tie-break that does not apply
)

// MarshalJSON returns points with at most three decimals, such as 1.5. For a tie-break that
// does not apply, it returns null.
func (p Points) MarshalJSON() ([]byte, error) { return []byte(cmp.Or(p.String(), "null")), nil }

func (p Points) String() string {
	if p == noValue {
		return ""
	}
	thousandths := (int64(p)*1000 + int64(One)/2) / int64(One)
	return strconv.FormatFloat(float64(thousandths)/1000, 'f', -1, 64)
}

// The tie-breaks, with the articles of the FIDE handbook, chapter C.07 (2024).
const (
	Direct    = "direct"     // article 6: results among the tied players, if all of them have met
	Wins      = "wins"       // article 7: matches won
	Buchholz  = "buchholz"   // article 8: the opponents' points
	Cut1      = "buchholz-1" // article 14: Buchholz without its lowest value
	Sonneborn = "sonneborn"  // article 9: opponents' points, each times the share won there
)

// TieBreaks returns the tie-breaks of the format. They are in the order in which they decide
// between players with equal points. A knock-out has none.
func (s *State) TieBreaks() []string {
	switch s.Format {
	case KnockOut:
		return []string{}
	case Swiss:
		return []string{Direct, Cut1, Buchholz, Sonneborn, Wins}
	}
	return []string{Direct, Wins, Sonneborn}
}

// A Standing is the place of a player in an evening. Players who share a place have the same
// rank.
type Standing struct {
	Rank   int    `json:"rank"`
	Player int    `json:"player"`
	Points Points `json:"points"`
	Played int    `json:"played"` // matches with a result
	Byes   int    `json:"byes"`
	// TieBreak holds the values of the tie-breaks, in the order of TieBreaks. For the
	// tie-break Direct, only results among the tied players count.
	TieBreak []Points `json:"tiebreak"`
}

// A record holds the points, games and other numbers of a player over all rounds.
type record struct {
	points    Points
	games     []game
	played    int
	byes      int
	wins      int
	firsts    int // times that the player began
	beganLast int // 1 if the player began the last time
	tables    int // rounds with a place at a table
}

// A game is one meeting of a player with an opponent at a table.
type game struct {
	round         int // the index of the round
	opponent      int
	halves        Points // 2 for an opponent beaten, 1 for one on the same place
	opponentCount Points // how many opponents were at the table
	over          bool
}

// records returns the records of all players. The index of a record is the player's number.
// The record at index 0 is empty, because numbers begin at 1.
func (s *State) records() []record {
	all := make([]record, len(s.Players)+1)
	for r := range s.Rounds {
		for i := range s.Rounds[r].Pairings {
			p := &s.Rounds[r].Pairings[i]
			if len(p.Players) == 1 {
				one := &all[p.Players[0]]
				one.byes++
				if s.Format == Swiss || s.Format == KnockOut {
					one.points += One
				}
				continue
			}
			s.recordPairing(all, r, p)
			if at := p.Result.onlyWinner(); at >= 0 && s.isThird(r+1, i+1) {
				all[p.Players[at]].points -= One / 2 // the second of the evening has as many wins
			}
		}
	}
	return all
}

func (s *State) recordPairing(all []record, round int, p *Pairing) {
	opponents := Points(len(p.Players) - 1)
	for i, n := range p.Players {
		me := &all[n]
		me.tables++
		me.beganLast = 0
		if i == 0 {
			me.firsts++
			me.beganLast = 1
		}
		for j, other := range p.Players {
			if i == j {
				continue
			}
			g := game{round: round, opponent: other, opponentCount: opponents, over: p.Result != nil}
			if g.over {
				g.halves = Points(1 + cmp.Compare(p.Result.Places[j], p.Result.Places[i]))
				me.points += One * g.halves / (2 * opponents)
			}
			me.games = append(me.games, g)
		}
		if p.Result != nil {
			me.played++
			if p.Result.onlyWinner() == i {
				me.wins++
			}
		}
	}
}

// strengths returns, for each round, the average points of the opponents of player n. If the
// player still waits for the result of a round, this round is left out. A round without an
// opponent counts as a round against an opponent with the player's own points. (C.07, article
// 16)
func (s *State) strengths(all []record, n int) []Points {
	met, waits := make([]Points, len(s.Rounds)), make([]bool, len(s.Rounds))
	plays := make([]bool, len(s.Rounds))
	for _, g := range all[n].games {
		plays[g.round] = true
		waits[g.round] = !g.over
		met[g.round] += all[g.opponent].points / g.opponentCount
	}
	var list []Points
	for r := range met {
		switch {
		case waits[r]:
		case plays[r]:
			list = append(list, met[r])
		default:
			list = append(list, all[n].points)
		}
	}
	return list
}

// value returns the value of one tie-break for player n. rule is the name of the tie-break.
// tied holds the players who are tied. If the tie-break does not apply, value returns noValue.
func (s *State) value(rule string, all []record, n int, tied []int) Points {
	var sum Points
	switch rule {
	case Wins:
		return Points(all[n].wins) * One
	case Sonneborn:
		for _, g := range all[n].games {
			sum += all[g.opponent].points * g.halves / (2 * g.opponentCount)
		}
	case Buchholz, Cut1:
		list := s.strengths(all, n)
		for _, points := range list {
			sum += points
		}
		if rule == Cut1 && len(list) > 0 {
			sum -= slices.Min(list)
		}
	case Direct:
		if len(tied) < 2 || !haveMet(all, tied, func(g game) bool { return g.over }) {
			return noValue
		}
		for _, g := range all[n].games {
			if g.over && slices.Contains(tied, g.opponent) {
				sum += One * g.halves / (2 * g.opponentCount)
			}
		}
	}
	return sum
}

// haveMet reports whether all players have met each other in games that count.
func haveMet(all []record, players []int, counts func(game) bool) bool {
	for i, a := range players {
		for _, b := range players[:i] {
			if !slices.ContainsFunc(all[a].games, func(g game) bool { return g.opponent == b && counts(g) }) {
				return false
			}
		}
	}
	return true
}

func anyGameCounts(game) bool { return true }

// Standings returns the standings of all players, the best first. Players who are equal come
// in the order in which they joined.
func (s *State) Standings() []Standing {
	all, breaks := s.records(), s.TieBreaks()
	players := make([]int, len(s.Players))
	of := make([]Standing, len(s.Players)+1)
	for i := range players {
		n := i + 1
		players[i] = n
		of[n] = Standing{Player: n, Points: all[n].points, Played: all[n].played, Byes: all[n].byes,
			TieBreak: slices.Repeat([]Points{noValue}, len(breaks))}
	}
	groups := split([][]int{players}, func(n int, _ []int) Points { return all[n].points })
	for i, by := range breaks {
		groups = s.breakTies(groups, all, of, i, by)
	}
	list := make([]Standing, 0, len(players))
	for _, group := range groups {
		rank := len(list) + 1
		for _, n := range group {
			of[n].Rank = rank
			list = append(list, of[n])
		}
	}
	return list
}

// breakTies splits groups of tied players by one tie-break. rule is the name of the tie-break,
// and i is its index in TieBreaks. breakTies writes the values of the tie-break into the
// standings. If the rule Direct separates some players of a group, breakTies applies this rule
// again among the players who are still tied.
func (s *State) breakTies(groups [][]int, all []record, standings []Standing, i int, rule string) [][]int {
	for {
		next := split(groups, func(n int, tied []int) Points {
			value := s.value(rule, all, n, tied)
			if rule != Direct || value != noValue {
				standings[n].TieBreak[i] = value
			}
			return value
		})
		if rule != Direct || len(next) == len(groups) {
			return next
		}
		groups = next
	}
}

// split divides each group into groups of players with equal values, the highest value first.
func split(groups [][]int, value func(n int, group []int) Points) [][]int {
	var next [][]int
	for _, group := range groups {
		values := map[int]Points{}
		for _, n := range group {
			values[n] = value(n, group)
		}
		sorted := slices.Clone(group)
		slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
		for i, n := range sorted {
			if i == 0 || values[n] != values[sorted[i-1]] {
				next = append(next, nil)
			}
			next[len(next)-1] = append(next[len(next)-1], n)
		}
	}
	return next
}
