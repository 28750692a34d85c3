package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	past "tableside/device/history"
	room "tableside/display/web/past"
	"tableside/engine"
	"tableside/engine/tally"
)

// remembered returns a table with 130 matches, some of which nobody has ended.
func remembered(*testing.T) shown {
	type player struct {
		Seat  engine.Seat `json:"seat"`
		Name  string      `json:"name"`
		Won   bool        `json:"won,omitempty"`
		Value int         `json:"value"`
	}
	type entry struct {
		ID      string   `json:"id"`
		Game    string   `json:"game"`
		Begin   string   `json:"begin"`
		Seconds int      `json:"seconds"`
		State   string   `json:"state"`
		Counter string   `json:"counter"`
		Seats   []player `json:"seats"`
	}
	var list []entry
	for i := range 130 {
		e := entry{fmt.Sprintf("m%03d", i), "tally/score", "2026-11-20T20:15:00Z", 60 * i, "finished", "score",
			[]player{{"red", "Zoé", true, 12}, {"blue", "Max", false, 9}}}
		if i%10 == 0 {
			e.Seats[1].Name, e.Seats[1].Won, e.State, e.Game = "Barthélémy", false, "unfinished", "ring/test"
		}
		list = append(list, e)
	}
	s := newServer(Config{
		Games:   func() []engine.Info { return nil },
		History: &room.History{Matches: func(bool, engine.Lang) (any, error) { return list, nil }},
	})
	return shown{Server: s}
}

