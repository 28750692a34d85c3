package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tableside/engine"
)

// Every game's matches can be summed up: a winner comes first, ranks count up, the
// points of the rounds add up to the values, and every move says something.
func TestResultsOfAllGames(t *testing.T) {
	files, err := filepath.Glob("testdata/games/*.journal")
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			journal, err := engine.ParseJournal(file, data)
			if err != nil {
				t.Fatal(err)
			}
			game, err := allGames().Find(journal.Setup.Game)
			if err != nil {
				t.Fatal(err)
			}
			for _, lang := range engine.Languages {
				r, err := engine.Summarise(game, journal, lang, nil)
				if err != nil {
					t.Fatal(err)
				}
				checkResult(t, r)
				checkSentences(t, r)
			}
		})
	}
}

func checkResult(t *testing.T, r engine.Result) {
	t.Helper()
	if r.Over != (len(r.Winners) > 0) || r.Over && !r.Seats[0].Won {
		t.Errorf("over is %t, the winners are %v, and %v is first", r.Over, r.Winners, r.Seats[0])
	}
	for i, s := range r.Seats {
		if s.Rank < 1 || s.Rank > i+1 {
			t.Errorf("seat %d of the ranking has rank %d", i+1, s.Rank)
		}
		if s.Seat == engine.Table && s.Shown != "Mère des Cuves" && s.Shown != "Vat Mother" || s.Shown == "" {
			t.Errorf("seat %s is called %q", s.Seat, s.Shown)
		}
		sum := 0
		for _, round := range r.Rounds {
			sum += round.Points[s.Seat]
		}
		if r.Over && r.Counter == "score" && sum != s.Value {
			t.Errorf("the rounds bring %s %d points, want %d", s.Seat, sum, s.Value)
		}
	}
	if r.Over && len(r.Moves) == 0 {
		t.Error("no move decided")
	}
	for _, d := range r.Moves {
		if len(d.Lines) == 0 {
			t.Errorf("move %d says nothing", d.Seq)
		}
	}
}

// What a result tells are whole sentences, about cards, players and numbers that it knows.
func checkSentences(t *testing.T, r engine.Result) {
	t.Helper()
	told := []string{r.Why}
	for _, d := range r.Moves {
		told = append(told, d.Text)
	}
	for _, text := range told {
		if !strings.HasSuffix(text, ".") || strings.ContainsAny(text, "«{}|") || strings.Contains(text, "..") ||
			strings.Contains(text, "  ") {
			t.Errorf("%q is no sentence", text)
		}
	}
	if r.Over && len(r.Course.Lines) == 0 {
		t.Error("the race has no course")
	}
	for _, a := range r.Apart {
		for _, round := range r.Rounds {
			for seat, n := range a.Points {
				if round.Round == a.Round && round.Points[seat] < n {
					t.Errorf("round %d brings %s %d points, of which %d are told apart", a.Round, seat, round.Points[seat], n)
				}
			}
		}
	}
}
