package evening

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tableside/engine"
)

// TestBerger compares the rounds with the Berger tables of the FIDE handbook (C.05, annex 1).
func TestBerger(t *testing.T) {
	published := map[int][]string{
		4: {"1-4 2-3", "4-3 1-2", "2-4 3-1"},
		6: {"1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"},
		8: {"1-8 2-7 3-6 4-5", "8-5 6-4 7-3 1-2", "2-8 3-1 4-7 5-6", "8-6 7-5 1-4 2-3", "3-8 4-2 5-1 6-7",
			"8-7 1-6 2-5 3-4", "4-8 5-3 6-2 7-1"},
	}
	for n, rounds := range published {
		for i, want := range rounds {
			got := map[string]bool{}
			for _, pair := range Berger(n, i+1) {
				got[fmt.Sprintf("%d-%d", pair[0], pair[1])] = true
			}
			for _, pair := range fields(want) {
				if !got[pair] {
					t.Errorf("%d players, round %d: got %v, want %s", n, i+1, Berger(n, i+1), want)
				}
			}
			if len(got) != n/2 {
				t.Errorf("%d players, round %d: got %d pairs", n, i+1, len(got))
			}
		}
	}
}

// TestRoundRobin plays all rounds of 2 to 12 players: everybody meets everybody once, and
// then there is no further round.
func TestRoundRobin(t *testing.T) {
	for n := 2; n <= 12; n++ {
		e := begun(t, RoundRobin, 2, n)
		met := map[[2]int]int{}
		rounds := n - 1 + n%2
		for round := range rounds {
			e.next()
			if last := e.state().Last(); last != (round == rounds-1) {
				t.Errorf("%d players: round %d of %d is the last: %t", n, round+1, rounds, last)
			}
			for _, p := range e.state().Round().Pairings {
				if !p.Bye() {
					met[[2]int{min(p.Players[0], p.Players[1]), max(p.Players[0], p.Players[1])}]++
				}
			}
			e.finish()
		}
		if len(met) != n*(n-1)/2 {
			t.Errorf("%d players: %d pairs met, want %d", n, len(met), n*(n-1)/2)
		}
		e.refuses(Change{Do: "next"}, "evening.all-met")
	}
}

// TestRoundRobinChanges lets players come late and leave: nobody meets twice, and at the
// end all who stay have met.
func TestRoundRobinChanges(t *testing.T) {
	for seed := range uint64(30) {
		chance := rand.New(rand.NewPCG(seed, 1))
		e := begun(t, RoundRobin, 2, 5)
		for round := 0; ; round++ {
			if round == 2 {
				e.change(Change{Do: "players", Names: []string{"late"}})
				e.change(Change{Do: "out", Player: 1 + chance.IntN(5)})
			}
			if err := e.Change(e.id, Change{Do: "next"}); err != nil {
				break
			}
			e.finish()
		}
		seen := map[[2]int]int{}
		for _, r := range e.state().Rounds {
			for _, p := range r.Pairings {
				if !p.Bye() {
					seen[[2]int{min(p.Players[0], p.Players[1]), max(p.Players[0], p.Players[1])}]++
				}
			}
		}
		here := e.state().present()
		for i, a := range here {
			for _, b := range here[:i] {
				if seen[[2]int{b, a}] != 1 {
					t.Errorf("seed %d: %d and %d met %d times", seed, b, a, seen[[2]int{b, a}])
				}
			}
		}
	}
}

// TestMatching compares the size of matchings of random graphs with that found by trying
// everything.
func TestMatching(t *testing.T) {
	for seed := range uint64(3000) {
		chance := rand.New(rand.NewPCG(seed, 2))
		n := 2 + chance.IntN(9)
		joined := make([][]bool, n)
		for i := range joined {
			joined[i] = make([]bool, n)
		}
		density := chance.Float64()
		for i := range n {
			for j := range i {
				joined[i][j] = chance.Float64() < density
				joined[j][i] = joined[i][j]
			}
		}
		m := newMatching(joined)
		m.fill()
		got := 0
		for i, j := range m.mate {
			if j >= 0 {
				got++
				if !joined[i][j] || m.mate[j] != i {
					t.Fatalf("seed %d: %v is no matching", seed, m.mate)
				}
			}
		}
		if want := 2 * most(joined, make([]bool, n)); got != want {
			t.Fatalf("seed %d: %d of %d points are paired, want %d", seed, got, n, want)
		}
	}
}

