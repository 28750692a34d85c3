package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/engine"
)

// TestFollowIsReplay folds random matches of all games both ways: with undo, redo, refusals,
// new names, marks and clocks, an outline tells the history as much as a whole view.
func TestFollowIsReplay(t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 4))
	steps, refused := 0, 0
	for round := range 9 {
		for _, g := range allGames() {
			j, n := randomMatch(t, g, chance, round%3 == 1)
			replayed, followed := told(g, j, false), told(g, j, true)
			steps, refused = steps+len(replayed), refused+n
			for i := range min(len(replayed), len(followed)) {
				if replayed[i] != followed[i] {
					t.Errorf("%s, round %d, step %d:\nreplayed %s\nfollowed %s", g.Info().Name, round, i, replayed[i], followed[i])
					break
				}
			}
			if len(replayed) != len(followed) {
				t.Errorf("%s, round %d: %d steps replayed, %d followed", g.Info().Name, round, len(replayed), len(followed))
			}
		}
	}
	t.Logf("%d steps compared, %d refusals", steps, refused)
	if steps < 3000 || refused < 1000 {
		t.Errorf("only %d steps, and %d refusals", steps, refused)
	}
}

// randomMatch returns the journal of a match that random players played, and how many of its
// inputs are refused.
func randomMatch(t *testing.T, g engine.Game, chance *rand.Rand, clock bool) (j *engine.Journal, refused int) {
	t.Helper()
	info := g.Info()
	setup := engine.Setup{Game: info.Name, Options: map[string]string{},
		Begin: time.Date(2026, 11, 20, 20, 15, 0, 0, time.UTC)}
	if clock {
		setup.Options["clock-minutes"], setup.Options["clock-turn"] = "2", "20"
	}
	for _, seat := range engine.UsualSeats[:max(info.MinSeats, min(2, info.MaxSeats))] {
		setup.Seats = append(setup.Seats, engine.Player{Seat: seat})
	}
	m, err := engine.NewMatch(g, setup)
	if err != nil {
		t.Fatalf("%s: %v", info.Name, err)
	}
	lines := m.Setup().Head()
	at := time.Duration(0)
	for n := range 150 {
		at += time.Duration(chance.IntN(8000)) * time.Millisecond
		in, err := engine.ParseInput(fmt.Sprintf("%.3fs %s", at.Seconds(), randomCommand(m, chance)))
		if err != nil {
			continue
		}
		if step, err := m.Apply(in); err == nil {
			in = step.Input
		} else {
			refused++
		}
		lines = append(lines, in.String())
		if n%40 == 39 {
			lines = append(lines, engine.Mark{Seq: m.Seq(), Hash: m.View().Hash()}.String())
		}
	}
	if j, err = engine.ParseJournal(info.Name, []byte(strings.Join(lines, "\n")+"\n")); err != nil {
		t.Fatal(err)
	}
	return j, refused
}

// randomCommand returns what a player does next, who sometimes does nonsense.
func randomCommand(m *engine.Match, chance *rand.Rand) string {
	odd := []string{"red undo", "red redo", "red choose nonsense", "red key yes",
		fmt.Sprint("red set name N", chance.IntN(9))}
	if n := chance.IntN(20); n < len(odd) {
		return odd[n]
	}
	prompts := slices.DeleteFunc(m.View().Prompts, func(p engine.Prompt) bool { return len(p.Options) == 0 })
	if len(prompts) == 0 {
		return "red choose 1"
	}
	p := prompts[chance.IntN(len(prompts))]
	return p.Options[chance.IntN(len(p.Options))].Input
}

// told returns what the history takes of a match, after each input and at the end.
func told(g engine.Game, j *engine.Journal, follow bool) (all []string) {
	fold, view, count := engine.Replay, (*engine.Match).View, g.Info().Figures.Count
	if follow {
		fold, view = engine.Follow, (*engine.Match).Outline
	}
	var before engine.View
	m, err := fold(g, j, func(m *engine.Match, s engine.Step) error {
		v := view(m)
		var figures, seats []string
		if count != nil {
			count(&before, time.Second, s.Events, func(seat engine.Seat, name string, n float64) {
				figures = append(figures, fmt.Sprint(seat, name, n))
			})
		}
		before = v
		for _, seat := range v.Seats {
			counters, err := json.Marshal(seat.Counters)
			seats = append(seats, fmt.Sprint(seat.ID, string(counters), err))
		}
		all = append(all, fmt.Sprint(s.Input, s.Position, len(s.Events), v.Turn, v.Round, v.Winners, v.First, seats, figures,
			len(v.Tracks), v.Phase))
		return nil
	})
	counter, standings := m.Standings()
	return append(all, fmt.Sprint(err, m.View().Hash(), m.Seq(), m.Last(), counter, standings))
}
