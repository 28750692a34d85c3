package history

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSpellings plays three matches in which one person is spelt in three ways. History counts one
// person, under the newest spelling, renames it, and removes every spelling of it.
func TestSpellings(t *testing.T) {
	const three = "2026-11-22T20-15-00Z"
	spelt := func(name, id string) string {
		begin := id[:11] + strings.ReplaceAll(id[11:], "-", ":")
		return strings.Replace(strings.ReplaceAll(finished, "Alice", name), "2026-11-20T20:15:00Z", begin, 1)
	}
	data := folder(t, map[string]string{one: spelt("D'Arce\u0301", one),
		two: spelt("d’arcé", two), three: spelt("\"D'ARCÉ\"", three)})
	h := New(data, games)
	if got := names(t, h); got != "D'ARCÉ=D'ARCÉ 3/0, Max=Max 3/3" {
		t.Errorf("players: %s", got)
	}
	s := stats(t, h)
	if len(s.Players) != 2 || s.Players[1].Name != "D'ARCÉ" || s.Players[1].Played != 3 || len(s.Pairs) != 1 ||
		s.Pairs[0].A != "D'ARCÉ" || s.Pairs[0].B != "Max" || s.Pairs[0].Played != 3 || s.Games[0].Players[1] != "D'ARCÉ" {
		t.Errorf("statistics: %+v", s)
	}
	if got := book(t, h).Matches[2].Seats[1].Name; got != "D'Arce\u0301" {
		t.Errorf("the first match shows %q", got)
	}
	refused(t, h.Separate("d’arcé", noon), "players.unknown")
	must(t, h.Rename("d'arcé", "Arcé", noon))
	if got := names(t, h); got != "Arcé=D'ARCÉ 3/0, Max=Max 3/3" {
		t.Errorf("renamed: %s", got)
	}
	must(t, h.Separate("D'Arcé", noon))
	if got := names(t, h); got != "D'ARCÉ=D'ARCÉ 3/0, Max=Max 3/3" {
		t.Errorf("separated: %s", got)
	}
	must(t, h.Note(one, "Well played, D’ARCÉ! And darce\u0301e", noon))
	must(t, h.Remove(t.Context(), "D’Arcé"))
	if got := names(t, h); got != "Max=Max 3/3" {
		t.Errorf("removed: %s", got)
	}
	for _, id := range []string{one, two, three} {
		text, err := os.ReadFile(filepath.Join(data, "matches", id+suffix))
		if must(t, err); strings.Contains(strings.ToLower(string(text)), "arc") {
			t.Errorf("%s still has the name:\n%s", id, text)
		}
	}
	if got := book(t, h).Matches[2].Note; got != "Well played, ?! And darce\u0301e" {
		t.Errorf("the note is %q", got)
	}
}
