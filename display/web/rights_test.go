package web

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tableside/display/web/core"
	"tableside/engine"
)

// The visitors of TestRoutesByRight, in the order of its columns.
const (
	stranger = iota
	holder   // of the table's code
	seated   // with red's code
	owner
	here   // on this machine
	atHome // on this machine, where http.local = "token"
	visitors
)

var visitorNames = [visitors]string{"a stranger", "the table's code", "red's code", "the owner", "this machine",
	`this machine with local = "token"`}

// as returns the request as a visitor sends it.
func (a request) as(visitor int) request {
	a.peer, a.header = remotePeer, map[string]string{}
	switch visitor {
	case holder:
		a.header["Authorization"] = "Bearer s3cret"
	case seated:
		a.header["Cookie"] = "tableside=" + core.SeatCode("s3cret", "red")
	case owner:
		a.header["Cookie"] = "tableside=own3r"
	case here, atHome:
		a.peer = ""
	}
	return a
}

// guarded returns a table, in the middle of a match if playing, and its page
// for a visitor.
func guarded(t *testing.T, visitor int, playing bool) (*table, *Server) {
	tb := newTable(t)
	if playing {
		tb.begin()
	}
	tb.status.Address = "http://192.168.1.2:8080/?token=s3cret"
	config := tb.config()
	config.Token, config.OwnerToken, config.AskHere = "s3cret", "own3r", visitor == atHome
	config.Readers = &Readers{
		Seat: func(place string) (engine.Seat, bool) { return engine.Seat(place), place != "sofa" },
		See: func(_ context.Context, _, _, _ string, texts []string) []engine.Receipt {
			return make([]engine.Receipt, len(texts))
		},
	}
	return tb, tb.show(newServer(config))
}

// A deed is a request with its status for each visitor: "." where it is done,
// 1 for 401, 3 for 403.
type deed struct {
	ask     request
	empty   bool // on an empty table
	answers string
}

const (
	everybody = "......"
	players   = "1....1" // all who hold a code, and this machine
	tables    = "1.3..1" // who may play for every seat
	owners    = "133..1"
)

func get(path string) request { return request{method: "GET", path: path} }

func post(path, body string) request {
	a := request{method: "POST", path: path, body: body}
	if strings.HasPrefix(body, "{") {
		a.kind = "application/json"
	} else if strings.Contains(body, "=") {
		a.kind = "application/x-www-form-urlencoded"
	}
	return a
}

