package history

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/genegrafter"
	"tableside/engine/mindbug"
	"tableside/engine/mutants"
	"tableside/engine/tally"
)

// everyGame has all games, also those with figures.
var everyGame = slices.Concat(tally.Games(), mutants.Games(), mindbug.Games(), genegrafter.Games())

// journalOf plays a random match, with some undo and redo, and returns its journal.
func journalOf(t testing.TB, chance *rand.Rand, begin time.Time) string {
	t.Helper()
	game := everyGame[chance.IntN(len(everyGame))]
	info := game.Info()
	seats := enginetest.Seats(info.MinSeats + chance.IntN(info.MaxSeats-info.MinSeats+1))
	chance.Shuffle(len(seats), func(i, j int) { seats[i].Name, seats[j].Name = seats[j].Name, seats[i].Name })
	setup := engine.Setup{Seats: seats, Begin: begin, Options: map[string]string{}}
	for _, o := range info.Options {
		switch o.Name {
		case "data":
			setup.Options[o.Name] = "stand-in"
		case "target":
			setup.Options[o.Name] = "10"
		}
	}
	if engine.Title(info.Name) == "tally" {
		if chance.IntN(3) == 0 {
			setup.Options["goal"] = "low"
		}
		if len(seats)%2 == 0 && len(seats) > 2 && chance.IntN(2) == 0 {
			setup.Options["teams"] = "2"
		}
	}
	if !info.FindsFirst {
		setup.First = seats[chance.IntN(len(seats))].Seat
	}
	m, err := enginetest.Play(game, setup, chance)
	if err != nil {
		t.Fatalf("%s: %v", info.Name, err)
	}
	lines := m.Setup().Head()
	late := time.Duration(0)
	for _, in := range m.Inputs() {
		in.At += late
		lines = append(lines, in.String())
		if chance.IntN(20) == 0 {
			late += 2 * time.Second
			undo, redo := in, in
			undo.At, undo.Verb, undo.Args = in.At+time.Second, engine.Undo, nil
			redo.At, redo.Verb, redo.Args = in.At+2*time.Second, engine.Redo, nil
			lines = append(lines, undo.String(), redo.String())
		}
	}
	if n := chance.IntN(8); n == 0 {
		lines = lines[:len(lines)-1] // unfinished, unless that was a redo
	} else if n == 1 {
		lines = append(lines, "end abandoned")
	}
	return strings.Join(lines, "\n") + "\n"
}

// Every statistic is counted a second time, slowly and obviously, from the journals of
// random matches, 500 at night.
func TestStats(t *testing.T) {
	n := 150
	switch {
	case testing.Short():
		n = 25
	case enginetest.Nightly():
		n = 500
	case enginetest.Raced:
		n = 60
	}
	data, chance := folder(t, nil), rand.New(rand.NewPCG(17, 5))
	begin := time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC)
	var texts []string
	for i := range n {
		at := begin.Add(time.Duration(i) * 11 * time.Hour)
		text := journalOf(t, chance, at)
		write(t, data, at.Format("2006-01-02T15-04-05Z"), text)
		texts = append(texts, text)
	}
	got := flat(stats(t, New(data, everyGame)))
	if int(got["matches"]) == 0 {
		t.Fatal("no match was finished")
	}
	if !maps.Equal(got, flat(stats(t, New(data, everyGame)))) { // from the index
		t.Error("the index leads to other statistics than the journals")
	}
	want := slowly(t, texts)
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if math.Abs(got[key]-want[key]) > 1e-6 {
			t.Errorf("%s: got %v, want %v", key, got[key], want[key])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		if _, known := want[key]; !known {
			t.Errorf("%s: got %v, not counted a second time", key, got[key])
		}
	}
	if len(want) < 200 {
		t.Errorf("got %d numbers", len(want))
	}
}

