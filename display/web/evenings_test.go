package web

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"tableside/device/evening"
	"tableside/device/history"
	"tableside/display/web/core"
	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/tally"
)

// A night is a hall with evenings, one of which runs.
type night struct {
	*venue
	t    *testing.T
	book *evening.Book
	id   string
	now  time.Time
}

// newNight returns a hall that keeps evenings in a folder, and has some tables.
func newNight(t *testing.T) *night {
	n := &night{venue: opened(4), t: t, now: time.Date(2026, 11, 23, 19, 0, 0, 0, time.UTC)}
	clock := func() time.Time {
		n.now = n.now.Add(time.Second)
		return n.now
	}
	book, err := evening.Open(evening.Config{Dir: t.TempDir(), Now: clock,
		Chance: rand.New(rand.NewPCG(1, 2)), Changed: func(id string) { n.page.EveningChanged(id) }, Log: slog.Default()})
	if err != nil {
		t.Fatal(err)
	}
	n.book = book
	list := n.page.settings.List
	games := func() []engine.Info { return []engine.Info{tally.Games()[0].Info()} }
	n.page = NewHall(HallConfig{Config: core.Config{OwnerToken: "own3r"}, List: list, IsTable: n.page.settings.IsTable, Archive: &Config{Games: games}, Evenings: &Evenings{
		Unknown: evening.ErrNotFound,
		List:    func() any { return book.List() },
		View:    func(id string) (any, error) { return book.View(id) },
		Seating: func(id string, player int) (any, error) { return book.Seating(id, player) },
		Create: func(decode func(any) error) (string, error) {
			var p evening.Plan
			if err := decode(&p); err != nil {
				return "", err
			}
			return book.Create(p)
		},
		Change: func(id string, decode func(any) error) error {
			var c evening.Change
			if err := decode(&c); err != nil {
				return err
			}
			return book.Change(id, c)
		},
		Write: func(to io.Writer, id, what string) error {
			v, err := book.View(id)
			if err != nil {
				return err
			}
			return v.StandingsCSV(to)
		},
		ErrorText: evening.Said,
	}})
	return n
}

// begin begins an evening of the guests.
func (n *night) begin(format string, size, players int) {
	n.t.Helper()
	var names []string
	for i := range players {
		name := guests[i%len(guests)]
		if i >= len(guests) {
			name = fmt.Sprint(name[:min(len(name), 9)], " ", i/len(guests)+1)
		}
		names = append(names, strings.ToValidUTF8(name[:min(len(name), 24)], ""))
	}
	var err error
	n.id, err = n.book.Create(evening.Plan{Name: "Friday at the club", Format: format, Size: size, Players: names,
		Tables: []string{"table-1", "table-2", "Window"}})
	if err != nil {
		n.t.Fatal(err)
	}
}

func (n *night) change(c evening.Change) {
	n.t.Helper()
	if err := n.book.Change(n.id, c); err != nil {
		n.t.Fatal(err)
	}
}

func (n *night) round() { n.t.Helper(); n.change(evening.Change{Do: "next"}) }

func (n *night) finish(but int) {
	n.t.Helper()
	v, err := n.book.View(n.id)
	if err != nil {
		n.t.Fatal(err)
	}
	pairings := v.Rounds[v.Round-1].Pairings
	for i, p := range pairings[:len(pairings)-but] {
		var places []int
		for k := range p.Players {
			places = append(places, 1+(i+k+v.Round)%len(p.Players))
		}
		if len(p.Players) > 1 {
			n.change(evening.Change{Do: "result", Round: v.Round, Board: i + 1, Places: places})
		}
	}
}

func (n *night) shown() shown { return shown{Server: n.page.Server} }

// The states of the audits.

func noEvenings(*testing.T) shown { return shown{Server: opened(4).page.Server} }

func newEvening(t *testing.T) shown { return newNight(t).shown() }