// deeds lists, for each route, what each visitor may do there.
var deeds = map[string][]deed{
	"GET /{$}":                   {{get("/"), false, everybody}},
	"GET /overlay":               {{get("/overlay"), false, everybody}},
	"GET /overlay/edit":          {{get("/overlay/edit"), false, everybody}},
	"GET /cards/share":           {{get("/cards/share"), false, everybody}},
	"GET /tv":                    {{get("/tv"), false, everybody}},
	"GET /setup":                 {{get("/setup"), false, everybody}},
	"GET /api/setup":             {{get("/api/setup"), false, owners}},
	"POST /api/setup":            {{post("/api/setup", `{"do":"done"}`), false, owners}},
	"GET /trust":                 {{get("/trust"), false, everybody}},
	"GET /trust/tableside.crt":   {{get("/trust/tableside.crt"), false, everybody}},
	"GET /trust/tableside.pem":   {{get("/trust/tableside.pem"), false, everybody}},
	"GET /assets/{name...}":      {{get("/assets/app.js"), false, everybody}},
	"GET /cards":                 {{get("/cards"), false, everybody}},
	"GET /api/workshop":          {{get("/api/workshop?game=ring"), false, everybody}},
	"GET /api/workshop/tag":      {{get("/api/workshop/tag"), false, owners}},
	"GET /api/workshop/history":  {{get("/api/workshop/history?game=ring"), false, everybody}},
	"POST /api/workshop/history": {{post("/api/workshop/history", `{"game":"ring","n":1}`), false, owners}},
	"GET /cards/labels":          {{get("/cards/labels"), false, everybody}},
	"GET /api/labels":            {{get("/api/labels?game=ring/test"), false, players}},
	"GET /cards/print":           {{get("/cards/print?game=ring/test"), false, players}},
	"GET /manifest.webmanifest":  {{get("/manifest.webmanifest"), false, everybody}},
	"GET /icon-192.png":          {{get("/icon-192.png"), false, everybody}},
	"GET /icon-512.png":          {{get("/icon-512.png"), false, everybody}},
	"GET /api/view":              {{get("/api/view"), false, everybody}},
	"GET /api/live":              {}, // TestLiveTellsRights
	"GET /api/schema":            {{get("/api/schema"), false, everybody}},
	"GET /api/games":             {{get("/api/games"), false, everybody}},
	"GET /api/presets.txt":       {{get("/api/presets.txt"), false, everybody}},
	"POST /api/presets": {{post("/api/presets", `{"do":"keep","game":"ring/test","title":"A","options":{}}`), true,
		owners}},
	"GET /api/cards":      {{get("/api/cards?game=ring/test"), false, players}},
	"GET /api/matches":    {{get("/api/matches"), false, everybody}},
	"GET /api/journal":    {{get("/api/journal"), false, everybody}},
	"GET /api/result":     {{get("/api/result"), false, everybody}},
	"GET /result.png":     {{get("/result.png"), false, everybody}},
	"GET /api/replay":     {{get("/api/replay"), false, everybody}},
	"GET /matches/{file}": {{get("/matches/old"), false, everybody}, {get("/matches/old.gif"), false, players}},
	"GET /history":        {{get("/history"), false, everybody}},
	"GET /api/history": {
		{get("/api/history"), false, everybody},
		{get("/api/history?deleted=1"), false, owners},
	},
	"GET /api/history.csv":         {{get("/api/history.csv"), false, everybody}},
	"GET /api/history.bgsplay":     {{get("/api/history.bgsplay"), false, everybody}},
	"POST /api/history":            {{post("/api/history", `{"do":"delete","match":"old"}`), false, owners}},
	"POST /api/history/import":     {{post("/api/history/import", `{"plays":[]}`), false, owners}},
	"GET /api/removal":             {{get("/api/removal"), false, owners}},
	"GET /players":                 {{get("/players"), false, everybody}},
	"GET /api/players":             {{get("/api/players"), false, everybody}},
	"GET /api/stats":               {{get("/api/stats"), false, everybody}},
	"GET /api/piles":               {{get("/api/piles"), false, players}},
	"GET /api/hint":                {{get("/api/hint?seat=red"), false, players}, {get("/api/hint?seat=blue"), false, tables}},
	"GET /api/chances":             {{get("/api/chances"), false, everybody}},
	"GET /api/texts":               {{get("/api/texts"), false, everybody}},
	"GET /panel.png":               {{get("/panel.png"), false, tables}},
	"GET /lights.png":              {{get("/lights.png"), false, everybody}},
	"POST /api/cards/check":        {{post("/api/cards/check", `{"game":"genegrafter","text":""}`), false, everybody}},
	"GET /api/cards/{file}":        {{get("/api/cards/genegrafter.csv"), false, everybody}},
	"GET /api/cards/{game}/{card}": {{get("/api/cards/genegrafter/zorro"), false, everybody}},
	"POST /api/cards/pick": {{post("/api/cards/pick", `{"game":"genegrafter","line":"card","field":"attack"}`), false,
		everybody}},
	"GET /cards/play":      {{get("/cards/play?game=ring&card=fox"), false, everybody}},
	"POST /api/cards/play": {{post("/api/cards/play", `{"game":"ring","card":"fox"}`), false, everybody}},
	"PUT /api/cards/{game}": {{request{method: "PUT", path: "/api/cards/genegrafter", body: `{"cards":[]}`},
		false, owners}},
	"PUT /api/cards/{game}/{card}": {{request{method: "PUT", path: "/api/cards/genegrafter/zorro", body: `{"lines":[]}`},
		false, owners}},
	"POST /api/cards/{game}/merge": {{post("/api/cards/genegrafter/merge", `{"text":""}`), false, owners}},
	"GET /reader":                  {{get("/reader"), false, everybody}},
	"GET /join.png": {{get("/join.png"), false, tables}, {get("/join.png?seat=blue"), false, tables},
		{get("/join.png?seat=red"), false, players}},
	"GET /api/rights": {{get("/api/rights"), false, everybody}},
	"GET /healthz":    {{get("/healthz"), false, everybody}},
	"GET /metrics":    {{get("/metrics"), false, everybody}},
	"POST /api/match": {
		{post("/api/match", `{"do":"learn","tag":"04A1","card":"ring/fox.1"}`), false, players},
		{post("/api/match", `{"do":"take-seat","seat":"red"}`), false, players},
		{post("/api/match", `{"do":"leave-seat","seat":"blue"}`), false, tables},
		{post("/api/match", `{"do":"abandon"}`), false, owners},
		{post("/api/match", `{"do":"rematch"}`), false, owners}, // the match is not over
		{post("/api/match", `{"do":"resume"}`), false, owners},
		{post("/api/match", `{"do":"begin","setup":{"game":"ring/test","seats":[{"seat":"red"},{"seat":"blue"}]}}`), true,
			owners},
	},
	"POST /api/input": {
		{post("/api/input", "red tap fox.1"), false, players},
		{post("/api/input", `{"input":"red tap fox.1"}`), false, players},
		{post("/api/input", "table tap fox.1"), false, players}, // red is asked
		{post("/api/input", "red undo"), false, players},
		{post("/api/input", `red set name "Zoé"`), false, players},
		{post("/api/input", `blue set name "Zoé"`), false, tables},
		{post("/api/input", "blue tap fox.3"), false, tables},
		{post("/api/input", "blue undo"), false, tables},
		{post("/api/input", "table key yes"), true, owners},
		{post("/api/input", "red choose ring/test"), true, owners},
	},
	"POST /api/show": {{post("/api/show", `{"do":"start","game":"ring"}`), true, owners}},
	"POST /api/try": {
		{post("/api/try", `{"inputs":["red set score 3"]}`), false, players},
		{post("/api/try", `{"inputs":["red set score 3","blue set score 3"]}`), false, tables},
	},
	"POST /api/tap": {
		{post("/api/tap", "place=red&tag=fox.1"), false, players},
		{post("/api/tap", `{"place":"blue","tag":"fox.1"}`), false, tables},
		{post("/api/tap", "place=red&tag=04A1"), true, owners}, // a tag may be a key
	},
	"POST /api/reader/frame": { // on an empty table a code may be a key
		{post("/api/reader/frame?place=red", "frame"), false, players},
		{post("/api/reader/frame?place=blue", "frame"), false, tables},
		{post("/api/reader/frame?place=red", "frame"), true, owners},
	},
	"POST /api/lift": {
		{post("/api/lift", "place=red&tag=fox.1"), false, players},
		{post("/api/lift", "place=blue&tag=fox.1"), false, tables},
	},
	"POST /api/press": {
		{post("/api/press", "seat=red&key=yes"), false, players},
		{post("/api/press", "seat=red&key=undo"), false, players},
		{post("/api/press", "seat=blue&key=undo"), false, tables},
		{post("/api/press", "seat=table&key=yes"), true, owners},
	},
	"POST /api/pick": {
		{post("/api/pick", "place=red/hand&card=owl.1"), false, players},
		{post("/api/pick", "place=blue/hand&card=owl.1"), false, tables},
	},
}

