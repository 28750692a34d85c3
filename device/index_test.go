package device

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/device/history"
	"tableside/engine"
	"tableside/engine/enginetest"
)

// older sets the time of a journal to a while ago, and later by n seconds.
func older(t testing.TB, path string, n int) {
	t.Helper()
	at := time.Date(2026, 11, 20, 23, 0, n, 0, time.UTC)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// matchesOn starts a table, and returns its matches as JSON and the one that it asks about.
func matchesOn(t *testing.T, dir string) (matches []string, unfinished string) {
	t.Helper()
	table := start(t, configured(dir))
	for _, m := range table.Matches() {
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		matches = append(matches, string(text))
	}
	unfinished = table.Frame().Status.Unfinish
	if err := table.stop(); err != nil {
		t.Fatal(err)
	}
	return matches, unfinished
}

// resealed returns an index in which a text is replaced in every line, with new seals.
func resealed(t *testing.T, index, old, new string) string {
	t.Helper()
	first, rest, _ := strings.Cut(index, "\n")
	changed := first + "\n"
	for line := range strings.Lines(rest) {
		text, whole := engine.Unseal(line)
		if !whole {
			t.Errorf("%q has no seal", line)
		}
		changed += engine.Seal(strings.ReplaceAll(text, old, new))
	}
	return changed
}

// TestIndex checks that a start does not read a journal again that the index knows, that
// the list is the same with and without an index, and that a journal which was changed,
// damaged, added or taken away is noticed.
func TestIndex(t *testing.T) {
	const second, third = "2026-11-21T10-00-00Z", "2026-11-22T10-00-00Z"
	dir, path := written(t, head+"1s red key plus\nend finished red\n")
	at := func(id string) string { return filepath.Join(dir, "matches", id+".journal") }
	index := filepath.Join(dir, "matches.index")
	put := func(path, text string, n int) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		older(t, path, n)
	}
	unfinished := strings.Replace(head, "20T20:15", "21T10:00", 1) + "1s red key plus\n90s red key plus\n"
	damaged := strings.Replace(head, "20T20:15", "22T10:00", 1) + "1s red key plus\n0s red key plus\nend abandoned\n"
	older(t, path, 0)
	put(at(second), unfinished, 0)
	put(at(third), damaged, 0)
	want, asked := matchesOn(t, dir)
	if asked != second || len(want) != 3 || !strings.Contains(want[0], `"damaged"`) || !strings.Contains(want[1], `"score"`) {
		t.Fatalf("asked for %q of %q", asked, want)
	}
	same := func(what string, want []string) {
		t.Helper()
		if got, asked := matchesOn(t, dir); fmt.Sprint(got) != fmt.Sprint(want) || asked != second {
			t.Errorf("%s: asked for %q\ngot  %q\nwant %q", what, asked, got, want)
		}
	}
	same("with the index", want)
	whole := read(t, index)
	if strings.Count(whole, "\n") != 3 || strings.Contains(whole, "damaged") {
		t.Errorf("the index is\n%s", whole)
	}

	changed := strings.Replace(head, "Alice", "Clara", 1) + "1s red key plus\nend finished red\n"
	put(path, changed, 0)
	same("of the same size and time, not read again", want)
	older(t, path, 1)
	want[2] = strings.Replace(want[2], "Alice", "Clara", 1)
	same("of another time", want)
	for what, text := range map[string]string{
		"torn":        whole[:len(whole)/2],
		"of a form":   strings.Replace(whole, "tableside-index ", "tableside-index 0", 1),
		"of rules":    resealed(t, whole, `"rules":1`, `"rules":0`),
		"of garbage":  whole[:strings.IndexByte(whole, '\n')] + "\nnothing\n",
		"of zeros":    string(make([]byte, len(whole))),
		"out of date": resealed(t, whole, headID, "2026-11-19T20-15-00Z"),
	} {
		put(index, text, 0)
		same("an index "+what, want)
		if n := strings.Count(read(t, index), "\n"); n != 3 {
			t.Errorf("an index %s: %d lines afterwards", what, n)
		}
	}
	put(path, strings.Replace(changed, "1s", "1x", 1), 1)
	older(t, path, 2)
	if got, _ := matchesOn(t, dir); !strings.Contains(got[2], `"damaged"`) {
		t.Errorf("a damaged journal is in the list as %s", got[2])
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	same("without a journal", want[:2])
}

// TestEntryOfBadMatch checks that the entry of a match says why it cannot be continued to
// its end, whatever a plain fold makes of it.
func TestEntryOfBadMatch(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"refused":     {"1s red key plus\n2s red key roll\n3s red key plus\n", "unfinished"},
		"other rules": {"1s red key plus\nmark 1 00000000\n2s red key plus\n", "unfinished"},
		"no game":     {"", "damaged"},
	} {
		text := head + c.text
		if c.text == "" {
			text = strings.Replace(head, "count/plain", "chess/blitz", 1)
		}
		dir, _ := written(t, text)
		if got, _ := matchesOn(t, dir); !strings.Contains(got[0], `"state":"`+c.want+`"`) || !strings.Contains(got[0], `"reason"`) {
			t.Errorf("%s: %s", name, got[0])
		}
	}
}

