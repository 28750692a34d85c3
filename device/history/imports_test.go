package history

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"tableside/engine"
)

// exported returns the matches of a folder as both kinds of files that an import reads.
func exported(t *testing.T, data string) (file, sheet string) {
	t.Helper()
	h := New(data, everyGame)
	book, err := h.Read()
	if err != nil {
		t.Fatal(err)
	}
	var app, table bytes.Buffer
	if err := h.WriteBGStats(&app, book.Matches, engine.French); err != nil {
		t.Fatal(err)
	}
	if err := WriteTable(&table, book.Matches); err != nil {
		t.Fatal(err)
	}
	return app.String(), "\ufeff" + strings.ReplaceAll(table.String(), "\n", "\r\n")
}

// What a table has exported comes back at another table as the same matches, once, and goes as a
// whole. The table that it is from recognises its own.
func TestImportOfOwnMatches(t *testing.T) {
	chance, at := rand.New(rand.NewPCG(4, 3)), time.Date(2026, 3, 1, 20, 0, 0, 0, time.Local)
	journals := map[string]string{}
	for i := range 12 {
		begin := at.Add(time.Duration(i) * 26 * time.Hour).UTC()
		journals[begin.Format("2006-01-02T15-04-05Z")] = journalOf(t, chance, begin)
	}
	journals["2026-11-20T20-15-00Z"] = strings.Replace(finished, "seat red", "preset hearts\nseat red", 1)
	from := folder(t, journals)
	own := New(from, everyGame)
	want, err := own.Read()
	if err != nil {
		t.Fatal(err)
	}
	want.Matches = slices.DeleteFunc(want.Matches, func(e Entry) bool { return e.State != "finished" })
	file, sheet := exported(t, from)
	for kind, text := range map[string]string{"file": file, "sheet": sheet} {
		if again, err := own.Import(text, true, "en", at); err != nil || again.Plays != 0 || again.Again != len(want.Matches) {
			t.Errorf("%s at its own table: %+v, %v", kind, again, err)
		}
		other := New(t.TempDir(), everyGame)
		seen, err := other.Import(text, false, "en", at)
		if book, _ := other.Read(); err != nil || seen.Plays != len(want.Matches) || len(book.Matches) != 0 {
			t.Fatalf("%s: %+v, %v, and %d matches", kind, seen, err, len(book.Matches))
		}
		done, err := other.Import(text, true, "en", at)
		if err != nil || done.Plays != seen.Plays {
			t.Fatalf("%s: %+v, %v", kind, done, err)
		}
		got, err := other.Read()
		if err != nil || got.Damage != nil || len(got.Matches) != len(want.Matches) {
			t.Fatalf("%s: %d matches, %v, %v", kind, len(got.Matches), err, got.Damage)
		}
		for i, e := range got.Matches {
			if g, w := inShort(e), inShort(want.Matches[i]); g != w {
				t.Errorf("%s: got\n%s, want\n%s", kind, g, w)
			}
		}
		for _, again := range []string{file, sheet} {
			if more, err := other.Import(again, true, "en", at); err != nil || more.Plays != 0 || more.ID != "" {
				t.Errorf("%s again: %+v, %v", kind, more, err)
			}
		}
		if err := other.ForgetImport(done.ID); err != nil {
			t.Error(err)
		}
		if book, err := other.Read(); err != nil || len(book.Matches) != 0 {
			t.Errorf("%s: undone, and %d matches, %v", kind, len(book.Matches), err)
		}
		if _, refused := engine.AsRefusal(other.ForgetImport(done.ID)); !refused {
			t.Error("undone twice")
		}
	}
}

// inShort tells what an import keeps of a match.
func inShort(e Entry) string {
	s := fmt.Sprint(e.title(), e.Begin.Unix(), e.Round, " ")
	for _, p := range e.Seats {
		if p.Seat != engine.Table {
			s += fmt.Sprintf("%d. %s %v %d; ", p.place(), NameKey(cmpName(p)), p.Won, p.Value)
		}
	}
	return s
}

