package history

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/engine"
)

const one, two = "2026-11-20T20-15-00Z", "2026-11-21T20-15-00Z"

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func evening(t *testing.T) (string, *History) {
	data := folder(t, map[string]string{one: finished, two: strings.Replace(strings.ReplaceAll(finished, "Alice", "Ally"),
		"2026-11-20T20:15:00Z", "2026-11-21T20:15:00Z", 1)})
	return data, New(data, games)
}

func book(t *testing.T, h *History) Book {
	t.Helper()
	b, err := h.Read()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func stats(t *testing.T, h *History) Stats {
	t.Helper()
	s, err := h.Stats(engine.English)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// names lists the players: "Alice=Alice+Ally 2/0".
func names(t *testing.T, h *History) string {
	t.Helper()
	players, err := h.Players()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, p := range players {
		list = append(list, fmt.Sprintf("%s=%s %d/%d", p.Name, strings.Join(p.Typed, "+"), p.Matches, p.Wins))
	}
	return strings.Join(list, ", ")
}

func inUse(match string) func(context.Context, string, func(bool) error) error {
	return func(_ context.Context, id string, change func(bool) error) error {
		if id == match {
			return ErrInUse
		}
		return change(false)
	}
}

func refused(t *testing.T, err error, key string) {
	t.Helper()
	if r, ok := engine.AsRefusal(err); !ok || r.Text.Key != key {
		t.Errorf("got %v, want %s", err, key)
	}
}

// Renaming joins players, and renames them again; the journals stay as they are.
func TestRename(t *testing.T) {
	data, h := evening(t)
	before, err := os.ReadFile(filepath.Join(data, "matches", two+suffix))
	must(t, err)
	for _, name := range []string{".matches.index-4", "matches/." + one + suffix + "-123",
		"matches/deleted/." + two + suffix + "-5"} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(data, name)), 0o750))
		must(t, os.WriteFile(filepath.Join(data, name), []byte("Alice"), 0o600)) // a program died writing it
	}
	must(t, h.Rename("Ally", "Alice", noon))
	if got := names(t, h); got != "Alice=Alice+Ally 2/0, Max=Max 2/2" {
		t.Errorf("joined: %s", got)
	}
	must(t, h.Rename("Alice", "Alicia", noon))
	must(t, h.Rename("Max", "Alice", noon))
	if got := names(t, h); got != "Alice=Max 2/2, Alicia=Alice+Ally 2/0" {
		t.Errorf("renamed: %s", got)
	}
	must(t, h.Separate("Ally", noon))
	if got := names(t, h); got != "Alice=Max 2/2, Ally=Ally 1/0, Alicia=Alice 1/0" {
		t.Errorf("separated: %s", got)
	}
	refused(t, h.Rename("Zoé", "Zoe", noon), "players.unknown")
	refused(t, h.Separate("Ally", noon), "players.unknown")
	refused(t, h.Rename("Ally", "  ", noon), "players.bad-name")
	refused(t, h.Rename("Ally", "a\nb", noon), "players.name-unseen")
	refused(t, h.Rename("Ally", Removed, noon), "players.bad-name")
	after, err := os.ReadFile(filepath.Join(data, "matches", two+suffix))
	must(t, err)
	if !bytes.Equal(before, after) {
		t.Error("the journal was changed")
	}
}

// A match is deleted with its statistics, and comes back with its note.
func TestDelete(t *testing.T) {
	_, h := evening(t)
	must(t, h.Note(one, "  by candle\n light ", noon))
	must(t, h.Delete(one, noon))
	b := book(t, h)
	if len(b.Matches) != 1 || len(b.Deleted) != 1 || stats(t, h).Matches != 1 {
		t.Fatalf("got %d and %d", len(b.Matches), len(b.Deleted))
	}
	if d := b.Deleted[0]; d.ID != one || d.Deleted == nil || !d.Deleted.Equal(noon) || d.Note != "by candle light" {
		t.Errorf("got %+v", d)
	}
	refused(t, h.Delete(one, noon), "past.unknown")
	refused(t, h.Delete("../history", noon), "past.unknown")
	refused(t, h.Restore(two, noon), "past.unknown")
	must(t, h.Restore(one, noon))
	if b = book(t, h); len(b.Matches) != 2 || len(b.Deleted) != 0 || b.Matches[1].Note != "by candle light" {
		t.Errorf("got %+v", b)
	}
	refused(t, h.Note(one, strings.Repeat("x", 501), noon), "past.bad-note")
	refused(t, h.Note("2020", "x", noon), "past.unknown")
}

// A match in use is not deleted, and one whose deletion cannot be logged stays.
func TestDeleteRefused(t *testing.T) {
	data, h := evening(t)
	h.Rewrite = inUse(one)
	refused(t, h.Delete(one, noon), "past.on-table")
	h.Rewrite = New(data, games).Rewrite
	must(t, os.Mkdir(filepath.Join(data, LogFile), 0o750))
	if err := h.Delete(one, noon); err == nil {
		t.Error("deleted without a line in the log")
	}
	if _, err := os.Lstat(filepath.Join(data, "matches", one+suffix)); err != nil {
		t.Error(err)
	}
}