// A match that was left unfinished goes on from the list; why it cannot is said there.
func TestHistoryContinuesAMatch(t *testing.T) {
	b := newTab(t)
	s := remembered(t).Server
	answers := []engine.Receipt{{Outcome: engine.Refused, Spoken: "A match is being played"}, {Outcome: engine.Accepted}}
	ordered := make(chan engine.Order, 2)
	s.config.Order = func(_ context.Context, o engine.Order) engine.Receipt {
		ordered <- o
		r := answers[0]
		answers = answers[1:]
		return r
	}
	url, _ := listen(t, s, "127.0.0.1:0")
	b.open(url + "/history?lang=en")
	const on = `[data-k="m000"] [data-k=resume] button`
	b.ready(on)
	if n := b.eval(`"" + document.querySelectorAll('[data-k="m001"] [data-k=resume]').length`); n != "0" {
		t.Error("a finished match can be continued")
	}
	b.click(on)
	b.until(`document.querySelector(".said.alarm")?.textContent === "A match is being played"`)
	b.click(on)
	b.until(`location.pathname === "/"`)
	for range 2 {
		if got, want := <-ordered, (engine.Order{Do: "resume", Match: "m000"}); !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

// The list of matches is the same packed and plain, and a list where there are none.
func TestHistoryPacked(t *testing.T) {
	for name, s := range map[string]*Server{
		"many": remembered(t).Server,
		"none": newServer(Config{History: &room.History{Matches: func(bool, engine.Lang) (any, error) { return []any{}, nil }}}),
	} {
		ask := func(coding string) []byte {
			r := httptest.NewRequest("GET", "/api/history", nil)
			r.Host, r.RemoteAddr = "127.0.0.1", "127.0.0.1:1"
			r.Header.Set("Accept-Encoding", coding)
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			if w.Code != http.StatusOK || w.Header().Get("Content-Encoding") != coding {
				t.Fatalf("%s: %d, %v: %s", name, w.Code, w.Header(), w.Body)
			}
			return w.Body.Bytes()
		}
		plain := ask("")
		unpacked, err := gzip.NewReader(bytes.NewReader(ask("gzip")))
		if err != nil {
			t.Fatal(name, err)
		}
		again, err := io.ReadAll(unpacked)
		if err != nil || !bytes.Equal(plain, again) {
			t.Errorf("%s: %v\nplain  %s\npacked %s", name, err, plain, again)
		}
		var list []struct{ ID string }
		want := map[string]int{"many": 130}[name]
		if err := json.Unmarshal(plain, &list); err != nil || list == nil || len(list) != want ||
			want > 0 && (list[0].ID != "m000" || list[129].ID != "m129") {
			t.Errorf("%s: %v in %s", name, err, plain)
		}
	}
}

// The history is searched by player, without regard to accents, and by game; what is
// sought is in the address, and a search without a hit says what there is.
func TestHistory(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, remembered(t).Server, "127.0.0.1:0")
	b.open(url + "/history?lang=en")
	b.until(`document.querySelectorAll("li").length === 100`)
	b.until(`document.querySelector("h1").textContent === "130 matches"`)
	b.until(`document.querySelector(".said").textContent === "140 hours of play since November 2026"`)
	b.click("[data-act=more] button")
	b.until(`document.querySelectorAll("li").length === 130 && !document.querySelector("[data-act=more]")`)
	b.click(`[data-by=player][data-value=Barthélémy]`)
	b.until(`document.querySelectorAll("li").length === 13 && location.search.includes("player=Barth")`)
	if got := b.eval(`[...document.querySelectorAll("[data-by=game]")].map(e => e.textContent).join()`); got != "All games13,ring13,tally0" {
		t.Errorf("got %s", got)
	}
	b.click(`[data-by=game][data-value=tally]`)
	b.until(`document.querySelector(".empty h2").textContent === "Barthélémy has not played tally yet"`)
	b.click(`.empty [data-by=player]`)
	b.until(`document.querySelector("h1").textContent === "117 matches" && !location.search.includes("player")`)
	b.open(url + "/history?lang=en&player=barthelemy")
	b.until(`document.querySelectorAll("li").length === 13`)
	b.open(url + "/history?lang=en&game=ring&player=max")
	b.until(`document.querySelector(".said").textContent === "130 matches, none with these filters"`)
	b.open(url + "/history?lang=fr&game=ring")
	b.until(`document.querySelectorAll("li").length === 13`)
	b.until(`document.querySelector("[aria-pressed=true][data-by=game]").dataset.value === "ring"`)
	if got := b.eval(`document.querySelector("li a").getAttribute("href")`); got != "/matches/m000" {
		t.Errorf("got %s", got)
	}
}

// A page that is loaded again, or to which somebody comes back, is where it was.
func TestPlaceIsKept(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, remembered(t).Server, "127.0.0.1:0")
	b.open(url + "/history?lang=en&game=tally")
	b.until(`document.querySelectorAll("main li").length === 100`)
	b.eval(`scrollTo(0, 900); ""`)
	b.until(`history.state?.y === 900`)
	b.eval(`setTimeout(() => location.reload()), ""`)
	b.until(`performance.getEntriesByType("navigation")[0].type === "reload" && scrollY === 900`)
	b.eval(`[...document.querySelectorAll("li a")].find(a => a.getBoundingClientRect().top > 200).id = "next", ""`)
	b.do(chromedp.Click(chromedp.CSS("#next"))) // a jump without a click may replace the page that is left
	b.until(`location.pathname.startsWith("/matches/") && document.readyState === "complete"`)
	b.eval(`setTimeout(() => history.back()), ""`)
	b.until(`location.pathname === "/history" && scrollY === 900`)
	b.click(`.chips [data-by=game][data-value=tally]`) // the address keeps what is sought, and the place stays known
	b.until(`history.state?.y !== undefined`)
	b.eval(`window.same = true, document.querySelector('[data-act=shell][data-value=light]').click(), ""`)
	b.until(`document.documentElement.dataset.theme === "light" && window.same`)
}

// Excel shows names right.
func TestSpreadsheetIsUTF8(t *testing.T) {
	w := httptest.NewRecorder()
	remembered(t).Server.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/api/history.csv", nil))
	if w.Code != 200 || !strings.HasPrefix(w.Body.String(), "\ufeff") {
		t.Errorf("got %d, %.20q", w.Code, w.Body)
	}
}

func evenings(t *testing.T) shown   { return shown{Server: newServer(manyMatches(t))} }
func playedOnce(t *testing.T) shown { return shown{Server: newServer(matchesOf(t, 1))} }
func unplayed(t *testing.T) shown   { return shown{Server: newServer(matchesOf(t, 0))} }

func manyMatches(t *testing.T, tables ...string) Config { return matchesOf(t, 60, tables...) }