// most returns the size of the largest matching, by trying all.
func most(joined [][]bool, used []bool) int {
	i := slices.Index(used, false)
	if i < 0 {
		return 0
	}
	used[i] = true
	best := most(joined, used)
	for j := range joined {
		if joined[i][j] && !used[j] {
			used[j] = true
			best = max(best, 1+most(joined, used))
			used[j] = false
		}
	}
	used[i] = false
	return best
}

// TestSwissNeverAgain plays as many rounds as can be without a second meeting of an even
// number of players at first, and finds one where that is possible.
func TestSwissNeverAgain(t *testing.T) {
	for seed := range uint64(60) {
		n := 4 + int(seed%12)
		e := begun(t, Swiss, 2, n)
		e.cfg.Chance = rand.New(rand.NewPCG(seed, 3))
		for range n - 1 {
			f := e.state().field(e.state().present(), rand.New(rand.NewPCG(1, 1)))
			joined := make([][]bool, n)
			for i := range joined {
				joined[i] = make([]bool, n)
				for j := range joined {
					joined[i][j] = i != j && f.meetings[i][j] == 0
				}
			}
			can := n%2 == 0 && most2(joined) || n%2 == 1 && canWithBye(f, joined)
			e.next()
			again := 0
			for _, p := range e.state().Round().Pairings {
				if !p.Bye() && f.meetings[slices.Index(f.players, p.Players[0])][slices.Index(f.players, p.Players[1])] > 0 {
					again++
				}
			}
			if can && again > 0 {
				t.Errorf("seed %d, %d players, round %d: %d meet again without need", seed, n, len(e.state().Rounds), again)
			}
			e.finish()
		}
		byes := map[int]int{}
		for _, r := range e.state().Rounds {
			for _, p := range r.Pairings {
				if p.Bye() {
					byes[p.Players[0]]++
				}
			}
		}
		for player, n := range byes {
			if n > 1 {
				t.Errorf("seed %d: player %d had %d byes", seed, player, n)
			}
		}
	}
}

// TestSwissFewestAgain draws more rounds than there are opponents, with all players in each, and
// compares how many meet again, and how often, with what trying everything finds.
func TestSwissFewestAgain(t *testing.T) {
	for seed := range uint64(40) {
		n := 4 + 2*int(seed%3) // with an odd number, who has the bye limits the others
		e := begun(t, Swiss, 2, n)
		e.cfg.Chance = rand.New(rand.NewPCG(seed, 4))
		for range 2 * n {
			f := e.state().field(e.state().present(), rand.New(rand.NewPCG(1, 1)))
			often, few := leastAgain(f.meetings)
			e.next()
			most, again := 0, 0
			for _, p := range e.state().Round().Pairings {
				if met := f.meetings[slices.Index(f.players, p.Players[0])][slices.Index(f.players, p.Players[1])]; met > 0 {
					most, again = max(most, met), again+1
				}
			}
			if most != often || again != few {
				t.Errorf("seed %d, %d players, round %d: %d meet again who met %d times, want %d and %d", seed, n,
					len(e.state().Rounds), again, most, few, often)
			}
			e.finish()
		}
	}
}

// leastAgain returns how often those who meet have met at least, and how many meet again then,
// by trying all.
func leastAgain(met [][]int) (most, again int) {
	most, again = len(met)*len(met), 0
	used := make([]bool, len(met))
	var all func(often, n int)
	all = func(often, n int) {
		i := slices.Index(used, false)
		if i < 0 {
			if often < most || often == most && n < again {
				most, again = often, n
			}
			return
		}
		used[i] = true
		defer func() { used[i] = false }()
		for j := range used {
			if !used[j] {
				used[j] = true
				all(max(often, met[i][j]), n+min(met[i][j], 1))
				used[j] = false
			}
		}
	}
	all(0, 0)
	return most, again
}