// flat names every number of statistics.
func flat(s Stats) map[string]float64 {
	all := map[string]float64{"matches": float64(s.Matches), "seconds": float64(s.Seconds)}
	put := func(of string, r Record) {
		for name, n := range map[string]float64{"played": float64(r.Played), "won": float64(r.Won), "rate": r.Rate,
			"streak": float64(r.Streak), "longest": float64(r.Longest), "began": float64(r.Began),
			"begun_won": float64(r.BegunWon), "margins": float64(r.Margins), "margin": r.Margin,
			"best_margin": float64(r.BestMargin), "turns": float64(r.Turns), "turn_length": r.TurnLength,
			"seconds": float64(r.Seconds), "rating": r.Rating, "deviation": r.Deviation} {
			all[of+" "+name] = n
		}
	}
	for _, p := range s.Players {
		put(p.Name, p.Record)
		for _, d := range p.Days {
			all[p.Name+" "+d.Day+" played"], all[p.Name+" "+d.Day+" won"] = float64(d.Played), float64(d.Won)
		}
		for _, g := range p.Games {
			put(p.Name+" "+g.Game, g.Record)
			for _, f := range g.Figures {
				all[p.Name+" "+g.Game+" "+f.Name], all[p.Name+" "+g.Game+" most "+f.Name] = f.Value, f.Most
			}
		}
	}
	for _, p := range s.Pairs {
		of := p.A + "/" + p.B
		all[of+" played"], all[of+" a"], all[of+" b"] = float64(p.Played), float64(p.AWon), float64(p.BWon)
		all[of+" margins"], all[of+" margin"] = float64(p.Margins), p.Margin
	}
	for _, g := range s.Games {
		for name, n := range map[string]float64{"played": float64(g.Played), "seconds": float64(g.Seconds),
			"shortest": float64(g.Shortest), "longest": float64(g.Longest), "turns": float64(g.Turns),
			"turn_length": g.TurnLength, "begun": float64(g.Begun), "begun_won": float64(g.BegunWon)} {
			all["game "+g.Game+" "+name] = n
		}
	}
	return all
}

// The example of Glickman's paper: 1500 ± 200 wins against 1400 ± 30, and loses against
// 1550 ± 100 and 1700 ± 300.
func TestGlicko(t *testing.T) {
	of := func(rating, deviation float64) glicko {
		return glicko{(rating - firstRating) / scale, deviation / scale, firstVolatility}
	}
	got := of(1500, 200).update([]pairing{{of(1400, 30), 1}, {of(1550, 100), 0}, {of(1700, 300), 0}})
	if text := fmt.Sprintf("%.2f %.2f %.5f", got.rating(), got.deviation(), got.sigma); text != "1464.05 151.52 0.06000" {
		t.Errorf("got %s", text)
	}
	if idle := of(1500, 50).update(nil); math.Abs(idle.deviation()-math.Hypot(50, firstVolatility*scale)) > 1e-9 {
		t.Errorf("got ±%v after a month without a match", idle.deviation())
	}
	if idle := unrated.update(nil); idle.deviation() != firstDeviation {
		t.Errorf("got ±%v, above that of a new player", idle.deviation())
	}
}

// Where the fewest points win, the margins of the winner are positive.
func TestMarginLow(t *testing.T) {
	text := strings.Replace(finished, "option target 10", "option turns off\noption goal low", 1)
	text = text[:strings.Index(text, "10s")] + "10s red choose 5\n12s blue choose 30\n20s table choose end\n"
	h := New(folder(t, map[string]string{one: text}), everyGame)
	for range 2 { // the second time from the index
		b := book(t, h)
		s := stats(t, h)
		if !b.Matches[0].Low || s.Pairs[0].A != "Alice" || s.Pairs[0].Margin != 25 || s.Pairs[0].AWon != 1 {
			t.Fatalf("got %+v of %+v", s.Pairs, b.Matches)
		}
		for _, p := range s.Players {
			if want := map[string]int{"Alice": 25, "Max": -25}[p.Name]; p.BestMargin != want || p.Margin != float64(want) {
				t.Errorf("%s: got %v and %v, want %d", p.Name, p.Margin, p.BestMargin, want)
			}
		}
	}
}

// Who plays in one team does not play against each other.
func TestTeams(t *testing.T) {
	text := strings.Replace(finished, "option target 10", "option turns off\noption teams 2", 1)
	text = text[:strings.Index(text, "begin")] + "seat yellow Zoé\nseat green Ida\nbegin 2026-11-20T20:15:00Z\n" +
		"10s red choose 30\n12s blue choose 5\n20s table choose end\n"
	h := New(folder(t, map[string]string{one: text}), everyGame)
	b, s := book(t, h), stats(t, h)
	var met []string
	for _, p := range s.Pairs {
		met = append(met, fmt.Sprintf("%s-%s %v", p.A, p.B, p.Margin))
	}
	if got := strings.Join(met, ", "); got != "Alice-Ida 25, Alice-Max 25, Ida-Zoé -25, Max-Zoé -25" {
		t.Errorf("got %s of %+v", got, b.Matches)
	}
	rated := map[string]float64{}
	for _, p := range s.Players {
		rated[p.Name] = p.Rating
		if p.Margin*p.Margin != 25*25 {
			t.Errorf("%s: margin %v", p.Name, p.Margin)
		}
	}
	if rated["Alice"] != rated["Zoé"] || rated["Max"] != rated["Ida"] || rated["Alice"] <= rated["Max"] {
		t.Errorf("got %v", rated)
	}
}

