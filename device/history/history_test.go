package history

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/mutants"
	"tableside/engine/tally"
)

var games = slices.Concat(tally.Games(), mutants.Games())

const finished = `tableside-journal 1
game tally/score
option target 10
seat red Alice
seat blue Max
begin 2026-11-20T20:15:00Z
10s red choose +5
60s red key next
65s blue choose +10
`

// folder returns a data folder with these journals, by name.
func folder(t testing.TB, journals map[string]string) string {
	t.Helper()
	data := t.TempDir()
	if err := os.Mkdir(filepath.Join(data, "matches"), 0o750); err != nil {
		t.Fatal(err)
	}
	for id, text := range journals {
		write(t, data, id, text)
	}
	return data
}

func write(t testing.TB, data, id, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(data, "matches", id+suffix), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func matches(t testing.TB, data string) []Entry {
	t.Helper()
	book, err := New(data, games).Read()
	if err != nil {
		t.Fatal(err)
	}
	return book.Matches
}

// Every journal is in the history, whatever is wrong with it, and hides no other.
func TestMatches(t *testing.T) {
	data := folder(t, map[string]string{
		"2026-11-20T20-15-00Z": finished,
		"2026-11-21T20-15-00Z": strings.Replace(finished, "+10", "+3", 1) + "70s blue set name Maximilian\n",
		"2026-11-22T20-15-00Z": strings.Replace(finished, "+10", "+3", 1) + "end abandoned\n",
		"2026-11-23T20-15-00Z": strings.Replace(finished, "tally/score", "chess/blitz", 1),
		"2026-11-24T20-15-00Z": "not a journal\n",
		"2026-11-25T20-15-00Z": strings.Replace(finished, "60s red key next\n", "60s red key next\nmark 2 00000000\n", 1),
		"2026-11-26T20-15-00Z": "",
		"2026-11-19T20-15-00Z": strings.Replace(finished, "65s", "mark 2 00000000\n65s", 1) + "end finished red\n",
		".hidden":              finished,
	})
	if err := os.Symlink("/etc/passwd", filepath.Join(data, "matches", "2026-11-27T20-15-00Z.journal")); err != nil {
		t.Fatal(err)
	}
	const other = "line 9: after 2 inputs the rules lead to another view than the one recorded here: " +
		"a line was changed, or this program has a fault"
	var got []string
	for _, e := range matches(t, data) {
		line := fmt.Sprintf("%s %s %s %ds", e.ID[:10], e.Game, e.State, e.Seconds)
		for _, s := range e.Seats {
			line += fmt.Sprintf(", %s %s %d", s.Name, s.Seat, s.Value)
			if s.Won {
				line += " won"
			}
		}
		if e.Reason != "" {
			line += ": " + e.Reason
		}
		got = append(got, line)
	}
	want := []string{
		"2026-11-26  damaged 0s: ",
		"2026-11-25 tally/score damaged 60s, Alice red 5, Max blue 0: " + other,
		"2026-11-24  damaged 0s: ",
		`2026-11-23 chess/blitz damaged 0s, Alice red 0, Max blue 0: there is no game "chess/blitz" in this program`,
		"2026-11-22 tally/score abandoned 65s, Alice red 5, Max blue 3",
		"2026-11-21 tally/score unfinished 70s, Alice red 5, Maximilian blue 3",
		"2026-11-20 tally/score finished 65s, Max blue 10 won, Alice red 5",
		"2026-11-19 tally/score finished 60s, Alice red 0 won, Max blue 0: " + other,
	}
	if len(got) != len(want) {
		t.Fatalf("got %d entries:\n%s", len(got), strings.Join(got, "\n"))
	}
	for i := range want {
		if open := strings.HasSuffix(want[i], ": "); got[i] != want[i] && !(open && strings.HasPrefix(got[i], want[i])) {
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
	for _, e := range matches(t, data) {
		if french := e.In(engine.French).Reason; (french == "") != (e.Reason == "") || french == e.Reason && french != "" {
			t.Errorf("%s: got the reason %q in French, %q in English", e.ID, french, e.Reason)
		}
	}
	if none := matches(t, t.TempDir()); len(none) != 0 {
		t.Errorf("got %v of a folder without matches", none)
	}
}

// The index is used as long as it is right, and made again where it is not.
func TestIndex(t *testing.T) {
	const id = "2026-11-20T20-15-00Z"
	data := folder(t, map[string]string{id: finished, "2026-11-21T20-15-00Z": finished})
	file, index := filepath.Join(data, "matches", id+suffix), filepath.Join(data, indexFile)
	if n := len(matches(t, data)); n != 2 {
		t.Fatalf("got %d matches", n)
	}
	// A journal of the same size and time is not read again.
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, data, id, strings.Replace(finished, "Alice", "Clara", 1))
	if err := os.Chtimes(file, time.Time{}, info.ModTime()); err != nil {
		t.Fatal(err)
	}
	name := func() string { return matches(t, data)[1].Seats[1].Name }
	if got := name(); got != "Alice" {
		t.Errorf("got %s: the journal was read again", got)
	}
	for what, spoil := range map[string]func() error{
		"another time":  func() error { return os.Chtimes(file, time.Time{}, info.ModTime().Add(time.Second)) },
		"no index":      func() error { return os.Remove(index) },
		"torn index":    func() error { return os.WriteFile(index, []byte(indexVersion+"\n"+`{"key":`), 0o600) },
		"another form":  func() error { return os.WriteFile(index, []byte(`{"version":0,"matches":null}`), 0o600) },
		"another entry": func() error { return os.WriteFile(index, []byte(indexVersion+"\n"+`{"key":"`+id+`"}`), 0o600) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(what, err)
		}
		if got := name(); got != "Clara" {
			t.Errorf("%s: got %s", what, got)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if list := matches(t, data); len(list) != 1 || list[0].ID == id {
		t.Errorf("got %+v after a journal was taken away", list)
	}
}

// TestIndexUnfinished checks that a match that was left unfinished an hour ago is not read
// again each time, but is again when somebody plays on.
func TestIndexUnfinished(t *testing.T) {
	const id = "2026-11-20T20-15-00Z"
	unfinished := strings.Replace(finished, "+10", "+3", 1)
	data := folder(t, map[string]string{id: unfinished})
	file := filepath.Join(data, "matches", id+suffix)
	name := func() string { return matches(t, data)[0].Seats[0].Name }
	rewrite := func(text string, changed time.Time) {
		t.Helper()
		write(t, data, id, text)
		if err := os.Chtimes(file, time.Time{}, changed); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-2 * restTime)
	rewrite(unfinished, old)
	if got := name(); got != "Alice" {
		t.Fatalf("got %s", got)
	}
	rewrite(strings.Replace(unfinished, "Alice", "Clara", 1), old)
	if got := name(); got != "Alice" {
		t.Errorf("got %s: the journal was read again", got)
	}
	playedOn := strings.Replace(unfinished, "Alice", "Clara", 1) + "70s blue key next\n"
	for _, changed := range []time.Time{time.Now(), old} {
		rewrite(playedOn, changed)
		if e := matches(t, data)[0]; e.Seats[0].Name != "Clara" || e.Inputs != 4 || e.State != "unfinished" {
			t.Errorf("got %+v after it was played on", e)
		}
	}
}

// Matches are listed newest first, whatever part of them the index knows, and can have.
func TestIndexOfMany(t *testing.T) {
	const n = 3 * batchSize
	data := folder(t, nil)
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	name := func(i int) string { return begin.Add(time.Duration(i) * time.Hour).Format("2006-01-02T15-04-05Z") }
	for i := range n {
		text := finished
		if i%2 == 0 {
			text = strings.Replace(finished, "+10", "+3", 1) // unfinished
		}
		write(t, data, name(i), text)
	}
	check := func(what string) {
		t.Helper()
		list := matches(t, data)
		if len(list) != n {
			t.Fatalf("%s: got %d matches", what, len(list))
		}
		for i, e := range list {
			state := []string{"unfinished", "finished"}[(n-1-i)%2]
			if e.ID != name(n-1-i) || e.State != state {
				t.Fatalf("%s: match %d is %s, %s; want %s, %s", what, i, e.ID, e.State, name(n-1-i), state)
			}
		}
	}
	index := filepath.Join(data, indexFile)
	written := func() (os.FileInfo, []byte) {
		t.Helper()
		info, err := os.Stat(index)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(index)
		if err != nil {
			t.Fatal(err)
		}
		return info, text
	}
	check("without an index")
	first, text := written()
	if lines := strings.Count(string(text), "\n"); lines != 1+n/2 {
		t.Errorf("the index has %d lines", lines)
	}
	check("with an index")
	if again, _ := written(); !os.SameFile(first, again) {
		t.Error("the index was written again")
	}
	if err := os.WriteFile(index, text[:len(text)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	check("with half an index")
	if _, again := written(); string(again) != string(text) {
		t.Error("the index is another one than before")
	}
	garbled := strings.ReplaceAll(string(text), `"seats":`, `"seats",`)
	if err := os.WriteFile(index, []byte(garbled), 0o600); err != nil {
		t.Fatal(err)
	}
	check("with garbled entries")
	if err := os.Remove(index); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(index, "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	check("where no index can be written")
}

// What is wrong with a journal is said in the language that is asked for, also where the
// index is asked.
func TestReasonInFrench(t *testing.T) {
	torn := strings.Replace(finished, "65s", "5s", 1)
	data := folder(t, map[string]string{"2026-11-20T20-15-00Z": torn})
	for range 2 {
		e := matches(t, data)[0]
		const en, fr = "9:1: time runs backwards: 5s after 60s", "9:1: le temps recule : 5s après 60s"
		if got := e.In(engine.English).Reason; !strings.HasSuffix(got, en) {
			t.Errorf("got %s, want %s", got, en)
		}
		if got := e.In(engine.French).Reason; !strings.HasSuffix(got, fr) {
			t.Errorf("got %s, want %s", got, fr)
		}
	}
}

// thousands returns a data folder with n journals: up to 100 random matches of Mutants, as
// often as it takes.
func thousands(b *testing.B, n int) string {
	b.Helper()
	data := folder(b, nil)
	game := engine.Find(games, "mutants/second-edition")
	begin := time.Date(2016, 1, 1, 20, 0, 0, 0, time.UTC)
	for seed := range min(n, 100) {
		setup := engine.Setup{Game: game.Info().Name, Seats: enginetest.Seats(2), First: "red",
			Options: map[string]string{}, Begin: begin}
		m, err := enginetest.Play(game, setup, rand.New(rand.NewPCG(uint64(seed), 9)))
		if err != nil {
			b.Fatal(err)
		}
		lines := m.Setup().Head()
		for _, in := range m.Inputs() {
			lines = append(lines, in.String())
		}
		text := strings.Join(lines, "\n") + "\n"
		for i := seed; i < n; i += 100 {
			at := begin.Add(time.Duration(i) * time.Hour)
			write(b, data, at.Format("2006-01-02T15-04-05Z"), text)
		}
	}
	return data
}

// BenchmarkRebuild measures the history of 10,000 matches without an index, and
// BenchmarkOpen with one.
func BenchmarkRebuild(b *testing.B) {
	data := thousands(b, 10_000)
	for b.Loop() {
		if err := os.RemoveAll(filepath.Join(data, indexFile)); err != nil {
			b.Fatal(err)
		}
		if n := len(matches(b, data)); n != 10_000 {
			b.Fatal(n)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	data := thousands(b, 10_000)
	matches(b, data)
	for b.Loop() {
		if n := len(matches(b, data)); n != 10_000 {
			b.Fatal(n)
		}
	}
}
