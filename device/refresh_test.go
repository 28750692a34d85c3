package device

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A journal that is taken away leaves the list, and takes its place in it again when it is
// put back.
func TestRefresh(t *testing.T) {
	dir, path, whole := kept(t, 60)
	older := filepath.Join(filepath.Dir(path), "2001-01-01T20-15-00Z.journal")
	if err := os.WriteFile(older, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	table := start(t, configured(dir), func(*Table) {})
	ids := func() (list []string) {
		for _, m := range table.Matches() {
			list = append(list, m.ID)
		}
		return list
	}
	refresh := func(id string) {
		t.Helper()
		if err := table.Rewrite(t.Context(), id, func(bool) error { return nil }); err != nil {
			t.Error(err)
		}
	}
	newer := strings.TrimSuffix(filepath.Base(path), ".journal")
	away := filepath.Join(dir, "away")
	if err := os.Rename(path, away); err != nil {
		t.Fatal(err)
	}
	refresh(newer)
	if got := strings.Join(ids(), " "); got != "2001-01-01T20-15-00Z" {
		t.Errorf("taken away: %s", got)
	}
	if err := os.Rename(older, older+".away"); err != nil {
		t.Fatal(err)
	}
	refresh("2001-01-01T20-15-00Z")
	if err := os.Rename(away, path); err != nil {
		t.Fatal(err)
	}
	refresh(newer)
	if err := os.Rename(older+".away", older); err != nil {
		t.Fatal(err)
	}
	refresh("2001-01-01T20-15-00Z")
	if got := strings.Join(ids(), " "); got != newer+" 2001-01-01T20-15-00Z" {
		t.Errorf("put back: %s", got)
	}
	deleted := filepath.Join(filepath.Dir(path), "deleted")
	if err := os.Mkdir(deleted, 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(deleted, "2000-01-01T20-15-00Z.journal"), whole, 0o600); err != nil {
		t.Fatal(err)
	}
	refresh("deleted/2000-01-01T20-15-00Z")
	if got := ids(); len(got) != 2 {
		t.Errorf("a journal of another folder: %v", got)
	}
}
