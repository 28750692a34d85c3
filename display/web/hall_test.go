package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"tableside/device/hall"
	"tableside/display/web/core"
	"tableside/engine"
	"tableside/engine/enginetest"
)

// A venue is a hall with its page, and a clock that tests set.
type venue struct {
	*hall.Hall
	page *Hall
	now  time.Time
	told []string // messages
	lost bool     // no message gets through
}

// tell returns who tells tables something; nil for a hall that keeps nothing.
func (v *venue) tell(kept *Config) func(string, engine.HallMessage) error {
	if kept == nil {
		return nil
	}
	return func(table string, m engine.HallMessage) error {
		if v.lost {
			return errors.New("lost")
		}
		v.told = append(v.told, table+" "+m.Text)
		if !m.Call.IsZero() {
			v.Call(table, time.Time{})
		}
		return nil
	}
}

// newVenue returns a hall that has listened for a while, and that keeps matches if kept is not
// nil.
func newVenue(kept *Config) *venue {
	v := &venue{now: time.Now().Add(-20 * time.Minute)}
	v.Hall = hall.New(hall.Config{
		Show:    func(name string, f *engine.Frame) { v.page.Show(name, f) },
		Changed: func() { v.page.Changed() },
		Now:     func() time.Time { return v.now },
		Keeps:   kept != nil,
	})
	reached := core.Config{AskHere: true}
	if kept != nil {
		reached = kept.Config
	}
	v.page = NewHall(HallConfig{
		Config:      reached,
		List:        func(after int) (any, int) { return v.List(after) },
		IsTable:     func(name string) bool { return !strings.Contains(name, " ") },
		Archive:     kept,
		SendMessage: v.tell(kept),
	})
	v.Listening(true)
	return v
}

// guests sit at the tables of a venue.
var guests = []string{"Alice", "Max", "Zoé", "Barthélémy", "Nour", "Ines", "Théo", "Maximiliane von und zu", "Li"}

func stateOf(name string, n int) *engine.View {
	frames := []func() engine.Frame{documented(3), two, documented(4), four, documented(6), won, documented(2), counting}
	v := frames[n%len(frames)]().View
	v.Schema, v.Table, v.Match, v.Seq = engine.SchemaVersion, name, "2026-11-21T20-00-00Z", n+1
	for i := range v.Seats {
		v.Seats[i].Name = guests[(n+i)%len(guests)]
	}
	return &v
}

func opened(tables int) *venue { return keeping(tables, nil) }

// keeping returns such a venue that may keep matches.
func keeping(tables int, kept *Config) *venue {
	v := newVenue(kept)
	for n := range tables {
		name := fmt.Sprint("table-", n+1)
		state := stateOf(name, n)
		v.now = v.now.Add(time.Second)
		v.State(name, state, n%3 == 0)
		v.Alive(name, state.Match, state.Seq, time.Time{})
		v.Health(name, engine.Part{Name: "page", Health: engine.OK})
		if n%11 == 2 {
			v.Health(name, engine.Part{Name: "reader-red", Health: engine.Broken, Reason: "the reader does not answer"})
		}
	}
	free := engine.EmptyView()
	free.Table = "table-4"
	v.State("table-4", &free, false)
	v.now = time.Now()
	for n := range tables {
		if n%10 != 2 {
			s := stateOf("", n)
			v.Alive(fmt.Sprint("table-", n+1), s.Match, s.Seq, time.Time{})
		}
	}
	v.Alive("table-4", "", 0, time.Time{})
	v.Review()
	return v
}

func halls(tables int) func(*testing.T) shown {
	return func(*testing.T) shown { return shown{Server: opened(tables).page.Server} }
}

func keepingHall(t *testing.T) shown {
	kept := manyMatches(t, "table-1", "table-2", "table-17")
	return shown{Server: keeping(4, &kept).page.Server}
}

func callingHall(t *testing.T) shown {
	kept := manyMatches(t, "table-1")
	return shown{Server: calling(&kept).page.Server}
}

func calling(kept *Config) *venue {
	v := keeping(6, kept)
	v.Call("table-5", time.Now().Add(-3*time.Minute))
	v.Call("table-2", time.Now().Add(-2*time.Minute))
	return v
}

