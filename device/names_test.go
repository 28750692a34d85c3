package device

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tableside/engine"
)

// TestTwoOfOneName begins no match in which nobody could tell two players apart, and goes on with
// one that an older program has begun.
func TestTwoOfOneName(t *testing.T) {
	config := configured(t.TempDir())
	table := start(t, config)
	begin := func(names ...string) engine.Receipt {
		setup := engine.Setup{Game: config.Games[0].Info().Name}
		for i, name := range names {
			setup.Seats = append(setup.Seats, engine.Player{Seat: engine.UsualSeats[i], Name: name})
		}
		return table.Do(t.Context(), engine.Order{Do: "begin", Setup: setup})
	}
	for _, names := range [][]string{{"Ann", "Ann"}, {"Ann", "ann "}, {"Zoé", "Zoe\u0301"}} {
		r := begin(names...)
		if r.Outcome != engine.Refused || r.Text.Key != "receipt.name-twice" {
			t.Errorf("%q: %+v", names, r)
		}
	}
	if r := begin("", ""); r.Outcome != engine.Accepted {
		t.Errorf("without names: %+v", r)
	}
	table.order(engine.Order{Do: "abandon"})
	if r := begin("Ann", "Anna"); r.Outcome != engine.Accepted {
		t.Errorf("two names: %+v", r)
	}
	table.must("blue set name Ann") // the table is right
	id := string(table.Frame().View.Match)
	table.stop()
	path := filepath.Join(config.Dir, "matches", id+".journal")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var loose strings.Builder
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(strings.TrimSuffix(line, "\n"), " #=")
		line = strings.NewReplacer("Anna", "Ann", "tableside-journal 2", "tableside-journal 1").Replace(line)
		loose.WriteString(line + "\n")
	}
	if err := os.WriteFile(path, []byte(loose.String()), 0o640); err != nil {
		t.Fatal(err)
	}
	table = start(t, config)
	table.order(engine.Order{Do: "resume"})
	if v := table.Frame().View; string(v.Match) != id || v.Seats[0].Name != "Ann" || v.Seats[1].Name != "Ann" {
		t.Errorf("resumed: %+v", v.Seats)
	}
}