// eveningOf returns a function for an evening in its third round; a table has told a
// result that fits nobody.
func eveningOf(format string, size, players int) func(*testing.T) shown {
	return func(t *testing.T) shown {
		n := newNight(t)
		n.begin(format, size, players)
		for range 2 {
			n.round()
			n.finish(0)
		}
		n.round()
		n.finish(2)
		n.change(evening.Change{Do: "out", Player: 5})
		if err := n.book.Result(history.Entry{Table: "table-1", ID: n.id, Game: "tally/score", Counter: "score",
			Seats: []history.Player{{Name: "Alice", Won: true, Value: 12}, {Name: "Somebody", Value: 3}}}, 0); err != nil {
			t.Fatal(err)
		}
		return n.shown()
	}
}

func freeEvening(t *testing.T) shown {
	n := newNight(t)
	n.begin(evening.Free, 3, 6)
	n.change(evening.Change{Do: "pair", Pairings: [][]string{{"Alice", "Max", "Zoé"}, {"Nour", "Ines"}}})
	return n.shown()
}

// eveningPath is the path of the evening that tests begin.
const eveningPath = "/evenings/2026-11-23T19-00-01Z"

// A pairing that is being played shows the score of its table, if these players sit there.
func TestEveningShowsScores(t *testing.T) {
	b, n := newTab(t), newNight(t)
	n.begin("swiss", 2, 2)
	n.round()
	url, _ := listen(t, n.page.Server, "127.0.0.1:0")
	b.open(url + "/evenings/" + n.id + "?lang=en")
	b.until(`[...document.querySelectorAll(".seats li")].map(e => e.textContent).sort().join() === "Alice3,Max2" &&
		document.querySelector(".tables .sub").textContent === "on now"`)
	n.finish(0)
	b.until(`document.querySelector(".tables .sub").textContent === "Entered by hand"`)
}

