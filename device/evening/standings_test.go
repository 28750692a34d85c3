package evening

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// crosstable returns an evening of two at a table with results such as "1-2 1", "1-3 ½": the
// points of the first.
func crosstable(format string, players int, rounds ...[]string) *State {
	s := &State{Format: format, Size: 2}
	for i := range players {
		s.Players = append(s.Players, Player{Number: i + 1, Name: fmt.Sprint(i + 1)})
	}
	for _, round := range rounds {
		var r Round
		for _, line := range round {
			var a, b int
			var won string
			if n, _ := fmt.Sscanf(line, "%d-%d %s", &a, &b, &won); n < 3 {
				r.Pairings = append(r.Pairings, Pairing{Players: []int{a}})
				continue
			}
			places := map[string][]int{"1": {1, 2}, "½": {1, 1}, "0": {2, 1}}[won]
			r.Pairings = append(r.Pairings, Pairing{Players: []int{a, b}, Result: &Result{Places: places}})
		}
		s.Rounds = append(s.Rounds, r)
	}
	return s
}

// TestSonnebornBerger compares with the example of Sensei's Library, "Sonneborn-Berger":
// four players meet twice; A and B have 4 points, and A is first with 11 to 9.
func TestSonnebornBerger(t *testing.T) {
	s := crosstable(RoundRobin, 4, []string{"1-2 1", "3-4 1"}, []string{"1-3 1", "2-4 1"}, []string{"1-4 1", "2-3 1"},
		[]string{"1-2 0", "3-4 1"}, []string{"1-3 1", "2-4 1"}, []string{"1-4 0", "2-3 0"})
	all := s.records()
	points := []Points{4, 4, 3, 1}
	sonneborn := []Points{11, 9, 6, 4}
	for i := range points {
		if got := all[i+1].points; got != points[i]*One {
			t.Errorf("player %d has %v points, want %d", i+1, got, points[i])
		}
		if got := s.value(Sonneborn, all, i+1, nil); got != sonneborn[i]*One {
			t.Errorf("player %d has Sonneborn-Berger %v, want %d", i+1, got, sonneborn[i])
		}
	}
	if first := s.Standings()[0]; first.Player != 1 || first.Rank != 1 {
		t.Errorf("first is %+v", first)
	}
}

// TestDirectEncounter breaks ties among three who have met, and among two of them again.
func TestDirectEncounter(t *testing.T) {
	// 1, 2 and 3 have two points each of their matches with 4 and among themselves.
	s := crosstable(RoundRobin, 4, []string{"1-4 1", "2-3 1"}, []string{"1-2 1", "3-4 1"}, []string{"1-3 0", "2-4 1"})
	var ranks []int
	for _, standing := range s.Standings() {
		ranks = append(ranks, standing.Rank)
	}
	if !slices.Equal(ranks, []int{1, 1, 1, 4}) { // a circle: nothing tells them apart
		t.Errorf("the ranks are %v", ranks)
	}
	s = crosstable(Swiss, 4, []string{"1-2 0", "3-4 0"}, []string{"1-3 1", "2-4 ½"}, []string{"1-4 ½", "2-3 0"})
	list := s.Standings() // 1 and 2 have 1½, 4 has 2
	if list[0].Player != 4 || list[1].Player != 2 || list[2].Player != 1 || list[1].Rank != 2 || list[2].Rank != 3 {
		t.Errorf("the standings are %+v", list)
	}
}

// TestBuchholz counts a bye as an opponent with one's own points.
func TestBuchholz(t *testing.T) {
	s := crosstable(Swiss, 3, []string{"1-2 1", "3"}, []string{"1-3 ½", "2"}, []string{"2-3 0", "1"})
	all := s.records() // 1: 2½, 2: 1, 3: 2½
	for n, want := range []float64{1 + 2.5 + 2.5, 2.5 + 1 + 2.5, 2.5 + 2.5 + 1} {
		if got := s.value(Buchholz, all, n+1, nil); got != Points(want*float64(One)) {
			t.Errorf("player %d has Buchholz %v, want %v", n+1, got, want)
		}
		if got := s.value(Cut1, all, n+1, nil); got != 5*One {
			t.Errorf("player %d has Buchholz without the lowest %v, want 5", n+1, got)
		}
	}
}

// TestStandingsSlowly compares the standings of random evenings with a plain recomputation.
func TestStandingsSlowly(t *testing.T) {
	for seed := range uint64(60) {
		chance := rand.New(rand.NewPCG(seed, 5))
		size := 2 + chance.IntN(3)
		e := begun(t, Swiss, size, 3+chance.IntN(12))
		e.chance = chance
		for range 1 + chance.IntN(5) {
			e.next()
			e.finish()
			if chance.IntN(3) == 0 && len(e.state().present()) > 3 {
				e.change(Change{Do: "out", Player: 1 + chance.IntN(len(e.state().Players))})
			}
		}
		checkStandings(t, fmt.Sprint("seed ", seed), e.state())
	}
}

