package history

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/mindbug"
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
		"2026-11-26T20-15-00Z": "tableside-journal 1\n",
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

// At a line that the rules refuse, the history and the result of a match stop, for the same reason.
func TestRefusedLine(t *testing.T) {
	text := strings.Replace(finished, "60s red key next", "20s red choose sideways", 1)
	text = strings.Replace(text, "65s blue choose +10", "30s blue choose +50", 1)
	j, err := engine.ParseJournal("", []byte(text))
	must(t, err)
	_, err = engine.Summarise(engine.Find(games, j.Setup.Game), j, engine.English, nil)
	if err == nil {
		t.Fatal("there is a result")
	}
	e := matches(t, folder(t, map[string]string{"2026-11-20T20-15-00Z": text}))[0]
	for lang, want := range map[engine.Lang]string{engine.English: "line 8: That means nothing here",
		engine.French: "ligne 8 : Cela ne veut rien dire ici"} {
		told, result := e.In(lang).Reason, engine.ErrorIn(err, lang)
		if told != result || !strings.HasPrefix(told, want) || e.State != "damaged" || e.Seconds != 10 || len(e.Winners()) > 0 {
			t.Errorf("the history: %q in %+v; the result: %q; want %q", told, e, result, want)
		}
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
		"torn index":    func() error { return os.WriteFile(index, []byte(indexVersion+`{"key":`), 0o600) },
		"another form":  func() error { return os.WriteFile(index, []byte(`{"version":0,"matches":null}`), 0o600) },
		"another entry": func() error { return os.WriteFile(index, []byte(indexVersion+`{"key":"`+id+`"}`), 0o600) },
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
	old := time.Now().Add(-2 * time.Hour)
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
	const n = 768
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
	_, text := written()
	if lines := strings.Count(string(text), "\n"); lines != 1+n {
		t.Errorf("the index has %d lines", lines)
	}
	old := time.Unix(1e9, 0)
	must(t, os.Chtimes(index, old, old))
	check("with an index")
	if again, _ := written(); !again.ModTime().Equal(old) {
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

// TestYear9999 checks that a match whose last input comes after the year 9999 is listed.
func TestYear9999(t *testing.T) {
	const id = "9999-12-31T23-59-30Z"
	late := strings.NewReplacer("2026-11-20T20:15:00Z", "9999-12-31T23:59:30Z", "+10", "+3").Replace(finished)
	h := New(folder(t, map[string]string{id: late}), games)
	infos, err := h.Infos()
	if err != nil || len(infos) != 1 || infos[0].ID != id || infos[0].State != "unfinished" {
		t.Errorf("%v: %+v", err, infos)
	}
	if _, err := json.Marshal(infos); err != nil {
		t.Error(err)
	}
	if list := book(t, h).Matches; len(list) != 1 || list[0].Inputs != 3 {
		t.Errorf("%+v", list)
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

// TestUnbegun checks that a journal whose head a power cut has cut off is no match.
func TestUnbegun(t *testing.T) {
	data, h := evening(t)
	before := len(book(t, h).Matches)
	write(t, data, "2026-11-27T20-15-00Z", "")
	sealer := engine.ChainedSealer()
	write(t, data, "2026-11-27T20-15-01Z", sealer.Seal("tableside-journal 2")[:len("tableside-journal 2 #=1")])
	for range 2 {
		if m := book(t, h).Matches; len(m) != before {
			t.Errorf("got %+v", m)
		}
	}
}

// TestIndexFlipped checks that no flipped bit of the index changes the history.
func TestIndexFlipped(t *testing.T) {
	data := folder(t, nil)
	for i := range 8 {
		text := strings.Replace(finished, "Alice", fmt.Sprint("Alice", i), 1)
		write(t, data, fmt.Sprintf("2026-11-20T20-%02d-00Z", i), text)
	}
	h := New(data, games)
	want := book(t, h).Matches
	path := filepath.Join(data, indexFile)
	whole, err := os.ReadFile(path)
	must(t, err)
	chance, known := rand.New(rand.NewPCG(37, 2)), 0
	for range 500 {
		flipped, bit := slices.Clone(whole), chance.IntN(8*len(whole))
		flipped[bit/8] ^= 1 << (bit % 8)
		must(t, os.WriteFile(path, flipped, 0o600))
		records, _ := h.readIndex()
		for _, e := range want {
			r, has := records[journalName{e.ID, kept}]
			if !has {
				continue
			}
			var got Entry
			must(t, json.Unmarshal(r.Entry, &got))
			if known++; !reflect.DeepEqual(got, e) {
				t.Fatalf("bit %d:\n got %+v\nwant %+v", bit, got, e)
			}
		}
	}
	if got := book(t, h).Matches; !reflect.DeepEqual(got, want) || known < 1000 {
		t.Errorf("%d entries are known: %+v", known, got)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != string(whole) {
		t.Errorf("the index is not made again:\n%s", now)
	}
}

// TestNoFormulas checks that a spreadsheet takes no name for a formula, in signs of full width
// neither.
func TestNoFormulas(t *testing.T) {
	var e Entry
	for _, sign := range []string{"=", "+", "-", "@", "＝", "＋", "－", "＠"} {
		e.Seats = append(e.Seats, Player{Seat: "red", Name: sign + "1"})
	}
	var b strings.Builder
	if err := WriteTable(&b, []Entry{e}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), ",'"); n != len(e.Seats) {
		t.Errorf("%d of %d names are text:\n%s", n, len(e.Seats), b.String())
	}
}

// TestRace reads how the counter of a match went.
func TestRace(t *testing.T) {
	data, err := os.ReadFile("../../cmd/tableside/testdata/journals/mindbug-first-contact-silent-no.journal")
	if err != nil {
		t.Fatal(err)
	}
	e := sum("2026-11-11T20-15-00Z", data, mindbug.Games(), nil)
	for _, s := range e.Seats {
		if len(s.Race) != moments || s.Race[0] != 3 || s.Race[moments-1] != s.Value {
			t.Errorf("%s has %v, %d at the end", s.Seat, s.Race, s.Value)
		}
	}
}
