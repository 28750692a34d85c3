package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tableside/engine"
)

// grep returns the files of the data folder that have a text.
func grep(t testing.TB, data, text string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(data, func(path string, file os.DirEntry, err error) error {
		if err != nil || file.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte(text)) {
			files = append(files, filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A removal that is stopped, or that ends half-way because the program is killed, is repeated,
// and then completes, wherever it ended.
func TestRemoveAgain(t *testing.T) {
	killed := errors.New("killed")
	for step := 1; ; step++ {
		data, h := evening(t)
		must(t, h.Rename("Ally", "Alice", noon))
		must(t, h.Note(two, "Alice was ill", noon))
		must(t, os.WriteFile(filepath.Join(data, "matches", one+suffix+".aside-1"), []byte(finished), 0o600))
		must(t, h.Delete(two, noon))
		steps := 0
		h.Rewrite = func(ctx context.Context, _ string, change func(bool) error) error {
			if steps++; steps == step {
				if step%2 == 0 {
					return killed
				}
				h.StopRemoval()
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return change(false)
		}
		err := h.Remove(t.Context(), "Alice")
		if steps < step {
			must(t, err)
			break
		}
		if r, stopped := engine.AsRefusal(err); !errors.Is(err, killed) && (!stopped || r.Text.Key != "players.stopped") {
			t.Fatalf("step %d: %v", step, err)
		}
		h = New(data, games)
		must(t, h.Remove(t.Context(), "Alice"))
		for _, name := range []string{"Alice", "Ally"} {
			if files := grep(t, data, name); len(files) > 0 {
				t.Errorf("step %d: %s is in %v", step, name, files)
			}
		}
		refused(t, h.Remove(t.Context(), "Alice"), "players.unknown")
	}
}

// What killed programs have left of writes is searched for names, too.
func TestRemoveLeavings(t *testing.T) {
	data, h := evening(t)
	for _, left := range []string{".history.json-12", filepath.Join("matches", "."+one+suffix+"-34"), ".tags-5"} {
		must(t, os.WriteFile(filepath.Join(data, left), []byte("Alice"), 0o600))
	}
	must(t, h.Remove(t.Context(), "Alice"))
	if files := grep(t, data, "Alice"); len(files) > 0 {
		t.Errorf("Alice is in %v", files)
	}
}

// A removal says how far it is, and only one runs at a time.
func TestRemoval(t *testing.T) {
	_, h := evening(t)
	var seen []int
	h.Rewrite = func(_ context.Context, _ string, change func(bool) error) error {
		r := h.Removal()
		if r == nil || r.Name != "Max" || r.All != 0 && r.All != 2 {
			t.Fatalf("got %+v", r)
		}
		seen = append(seen, r.Done)
		refused(t, h.Remove(t.Context(), "Alice"), "players.busy")
		return change(false)
	}
	must(t, h.Remove(t.Context(), "Max"))
	if got := fmt.Sprint(seen); got != "[0 0 0 1]" || h.Removal() != nil { // looked at, then rewritten
		t.Errorf("got %s, and then %+v", got, h.Removal())
	}
}