// An earlier name in the journal of a match in use is not removed: the table writes on.
func TestRemoveEarlierName(t *testing.T) {
	data, h := evening(t)
	const playing = "2026-11-23T20-15-00Z"
	text := strings.Replace(finished, "60s", "50s red set name Carol\n60s", 1)
	write(t, data, playing, text)
	h.Rewrite = inUse(playing)
	refused(t, h.Remove(t.Context(), "Alice"), "players.on-table")
	for id, want := range map[string]string{playing: text, one: finished} {
		got, err := os.ReadFile(filepath.Join(data, "matches", id+suffix))
		must(t, err)
		if string(got) != want {
			t.Errorf("%s has changed:\n%s", id, got)
		}
	}
}

// A piece of a line that a power cut has left is dropped. It is never a piece of the first
// line. A damaged log hides no match: what is before the damage counts, the file is set aside,
// and the log goes on.
func TestDamagedLog(t *testing.T) {
	data, h := evening(t)
	path := filepath.Join(data, LogFile)
	must(t, h.Note(one, "first", noon))
	must(t, h.Note(two, "second", noon))
	whole, err := os.ReadFile(path)
	must(t, err)
	first := bytes.IndexByte(whole, '\n')
	for cut := range whole {
		must(t, os.WriteFile(path, whole[:cut], 0o600))
		if b := book(t, h); len(b.Matches) != 2 || (b.Damage != nil) != (cut <= first) {
			t.Fatalf("cut at %d: %d matches, %v", cut, len(b.Matches), b.Damage)
		}
	}
	must(t, os.WriteFile(path, whole[:len(whole)-5], 0o600))
	must(t, h.Rename("Max", "Maxim", noon)) // over the piece
	if b := book(t, h); b.Damage != nil || b.Matches[1].Note != "first" || b.Matches[0].Note != "" || names(t, h) == "" ||
		b.Matches[0].Seats[0].Name != "Maxim" {
		t.Errorf("got %v, %+v", b.Damage, b.Matches)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	for what, text := range map[string][]byte{
		"a wrong letter": bytes.Replace(whole, []byte("second"), []byte("sekond"), 1),
		"a lost line":    append(slices.Clone(lines[0]), lines[2]...),
		"twice":          append(slices.Clone(whole), lines[2]...),
		"no log":         []byte("hello\n"),
		"empty":          {},
		"zeros":          append(slices.Clone(whole[:len(whole)-9]), make([]byte, 9)...),
		"a torn head":    lines[0][:len(lines[0])-1],
	} {
		must(t, os.WriteFile(path, text, 0o600))
		b := book(t, h)
		if len(b.Matches) != 2 || b.Damage == nil || h.Damage() == nil || !strings.HasPrefix(b.Damage.Error(), LogFile+":") {
			t.Errorf("%s: %d matches, %v", what, len(b.Matches), b.Damage)
		}
		must(t, h.Note(one, "after", noon))
		if b = book(t, h); b.Damage != nil || h.Damage() != nil || b.Matches[1].Note != "after" {
			t.Errorf("%s: the log does not go on: %v, %q", what, b.Damage, b.Matches[1].Note)
		}
	}
	aside, _ := filepath.Glob(path + ".aside-*")
	if len(aside) != 7 {
		t.Errorf("got %v", aside)
	}
}

// sealed returns a journal as a table writes it, with marks.
func sealed(t *testing.T, text string) string {
	t.Helper()
	j, err := engine.ParseJournal("", []byte(text))
	must(t, err)
	m, err := engine.NewMatch(engine.Find(games, j.Setup.Game), j.Setup)
	must(t, err)
	head, sealer := j.Setup.SealedHead()
	for _, line := range j.Lines {
		_, err := m.Apply(line.Input)
		must(t, err)
		head += sealer.Seal(line.Input.String())
		head += sealer.Seal(engine.Mark{Seq: m.Seq(), Hash: m.View().Hash()}.String())
	}
	return head
}

// A name is removed from every file: the match stays as it was, its seals and marks agree,
// and what was damaged stays damaged.
func TestRemove(t *testing.T) {
	data, h := evening(t)
	text := sealed(t, strings.Replace(finished, "60s", "50s red set name Ally\n55s red set name Alice\n60s", 1))
	write(t, data, one, text)
	broken := strings.Replace(text, "60s red", "60s rad", 1)
	write(t, data, "2026-11-23T20-15-00Z", broken)
	torn := text[:strings.Index(text, "Alice")+3] // within the head
	write(t, data, "2026-11-24T20-15-00Z", torn)
	aside := filepath.Join(data, "matches", one+suffix+".aside-1")
	must(t, os.WriteFile(aside, []byte(text), 0o600))
	must(t, os.WriteFile(filepath.Join(data, "matches.json"), []byte("Alice"), 0o600)) // the table's index
	must(t, h.Rename("Ally", "Alice", noon))
	must(t, h.Note(two, "Alice was ill, as always, malice", noon))
	must(t, h.Delete(two, noon))
	h.Rewrite = inUse(one)
	refused(t, h.Remove(t.Context(), "Alice"), "players.on-table")
	if now, err := os.ReadFile(filepath.Join(data, "matches", one+suffix)); err != nil || string(now) != text {
		t.Errorf("%v\n%s", err, now)
	}
	h.Rewrite = inUse("2026-11-25T20-15-00Z")
	must(t, h.Remove(t.Context(), "Alice"))
	must(t, filepath.WalkDir(data, func(path string, file os.DirEntry, err error) error {
		if err == nil && file.Type().IsRegular() {
			text, err := os.ReadFile(path)
			must(t, err)
			for _, name := range []string{"Alice", "Ally", "Ali"} {
				if bytes.Contains(text, []byte(name)) {
					t.Errorf("%s has %s:\n%s", path, name, text)
				}
			}
		}
		return err
	}))
	now, err := os.ReadFile(filepath.Join(data, "matches", one+suffix))
	must(t, err)
	j, err := engine.ParseJournal(one, now)
	must(t, err)
	m, err := engine.Replay(engine.Find(games, j.Setup.Game), j, nil, nil)
	must(t, err) // every mark agrees
	if !m.Over() || m.Seq() != 5 || strings.Count(string(now), "mark ") != 5 {
		t.Errorf("got %d inputs:\n%s", m.Seq(), now)
	}
	b := book(t, h)
	if got := names(t, h); !strings.HasPrefix(got, "Max=Max ") {
		t.Errorf("got %s of\n%s", got, now)
	}
	states := map[string]string{}
	for _, e := range append(b.Matches, b.Deleted...) {
		states[e.ID] = e.State
	}
	if states[one] != "finished" || states[two] != "finished" || states["2026-11-23T20-15-00Z"] != "damaged" ||
		len(states) != 3 {
		t.Errorf("got %v", states)
	}
	if b.Damage != nil || b.Deleted[0].Note != "? was ill, as always, malice" || !b.Deleted[0].Deleted.Equal(noon) {
		t.Errorf("got %v, %+v", b.Damage, b.Deleted)
	}
}

// TestRemoveNobody checks that the removal of a name that nobody has, which is refused, costs
// nothing of a damaged log and of the copies that were set aside.
func TestRemoveNobody(t *testing.T) {
	data, h := evening(t)
	must(t, h.Note(one, "a good game", noon))
	must(t, h.Rename("Ally", "Alice", noon))
	path := filepath.Join(data, LogFile)
	text, err := os.ReadFile(path)
	must(t, err)
	text[len(text)-20] ^= 1
	must(t, os.WriteFile(path, text, 0o640))
	must(t, os.WriteFile(path+".aside-1", []byte("of an earlier damage: Zoe\n"), 0o600))
	refused(t, h.Remove(t.Context(), "Nobody"), "players.unknown")
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%v, the log is now\n%s", err, got)
	}
	if _, err := os.Stat(path + ".aside-1"); err != nil {
		t.Error(err)
	}
	must(t, h.Remove(t.Context(), "Zoe")) // only the copy has it
	if got, err := os.ReadFile(path + ".aside-1"); err != nil || string(got) != "of an earlier damage: ?\n" {
		t.Errorf("%v, the copy is now %q", err, got)
	}
}