// TestStandingsOfMany compares the standings of 200 players after seven rounds, read from
// the journal, at tables that told most results in any order.
func TestStandingsOfMany(t *testing.T) {
	e := begun(t, Swiss, 2, 200)
	var tables []string
	for i := range 100 {
		tables = append(tables, fmt.Sprint("table-", i+1))
	}
	e.change(Change{Do: "tables", Names: tables})
	for range 7 {
		e.next()
		pairings := e.view().Rounds[len(e.state().Rounds)-1].Pairings
		for _, i := range e.chance.Perm(len(pairings)) {
			p, names := pairings[i], e.state().names(e.state().pairingAt(len(e.state().Rounds), i+1))
			if e.chance.IntN(10) > 0 {
				slices.Reverse(names)
				e.said(p.Table, names...)
			}
		}
		if aside := e.view().Aside; len(aside) > 0 {
			t.Fatalf("set aside: %+v", aside[0])
		}
		e.finish()
	}
	reopened(e)
	checkStandings(t, "200 players", e.state())
}

// checkStandings compares all standings with a plain recomputation.
func checkStandings(t *testing.T, what string, s *State) {
	t.Helper()
	for _, standing := range s.Standings() {
		want := slowly(s, standing.Player)
		for i, by := range []string{Cut1, Buchholz, Sonneborn, Wins} {
			if got := float64(standing.TieBreak[i+1]) / float64(One); math.Abs(got-want[i+1]) > 1e-9 {
				t.Errorf("%s, player %d: %s is %v, want %v", what, standing.Player, by, got, want[i+1])
			}
		}
		if got := float64(standing.Points) / float64(One); math.Abs(got-want[0]) > 1e-9 {
			t.Errorf("%s, player %d: %v points, want %v", what, standing.Player, got, want[0])
		}
	}
	checkOrder(t, s)
}

// slowly returns points, Buchholz without the lowest, Buchholz, Sonneborn-Berger and wins.
func slowly(s *State, player int) [5]float64 {
	var v [5]float64
	v[0] = pointsOf(s, player)
	lowest := math.Inf(1)
	for _, r := range s.Rounds {
		strength := v[0]
		for _, p := range r.Pairings {
			me := slices.Index(p.Players, player)
			if me < 0 || len(p.Players) == 1 {
				continue
			}
			strength = 0
			others, best := float64(len(p.Players)-1), true
			for i, other := range p.Players {
				if i == me {
					continue
				}
				strength += pointsOf(s, other) / others
				v[3] += pointsOf(s, other) * against(p.Result, me, i) / others
				best = best && against(p.Result, me, i) == 1
			}
			if best {
				v[4]++
			}
		}
		v[2] += strength
		lowest = min(lowest, strength)
	}
	v[1] = v[2] - lowest
	return v
}

func pointsOf(s *State, player int) float64 {
	sum := 0.0
	for _, r := range s.Rounds {
		for _, p := range r.Pairings {
			me := slices.Index(p.Players, player)
			switch {
			case me < 0:
			case len(p.Players) == 1:
				sum++
			default:
				for i := range p.Players {
					if i != me {
						sum += against(p.Result, me, i) / float64(len(p.Players)-1)
					}
				}
			}
		}
	}
	return sum
}

func against(r *Result, me, other int) float64 {
	switch {
	case r.Places[me] < r.Places[other]:
		return 1
	case r.Places[me] == r.Places[other]:
		return 0.5
	}
	return 0
}

// checkOrder checks that nobody is behind somebody with fewer points, and that ranks count.
func checkOrder(t *testing.T, s *State) {
	list := s.Standings()
	for i, standing := range list {
		switch {
		case i == 0:
		case standing.Points > list[i-1].Points:
			t.Errorf("%+v is behind %+v", standing, list[i-1])
		case standing.Rank != i+1 && (standing.Rank != list[i-1].Rank || standing.Points != list[i-1].Points):
			t.Errorf("%+v is after %+v", standing, list[i-1])
		case standing.Rank == i+1 && standing.Points == list[i-1].Points &&
			slices.Equal(standing.TieBreak, list[i-1].TieBreak):
			t.Errorf("nothing tells %+v from %+v", standing, list[i-1])
		}
	}
}

// TestNoFormulas checks that a spreadsheet takes no name for a formula, in signs of full width
// neither.
func TestNoFormulas(t *testing.T) {
	var v View
	for _, sign := range []string{"=", "+", "-", "@", "＝", "＋", "－", "＠"} {
		v.Standings = append(v.Standings, Standing{Player: len(v.People) + 1})
		v.People = append(v.People, Player{Number: len(v.People) + 1, Name: sign + "1"})
	}
	var b strings.Builder
	if err := v.StandingsCSV(&b); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), ",'"); n != len(v.People) {
		t.Errorf("%d of %d names are text:\n%s", n, len(v.People), b.String())
	}
}