// matchesOf returns what shows a folder with n matches of four players; of the tables that are
// named, if any.
func matchesOf(t *testing.T, n int, tables ...string) Config {
	data := t.TempDir()
	if err := os.MkdirAll(filepath.Join(data, "matches"), 0o750); err != nil {
		t.Fatal(err)
	}
	names := []string{"Zoé", "Max", "Barthélémy", "Zoe"}
	begin := time.Date(2026, 3, 6, 20, 15, 0, 0, time.UTC)
	for i := range n {
		at := begin.AddDate(0, 0, i/3*5).Add(time.Duration(i%3) * time.Hour)
		winner, other := "red", "blue"
		if i%3 == 0 {
			winner, other = other, winner
		}
		text := fmt.Sprintf("tableside-journal 1\ngame tally/score\noption target 10\nseat red %s\nseat blue %s\n"+
			"first %s\nbegin %s\n", names[i%2], names[2+i/7%2], winner, at.Format(time.RFC3339)) +
			fmt.Sprintf("40s %s choose +5\n%ds %[1]s key next\n", winner, 60+i) +
			fmt.Sprintf("%ds %s choose +%d\n%[1]ds %[2]s key next\n", 90+i, other, 1+i%4) +
			fmt.Sprintf("%ds %s choose +5\n", 300+10*i, winner)
		name := at.Format("2006-01-02T15-04-05Z")
		if len(tables) > 0 {
			name = past.NameOf(name, tables[i%len(tables)])
		}
		file := filepath.Join(data, "matches", name+".journal")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	table := past.New(data, tally.Games())
	return Config{
		Games:   func() []engine.Info { return []engine.Info{tally.Games()[0].Info()} },
		Matches: table.List, Journal: table.Journal,
		ReadMatch: func(match string) (engine.Game, *engine.Journal, error) {
			text, err := table.Journal(match)
			if err != nil {
				return nil, nil, err
			}
			journal, err := engine.ParseJournal(match, text)
			return tally.Games()[0], journal, err
		},
		History: &room.History{
			Removal: func() any { return nil },
			Matches: func(deleted bool, _ engine.Lang) (any, error) {
				b, err := table.Read()
				if deleted {
					return b.Deleted, err
				}
				return b.Matches, err
			},
			Players: func() (any, error) { return table.Players() },
			Table: func(out io.Writer) error {
				b, err := table.Read()
				if err != nil {
					return err
				}
				return past.WriteTable(out, b.Matches)
			},
			Import: func(file string, keep bool, lang engine.Lang) (any, error) {
				return table.Import(file, keep, lang, begin)
			},
			Stats: func(lang engine.Lang) (any, error) { return table.Stats(lang) },
			Change: func(c room.Change) error {
				now := begin
				switch c.Do {
				case "note":
					return table.Note(c.Match, c.Text, now)
				case "delete":
					return table.Delete(c.Match, now)
				case "restore":
					return table.Restore(c.Match, now)
				case "rename":
					return table.Rename(c.Name, c.To, now)
				case "separate":
					return table.Separate(c.Name, now)
				case "forget":
					return table.ForgetImport(c.Match)
				}
				if c.Name == "Max" {
					return engine.Refuse("players.on-table", "name", c.Name)
				}
				return table.Remove(context.Background(), c.Name)
			},
		},
	}
}

// chooseFile puts a file of three plays into the page's field for one.
const chooseFile = `(files => {
	files.items.add(new File(["date;game;player;score;won\n2025-05-01;Our game;Zoé;7;1\n2025-05-01;Our game;Eve;3;0\n" +
		"2025-05-02;Hearts;Zoé;20;0\n2025-05-02;Hearts;Max;3;1\n2025-05-03;Hearts;Max;1;1\n"], "plays.csv"));
	const field = document.querySelector(".tools [type=file]");
	field.files = files.files;
	field.dispatchEvent(new Event("change", { bubbles: true }));
	return "";
})(new DataTransfer())`

// Plays of a file are told before they come in, are shown without a replay, come in once, and go as a whole.
func TestImportOnThePage(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, playedOnce(t).Server, "127.0.0.1:0")
	b.open(url + "/history?lang=fr")
	b.until(`document.querySelectorAll("main .day li").length === 1`)
	b.eval(chooseFile)
	b.until(`document.activeElement.textContent === "3 nouvelles parties dans ce fichier"`)
	b.until(`document.querySelector(".found").textContent.includes("Our game 1nouveau")`)
	b.click("[data-act=leave] button")
	b.until(`!document.querySelector(".found") && document.querySelectorAll("main .day li").length === 1`)
	b.eval(chooseFile)
	b.click(".found .main")
	b.until(`document.querySelectorAll("main .day li").length === 4`)
	b.until(`[...document.querySelectorAll("main .day li")].filter(e => e.textContent.includes("importée")).length === 3 &&
		document.querySelectorAll("main .day li a.row, main .day li .more").length === 2`)
	b.eval(chooseFile)
	b.until(`document.querySelector(".found")?.innerText.includes("3 sont déjà dans l'historique") &&
		!document.querySelector(".found .main")`)
	b.click("[data-act=leave] button")
	b.click(".tools summary")
	b.click("[data-act=forget] button")
	b.until(`document.querySelectorAll("main .day li").length === 1 && !document.querySelector("[data-act=forget]")`)
}