// TestEveningPage arranges an evening on the page: it is created, two rounds are drawn,
// results are entered, corrected and undone, while a phone shows where a player sits.
func TestEveningPage(t *testing.T) {
	b, n := newTab(t), newNight(t)
	url, _ := listen(t, n.page.Server, "127.0.0.1:0")
	b.open(url + "/evenings?lang=en")
	b.until(`!!document.querySelector(".create") && document.querySelectorAll("[data-k=tables] .tick").length === 4`)
	b.until(`!!document.querySelector(".create [value=tally]")`) // also while no table plays it
	b.eval(`{ const f = document.querySelector(".create").elements;
		f.name.value = "Friday"; f.more.value = "Window, Bar"; f.game.value = "tally";
		f.minutes.value = 90;
		f.players.value = "Alice\nMax\n\n Zoé \nNour";
		f["table table-3"].checked = f["table table-4"].checked = false; "" }`)
	b.click(".create .main")
	b.do(chromedp.WaitReady(".chips")) // of the new page
	n.id = n.book.List()[0].ID
	b.until(`document.querySelector("[data-k=about]").textContent.includes("Swiss · Tally · 4 players")`)
	b.until(`document.querySelectorAll(".chips [data-act=drop]").length === 4`)
	b.click(`[data-act=next] button`)
	b.until(`document.querySelectorAll(".tables > li").length === 2`)
	b.until(`document.querySelector(".countdown").textContent === "Time is over"`) // the book's clock is behind
	b.eval(`document.querySelector("[data-act=clock] input").value = 0; ""`)
	b.click(`[data-act=clock] button`)
	b.until(`!document.querySelector(".countdown")`)
	b.click(`[data-act=undo] button`)
	b.until(`!!document.querySelector(".countdown")`)
	at := b.eval(`[...document.querySelectorAll(".tables h3")].map(e => e.textContent).join()`)
	if at != "table-1,table-2" {
		t.Errorf("the tables are %s", at)
	}
	b.click(`[data-act=next] button`)
	b.until(`document.querySelector(".said").textContent.startsWith("2 tables have no result yet")`)
	b.eval(`document.querySelector("[name=names]").value = "Lucy, half typed"; ""`)
	for i := range 2 {
		b.eval(fmt.Sprintf(`document.querySelectorAll(".change")[%d].open = true; ""`, i))
		b.eval(fmt.Sprintf(`document.querySelectorAll("[data-k=first] button")[%d].click(); ""`, i))
		b.until(fmt.Sprintf(`document.querySelectorAll(".tables .won").length === %d`, i+1))
		b.until(fmt.Sprintf(`document.activeElement === document.querySelectorAll(".change summary")[%d]`, i))
	}
	if text := b.eval(`document.querySelector("[name=names]").value`); text != "Lucy, half typed" {
		t.Errorf("a result leaves %q of the names", text)
	}
	b.until(`document.querySelector("[data-act=undo]")?.textContent === "Undo: a result by hand"`)
	b.click(`[data-act=undo] button`)
	b.until(`document.querySelectorAll(".tables .won").length === 1`)
	b.click(`[data-act=redo] button`)
	b.until(`document.querySelectorAll(".tables .won").length === 2`)
	b.click(`[data-act=next] button`)
	b.until(`document.querySelector(".rounds h2").textContent === "Round 2"`)
	b.click(`[data-k=r2] button`) // looks at it while its draw is undone
	b.click(`[data-act=undo] button`)
	b.until(`document.querySelector(".rounds h2").textContent === "Round 1"`)
	b.click(`[data-act=redo] button`)
	b.until(`document.querySelector(".rounds h2").textContent === "Round 2"`)
	if err := n.book.Result(history.Entry{Table: "table-1", ID: "2026-11-23T23-00-00Z", Game: "tally/score",
		Seats: []history.Player{{Name: "nobody", Won: true}, {Name: "Max"}}}, 0); err != nil {
		t.Fatal(err)
	}
	b.until(`document.querySelector(".doubt")?.textContent.includes("No match of this evening")`)
	b.click(`.doubt [data-act=dismiss] button`)
	b.until(`!document.querySelector(".doubt")`)
	b.click(`[data-act=show] button`)
	b.until(`document.querySelector(".rounds h2").textContent === "Round 1"`)

	b.do(chromedp.EmulateViewport(390, 844))
	b.open(url + "/evenings/" + n.id + "/seat?lang=en")
	b.until(`document.querySelectorAll(".names button").length === 4`)
	b.click(`[data-k=p1] button`)
	b.until(`!!document.querySelector(".where strong") && document.querySelectorAll(".against b").length === 1`)
	v, err := n.book.View(n.id)
	if err != nil {
		t.Fatal(err)
	}
	for board, p := range v.Rounds[1].Pairings {
		places := []int{2, 2}
		for i, player := range p.Players {
			if player == 1 {
				places[i] = 1
			}
		}
		n.change(evening.Change{Do: "result", Round: 2, Board: board + 1, Places: places})
	}
	b.until(`document.querySelector(".ended")?.textContent === "You have won"`)
	b.click(`[data-act=stranger] button`)
	b.until(`document.querySelectorAll(".names button").length === 4`)
	n.change(evening.Change{Do: "players", Names: []string{"Late Lucy"}})
	b.until(`document.querySelectorAll(".names button").length === 5`)
	b.open(url + "/evenings/" + n.id + "/seat?lang=en&player=99")
	b.until(`document.querySelectorAll(".names button").length === 5`)
}