func deafHall(*testing.T) shown {
	v := opened(4)
	v.Aside("tableside/table-9/state", errors.New("got schema 7, want 1"))
	v.Listening(false)
	v.Trouble("User or password refused by tcp://10.0.0.1:1883. Check mqtt.user and mqtt.password.")
	return shown{Server: v.page.Server}
}

// TestHallPage finds, sorts and follows the tables of a hall, and opens one as on a
// television.
func TestHallPage(t *testing.T) {
	b, v := newTab(t), opened(40)
	url, _ := listen(t, v.page.Server, "127.0.0.1:0")
	b.open(url + "/?lang=en")
	const names = `[...document.querySelectorAll(".tables h2")].map(e => e.textContent).join(" ")`
	b.until(`document.querySelectorAll(".tables > li").length === 40`)
	if got := b.eval(names); !strings.HasPrefix(got, "table-1 table-2 table-3") || !strings.HasSuffix(got, " table-40") {
		t.Errorf("the order is %s", got)
	}
	b.until(`document.querySelectorAll(".tables > .gone .now").length === 4`)
	b.until(`document.querySelectorAll("#shell nav a").length === 1`) // it keeps nothing to look back on
	b.until(`/^Not heard of since /.test(document.querySelector(".gone .now")?.textContent)`)

	seek := func(by, value string) {
		b.eval(fmt.Sprintf(`{ const f = document.querySelector("[data-by=%s]"); f.value = %q;
			f.dispatchEvent(new Event("input", { bubbles: true })); "" }`, by, value))
	}
	seek("text", "barthelemy")
	b.until(`document.querySelectorAll(".tables > li").length < 40 && location.search.includes("text=barthelemy")`)
	if missing := b.eval(`String([...document.querySelectorAll(".tables > li")]
		.filter(e => !e.textContent.includes("Barth\u00e9l\u00e9my")).length)`); missing != "0" {
		t.Errorf("%s tables without the player", missing)
	}
	seek("text", "")
	seek("show", "free")
	b.until(names + ` === "table-4" && document.querySelector(".said")?.textContent === "1 of 40 tables"`)
	seek("show", "trouble")
	b.until(`document.querySelectorAll(".ill").length === 4`)
	asked := stateOf("table-8", 7)
	v.Alive("table-8", asked.Match, asked.Seq, v.now.Add(-26*time.Hour))
	b.until(`document.querySelector("[data-k='table-8'] .ill")?.textContent === "Its clock is 26 h 0 min behind the hall's"`)
	v.Call("table-8", time.Now().Add(-26*time.Hour-5*time.Minute)) // by the table's clock
	b.until(fmt.Sprintf(`document.querySelector("[data-k='table-8'] .call")?.textContent === "Call since %s"`,
		time.Now().Add(-5*time.Minute).Format("15:04")))
	v.Call("table-8", time.Time{})
	seek("show", "playing")
	seek("sort", "longest")
	v.State("table-2", stateOf("table-2", 9), false) // another seat is asked, or it is as it was
	b.open(url + "/?lang=fr&show=free&sort=round")
	b.until(`document.querySelector("[data-by=show]")?.value === "free" && ` + names + ` === "table-4"`)

	b.open(url + "/?lang=en")
	b.until(`document.querySelectorAll(".tables > li").length === 40`)
	next := stateOf("table-1", 0)
	next.Seats[0].Name, next.Seq = "Somebody new", 99
	v.State("table-1", next, false)
	b.until(`document.querySelector(".tables > li")?.textContent.includes("Somebody new")`)
	v.State("table-1", nil, false)
	v.Health("table-1", engine.Part{Name: "page"})
	b.until(`document.querySelectorAll(".tables > li").length === 39`)

	b.open(url + b.eval(`document.querySelector("[data-k='table-2'] a").getAttribute("href")`))
	b.until(`location.pathname === "/tables/table-2" && document.querySelectorAll("#tv .seat").length === 2`)
	later := stateOf("table-2", 9)
	later.Seq, later.Prompts = 100, []engine.Prompt{{Seat: "red", Key: "x", Text: "Something quite new"}}
	v.State("table-2", later, false)
	b.until(`document.querySelector("#tv .asked")?.textContent.includes("Something quite new")`)
	v.now = v.now.Add(time.Minute)
	v.Review()
	b.until(`document.querySelector("#tv .lost")?.textContent.startsWith("Not heard of since")`)
	v.now = time.Now().Add(-30 * time.Hour)
	v.Alive("table-5", later.Match, 5, time.Time{})
	v.now = time.Now()
	v.Review()
	b.open(url + "/tables/table-5?lang=en")
	b.until(`/^Not heard of since .*\d{4}/.test(document.querySelector("#tv .lost")?.textContent)`) // with its date
	b.open(url + "/tables/later?lang=en")
	b.until(`document.querySelector(".idle h1")?.textContent === "later"`)
	next = stateOf("later", 0)
	v.State("later", next, false)
	b.until(`document.querySelectorAll("#tv .seat").length === 2`)
	v.State("later", nil, false) // it is forgotten, and comes back
	next = stateOf("later", 0)
	next.Seats[0].Name, next.Seq = "Somebody new", 99
	v.State("later", next, false)
	b.until(`document.querySelector("#tv .seat")?.textContent.includes("Somebody new")`)
	b.open(url + "/tables/table-4?lang=fr")
	b.until(`document.querySelector(".idle h1")?.textContent === "table-4"`)
}

