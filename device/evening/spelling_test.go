package evening

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tableside/engine"
)

// TestSpellings lists players as a spreadsheet writes them, and hears of them as phones and
// computers do. Nobody is on the list twice.
func TestSpellings(t *testing.T) {
	e := begun(t, KnockOut, 2, 0)
	e.change(Change{Do: "players", Names: []string{"Zoe\u0301", "D’Arcy", "Jean\u2011Luc", "Max"}})
	for _, twice := range []string{"Zoé", "ZOE\u0301", "d'arcy", "Jean-Luc"} {
		e.refuses(Change{Do: "players", Names: []string{twice}}, "evening.name-twice")
	}
	e.next()
	e.said("a", "zoé", "Max")
	e.said("b", "jean-luc", "D'Arcy")
	v := e.view()
	for i, p := range v.Rounds[0].Pairings {
		if p.Result == nil {
			t.Errorf("board %d has no result; set aside: %s", i+1, aside(v))
		}
	}
	if got := v.People[0].Name; got != "Zoe\u0301" {
		t.Errorf("the first player is shown as %q", got)
	}
}

// TestOldSpellings reads an evening that an older program has begun, with a player in two
// spellings. It folds as it did.
func TestOldSpellings(t *testing.T) {
	e := begun(t, KnockOut, 2, 0)
	path := filepath.Join(e.cfg.Dir, e.id+suffix)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var old strings.Builder // loose: without seals
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(strings.TrimSuffix(line, "\n"), " #=")
		line = strings.NewReplacer("rules 2", "rules 1", "tableside-journal 2", "tableside-journal 1").Replace(line)
		old.WriteString(line + "\n")
	}
	old.WriteString("1s table set player Zoé\n1s table set player Zoe\u0301\n2s table set round 1 1:1,2\n" +
		"3s table set heard a/2026-11-23T19-00-02Z tally \"D’Arcy D'Arcy\" 1,2 -\n" +
		"4s table set heard a/2026-11-23T19-00-03Z tally \"zoé ZOE\u0301\" 1,2 -\n")
	if err := os.WriteFile(path, []byte(old.String()), 0o640); err != nil {
		t.Fatal(err)
	}
	e.open(e.cfg.Dir)
	v := e.view()
	if v.Damage != 0 || len(v.People) != 2 || aside(v) != "nobody:0" || v.Rounds[0].Pairings[0].Result == nil {
		t.Errorf("damage %d, people %v, aside %q, round %+v", v.Damage, v.People, aside(v), v.Rounds)
	}
	if err := e.Change(e.id, Change{Do: "rename", Player: 1, Name: "zoe\u0301"}); err == nil {
		t.Error("an old evening takes another's name in other capitals")
	} else if _, refused := engine.AsRefusal(err); !refused {
		t.Error(err)
	}
}