// BenchmarkStart measures how long a table takes to list what is on its disk: 10,000
// finished matches, and 2,000 without an end line, with and without an index.
func BenchmarkStart(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
		end  string
	}{{"10000-finished", 10_000, "end finished red\n"}, {"2000-without-end", 2000, ""}} {
		dir := b.TempDir()
		config := configured(dir)
		if err := os.Mkdir(filepath.Join(dir, "matches"), 0o750); err != nil {
			b.Fatal(err)
		}
		lines := strings.Repeat("1s red key plus\n", 400)
		for i := range c.n {
			begin := time.Date(2020, 1, 1, i, 0, 0, 0, time.UTC)
			setup := engine.Setup{Game: "count/plain", Seats: enginetest.Seats(2), First: "red", Begin: begin, Rules: 1}
			text := strings.Join(setup.Head(), "\n") + "\n" + lines + c.end
			path := filepath.Join(dir, "matches", setup.MatchID()+".journal")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				b.Fatal(err)
			}
			older(b, path, 0)
		}
		measure := func(b *testing.B, prepare func() error) {
			for b.Loop() {
				if err := prepare(); err != nil {
					b.Fatal(err)
				}
				table, err := New(config)
				if err != nil {
					b.Fatal(err)
				}
				if n := len(table.Matches()); n != c.n {
					b.Fatal(n)
				}
				if err := closeTable(table); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.Run(c.name+"/without-index", func(b *testing.B) {
			measure(b, func() error { return os.RemoveAll(filepath.Join(dir, "matches.index")) })
		})
		b.Run(c.name, func(b *testing.B) { measure(b, func() error { return nil }) })
	}
}

// TestIndexFlipped checks that no flipped bit of the index changes the list of matches: a match
// whose line is damaged is not taken from the index.
func TestIndexFlipped(t *testing.T) {
	dir, _ := written(t, "")
	put := func(i int, name string) {
		t.Helper()
		id := fmt.Sprintf("2026-11-20T20-%02d-00Z", i)
		names := strings.NewReplacer("20:15", fmt.Sprintf("20:%02d", i), "Alice", fmt.Sprint(name, i))
		text := names.Replace(head) + "end finished red\n"
		path := filepath.Join(dir, "matches", id+journalSuffix)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		older(t, path, i)
	}
	for i := range 8 {
		put(i, "Alice")
	}
	want, _ := matchesOn(t, dir)
	slices.Reverse(want) // the oldest first
	path := filepath.Join(dir, "matches.index")
	whole, chance, known := read(t, path), rand.New(rand.NewPCG(37, 1)), 0
	for i := range 8 {
		put(i, "Clara") // of the same size and time: what has Alice is from the index
	}
	past := history.New(dir, []engine.Game{countGame{}})
	for range 500 {
		flipped, bit := []byte(whole), chance.IntN(8*len(whole))
		flipped[bit/8] ^= 1 << (bit % 8)
		if err := os.WriteFile(path, flipped, 0o600); err != nil {
			t.Fatal(err)
		}
		infos, err := past.Infos()
		if err != nil {
			t.Fatal(err)
		}
		for i, info := range infos[:8] {
			text, _ := json.Marshal(info)
			got := string(text)
			if got == want[i] {
				known++
			} else if strings.ReplaceAll(got, "Clara", "Alice") != want[i] {
				t.Fatalf("bit %d:\n got %s\nwant %s", bit, got, want[i])
			}
		}
	}
	for i := range 8 {
		put(i, "Alice")
	}
	if err := os.WriteFile(path, []byte(strings.Replace(whole, "Alice", "Elice", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, _ := matchesOn(t, dir); len(got) != len(want) || read(t, path) != whole || known < 1000 {
		t.Errorf("%d entries were known; now the index is\n%s", known, read(t, path))
	}
}