// TestHallTurns checks that a projector shows every table whole, some after the others, and
// begins again; and that a button begins and ends it.
func TestHallTurns(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, opened(40).page.Server, "127.0.0.1:0")
	b.do(chromedp.EmulateViewport(1280, 720))
	b.open(url + "/?lang=en")
	b.until(`document.querySelectorAll(".tables > li").length === 40`)
	b.click(`[data-act=project] button`)
	b.until(`document.documentElement.hasAttribute("data-rotates") && location.search.includes("rotate=15")`)
	b.click(`[data-act=leave] button`)
	b.until(`!document.documentElement.hasAttribute("data-rotates") && !location.search.includes("rotate")`)
	b.open(url + "/?lang=en&rotate=1")
	b.eval(`window.seen = new Set(); window.tops = []; setInterval(() => {
		if (scrollY === tops.at(-1)) return;
		tops.push(scrollY);
		const head = document.querySelector(".head").getBoundingClientRect().bottom;
		for (const e of document.querySelectorAll(".tables > li")) {
			const r = e.getBoundingClientRect();
			if (r.top >= head && r.bottom <= innerHeight) seen.add(e.dataset.k);
		}
	}, 50); ""`)
	b.until(`tops.length > 3 && tops.at(-1) === 0`)
	if missing := b.eval(`[...document.querySelectorAll(".tables > li")].filter(e => !seen.has(e.dataset.k))
		.map(e => e.dataset.k).join(" ")`); missing != "" {
		t.Errorf("never seen whole: %s", missing)
	}
}

// TestHallFollows checks that many changes are few messages, each with what changed, and
// that the streams end with the hall.
func TestHallFollows(t *testing.T) {
	v := opened(40)
	v.page.pause = 200 * time.Millisecond
	url, stop := listen(t, v.page.Server, "127.0.0.1:0")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/api/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	lists := make(chan hall.List, 100)
	go func() {
		defer close(lists)
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: {"); ok {
				var l hall.List
				if err := json.Unmarshal([]byte("{"+data), &l); err != nil {
					t.Error(err)
				}
				lists <- l
			}
		}
	}()
	if first := <-lists; len(first.Tables) != 40 {
		t.Errorf("at first %d tables", len(first.Tables))
	}
	began, messages, seen := time.Now(), 0, 0
	for seq := 100; time.Since(began) < time.Second; seq++ {
		s := stateOf("table-1", 0)
		s.Seq, seen = seq, seq
		v.State("table-1", s, false)
		time.Sleep(time.Millisecond) // two hundred times as often as a page is told
	}
	for l := range lists {
		messages++
		if len(l.Tables) != 1 || l.Tables[0].Name != "table-1" {
			t.Fatalf("%d tables changed", len(l.Tables))
		}
		if l.Tables[0].Seq == seen {
			break
		}
	}
	if messages > 8 {
		t.Errorf("%d messages in about a second", messages)
	}
	stop()
	if _, more := <-lists; more {
		t.Error("the stream goes on after the end")
	}
}