// TestRoutesByRight tries every route as every visitor, and checks that a refused
// request reaches nothing.
func TestRoutesByRight(t *testing.T) {
	for _, r := range newServer(newTable(t).config()).routes() {
		list, ok := deeds[r.Method+" "+r.Path]
		if !ok {
			t.Errorf("say in this test who may %s %s", r.Method, r.Path)
		}
		for _, d := range list {
			for visitor, mark := range d.answers {
				tb, s := guarded(t, visitor, !d.empty)
				f, _ := s.currentFrame("")
				w := d.ask.as(visitor).send(s)
				want := map[rune]int{'1': http.StatusUnauthorized, '3': http.StatusForbidden}[mark]
				refused := w.Code == http.StatusUnauthorized || w.Code == http.StatusForbidden
				if refused && w.Code != want || !refused && want != 0 {
					t.Errorf("%s %s %s by %s: got %d, want %q: %.200s", d.ask.method, d.ask.path, d.ask.body,
						visitorNames[visitor], w.Code, mark, w.Body)
				}
				after, _ := s.currentFrame("")
				if refused && (len(tb.laid) > 0 || after.View.Seq != f.View.Seq || after.Status.Receipt != f.Status.Receipt) {
					t.Errorf("%s %s by %s is refused and yet changes the table", d.ask.path, d.ask.body, visitorNames[visitor])
				}
			}
		}
	}
}

// TestTableAnswersForNoOtherSeat checks that a seat's code cannot use the shared
// reader to answer for another seat.
func TestTableAnswersForNoOtherSeat(t *testing.T) {
	_, s := guarded(t, seated, true)
	for _, line := range []string{"red tap fox.1", "red key left"} {
		if w := post("/api/input", line).as(seated).send(s); w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", line, w.Code, w.Body)
		}
	}
	if f, _ := s.currentFrame(""); f.View.Prompts[0].Seat != "blue" {
		t.Fatalf("%s is asked", f.View.Prompts[0].Seat)
	}
	for _, test := range []struct {
		line string
		want int
	}{{"table tap fox.3", 403}, {"table set round 2", 409}, {"table undo", 200}} {
		if w := post("/api/input", test.line).as(seated).send(s); w.Code != test.want {
			t.Errorf("%s: got %d, want %d: %s", test.line, w.Code, test.want, w.Body)
		}
	}
}

