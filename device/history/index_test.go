package history

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// many returns a folder with 40 finished matches, which the index knows, and the names of the
// first two.
func many(t *testing.T) (data string, h *History, one, two string) {
	data = folder(t, nil)
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var ids []string
	for i := range 40 {
		ids = append(ids, begin.Add(time.Duration(i)*time.Hour).Format("2006-01-02T15-04-05Z"))
		write(t, data, ids[i], strings.ReplaceAll(finished, "Alice", "Clara"))
	}
	write(t, data, ids[0], finished)
	write(t, data, ids[1], strings.ReplaceAll(finished, "Alice", "Zoe"))
	h = New(data, games)
	book(t, h)
	return data, h, ids[0], ids[1]
}

// The index has no name that no journal has any more: a hall gets a match again without a name
// that its table has removed, and people take files away.
func TestIndexForgets(t *testing.T) {
	data, h, one, two := many(t)
	must(t, h.Keep(one, []byte(finished), []byte(strings.ReplaceAll(finished, "Alice", Removed))))
	book(t, h)
	if files := grep(t, data, "Alice"); len(files) > 0 {
		t.Errorf("replaced: Alice is in %v", files)
	}
	must(t, os.Remove(filepath.Join(data, "matches", two+suffix)))
	book(t, h)
	if files := grep(t, data, "Zoe"); len(files) > 0 {
		t.Errorf("taken away: Zoe is in %v", files)
	}
}

// Somebody who looks at the history during a match does not have the index written: the match is read
// again anyway. When it is over, it is written.
func TestIndexDuringMatch(t *testing.T) {
	data, h, one, _ := many(t)
	const id = "2026-11-20T20-15-00Z"
	text, index := strings.Replace(finished, "65s blue choose +10\n", "", 1), filepath.Join(data, indexFile)
	write(t, data, id, text)
	book(t, h)
	// A file system gives a new index the number of an old one, and its clock ticks slowly: only a
	// date that no writer gives shows that nobody has written.
	old := time.Unix(1e9, 0)
	must(t, os.Chtimes(index, old, old))
	look := func(what string, written bool) {
		t.Helper()
		if e := book(t, h).Matches[0]; e.ID != id || e.Inputs != strings.Count(text, "\n")-6 {
			t.Errorf("%s: got %+v", what, e)
		}
		now, err := os.Stat(index)
		must(t, err)
		if now.ModTime().Equal(old) == written {
			t.Errorf("%s: the index is written: %v", what, !written)
		}
		must(t, os.Chtimes(index, old, old))
	}
	look("nobody plays", false)
	for _, move := range []string{"62s blue choose +1\n", "63s blue choose +2\n"} {
		text += move
		write(t, data, id, text)
		look(move, false)
	}
	must(t, h.Remove(t.Context(), "Zoe")) // with another change, all of it is written
	look("after a removal", true)
	text += "64s blue choose +10\n"
	write(t, data, id, text)
	look("over", true)
	must(t, os.Remove(filepath.Join(data, "matches", one+suffix)))
	look("another is gone", true)
}

// After a power cut during a removal, the index has no name that a match had which went on since the
// index was written.
func TestIndexAfterCut(t *testing.T) {
	data, h, _, _ := many(t)
	const id = "2026-11-20T20-15-00Z"
	index := filepath.Join(data, indexFile)
	text := strings.NewReplacer("Alice", "Eve", "65s blue choose +10\n", "").Replace(finished)
	write(t, data, id, text)
	book(t, h)
	write(t, data, id, text+strings.Repeat("65s blue choose +1\n", 5))
	book(t, h)
	var cut []byte
	h.Rewrite = func(_ context.Context, _ string, change func(bool) error) error {
		err := change(false)
		cut, _ = os.ReadFile(index)
		return err
	}
	must(t, h.Remove(t.Context(), "Eve"))
	must(t, os.WriteFile(index, cut, 0o600))
	_, err := New(data, games).Infos()
	must(t, err)
	if files := grep(t, data, "Eve"); len(files) > 0 {
		t.Errorf("Eve is in %v", files)
	}
}

const fullDir = "HISTORY_DIR" // in a process whose disk is full

// On a disk that has room for journals, but not for the index, the index goes where it may have a name
// that no journal has any more, and stays where it is only out of date.
func TestFullDisk(t *testing.T) {
	const one, three = "2026-01-01T00-00-00Z", "2026-01-01T02-00-00Z"
	over := strings.Replace(finished, "Alice", "Clara", 1)
	unfinished := strings.Replace(over, "65s blue choose +10\n", "", 1)
	for what, c := range map[string]struct {
		change func(h *History) error
		stays  bool
	}{
		"removed": {func(h *History) error { return h.Remove(t.Context(), "Alice") }, false},
		"replaced": {func(h *History) error {
			return h.Keep(one, []byte(finished), []byte(strings.ReplaceAll(finished, "Alice", Removed)))
		}, false},
		"taken away": {func(h *History) error { return os.Remove(h.file(kept, one)) }, false},
		"begun":      {func(h *History) error { return h.Keep("2026-11-20T20-15-00Z", nil, []byte(unfinished)) }, true},
		"over":       {func(h *History) error { return h.Keep(three, []byte(unfinished), []byte(over)) }, true},
	} {
		if data, now := os.LookupEnv(fullDir); now {
			if os.Getenv(fullDir+"_CASE") == what {
				signal.Ignore(syscall.SIGXFSZ)
				must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4000, Max: 4000}))
				h := New(data, games)
				must(t, c.change(h))
				book(t, h)
			}
			continue
		}
		data, h, _, _ := many(t)
		write(t, data, three, unfinished)
		book(t, h)
		full := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFullDisk$")
		full.Env = append(os.Environ(), fullDir+"="+data, fullDir+"_CASE="+what)
		if out, err := full.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", what, err, out)
		}
		if _, err := os.Stat(filepath.Join(data, indexFile)); (err == nil) != c.stays {
			t.Errorf("%s: the index: %v", what, err)
		}
		if files := grep(t, data, "Alice"); len(files) > 0 && !c.stays {
			t.Errorf("%s: Alice is in %v", what, files)
		}
	}
}
