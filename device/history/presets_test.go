package history

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/tally"
)

// Two hundred matches of ten games that were scored on a sheet are matches of ten games wherever
// the history is told, and none of them knows the ratings of another.
func TestTenGamesOfASheet(t *testing.T) {
	chance := rand.New(rand.NewPCG(43, 1))
	game := tally.Games()[0]
	presets := slices.DeleteFunc(slices.Clone(game.Info().Presets), func(p engine.Preset) bool {
		return p.Options["teams"] != "" || p.Options["rows"] != "" || p.Options["result"] == "together" // unrated
	})[:10]
	journals, nobodyBegins := map[string]string{}, map[string]bool{}
	at := time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC)
	for i := range 200 {
		p, players := presets[i%10], []string{"Alice", "Max", "Zoé"}
		begin := at.Add(time.Duration(i) * 24 * time.Hour)
		setup := engine.Setup{Game: game.Info().Name, Preset: p.Name, Begin: begin, First: "red",
			Seats: enginetest.Seats(3)}.FromPreset([]engine.Info{game.Info()})
		for n := range setup.Seats {
			setup.Seats[n].Name = players[(i+n)%3]
		}
		m, err := enginetest.Play(game, setup, chance)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		lines := m.Setup().Head()
		for _, in := range m.Inputs() {
			lines = append(lines, in.String())
		}
		journals[begin.Format("2006-01-02T15-04-05Z")] = strings.Join(lines, "\n") + "\n"
		nobodyBegins[p.Name] = m.View().First == ""
	}
	h := New(folder(t, journals), tally.Games())
	book, err := h.Read()
	if err != nil {
		t.Fatal(err)
	}
	stats, err := h.Stats(engine.English)
	if err != nil {
		t.Fatal(err)
	}
	if len(stats.Games) != 10 || stats.Matches != 200 {
		t.Fatalf("got %d games in %d matches", len(stats.Games), stats.Matches)
	}
	alone := map[string][]Entry{}
	for _, e := range slices.Backward(book.Matches) {
		for i := range e.Seats {
			e.Seats[i].Name = NameKey(e.Seats[i].Name)
		}
		alone[e.Preset] = append(alone[e.Preset], e)
	}
	for _, g := range stats.Games {
		if g.Played != 20 || nobodyBegins[g.Game] != (g.Begun == 0) {
			t.Errorf("%s: played %d, begun %d", g.Game, g.Played, g.Begun)
		}
	}
	for _, p := range stats.Players {
		if p.Rating != 0 {
			t.Errorf("%s is rated %v in ten games at once", p.Name, p.Rating)
		}
		if len(p.Games) != 10 {
			t.Errorf("%s has played %d games", p.Name, len(p.Games))
		}
		for _, g := range p.Games {
			if want := ratingsAfter(alone[g.Game])[NameKey(p.Name)].rating(); g.Rating != want {
				t.Errorf("%s, %s: rated %v, want %v", p.Name, g.Game, g.Rating, want)
			}
			if nobodyBegins[g.Game] && g.Began > 0 {
				t.Errorf("%s began %d matches of %s, which nobody begins", p.Name, g.Began, g.Game)
			}
		}
	}
	var sheet, file bytes.Buffer
	if err := WriteTable(&sheet, book.Matches); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&sheet).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column, told := slices.Index(rows[0], "preset"), map[string]bool{}
	for _, row := range rows[1:] {
		told[row[column]] = true
	}
	if err := h.WriteBGStats(&file, book.Matches, engine.English); err != nil {
		t.Fatal(err)
	}
	var app struct {
		Games []struct {
			Name        string
			HighestWins bool
		}
	}
	if err := json.Unmarshal(file.Bytes(), &app); err != nil {
		t.Fatal(err)
	}
	if len(told) != 10 || len(app.Games) != 10 {
		t.Errorf("the sheet has %d games, the app %d", len(told), len(app.Games))
	}
	for _, g := range app.Games {
		i := slices.IndexFunc(presets, func(p engine.Preset) bool { return p.Title(engine.English) == g.Name })
		if i < 0 || g.HighestWins != (presets[i].Options["goal"] != "low") {
			t.Error(fmt.Sprint("the app is told of ", g))
		}
	}
}