// most2 reports whether a graph can be paired wholly, by trying all.
func most2(joined [][]bool) bool {
	used := make([]bool, len(joined))
	var all func() bool
	all = func() bool {
		i := slices.Index(used, false)
		if i < 0 {
			return true
		}
		used[i] = true
		defer func() { used[i] = false }()
		for j := range joined {
			if joined[i][j] && !used[j] {
				used[j] = true
				if all() {
					used[j] = false
					return true
				}
				used[j] = false
			}
		}
		return false
	}
	return all()
}

// canWithBye reports whether the others can be paired if one without a bye has one.
func canWithBye(f *field, joined [][]bool) bool {
	for bye, n := range f.players {
		if f.records[n].byes > 0 {
			continue
		}
		rest := [][]bool{}
		for i, row := range joined {
			if i != bye {
				rest = append(rest, slices.Delete(slices.Clone(row), bye, bye+1))
			}
		}
		if most2(rest) {
			return true
		}
	}
	return false
}

// TestSwissTables draws tables of 3 and 4: everybody plays, and tables differ by one seat.
func TestSwissTables(t *testing.T) {
	for size := 3; size <= 4; size++ {
		for n := 2; n <= 30; n++ {
			e := begun(t, Swiss, size, n)
			for range 4 {
				e.next()
				least, largest, seated := MaxSize, 0, 0
				for _, p := range e.state().Round().Pairings {
					least, largest = min(least, len(p.Players)), max(largest, len(p.Players))
					seated += len(p.Players)
				}
				if seated != n || least < 2 || largest > size || largest-least > 1 {
					t.Errorf("%d players at tables of %d: %d seated, tables of %d to %d", n, size, seated, least, largest)
				}
				e.finish()
			}
		}
	}
}

// TestFewMeetAgain checks that 16 players at tables of 4 meet few twice in three rounds,
// where 3 of 24 pairs of a round at most must.
func TestFewMeetAgain(t *testing.T) {
	e := begun(t, Swiss, 4, 16)
	for range 3 {
		e.next()
		e.finish()
	}
	again := 0
	for _, r := range e.state().records()[1:] {
		met := map[int]bool{}
		for _, g := range r.games {
			if met[g.opponent] {
				again++
			}
			met[g.opponent] = true
		}
	}
	if again > 12 { // each is counted twice; by lot alone there are about 28
		t.Errorf("%d meet again", again/2)
	}
}

// A player may have had more byes than there are players.
func TestSwissManyByes(t *testing.T) {
	e := begun(t, Swiss, 2, 3)
	byes := map[int]int{}
	for range 24 {
		e.next()
		for _, p := range e.state().Round().Pairings {
			if p.Bye() {
				byes[p.Players[0]]++
			}
		}
		e.finish()
	}
	for _, n := range e.state().present() {
		if byes[n] != 8 {
			t.Errorf("player %d had %d byes of 24, want 8", n, byes[n])
		}
	}
}

// TestSwissOfMany draws 7 rounds of 200 players.
func TestSwissOfMany(t *testing.T) {
	for _, size := range []int{2, 4} {
		e := begun(t, Swiss, size, 200)
		for range 7 {
			start := time.Now()
			_, err := e.state().Draw(e.cfg.Chance)
			if took := time.Since(start); err != nil || took > 2*time.Second {
				t.Fatalf("tables of %d, round %d: %v, took %v", size, len(e.state().Rounds)+1, err, took)
			}
			e.next()
			e.finish()
		}
	}
}

