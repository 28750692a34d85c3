package tally_test

import (
	"fmt"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/tally"
)

// A result has the ranking, the points of each round without moves that were taken
// back, and the moves that decided.
func TestResult(t *testing.T) {
	r := resultOf(t, `tableside-journal 1
game tally/score
option rounds 2
seat red Alice
seat blue Max
seat yellow Zoé
begin 2026-11-21T20:15:00Z
10s red choose +5
20s red choose +10
21s red undo
30s red key next
40s blue key plus
50s blue key next
60s yellow key next
70s red choose -5
80s red key next
90s blue choose +10
100s blue key next
110s yellow set name Zazie
120s yellow key next
`)
	var got []string
	for _, s := range r.Seats {
		got = append(got, fmt.Sprintf("%d %s %d", s.Rank, s.Name, s.Value))
	}
	for _, round := range r.Rounds {
		got = append(got, fmt.Sprintf("round %d: %d %d %d", round.Round, round.Points["red"], round.Points["blue"],
			round.Points["yellow"]))
	}
	for _, d := range r.Moves {
		got = append(got, fmt.Sprintf("%d s, %+d: %s", d.Second, d.Swing, d.Text))
	}
	want := `1 Max 11
2 Alice 0
2 Zazie 0
round 1: 5 1 0
round 2: -5 10 0
60 s, -4: Alice wins round 1 with 5 points and leads with 5.
120 s, +15: Max wins round 2 with 10 points and the match with 11.`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
	if want := "Max takes the lead only in the last round."; r.Why != want || !r.Scored {
		t.Errorf("scored is %t; got %q, want %q", r.Scored, r.Why, want)
	}
	if !r.Over || r.Seconds != 120 || r.Label != "score" || r.Title != "Tally" {
		t.Errorf("over %t, %d seconds, label %q, title %q", r.Over, r.Seconds, r.Label, r.Title)
	}
}

// Where the fewest points win, the ranking begins with them.
func TestResultLow(t *testing.T) {
	r := resultOf(t, `tableside-journal 1
game tally/score
option turns off
option goal low
seat red Alice
seat blue Max
seat yellow Zoé
begin 2026-11-21T20:15:00Z
10s red choose 5
12s blue choose 30
13s yellow choose 9
20s table choose end
`)
	var got []string
	for _, s := range r.Seats {
		got = append(got, fmt.Sprintf("%d %s", s.Rank, s.Seat))
	}
	if want := "1 red, 2 yellow, 3 blue"; strings.Join(got, ", ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	got = nil
	for _, d := range r.Moves {
		got = append(got, d.Text)
	}
	if want := "Alice gains 5 points. Zoé and Max are ahead with 0.|Zoé gains 9 points. Alice leads with 5."; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A round that is corrected later has its new points, and all totals after it follow.
func TestResultCorrected(t *testing.T) {
	r := resultOf(t, `tableside-journal 1
game tally/score
option rounds 3
option turns off
seat red Alice
seat blue Max
begin 2026-11-21T20:15:00Z
10s red choose 5
12s blue choose 9
20s table key next
30s red choose 7
40s table key next
50s red set round-1 15
60s blue set round-2 2
70s blue choose 1
80s table key next
`)
	var got []string
	for _, round := range r.Rounds {
		got = append(got, fmt.Sprintf("%d: %d %d, %d %d", round.Round, round.Points["red"], round.Points["blue"],
			round.Totals["red"], round.Totals["blue"]))
	}
	want := "1: 15 9, 15 9\n2: 7 2, 22 11\n3: 0 1, 22 12"
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
}

func named(t *testing.T, name string) engine.Game {
	t.Helper()
	for _, g := range tally.Games() {
		if g.Info().Name == name {
			return g
		}
	}
	t.Fatal(name)
	return nil
}

// Corrections count in their round, beside rounds without points and in a long match.
func TestResultCorrectedLater(t *testing.T) {
	for name, c := range map[string]struct{ moves, want string }{
		"empty last round": {"red choose 5|table key next|red choose 1|table key next|red choose 4|table key next|" +
			"red set round-3 10|table choose end", "5 1 10 0 = 16"},
		"empty round between": {"red choose 5|table key next|table key next|red choose 4|table key next|" +
			"red set round-3 10|red choose 1|table choose end", "5 0 10 1 = 16"},
		"emptied": {"red choose 5|table key next|red set round-1 none|table choose end", "0 0 = 0"},
		"long": {strings.Repeat("red choose 1|table key next|", 52) + "red set round-51 3|red set round-1 8|" +
			"table choose end", "1 8" + strings.Repeat(" 1", 48) + " 3 1 0 = 61"},
		"named rows": {"red choose 7|table key next|table choose end", "7 0 = 7"},
	} {
		text := "tableside-journal 1\ngame tally/score\noption turns off\n"
		if name == "named rows" {
			text += "option rows Ones,Twos\n"
		}
		text += "seat red Alice\nseat blue Max\nbegin 2026-11-21T20:15:00Z\n"
		for i, move := range strings.Split(c.moves, "|") {
			text += fmt.Sprintf("%ds %s\n", i, move)
		}
		journal, err := engine.ParseJournal(name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := engine.Summarise(named(t, "tally/score"), journal, engine.English, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		got, sum := "", 0
		for _, round := range r.Rounds {
			got += fmt.Sprintf("%d ", round.Points["red"])
			if sum += round.Points["red"]; round.Totals["red"] != sum && name != "long" {
				t.Errorf("%s: after round %d the total is %d, want %d", name, round.Round, round.Totals["red"], sum)
			}
		}
		last := r.Rounds[len(r.Rounds)-1].Totals["red"]
		if got += fmt.Sprintf("= %d", last); got != c.want || sum != last || last != r.Seats[0].Value {
			t.Errorf("%s: got %s, points of %d, score %d, want %s", name, got, sum, r.Seats[0].Value, c.want)
		}
	}
}

// resultOf sums up a match of tally/score from its journal.
func resultOf(t *testing.T, text string) engine.Result {
	t.Helper()
	journal, err := engine.ParseJournal("match", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.Summarise(named(t, "tally/score"), journal, engine.English, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