// TestRefusalsOfRights checks the sentence in both languages.
func TestRefusalsOfRights(t *testing.T) {
	_, s := guarded(t, seated, true)
	for path, want := range map[string]string{
		"/api/input?lang=en": "Your code is for Red only.",
		"/api/input?lang=fr": "Votre code ne vaut que pour Rouge.",
	} {
		if w := post(path, "blue tap fox.3").as(seated).send(s); w.Body.String() != `{"error":"`+want+"\"}\n" {
			t.Errorf("%s: %s", path, w.Body)
		}
	}
	w := post("/api/match?lang=fr", `{"do":"abandon"}`).as(holder).send(s)
	if !strings.Contains(w.Body.String(), "Seul le propriétaire") {
		t.Error(w.Body)
	}
}

// TestSeatSeesItsOwnHand checks that a seat's code shows the hidden cards of no
// other seat.
func TestSeatSeesItsOwnHand(t *testing.T) {
	place := regexp.MustCompile(`"place":"(\w+)/`)
	for visitor, want := range map[int]string{seated: "red", holder: "blue red"} {
		_, s := guarded(t, visitor, true)
		_, live, _ := strings.Cut(firstMessage(t, s, get("/api/live?piles").as(visitor)), `"piles":`)
		for path, body := range map[string]string{
			"/api/piles": get("/api/piles").as(visitor).send(s).Body.String(), "/api/live?piles": live,
		} {
			var owners []string
			for _, m := range place.FindAllStringSubmatch(body, -1) {
				owners = append(owners, m[1])
			}
			slices.Sort(owners)
			if got := strings.Join(slices.Compact(owners), " "); got != want {
				t.Errorf("%s sees the hands of %s at %s, want %s", visitorNames[visitor], got, path, want)
			}
		}
	}
}

// TestLiveTellsRights checks what a page learns of its rights, and of the token.
func TestLiveTellsRights(t *testing.T) {
	red := core.SeatCode("s3cret", "red")
	for visitor, want := range map[int]string{
		stranger: `{"play":false,"keep":false}`, holder: `{"play":true,"keep":false}`,
		seated: `{"play":true,"keep":false,"seat":"red"}`, owner: `{"play":true,"keep":true}`,
		here: `{"play":true,"keep":true}`, atHome: `{"play":false,"keep":false}`,
	} {
		_, s := guarded(t, visitor, true)
		live := firstMessage(t, s, get("/api/live").as(visitor))
		if !strings.Contains(live, `"rights":`+want) || strings.Contains(live, "own3r") {
			t.Errorf("%s: %s, want %s", visitorNames[visitor], live[strings.Index(live, `"writes"`):], want)
		}
		token := strings.Contains(live, "token=s3cret")
		if may := visitor == holder || visitor == owner || visitor == here; token != may {
			t.Errorf("%s sees the token: %t", visitorNames[visitor], token)
		}
		if strings.Contains(live, "token="+red) != (visitor == seated) {
			t.Errorf("%s: the code of red is shown to the wrong browser", visitorNames[visitor])
		}
		if got := get("/api/view").as(visitor).send(s).Header().Get("Tableside-Rights"); got != want {
			t.Errorf("%s: /api/view tells %s, want %s", visitorNames[visitor], got, want)
		}
	}
}

// TestRightsWhileStarting checks that a browser learns its rights before the table has
// anything to show.
func TestRightsWhileStarting(t *testing.T) {
	w := request{method: "HEAD", path: "/api/view"}.send(newServer(newTable(t).config()))
	if got := w.Header().Get("Tableside-Rights"); w.Code != 503 || got != `{"play":true,"keep":true}` {
		t.Errorf("got %d with the rights %q", w.Code, got)
	}
}

// TestSeatCodes checks that codes stay the same as long as the token does, and
// that no part of one is a right.
func TestSeatCodes(t *testing.T) {
	red := core.SeatCode("s3cret", "red")
	if again := core.SeatCode("s3cret", "red"); again != red || core.SeatCode("other", "red") == red {
		t.Errorf("%s, then %s", red, again)
	}
	_, s := guarded(t, stranger, true)
	for _, guess := range []string{"", "red", "red.", ".", red[:len(red)-1], red + "A", "blue" + red[3:], "table.",
		strings.ToLower(red), "Red" + red[3:]} {
		if has := s.RightsFor(guess); has != (core.Rights{}) {
			t.Errorf("%q gives %+v", guess, has)
		}
	}
	if has := s.RightsFor(red); has != (core.Rights{Play: true, Seat: "red"}) {
		t.Errorf("red's code gives %+v", has)
	}
	s.config.Token = ""
	if has := s.RightsFor(core.SeatCode("", "red")); has.Play {
		t.Error("without a token there are no codes")
	}
}

