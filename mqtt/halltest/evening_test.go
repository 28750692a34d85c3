package halltest

import (
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tableside/device/disk"
	"tableside/device/evening"
	"tableside/device/history"
	"tableside/engine"
	"tableside/engine/tally"
)

var eveningTables = flag.Int("tables", 200, "tables of the evening, for two players each")

func (c *cluster) openBook() *evening.Book {
	c.Helper()
	book, err := evening.Open(evening.Config{Dir: c.TempDir(), Now: time.Now, Chance: rand.New(rand.NewPCG(1, 7)),
		Changed: func(string) {}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		c.Fatal(err)
	}
	return book
}

func (h *club) counts(e history.Entry) error {
	return h.book.Result(e, 0)
}

// TestEvening plays an evening of seven Swiss rounds. In each round some tables die in the
// middle of a match and come back, and some play without a network and come back later. Every
// result is in the evening, and the standings are those that follow from the tables' journals.
// It runs alone: no other cluster would start beside it.
func TestEvening(t *testing.T) {
	s := &scene{cluster: startCluster(t, *eveningTables)}
	plan := evening.Plan{Name: "Swiss", Format: evening.Swiss, Game: "tally"}
	for n := range *eveningTables {
		s.tables = append(s.tables, s.startTable(n, t.TempDir()))
		plan.Tables = append(plan.Tables, tableName(n))
		plan.Players = append(plan.Players, fmt.Sprint("Red ", n+1), fmt.Sprint("Blue ", n+1))
	}
	h := s.openClub(0, true)
	id, err := h.book.Create(plan)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 7 {
		if err := h.book.Change(id, evening.Change{Do: "next"}); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		v := h.evening(id)
		var all sync.WaitGroup
		for board, p := range v.Rounds[round].Pairings {
			n := slices.Index(plan.Tables, p.Table)
			names := []string{v.People[p.Players[0]-1].Name, v.People[p.Players[1]-1].Name}
			all.Go(func() { s.meet(n, names, rand.New(rand.NewPCG(uint64(round), uint64(board)))) })
		}
		all.Wait()
		played := time.Since(began).Round(time.Millisecond)
		for limit := time.Now().Add(late); h.evening(id).Missing > 0; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(limit) {
				t.Fatalf("round %d lacks %d results", round+1, h.evening(id).Missing)
			}
		}
		t.Logf("round %d was played in %s, and its results were there after %s", round+1, played,
			time.Since(began).Round(time.Millisecond))
	}
	v := h.evening(id)
	if len(v.Aside) > 0 {
		t.Errorf("%d results were set aside: %+v", len(v.Aside), v.Aside[0])
	}
	check(t, v, beaten(t, s.tables))
	t.Logf("%d results", h.keeps(s.tables, time.Now().Add(soon)))
}

func (h *club) evening(id string) *evening.View {
	h.Helper()
	v, err := h.book.View(id)
	if err != nil {
		h.Fatal(err)
	}
	return v
}

// meet plays a match of two players at the nth table, which in one of five matches dies or has
// no network.
func (s *scene) meet(n int, players []string, random *rand.Rand) {
	t := s.tables[n]
	fate := random.IntN(10)
	if fate == 0 {
		t.cut(true)
		defer t.cut(false)
	}
	t.begin(s, players[0], players[1])
	for len(t.Frame().View.Winners) == 0 {
		if fate == 1 {
			fate = -1
			t.die()
			t = s.startTable(n, t.dir)
			s.tables[n] = t
			if r := t.Do(s.Context(), engine.Order{Do: "resume"}); r.Outcome != engine.Accepted {
				s.Errorf("%s: %+v", t.name, r)
				return
			}
		}
		t.play(s, random)
	}
}

// beaten returns, by the name of the winner, whom each player has beaten, as the tables'
// journals say.
func beaten(t *testing.T, tables []*table) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, table := range tables {
		matches := filepath.Join(table.dir, "matches")
		err := filepath.WalkDir(matches, func(path string, _ fs.DirEntry, err error) error {
			match, isJournal := strings.CutSuffix(filepath.Base(path), ".journal")
			if err != nil || !isJournal {
				return err
			}
			journal, err := disk.ReadJournal(path)
			if err != nil {
				return err
			}
			e, err := history.Finish(match, journal, tally.Games(), engine.English, nil)
			if err != nil {
				return err
			}
			names := map[engine.Seat]string{}
			for _, p := range e.Seats {
				names[p.Seat] = p.Name
			}
			won := e.Winners()
			if len(won) != 1 || len(names) != 2 {
				return fmt.Errorf("%s: %v won of %v", path, won, names)
			}
			for seat, name := range names {
				if seat != won[0] {
					all[names[won[0]]] = append(all[names[won[0]]], name)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// check compares standings with what follows slowly from who has beaten whom, and their order
// with what they say, but for the direct encounter.
func check(t *testing.T, v *evening.View, beaten map[string][]string) {
	t.Helper()
	opponents := map[string][]string{}
	for winner, losers := range beaten {
		for _, loser := range losers {
			opponents[winner], opponents[loser] = append(opponents[winner], loser), append(opponents[loser], winner)
		}
	}
	points := func(names []string) (list []int) {
		for _, name := range names {
			list = append(list, len(beaten[name]))
		}
		return append(list, 0)
	}
	sum := func(list []int) (sum int) {
		for _, n := range list {
			sum += n
		}
		return sum
	}
	if len(v.Standings) != len(v.People) {
		t.Fatalf("%d of %d players have a place", len(v.Standings), len(v.People))
	}
	for _, s := range v.Standings {
		me := v.People[s.Player-1].Name
		won, buchholz := len(beaten[me]), points(opponents[me])
		if len(opponents[me]) != 7 || len(slices.Compact(slices.Sorted(slices.Values(opponents[me])))) != 7 {
			t.Errorf("%s met %v", me, opponents[me])
		}
		least := slices.Min(buchholz[:len(buchholz)-1])
		want := []int{sum(buchholz) - least, sum(buchholz), sum(points(beaten[me])), won}
		for i, got := range s.TieBreak[1:] { // after the direct encounter
			if got != evening.Points(want[i])*evening.One {
				t.Errorf("%s: %s is %s, want %d", me, v.TieBreaks[i+1], got, want[i])
			}
		}
		if s.Points != evening.Points(won)*evening.One || s.Played != 7 || s.Byes != 0 {
			t.Errorf("%s: %+v, want %d points", me, s, won)
		}
	}
	for i, s := range v.Standings[1:] {
		before := v.Standings[i]
		order := cmp.Compare(before.Points, s.Points)
		if order == 0 && before.TieBreak[0] < 0 && s.TieBreak[0] < 0 {
			order = slices.Compare(before.TieBreak[1:], s.TieBreak[1:])
		} else if order == 0 {
			continue
		}
		if order < 0 || (order == 0) != (before.Rank == s.Rank) || order > 0 && s.Rank != i+2 {
			t.Errorf("%+v comes before %+v", before, s)
		}
	}
}