// TestKnockOut plays knock-outs of 2 to 20 players: the better one of the list always wins,
// and so the best two meet in the final. Byes go to the best.
func TestKnockOut(t *testing.T) {
	for n := 2; n <= 20; n++ {
		e := begun(t, KnockOut, 2, n)
		for {
			e.next()
			r := e.state().Round()
			for i, p := range r.Pairings {
				if len(p.Players) == 2 {
					places := []int{1, 2}
					if p.Players[0] > p.Players[1] {
						places = []int{2, 1}
					}
					e.change(Change{Do: "result", Round: len(e.state().Rounds), Board: i + 1, Places: places})
				}
			}
			if last := e.state().Last(); last != (len(r.Pairings) == 1) {
				t.Errorf("%d players: a round with %d pairings is the last: %t", n, len(r.Pairings), last)
			} else if last {
				if !slices.Equal(slices.Sorted(slices.Values(r.Pairings[0].Players)), []int{1, 2}) {
					t.Errorf("%d players: the final is %v", n, r.Pairings[0].Players)
				}
				break
			}
		}
		e.refuses(Change{Do: "next"}, "evening.decided")
		standings := e.state().Standings()
		if standings[0].Player != 1 || standings[0].Rank != 1 || standings[1].Player != 2 {
			t.Errorf("%d players: the standings begin %+v", n, standings[:2])
		}
	}
}

// TestKnockOutLeft lets winners leave, and a match end without a winner.
func TestKnockOutLeft(t *testing.T) {
	e := begun(t, KnockOut, 2, 8)
	e.next()
	e.change(Change{Do: "result", Round: 1, Board: 1, Places: []int{1, 1}})
	for board := 2; board <= 4; board++ {
		e.change(Change{Do: "result", Round: 1, Board: board, Places: []int{1, 2}})
	}
	e.refuses(Change{Do: "next"}, "evening.drawn")
	e.change(Change{Do: "result", Round: 1, Board: 1, Places: []int{1, 2}})
	for board := range 2 { // both of a half
		e.change(Change{Do: "out", Player: e.state().Rounds[0].Pairings[board].Players[0]})
	}
	e.next()
	e.change(Change{Do: "result", Round: 2, Board: 2, Places: []int{2, 1}})
	e.next()
	if p := e.state().Round().Pairings; len(p) != 1 || !p[0].Bye() {
		t.Errorf("the final is %v, want a bye", p)
	}
	e.refuses(Change{Do: "players", Names: []string{"late"}}, "evening.too-late")
}

// TestOrder checks who begins: nobody twice more often than anybody else.
func TestOrder(t *testing.T) {
	e := begun(t, Swiss, 2, 10)
	for range 6 {
		e.next()
		e.finish()
	}
	for n, r := range e.state().records()[1:] {
		if r.firsts < 2 || r.firsts > 4 {
			t.Errorf("player %d began %d times of 6", n+1, r.firsts)
		}
	}
}

// FuzzSwiss lets players come, leave and finish as the bytes say: every round has all who
// are there, once.
func FuzzSwiss(f *testing.F) {
	f.Add([]byte{9, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Add([]byte{31, 3, 7, 7, 7, 7, 7})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 3 || len(data) > 30 {
			return
		}
		e := begun(t, Swiss, 2+int(data[1]%3), 2+int(data[0]%40))
		for i, b := range data[2:] {
			switch s := e.state(); b % 4 {
			case 0:
				e.change(Change{Do: "players", Names: []string{fmt.Sprint("late ", i)}})
			case 1:
				e.change(Change{Do: "out", Player: 1 + int(b)%len(s.Players)})
			}
			if len(e.state().present()) < 2 {
				e.refuses(Change{Do: "next"}, "evening.too-few")
				return
			}
			e.next()
			var seated []int
			for _, p := range e.state().Round().Pairings {
				seated = append(seated, p.Players...)
			}
			slices.Sort(seated)
			if !slices.Equal(seated, e.state().present()) {
				t.Fatalf("seated %v, want %v", seated, e.state().present())
			}
			e.finish()
		}
	})
}

// refuses checks that a change is refused for a reason, and changes nothing.
func (e *club) refuses(c Change, key string) {
	e.t.Helper()
	before, err := e.Journal(e.id)
	if err != nil {
		e.t.Fatal(err)
	}
	r, ok := engine.AsRefusal(e.Change(e.id, c))
	if !ok || r.Text.Key != key {
		e.t.Errorf("%s: got %v, want the refusal %s", c.Do, r, key)
	}
	if after, err := e.Journal(e.id); err != nil || string(after) != string(before) {
		e.t.Errorf("%s: a refused change is in the journal (%v)", c.Do, err)
	}
}