// cmpName returns a name as a file tells it, which for a seat without a player is that of the seat.
func cmpName(p Player) string {
	if p.Name == "" {
		return string(p.Seat)
	}
	return p.Name
}

const appFile = `{"players":[{"id":7,"name":"zoé"},{"id":9,"name":"Léo"}],
"games":[{"id":3,"uuid":"x","name":"Our Own Game","highestWins":1,"noPoints":0},
 {"id":4,"uuid":"y","name":"Dame de Pique","highestWins":false,"noPoints":false},
 {"id":5,"uuid":"z","name":"Pandemic","cooperative":true,"highestWins":true,"noPoints":true}],
"plays":[
 {"uuid":"a","playDate":"2025-02-03 21:00:00","durationMin":70,"gameRefId":3,"rounds":4,"comments":"with zoé's birds","playerScores":[
  {"playerRefId":9,"score":"71","winner":0,"startPlayer":1,"rank":0},{"playerRefId":7,"score":"88.6","winner":1,"rank":0}]},
 {"uuid":"b","playDate":"2025-02-04 21:00:00","durationMin":0,"gameRefId":4,"playerScores":[
  {"playerRefId":9,"score":"100","winner":false,"rank":0},{"playerRefId":7,"score":"20","winner":true,"rank":0}]},
 {"uuid":"c","playDate":"2025-02-05 21:00:00","gameRefId":5,"playerScores":[
  {"playerRefId":9,"score":"","winner":false},{"playerRefId":7,"score":"","winner":false}]},
 {"uuid":"d","playDate":"2025-02-05 23:00:00","gameRefId":5,"ignored":true,"playerScores":[{"playerRefId":9}]},
 {"uuid":"e","importPlayId":"%s","playDate":"2026-11-20 20:15:00","gameRefId":4,"playerScores":[{"playerRefId":9,"winner":true}]}]}`

// A file of the app itself: other games, booleans as numbers, a lost cooperative match, and a match that
// this table handed over. A removed name goes from it, too.
func TestImportFromTheApp(t *testing.T) {
	data := folder(t, map[string]string{"2026-11-20T20-15-00Z": finished})
	h := New(data, games)
	got, err := h.Import(fmt.Sprintf(appFile, identity("play", "2026-11-20T20-15-00Z")), true, "en", time.Now())
	if err != nil || got.Plays != 3 || got.Again != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	known := map[string]bool{}
	for _, g := range got.Games {
		known[g.Name] = g.Known
	}
	if hearts, is := known["Hearts"]; !is || !hearts || known["Our Own Game"] || len(known) != 3 {
		t.Errorf("got %+v", got.Games)
	}
	stats, err := h.Stats("en")
	if err != nil || stats.Matches != 4 || len(stats.Games) != 4 || len(stats.Pairs) != 2 {
		t.Fatalf("%+v, %v", stats, err)
	}
	for _, g := range stats.Games {
		if g.Game == "hearts" && (g.Longest != 0 || len(g.Records) == 0 || !g.Records[0].Imported) {
			t.Errorf("got %+v", g)
		}
	}
	book, _ := h.Read()
	w := book.Matches[slices.IndexFunc(book.Matches, func(e Entry) bool { return e.Preset == "Our Own Game" })]
	if w.Seats[0].Name != "zoé" || w.Seats[0].Value != 89 || w.Seats[0].Rank != 1 || w.Seats[1].Rank != 2 || w.First != "red" ||
		w.Seconds != 4200 || w.Note != "with zoé's birds" {
		t.Errorf("got %+v", w)
	}
	if err := h.Rename("Léo", "Max", time.Now()); err != nil {
		t.Fatal(err)
	}
	people, _ := h.Players()
	if !slices.ContainsFunc(people, func(p Person) bool { return p.Name == "Max" && p.Matches == 4 }) {
		t.Errorf("got %+v", people)
	}
	if err := h.Remove(t.Context(), "ZOÉ"); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(data, importFolder, "*"))
	text, _ := os.ReadFile(files[0])
	if len(files) != 1 || strings.Contains(string(text), "zoé") || !strings.Contains(string(text), "Léo") {
		t.Errorf("%v: %s", files, text)
	}
}