// TestEveningNames checks that the page keeps names whole on screens of several widths, as
// tables and as standings: no column is narrower than a word of them.
func TestEveningNames(t *testing.T) {
	b := newTab(t)
	for _, players := range []int{6, 17} { // with few tables the letters are larger
		if players == 6 && !enginetest.Nightly() {
			continue
		}
		n := newNight(t)
		n.begin(evening.Swiss, 2, players)
		for range 2 {
			n.round()
			n.finish(0)
		}
		url, _ := listen(t, n.page.Server, "127.0.0.1:0")
		for _, screen := range [][2]int64{{390, 844}, {1024, 768}, {1280, 800}, {1920, 1080}} {
			for i, rotate := range []string{"", "&rotate=60"} {
				if (screen[0] > 390) != (i > 0) && !enginetest.Nightly() {
					continue
				}
				b.do(chromedp.EmulateViewport(screen[0], screen[1]))
				b.open(url + "/evenings/" + n.id + "?lang=fr" + rotate)
				b.until(fmt.Sprintf(`document.querySelectorAll(".standings tbody tr").length === %d`, players))
				narrow := b.eval(`String([...document.querySelectorAll(".standings tbody th")]
					.filter(e => e.clientWidth < 8 * parseFloat(getComputedStyle(e).fontSize)).length)`)
				wide := b.eval(`String(document.documentElement.scrollWidth > innerWidth ||
					[...document.querySelectorAll(".standings, .table")].some(e =>
						e.getBoundingClientRect().right > e.parentElement.getBoundingClientRect().right + 1))`)
				cut := b.eval(`String([...document.querySelectorAll(".seats span")].some(e => e.scrollWidth > e.clientWidth + 1))`)
				if narrow != "0" || wide != "false" || cut != "false" {
					t.Errorf("%d players, %d%s: %s narrow names, too wide: %s, cut off: %s", players, screen[0], rotate,
						narrow, wide, cut)
				}
			}
		}
	}
}

// TestEveningRights checks who may change an evening, and that a hall without a folder
// says so.
func TestEveningRights(t *testing.T) {
	n := newNight(t)
	n.begin(evening.Swiss, 2, 4)
	path := "/api/evenings/" + n.id
	wants := map[int]string{stranger: "401 401", owner: "200 200", here: "200 409"} // results are missing then
	for _, visitor := range []int{stranger, owner, here} {
		want := wants[visitor]
		created := post("/api/evenings", `{"name":"x","format":"swiss","size":2}`).as(visitor)
		changed := post(path, `{"do":"next"}`).as(visitor)
		got := fmt.Sprint(created.send(n.page.Server).Code, " ", changed.send(n.page.Server).Code)
		if got != want {
			t.Errorf("%s: got %s, want %s", visitorNames[visitor], got, want)
		}
	}
	for ask, want := range map[string]int{
		path: http.StatusOK, "/api/evenings": http.StatusOK, "/evenings/" + n.id + "/standings.csv": http.StatusOK,
		path + "/players/9": http.StatusNotFound, "/api/evenings/2020": http.StatusNotFound,
		path + "/players/2": http.StatusOK, "/evenings/" + n.id + "/x": http.StatusNotFound,
	} {
		if got := get(ask).as(stranger).send(n.page.Server).Code; got != want {
			t.Errorf("%s: got %d, want %d", ask, got, want)
		}
	}
	bare := opened(1).page.Server
	if got := get("/api/evenings").send(bare).Body.String(); got != `{"kept":false,"keep":false,"evenings":[]}`+"\n" {
		t.Errorf("without a folder: %s", got)
	}
	if got := get(path).send(bare).Code; got != http.StatusNotFound {
		t.Errorf("without a folder: %d", got)
	}
	french := post(path+"?lang=fr", `{"do":"next"}`).as(here).send(n.page.Server).Body.String()
	if !strings.Contains(french, "résultat") {
		t.Errorf("in French: %s", french)
	}
}

// TestEveningCrowd lets the phones of a club behind one router follow, and the list besides.
func TestEveningCrowd(t *testing.T) {
	n := newNight(t)
	n.begin(evening.Swiss, 2, 4)
	home := netip.MustParsePrefix("192.0.2.1/32")
	for i := range maxPerAddress {
		if leave, _ := n.page.eveningPages.Take(home); leave == nil {
			t.Fatalf("no place for phone %d", i+1)
		}
	}
	live := get("/api/evenings/" + n.id + "/live")
	live.peer = "192.0.2.1:7"
	if w := live.send(n.page.Server); w.Code != http.StatusServiceUnavailable ||
		!strings.Contains(w.Body.String(), "from your address") {
		t.Errorf("phone %d: %d %s", maxPerAddress+1, w.Code, w.Body)
	}
	if leave, _ := n.page.listPages.Take(home); leave == nil {
		t.Error("no place for the list")
	}
}