// TestSeatCodeIsScanned checks that a phone gets the cookie and its seat, and
// that an owner stays one.
func TestSeatCodeIsScanned(t *testing.T) {
	red := core.SeatCode("s3cret", "red")
	_, s := guarded(t, stranger, true)
	for visitor, want := range map[int]string{stranger: red, holder: red, owner: "", here: red} {
		w := get("/?lang=fr&token=" + red).as(visitor).send(s)
		got := ""
		for _, c := range w.Result().Cookies() {
			got = c.Value
		}
		if got != want || w.Header().Get("Location") != "/?lang=fr&seat=red" {
			t.Errorf("%s: cookie %q, want %q; to %s", visitorNames[visitor], got, want, w.Header().Get("Location"))
		}
	}
}

// TestOverRepeats checks that players may repeat a match that is over, continue the
// one that waits, and begin what a hall proposes, but choose no other.
func TestOverRepeats(t *testing.T) {
	over := exampleServer(won())
	waits := engine.Frame{View: engine.EmptyView(), Status: engine.Status{Unfinish: "m"}}
	waits.View.Prompts = []engine.Prompt{{Seat: engine.Table, Key: "lobby-continue"}}
	for _, c := range []struct {
		s    *Server
		do   string
		want bool
	}{
		{over, `{"do":"rematch"}`, true}, {over, `{"do":"resume"}`, false}, {over, "table choose rematch", true},
		{over, "table choose new", false}, {exampleServer(waits), `{"do":"resume"}`, true},
		{exampleServer(waits), `{"do":"resume","match":"m"}`, true},
		{exampleServer(waits), `{"do":"resume","match":"other"}`, false},
		{exampleServer(waits), `{"do":"rematch"}`, false},
		{exampleServer(waits), "table key yes", true}, {exampleServer(waits), "table key no", false},
		{exampleServer(invited("mutants")), "table choose seated", true},
		{exampleServer(invited("mutants")), "table key yes", true},
		{exampleServer(invited("mutants")), "table choose new", false},
		{exampleServer(invited("")), "table key yes", false},
		{exampleServer(empty()), "table choose seated", false},
	} {
		c.s.config.Token = "s3cret"
		path := "/api/input"
		if c.do[0] == '{' {
			path = "/api/match"
		}
		called := false
		c.s.config.Input = func(_ context.Context, _ engine.Input) engine.Receipt { called = true; return engine.Receipt{} }
		c.s.config.Order = func(_ context.Context, _ engine.Order) engine.Receipt { called = true; return engine.Receipt{} }
		w := post(path, c.do).as(holder).send(c.s)
		if called != c.want || (w.Code == http.StatusForbidden) == c.want {
			t.Errorf("%s: %d, done %t, want %t", c.do, w.Code, called, c.want)
		}
	}
}

// TestPromptWidensASeat checks what a seat's code may do beyond its own seat when
// a prompt asks for it: look into a place that its seat chooses from, and give
// what the table itself is asked for.
func TestPromptWidensASeat(t *testing.T) {
	red := core.Rights{Play: true, Seat: "red"}
	v := engine.View{Prompts: []engine.Prompt{
		{Seat: "blue", Options: []engine.Answer{{Input: "blue tap", Zone: "green/hand"}}},
		{Seat: "red", Options: []engine.Answer{{Input: "red tap", Zone: "blue/hand"}}},
		{Seat: engine.Table, Options: []engine.Answer{{Input: "table choose end"}, {Input: "table tap", Zone: "row"}}},
	}}
	for place, want := range map[string]bool{"red/hand": true, "blue/hand": true, "green/hand": false, "deck": true,
		"blue/deck": false} {
		if got := red.SeesPile(v, place); got != want {
			t.Errorf("red sees %s: %t", place, got)
		}
	}
	for line, want := range map[string]bool{"table choose end": false, "table tap fox.1": false, "table key yes": true,
		"table choose new": true, "table roll 6": true, "table undo": false, "table set round 2": false} {
		in, err := engine.ParseInput(line)
		if err != nil {
			t.Fatal(err)
		}
		if got := core.AnswersOther(v, "red", in); got != want {
			t.Errorf("%s answers for blue: %t", line, got)
		}
	}
}