// TestRemoveDamagedLog checks that the removal of a name loses nothing else of a damaged log, nor of
// a copy that was set aside earlier.
func TestRemoveDamagedLog(t *testing.T) {
	data, h := evening(t)
	must(t, h.Note(one, "before the damage", noon))
	must(t, h.Note(two, "Alice damages this", noon))
	must(t, h.Rename("Max", "Maxim \"Al\"", noon))
	must(t, h.Note(one, "behind it: alice, with Maxim", noon))
	path := filepath.Join(data, LogFile)
	text, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, bytes.Replace(text, []byte("damages"), []byte("damaged"), 1), 0o640))
	must(t, os.WriteFile(path+".aside-1", []byte("note one \"an earlier damage, of Alice\" #=01234567\nother\n"), 0o600))
	must(t, h.Remove(t.Context(), "Alice"))
	if b := book(t, h); b.Damage != nil || b.Matches[1].Note != "before the damage" {
		t.Errorf("got %v, %+v", b.Damage, b.Matches)
	}
	for file, want := range map[string][]string{
		".aside-1": {"note one \"an earlier damage, of ?\"\nother\n"},
		".aside-2": {"before the damage", "\"? damaged this\"\n",
			"Max \"Maxim \\\"Al\\\"\" #=", "\"behind it: ?, with Maxim\"\n"},
	} {
		got, err := os.ReadFile(path + file)
		must(t, err)
		for _, piece := range want {
			if !strings.Contains(string(got), piece) {
				t.Errorf("%s lacks %q:\n%s", file, piece, got)
			}
		}
	}
}