// TestHallKeeps finds a match by its table, replays it, and goes back to the tables.
func TestHallKeeps(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, keepingHall(t).Server, "127.0.0.1:0")
	b.open(url + "/?lang=en")
	b.until(`document.querySelectorAll("#shell nav [href='/history'], #shell nav [href='/evenings']").length === 2`)
	b.open(url + "/history?lang=en")
	b.until(`document.querySelectorAll("main li").length === 60`)
	b.eval(`const f = document.querySelector("[data-by=text]"); f.value = "table-17"; ` +
		`f.dispatchEvent(new Event("input", { bubbles: true })); ""`)
	b.until(`document.querySelectorAll("main li").length === 20`)
	b.until(`[...document.querySelectorAll("li .game small")].every(e => e.textContent.startsWith("table-17, "))`)
	b.open(url + b.eval(`document.querySelector("main li > a").getAttribute("href")`) + "?lang=en")
	b.until(`document.querySelector(".ended p")?.textContent.includes("table-17 · ")`)
	b.until(`!!document.querySelector("a[href^='/api/journal?match='][href$='@table-17']")`)
	b.open(url + "/players?lang=en")
	b.until(`!!document.querySelector(".card")`) // the hall has written its index
}

// TestHallRights checks who may change what a hall keeps: this machine, unless it asks
// everybody for the token, and the owner.
func TestHallRights(t *testing.T) {
	note := `{"do":"note","match":"2026-03-06T20-15-00Z@table-1","text":"a note"}`
	for _, c := range []struct {
		asks         bool
		owner, token string
		want         int
	}{
		{false, "", "", http.StatusOK}, {false, "own3r", "", http.StatusOK},
		{true, "own3r", "", http.StatusUnauthorized}, {true, "own3r", "guess", http.StatusUnauthorized},
		{true, "own3r", "own3r", http.StatusOK}, {true, "", "", http.StatusForbidden},
	} {
		kept := manyMatches(t, "table-1")
		kept.OwnerToken, kept.AskHere = c.owner, c.asks
		url, stop := listen(t, keeping(1, &kept).page.Server, "127.0.0.1:0")
		send := func(method, path, body string) *http.Response {
			r, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			if c.token != "" {
				r.Header.Set("Authorization", "Bearer "+c.token)
			}
			answer, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			return answer
		}
		if got := send("POST", "/api/history", note); got.StatusCode != c.want {
			t.Errorf("%+v: got %s", c, got.Status)
		}
		if got := send("GET", "/api/history?deleted=1", ""); got.StatusCode != c.want {
			t.Errorf("%+v: deleted matches: %s", c, got.Status)
		}
		for _, path := range []string{"/api/history", "/history", "/matches/2026-03-06T20-15-00Z@table-1"} {
			if got := send("GET", path, ""); got.StatusCode != http.StatusOK {
				t.Errorf("%+v: %s: %s", c, path, got.Status)
			}
		}
		if cookies := send("GET", "/?token=own3r", "").Cookies(); (len(cookies) == 1) != (c.owner != "") {
			t.Errorf("%+v: cookies %v", c, cookies)
		}
		stop()
	}
}

// TestHallOnlyReads checks that a hall has no route that changes anything, and refuses
// what it does not know.
func TestHallOnlyReads(t *testing.T) {
	v := opened(4)
	for _, r := range v.page.hallRoutes() {
		if r.Method != "GET" || r.Need != core.ToRead {
			t.Errorf("%s %s", r.Method, r.Path)
		}
	}
	url, _ := listen(t, v.page.Server, "127.0.0.1:0")
	for path, want := range map[string]int{
		"/": 200, "/api/tables": 200, "/tables/table-2": 200, "/tables/nobody": 200, "/tables/nobody/live": 404,
		"/tables/no%20body": 404,
		"/api/view":         404, "/api/input": 404, "/tv": 404, "/healthz": 200, "/tables/": 404, "/assets/hall.js": 200,
	} {
		answer, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, answer.StatusCode, want)
		}
	}
}