// A match gets a note, by which it is found; it is deleted, and comes back.
func TestChangeHistory(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, evenings(t).Server, "127.0.0.1:0")
	b.open(url + "/history?lang=en")
	b.until(`document.querySelectorAll("main li").length === 60`)
	first := b.eval(`document.querySelector("main li a").getAttribute("href")`)
	b.click("main li summary")
	b.eval(`document.querySelector("main li input").value = "The long one, by candle light"; ""`)
	b.click("main li form button")
	b.until(`document.querySelector("main li .note")?.textContent === "The long one, by candle light"`)
	b.eval(`const f = document.querySelector("[data-by=text]"); f.value = "candle"; ` +
		`f.dispatchEvent(new Event("input", { bubbles: true })); ""`)
	b.until(`document.querySelectorAll("main li").length === 1`)
	b.click("main li [data-act=remove]")
	b.until(`!!document.querySelector(".gone") && document.querySelectorAll("main li").length === 0`)
	b.click(".tools summary")
	b.click("[data-act=deleted] button")
	b.until(`document.querySelectorAll("li [data-act=restore]").length === 1`)
	b.click("[data-act=deleted] button")
	b.until(`document.querySelectorAll("main li").length === 0`)
	b.click(".gone button")
	b.until(`document.querySelectorAll("main li").length === 1`)
	if got := b.eval(`document.querySelector("main li a").getAttribute("href")`); got != first {
		t.Errorf("got %s back, want %s", got, first)
	}
}

// Two names become one player, are separated again, and one is removed for good; what the
// table refuses is said.
func TestChangePlayers(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, evenings(t).Server, "127.0.0.1:0")
	open := func(name string) {
		b.open(url + "/players?lang=en&player=" + name)
		b.until(`document.querySelector("h1").textContent === "` + name + `" && !!document.querySelector("[name=to]")`)
	}
	open("Zoe")
	b.eval(`document.querySelector("[name=to]").value = "Zoé"; ""`)
	b.click("[data-act=rename] button")
	b.until(`document.querySelector("h1").textContent === "Zoé" && location.search.includes("player=Zo%C3%A9")`)
	b.until(`document.querySelector(".said").textContent === "Shown as Zoé from now on."`)
	b.click("[data-act=separate] button")
	b.until(`!document.querySelector("[data-act=separate]")`)
	open("Max")
	b.eval(`document.querySelector("[data-act=remove] button").click(); ""`)
	b.until(`document.querySelector(".said").textContent === "Max sits at the table now. End the match first."`)
	open("Barthélémy")
	b.eval(`document.querySelector("[data-act=remove] button").click(); ""`)
	b.until(`[...document.querySelectorAll(".name > span")].map(e => e.textContent).sort().join() === "Max,Zoe,Zoé"`)
}

// The page of players says who leads and who beats whom; a card leads to all that is known of
// its player, and back. One match is told as what it is.
func TestPlayers(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, evenings(t).Server, "127.0.0.1:0")
	b.open(url + "/players?lang=en")
	b.until(`document.querySelectorAll(".card").length === 4 && document.querySelectorAll(".plot .sign").length === 4`)
	const want = "Zoé and Max are level: 1566 fairly sure,1566 fairly sure,1443 fairly sure,1433 fairly sure"
	if got := b.eval(`document.querySelector("h1").textContent + ": " + ` +
		`[...document.querySelectorAll(".card")].map(c => c.querySelector(".rating").textContent).join()`); got != want {
		t.Errorf("got %s", got)
	}
	b.eval(`setTimeout(() => document.querySelector(".card").click()); ""`)
	b.until(`document.querySelectorAll(".person .facts div").length > 8`)
	b.eval(`setTimeout(() => history.back()); ""`)
	b.until(`document.querySelectorAll("tbody tr").length === 4 && document.querySelectorAll(".rows b").length === 5`)
	once, _ := listen(t, playedOnce(t).Server, "127.0.0.1:0")
	b.open(once + "/players?lang=en")
	b.until(`document.querySelector("h1").textContent === "One match, and Barthélémy won it"`)
	b.until(`document.querySelectorAll(".soon li").length === 3 && !document.querySelector("table, .plot")`)
}

