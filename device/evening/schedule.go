package evening

import (
	"math/rand/v2"
	"slices"

	"tableside/engine"
)

// Berger returns the pairs of one round of n players, as in the Berger tables. The pairs are
// in the order of the boards. In all rounds together, each player meets each other player
// once. Rounds and players are numbered from 1. The first player of each pair begins. If n is
// odd, the player who would meet number n+1 has a bye. See FIDE handbook C.05, annex 1.
func Berger(n, round int) [][2]int {
	even := n + n%2
	last := even - 1 // the number of rounds, and of players who change places: number even stays
	var pairs [][2]int
	for i := 1; i <= last; i++ {
		// The numbers of two who meet add up to one more than the round, modulo last.
		j := ((round+1-i)%last + last) % last
		if j == 0 {
			j = last
		}
		switch {
		case i == j && i <= even/2:
			pairs = append([][2]int{{i, even}}, pairs...)
		case i == j:
			pairs = append([][2]int{{even, i}}, pairs...)
		case i < j && (i+j)%2 == 1:
			pairs = append(pairs, [2]int{i, j})
		case i < j:
			pairs = append(pairs, [2]int{j, i})
		}
	}
	return pairs
}

// roundRobin draws the first round of the Berger table in which nobody meets an opponent
// again. If somebody came late, there may be no such round. roundRobin then pairs as many
// players as possible who have not met. If all players have met, roundRobin refuses.
func (s *State) roundRobin(players []int, chance *rand.Rand) ([][]int, error) {
	f := s.field(players, chance)
	numbers := s.numberedPlayers()
	for round := 1; round < len(numbers)+len(numbers)%2; round++ {
		if groups := f.bergerRound(numbers, round); groups != nil {
			return groups, nil
		}
	}
	if s.allMet() {
		return nil, engine.Refuse("evening.all-met")
	}
	m := newMatching(f.possiblePairs(0, 0))
	m.fill()
	var groups, byes [][]int
	for i, j := range m.mate {
		switch {
		case j < 0:
			byes = append(byes, []int{i})
		case i < j:
			groups = append(groups, []int{i, j})
		}
	}
	return f.playerGroups(append(groups, byes...)), nil
}

// numberedPlayers returns the players who have a number in the Berger table, in the order of
// these numbers. The first numbers go to the players who have had a place in a round, ordered
// by their first round. The next numbers go to the other players who are present. A player who
// never came has no number, so that nobody has to wait for this player.
func (s *State) numberedPlayers() []int {
	var list []int
	for _, r := range s.Rounds {
		before := len(list)
		for _, p := range r.Pairings {
			for _, n := range p.Players {
				if !slices.Contains(list, n) {
					list = append(list, n)
				}
			}
		}
		slices.Sort(list[before:])
	}
	for _, n := range s.present() {
		if !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list
}

// bergerRound returns a round of the Berger table. numbers is the list of all players of this
// table, in the order of the table. A player whose opponent is not in the field has a bye. If
// two players of the round have already met, or if nobody would meet anybody, bergerRound
// returns nil.
func (f *field) bergerRound(numbers []int, round int) [][]int {
	var groups, byes [][]int
	for _, pair := range Berger(len(numbers), round) {
		var here []int
		for _, number := range pair {
			if number > len(numbers) {
				continue
			}
			if n := numbers[number-1]; slices.Contains(f.players, n) {
				here = append(here, n)
			}
		}
		switch {
		case len(here) == 2 && haveMet(f.records, here, anyGameCounts):
			return nil
		case len(here) == 2:
			groups = append(groups, here)
		case len(here) == 1:
			byes = append(byes, here)
		}
	}
	if groups == nil {
		return nil
	}
	return append(groups, byes...)
}

// allMet reports whether all who are present have met each other.
func (s *State) allMet() bool { return haveMet(s.records(), s.present(), anyGameCounts) }

// final reports whether the running round has the final, perhaps beside a match for the third place.
func (s *State) final() bool {
	return len(s.Rounds) > 0 && (len(s.Round().Pairings) == 1 || s.isThird(len(s.Rounds), 2))
}

// isThird reports whether a pairing is the match for the third place.
func (s *State) isThird(round, board int) bool {
	return s.Third && board == 2 && round > 1 && len(s.Rounds[round-2].Pairings) == 2
}

// Last reports whether no further round follows the running one.
func (s *State) Last() bool {
	switch s.Format {
	case KnockOut:
		return s.final()
	case RoundRobin:
		return len(s.Rounds) > 0 && s.allMet()
	default:
		return false
	}
}

// knockOut returns the next round of a knock-out. In the first round, the players at the top
// of the list have the byes, and are placed so that they meet each other as late as possible.
// In any later round, the winners of the round before meet. If a winner has left, the opponent
// has a bye.
//
// knockOut refuses a round after the final. It also refuses while the players of a pairing
// share the first place.
func (s *State) knockOut(players []int) ([][]int, error) {
	last := s.Round()
	if last == nil {
		var groups [][]int
		seeds := bracket(len(players))
		for i := 0; i < len(seeds); i += 2 {
			groups = append(groups, existingPlayers(players, seeds[i], seeds[i+1]))
		}
		return groups, nil
	}
	if s.final() {
		return nil, engine.Refuse("evening.decided")
	}
	var through, beaten []int // 0 for nobody
	for i := range last.Pairings {
		p, winner := &last.Pairings[i], 0
		switch {
		case len(p.Players) == 1:
			winner = p.Players[0]
		case p.Result != nil:
			at := p.Result.onlyWinner()
			if at < 0 {
				return nil, engine.Refuse("evening.drawn", "n", i+1)
			}
			winner = p.Players[at]
			beaten = append(beaten, 1+slices.Index(players, p.Players[1-at]))
		}
		through = append(through, 1+slices.Index(players, winner))
	}
	var groups [][]int
	for i := 0; i+1 < len(through); i += 2 {
		groups = append(groups, existingPlayers(players, through[i], through[i+1]))
	}
	if s.Third && len(groups) == 1 {
		if third := existingPlayers(players, beaten...); len(third) == 2 {
			groups = append(groups, third)
		}
	}
	return groups, nil
}

// existingPlayers returns the players at two places of a list. Places are counted from 1. A
// place of 0, or a place after the end of the list, stands for nobody and is left out.
func existingPlayers(players []int, two ...int) []int {
	list := []int{}
	for _, seed := range two {
		if seed >= 1 && seed <= len(players) {
			list = append(list, players[seed-1])
		}
	}
	return list
}

// bracket returns the seeds of a knock-out, in the order in which they meet in the first
// round. A seed is a place in the list of players. If a seed is greater than the number of
// players, nobody has this seed.
//
// The seeds of two players who meet add up to one more than the number of seeds. If the better
// player always wins, this is also true in every later round, for the seeds that are left.
func bracket(players int) []int {
	seeds := []int{1}
	for len(seeds) < players {
		var next []int
		for _, seed := range seeds {
			next = append(next, seed, 2*len(seeds)+1-seed)
		}
		seeds = next
	}
	return seeds
}