// TestHallIsSeen draws the hall with few and many tables, at a desk, on a phone and on a
// projector, into the folder that PICTURES names, and checks that nothing is cut off.
func TestHallIsSeen(t *testing.T) {
	b := newTab(t)
	all := []setting{{"en", 1280, 800, []string{"dark", "light"}}, {"fr", 390, 844, []string{"light", "dark"}},
		{"en", 1920, 1080, []string{"dark"}}}
	for tables, settings := range map[int][]setting{4: all, 40: all, 400: {{"fr", 1280, 800, []string{"light"}}}} {
		if !enginetest.Nightly() {
			if tables > 4 {
				continue
			}
			settings = []setting{{"en", 1280, 800, []string{"light"}}, {"fr", 390, 844, []string{"dark"}}}
		}
		url, stop := listen(t, opened(tables).page.Server, "127.0.0.1:0")
		for _, s := range settings {
			for _, theme := range s.themes {
				b.do(screenOf(s), still(theme))
				b.open(url + "/?lang=" + string(s.lang))
				b.until(settled(fmt.Sprintf(`document.querySelectorAll(".tables > li").length === %d`, tables)))
				if wide := b.eval(tooWide); wide != "" {
					t.Errorf("%d tables, %d wide: %s", tables, s.width, wide)
				}
				if folder := os.Getenv("PICTURES"); folder != "" {
					b.shoot(filepath.Join(folder, fmt.Sprintf("hall-%d-%d-%s.png", tables, s.width, theme)))
				}
			}
		}
		b.do(chromedp.EmulateViewport(1920, 1080), still("dark"))
		b.open(url + "/?lang=fr&rotate=60")
		b.until(`document.documentElement.hasAttribute("data-rotates")`)
		b.until(settled(fmt.Sprintf(`document.querySelectorAll(".tables > li").length === %d`, tables)))
		if wide := b.eval(tooWide); wide != "" {
			t.Errorf("%d tables, projector: %s", tables, wide)
		}
		if folder := os.Getenv("PICTURES"); folder != "" {
			b.shoot(filepath.Join(folder, fmt.Sprintf("hall-%d-projector.png", tables)))
		}
		for _, table := range []string{"table-3", "table-4"} { // one that is gone, and a free one
			b.open(url + "/tables/" + table + "?lang=en")
			b.until(settled(`!!document.querySelector("#tv .lost, #tv .idle")`))
			if bad := b.eval(clipped); bad != "" {
				t.Error(bad)
			}
			if folder := os.Getenv("PICTURES"); folder != "" {
				b.shoot(filepath.Join(folder, "hall-"+table+".png"))
			}
		}
		b.do(chromedp.EmulateViewport(1280, 800))
		stop()
	}
}

// TestHallCalls checks that tables that call come first, whatever is sought, that a keeper
// answers them, and sends a message.
func TestHallCalls(t *testing.T) {
	kept := manyMatches(t, "table-1")
	v := calling(&kept)
	url, _ := listen(t, v.page.Server, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en&text=table-3")
	names := `[...document.querySelectorAll(".tables h2")].map(e => e.textContent).join(" ")`
	b.until(names + ` === "table-5 table-2 table-3"`)
	b.until(`!!document.querySelector(".call button")`)
	b.click(".call button")
	b.until(names + ` === "table-2 table-3"`)
	b.click("summary")
	b.eval(`document.querySelector(".message input").value = "Round 2 in 5 minutes"; ""`)
	b.click(".message button")
	b.until(`document.querySelector(".message p").textContent === "Sent. Round 2 in 5 minutes"`)
	if got := strings.Join(v.told, ","); got != "table-5 , Round 2 in 5 minutes" {
		t.Errorf("told %q", got)
	}
}

// TestHallMessages checks what may be sent to tables, and by whom.
func TestHallMessages(t *testing.T) {
	kept := manyMatches(t, "table-1")
	kept.OwnerToken, kept.AskHere = "own3r", true
	v := newVenue(&kept)
	text := func(n int) string { return `{"table":"table-1","text":"` + strings.Repeat("é", n) + `"}` }
	for _, c := range []struct {
		body, token string
		lost        bool
		want        int
	}{
		{text(200), "own3r", false, 200}, {text(201), "own3r", false, 400}, {text(0), "own3r", false, 400},
		{text(5), "", false, 401}, {text(5), "own3r", true, 503},
		{`{"text":"a\nb"}`, "own3r", false, 400}, {`{"text":"a\u001bb"}`, "own3r", false, 400},
		{`{"table":"no body","text":"x"}`, "own3r", false, 404},
		{`{"table":"table-1","text":"","call":"2026-11-23T20:00:00Z"}`, "own3r", false, 200},
		{`{"table":"table-1","input":"red undo","text":"x"}`, "own3r", false, 400},
	} {
		v.lost = c.lost
		w := post("/api/message", c.body)
		if c.token != "" {
			w.header = map[string]string{"Authorization": "Bearer " + c.token}
		}
		if got := w.send(v.page.Server); got.Code != c.want {
			t.Errorf("%.60s: %d, want %d: %s", c.body, got.Code, c.want, got.Body)
		}
	}
}