// A long removal shows how far it is, and is stopped; meanwhile the lists of matches and of
// players are answered.
func TestRemovalIsShownAndStopped(t *testing.T) {
	s := evenings(t).Server
	history, change := s.config.History, s.config.History.Change
	stopped, running := make(chan struct{}), make(chan struct{})
	history.Change = func(c room.Change) error {
		switch c.Do {
		case "remove":
			close(running)
			<-stopped
			return engine.Refuse("players.stopped", "name", c.Name)
		case "stop":
			close(stopped)
			return nil
		}
		return change(c)
	}
	history.Removal = func() any {
		select {
		case <-stopped:
			return nil
		case <-running:
			return past.Removal{Name: "Max", Done: 3, All: 40}
		default:
			return nil
		}
	}
	b := newTab(t)
	url, _ := listen(t, s, "127.0.0.1:0")
	b.open(url + "/players?lang=en&player=max")
	b.until(`!!document.querySelector("[data-act=remove] button")`)
	b.eval(`document.querySelector("[data-act=remove] button").click(); ""`)
	b.until(`document.querySelector(".removing p")?.textContent === "Max is being removed: 3 of 40 files are done."`)
	for _, path := range []string{"/api/history", "/api/players", "/api/stats"} {
		r, err := http.Get(url + path)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v, %v", path, r, err)
		}
		r.Body.Close()
	}
	b.click(".removing button")
	b.until(`document.querySelector(".said").textContent.startsWith("Stopped. Max is still in some matches")`)
	b.until(`!document.querySelector(".removing")`)
}

// The button that stops a removal works while the table has so much to fold that it refuses more.
func TestRemovalStopsAtOnce(t *testing.T) {
	s := newServer(Config{History: &room.History{Change: func(room.Change) error { return nil }}})
	s.Folds.Most = 0
	change := request{method: "POST", path: "/api/history", kind: "application/json"}
	for do, want := range map[string]int{"note": http.StatusTooManyRequests, "stop": http.StatusOK} {
		change.body = `{"do":"` + do + `"}`
		if w := change.send(s); w.Code != want {
			t.Errorf("%s: %d %s", do, w.Code, w.Body)
		}
	}
}

// The number of matches says how many of them were finished: all else about a player refers to these.
func TestPlayersSayWhatCounts(t *testing.T) {
	b, c := newTab(t), manyMatches(t)
	players := c.History.Players
	c.History.Players = func() (any, error) {
		all, err := players()
		for i := range all.([]past.Person) {
			all.([]past.Person)[i].Matches += 5 * i // were abandoned
		}
		return all, err
	}
	url, _ := listen(t, newServer(c), "127.0.0.1:0")
	for lang, want := range map[string]string{
		"en": "32 matches, 30 of 35 matches finished, 30 of 40 matches finished, 28 of 43 matches finished",
		"fr": "32 parties, 30 parties terminées sur 35, 30 parties terminées sur 40, 28 parties terminées sur 43",
	} {
		var got []string
		for _, name := range []string{"Barthélémy", "Max", "Zoé", "Zoe"} {
			b.open(url + "/players?lang=" + lang + "&player=" + name)
			b.until(`document.querySelector(".said").textContent.includes(" · ")`)
			got = append(got, b.eval(`document.querySelector(".said").textContent.split(" · ")[0]`))
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("got %s", text)
		}
	}
}

// What takes long to read is answered all the same: the time to answer begins when it has
// been read.
func TestHistorySlow(t *testing.T) {
	s := httptest.NewUnstartedServer(newServer(manyMatches(t)).Handler())
	s.Config.WriteTimeout = time.Nanosecond
	s.Start()
	defer s.Close()
	for _, path := range []string{"/api/history", "/api/players", "/api/stats"} {
		r, err := s.Client().Get(s.URL + path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		var body any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.StatusCode != http.StatusOK {
			t.Errorf("%s: got %d, %v", path, r.StatusCode, err)
		}
		r.Body.Close()
	}
}