// The last ranks are told, the newest last, and the matches of a game that stand out, also by a
// name's newest spelling.
func TestRecords(t *testing.T) {
	files := map[string]string{}
	for i := range 12 {
		at := time.Date(2026, 11, 1+i, 20, 15, 0, 0, time.UTC)
		text := strings.Replace(finished, "option target 10", "option turns off", 1)
		text = text[:strings.Index(text, "begin")]
		if i < 11 {
			text = strings.Replace(text, "Alice", "ALICE", 1)
		}
		text += fmt.Sprintf("begin %s\n10s red choose %d\n%ds blue choose 50\n%[3]ds table choose end\n",
			at.Format(time.RFC3339), 46+i, 20+i)
		files[at.Format("2006-01-02T15-04-05Z")] = text
	}
	s := stats(t, New(folder(t, files), everyGame))
	for _, p := range s.Players {
		want := map[string]string{"Alice": "[2 2 1 1 1 1 1 1 1 1]", "Max": "[1 1 1 2 2 2 2 2 2 2]"}[p.Name]
		if fmt.Sprint(p.Last) != want || fmt.Sprint(p.Games[0].Last) != want {
			t.Errorf("%s: got %v and %v, want %s", p.Name, p.Last, p.Games[0].Last, want)
		}
	}
	var got []string
	for _, b := range s.Games[0].Records {
		got = append(got, fmt.Sprintf("%s %s %d on %d", b.Kind, strings.Join(b.Names, " & "), b.Value, b.Begin.Day()))
	}
	if text := strings.Join(got, ", "); text != "closest Alice & Max 0 on 5, lead Alice 7 on 12, longest Alice 31 on 12, shortest Max 20 on 1" {
		t.Errorf("got %s", text)
	}
	if p := s.Games[0].Pairs; len(p) != 1 || p[0].A != "Alice" || p[0].Played != 12 {
		t.Errorf("got %+v", p)
	}
}

// A match with a seat of the table's is in the history, but does not count.
func TestMatchesOfTheComputerDoNotCount(t *testing.T) {
	h := New(folder(t, map[string]string{"2026-11-20T20-15-00Z": strings.Replace(finished, "begin", "computer blue easy\nbegin", 1)}),
		everyGame)
	b, err := h.Read()
	if err != nil || len(b.Matches) != 1 || b.Matches[0].State != "finished" {
		t.Fatal(b, err)
	}
	for _, p := range b.Matches[0].Seats {
		if want := map[engine.Seat]string{"blue": "easy"}[p.Seat]; p.Computer != want {
			t.Errorf("%+v", p)
		}
	}
	if s := stats(t, h); s.Matches != 0 || len(s.Players) != 0 {
		t.Errorf("got %+v", s)
	}
}

// TestScoreSheetsAreTheirGames checks that statistics go by the game that a score sheet was of, also
// where an older journal only has its options, and that nobody begins where all count at once.
func TestScoreSheetsAreTheirGames(t *testing.T) {
	const play = "seat red Alice\nseat blue Max\nfirst red\nbegin 2026-11-20T20:15:00Z\n1s red choose 5\n2s blue choose 9\n" +
		"3s table key next\n4s table choose end\n"
	hearts := "option turns off\noption sum 26\noption target 100\noption goal low\noption deal on\n"
	head := "tableside-journal 1\ngame tally/score\n"
	journals := map[string]string{}
	for i, setup := range []string{"preset hearts\n" + hearts, hearts, hearts + "option minutes 60\n", "preset friday\noption target 20\n",
		"option target 20\n", "option target 10\n"} {
		journals[fmt.Sprintf("2026-11-2%dT20-15-00Z", i)] = head + setup + play
	}
	got := map[string]int{}
	for _, g := range stats(t, New(folder(t, journals), everyGame)).Games {
		got[g.Game] = g.Played
		if begun := map[string]int{"friday": 1, "tally": 2}[g.Game]; g.Begun != begun {
			t.Errorf("%s: %d began, want %d", g.Game, g.Begun, begun)
		}
	}
	if want := map[string]int{"hearts": 3, "friday": 1, "tally": 2}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