// A damaged import hides nothing else, and is named.
func TestImportDamaged(t *testing.T) {
	data := folder(t, map[string]string{"2026-11-20T20-15-00Z": finished})
	h := New(data, games)
	if _, err := h.Import(fmt.Sprintf(appFile, "?"), true, "en", time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(h.importFile("2026-01-01T00-00-00Z"), []byte(`[{"id":`), 0o600); err != nil {
		t.Fatal(err)
	}
	book, err := h.Read()
	if err != nil || len(book.Matches) != 5 || book.Damage == nil || !strings.Contains(book.Damage.Error(), "2026-01-01") {
		t.Errorf("%d matches, %v, %v", len(book.Matches), book.Damage, err)
	}
}

func TestImportRefuses(t *testing.T) {
	h := New(t.TempDir(), games)
	for text, want := range map[string]string{
		"":                               "the first row must name",
		"{}":                             "no plays that can be read",
		"{\"plays\":7}":                  "no plays that can be read",
		"a,b\n1,2\n":                     "the first row must name",
		"date,game,player\n1.2.26,a,b\n": `2: "1.2.26" is not a date`,
		"date;game;player\n\"2026\n":     "a quote is out of place",
		`{"plays":[{"playDate":"?","gameRefId":1,"playerScores":[{}]}]}`: "play 1 of the file has no game",
		strings.ReplaceAll(appFile, `"88.6"`, "1e300"):                   `play 1 of the file has no game, or a date or number that cannot be read: "1e300"`,
		strings.ReplaceAll(appFile, `"rounds":4`, `"rounds":1e99`):       `cannot be read: "1e99"`,
		strings.ReplaceAll(appFile, "2025-02-03", "-001-02-03"):          `cannot be read: "-001-02-03 21:00:00"`,
		strings.ReplaceAll(appFile, "2025-02-03", "9999-12-31"):          `cannot be read: "9999-12-31 21:00:00"`,
		appFile[:len(appFile)/2]:                                         "no plays that can be read",
		"date,game,player,score\n2026-01-02,a,b,NaN\n":                   `line 2: "NaN" is not a date such as 2026-11-20 20:15, nor a number`,
		"date;game;player;minutes\n2026-01-02;a;b;1e300\n":               `line 2: "1e300" is not`,
		"date,game,player\n0000-01-02,a,b\n":                             `line 2: "0000-01-02" is not`,
		"date,game,player\n" + strings.Repeat("2026-01-02,a,b\n", 1e6):   "a match with more than 100 players; divide it",
		`{"games":[{"id":1}],"plays":[{"playDate":"2026-01-02","gameRefId":1,"playerScores":[{}` + strings.Repeat(",{}", 1e6) +
			`]}]}`: "a match with more than 100 players; divide it",
		"\xff\xfed\x00a\x00": "the first row must name",
	} {
		_, err := h.Import(text, true, "en", time.Now())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
		if french := engine.ErrorIn(err, engine.French); err != nil && french == err.Error() {
			t.Errorf("%q has no French", french)
		}
	}
	if _, err := os.Stat(filepath.Join(h.data, importFolder)); err == nil {
		t.Error("a refused file was kept")
	}
}

// Plays without an identity are those that they tell of, the app's sums are points, and texts are
// no longer than they can be shown, however often a file refers to them.
func TestImportOfOddPlays(t *testing.T) {
	h := New(t.TempDir(), games)
	play := `{"playDate":"2026-01-02 20:0%d:00","gameRefId":"1","durationMin":-5,"playerScores":[{"playerRefId":"1","score":"12+8-3","rank":-2}]}`
	text := fmt.Sprintf(`{"players":[{"id":1,"name":%q}],"games":[{"id":1,"name":"=1+1","bggId":0}],"plays":[`+play+","+play+","+play+"]}",
		strings.Repeat("é", 5000), 1, 2, 2)
	for _, want := range []int{2, 0} {
		if got, err := h.Import(text, true, "en", time.Now()); err != nil || got.Plays != want || got.Again != 3-want {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	e := book(t, h).Matches[0]
	if p := e.Seats[0]; p.Value != 17 || p.Rank != 1 || p.Name != strings.Repeat("é", maxText) || e.Seconds != 0 || e.Game != otherGame {
		t.Errorf("%+v", e)
	}
	var table bytes.Buffer
	must(t, WriteTable(&table, []Entry{e}))
	if !strings.HasSuffix(table.String(), ",17,score,'=1+1\n") {
		t.Error(table.String())
	}
	other := New(t.TempDir(), games)
	if got, err := other.Import(table.String(), true, "en", time.Now()); err != nil || got.Games[0].Name != "=1+1" {
		t.Errorf("at another table: %+v, %v", got, err)
	}
}

// Who plays a game twice on a day has played two matches.
func TestImportOfTwoOnADay(t *testing.T) {
	h := New(t.TempDir(), games)
	const day = "2025-05-01,Hearts,Ann,1\n2025-05-01,Hearts,Bob,0\n2025-05-01,Hearts,Ann,0\n2025-05-01,Hearts,Eve,1\n"
	for _, want := range []int{2, 0} {
		if got, err := h.Import("date,game,player,won\n"+day, true, "en", time.Now()); err != nil || got.Plays != want {
			t.Errorf("%+v, %v", got, err)
		}
	}
	for _, e := range book(t, h).Matches {
		if names := e.playerNames(); len(names) != 2 || !slices.Contains(names, "Ann") {
			t.Errorf("got %v", names)
		}
	}
}

func TestImportOfUTF16(t *testing.T) {
	h, text := New(t.TempDir(), games), "\xff\xfe"
	for _, unit := range utf16.Encode([]rune("sep=;\r\nDate;Jeu;Joueur;Points\r\n2026-01-02;Skat;Zoé;3,6\r\n")) {
		text += string([]byte{byte(unit), byte(unit >> 8)})
	}
	if got, err := h.Import(text, true, "en", time.Now()); err != nil || got.Plays != 1 || got.Players[0].Name != "Zoé" {
		t.Errorf("%+v, %v", got, err)
	}
}

func FuzzImport(f *testing.F) {
	f.Add(fmt.Sprintf(appFile, "?"))
	f.Add("date;game;player;score;won\n2026-01-02;Hearts;Ann;'-3;1\n2026-01-02;Hearts;Bob;1e300;0\n")
	f.Fuzz(func(t *testing.T, text string) {
		h := New(t.TempDir(), games)
		done, err := h.Import(text, true, "en", time.Now())
		book, readErr := h.Read()
		if readErr != nil || book.Damage != nil || err == nil && len(book.Matches) != done.Plays || err != nil && len(book.Matches) > 0 {
			t.Fatalf("%+v, %v; %d matches, %v, %v", done, err, len(book.Matches), readErr, book.Damage)
		}
		if _, err := h.Stats("en"); err != nil {
			t.Fatal(err)
		}
	})
}

// TestDamagedImport checks that an import that cannot be read is told, and that its plays are not imported twice.
func TestDamagedImport(t *testing.T) {
	h := New(t.TempDir(), nil)
	const sheet = "date,game,player,score,rank\n2026-11-20,Go,Ann,12,1\n2026-11-20,Go,Bob,20,2\n"
	done, err := h.Import(sheet, true, "en", noon)
	if err != nil {
		t.Fatal(err)
	}
	book, err := h.Read()
	if err != nil || len(book.Matches) != 1 || !book.Matches[0].Low || !slices.Equal(winners(book.Matches[0]), []string{"Ann"}) {
		t.Fatalf("%+v, %v", book.Matches, err)
	}
	if err := os.Truncate(h.importFile(done.ID), 30); err != nil {
		t.Fatal(err)
	}
	if h.Damage() == nil {
		t.Error("nobody is told of the damage")
	}
	if again, err := h.Import(sheet, true, "en", noon); err == nil {
		t.Errorf("imported again: %+v", again)
	}
	if err := errors.Join(h.ForgetImport(done.ID), h.Damage()); err != nil {
		t.Error(err)
	}
}

func winners(e Entry) (names []string) {
	for _, p := range e.Seats {
		if p.Won {
			names = append(names, p.Name)
		}
	}
	return names
}
