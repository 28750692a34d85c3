package web

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"tableside/engine"
)

// ask sends one request as a peer would and returns status and body.
type ask struct {
	method, path, body string
	kind               string // Content-Type
	peer               string // address; loopback where empty
	host               string
	header             map[string]string
}

func (a ask) of(s *Server) *httptest.ResponseRecorder {
	r := httptest.NewRequest(a.method, a.path, strings.NewReader(a.body))
	r.RemoteAddr, r.Host = "127.0.0.1:40000", "127.0.0.1:8080"
	if a.peer != "" {
		r.RemoteAddr = a.peer
	}
	if a.host != "" {
		r.Host = a.host
	}
	if a.kind != "" {
		r.Header.Set("Content-Type", a.kind)
	}
	for name, value := range a.header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

func served(t *testing.T) (*table, *Server) {
	tb := newTable(t).begin()
	config := tb.config()
	config.Token, config.Hosts = "s3cret", []string{"table.example"}
	return tb, tb.show(New(config))
}

const far = "192.168.1.7:5000"

func TestStatuses(t *testing.T) {
	deep := strings.Repeat(`{"setup":`, 20000)
	for _, c := range []struct {
		name   string
		ask    ask
		status int
		holds  string
	}{
		{"page", ask{method: "GET", path: "/"}, 200, "<!doctype html>"},
		{"overlay", ask{method: "GET", path: "/overlay?lang=fr&x=<script>"}, 200, "overlay.js"},
		{"asset", ask{method: "GET", path: "/assets/table.css"}, 200, "scoreboard"},
		{"asset in a folder", ask{method: "GET", path: "/assets/parts/bar.js"}, 200, "export function bar"},
		{"no folder", ask{method: "GET", path: "/assets/parts"}, 404, "nothing is at"},
		{"no html asset", ask{method: "GET", path: "/assets/table.html"}, 404, "nothing is at"},
		{"no such asset", ask{method: "GET", path: "/assets/..%2fweb.go"}, 404, "nothing is at"},
		{"no such page", ask{method: "GET", path: "/nowhere"}, 404, `{"error":`},
		{"wrong method", ask{method: "PUT", path: "/api/input"}, 405, "takes POST"},
		{"view", ask{method: "GET", path: "/api/view?lang=fr"}, 200, "L'Anneau"},
		{"schema", ask{method: "GET", path: "/api/schema"}, 200, "2020-12"},
		{"games", ask{method: "GET", path: "/api/games?lang=fr"}, 200, `"title":"courte"`},
		{"games in the table's language", ask{method: "GET", path: "/api/games"}, 200, `"title":"short"`},
		{"cards", ask{method: "GET", path: "/api/cards?game=ring/test&lang=fr"}, 200, `[{"card":"fox","name":"Renard","copies":4}`},
		{"cards in the table's language", ask{method: "GET", path: "/api/cards?game=ring/test"}, 200, `"name":"Fox"`},
		{"cards of no game", ask{method: "GET", path: "/api/cards?game=../x"}, 200, `[]`},
		{"cards that cannot be read", ask{method: "GET", path: "/api/cards?game=ring/torn"}, 500, "cards cannot be listed: torn"},
		{"matches", ask{method: "GET", path: "/api/matches"}, 200, `"finished"`},
		{"journal", ask{method: "GET", path: "/api/journal"}, 200, "tableside-journal 1"},
		{"no such journal", ask{method: "GET", path: "/api/journal?match=../../etc/passwd"}, 404, "no such match"},
		{"piles", ask{method: "GET", path: "/api/piles"}, 200, `"red/hand"`},
		{"panel", ask{method: "GET", path: "/panel.png"}, 200, "PNG"},
		{"dark strip", ask{method: "GET", path: "/lights.png"}, 404, "nothing is shown"},
		{"nobody can join", ask{method: "GET", path: "/join.png"}, 404, "this machine only"},
		{"health", ask{method: "GET", path: "/healthz"}, 200, `"status":"ok"`},
		{"metrics", ask{method: "GET", path: "/metrics"}, 200, "tableside_inputs_total 1"},

		{"input", ask{method: "POST", path: "/api/input", body: "red tap fox.1\n", kind: "text/plain"}, 200, `"seq":1`},
		{"input as curl sends it", ask{method: "POST", path: "/api/input", body: "red tap fox.1", kind: "application/x-www-form-urlencoded"}, 200, `"seq":1`},
		{"input with a time", ask{method: "POST", path: "/api/input", body: "12.5s red tap fox.1"}, 200, `"seq":1`},
		{"input as JSON", ask{method: "POST", path: "/api/input", body: `{"input":"red tap fox.1"}`, kind: "application/json; charset=utf-8"}, 200, `"accepted"`},
		{"refused", ask{method: "POST", path: "/api/input", body: "blue tap fox.3"}, 409, `"text":"It is Alice's turn"`},
		{"refused in French", ask{method: "POST", path: "/api/input?lang=fr", body: "blue tap fox.3"}, 409, `"text":"C'est au tour d'Alice"`},
		{"refused with its reason", ask{method: "POST", path: "/api/input", body: "blue tap fox.3"}, 409, `"reason":{"key":"refusal.not-your-turn"`},
		{"no such seat", ask{method: "POST", path: "/api/input", body: "pink tap fox.3"}, 409, "pink"},
		{"malformed", ask{method: "POST", path: "/api/input", body: "red dance"}, 400, `"outcome":"malformed"`},
		{"nothing", ask{method: "POST", path: "/api/input"}, 400, "malformed"},
		{"binary", ask{method: "POST", path: "/api/input", body: "\x00\xff\xfe red"}, 400, "malformed"},
		{"long line", ask{method: "POST", path: "/api/input", body: "red tap " + strings.Repeat("a", 5000)}, 400, "longer than"},
		{"huge", ask{method: "POST", path: "/api/input", body: strings.Repeat("a", maxBody+1)}, 413, "longer than"},
		{"huge JSON", ask{method: "POST", path: "/api/match", body: `{"do":"` + strings.Repeat("a", maxBody) + `"}`, kind: "application/json"}, 413, "longer than"},
		{"two values", ask{method: "POST", path: "/api/input", body: `{"input":"red undo"}{}`, kind: "application/json"}, 400, "follows"},
		{"unknown field", ask{method: "POST", path: "/api/input", body: `{"inptu":"red undo"}`, kind: "application/json"}, 400, "inptu"},
		{"list", ask{method: "POST", path: "/api/input", body: `[1]`, kind: "application/json"}, 400, "JSON"},
		{"deep", ask{method: "POST", path: "/api/match", body: deep[:maxBody], kind: "application/json"}, 400, "JSON"},

		{"abandon", ask{method: "POST", path: "/api/match", body: `{"do":"abandon"}`, kind: "application/json"}, 200, "accepted"},
		{"begin what cannot be", ask{method: "POST", path: "/api/match", body: `{"do":"begin","setup":{"game":"ring/test","seats":[{"seat":"red"}]}}`, kind: "application/json"}, 409, "2 to 4 seats"},
		{"no such order", ask{method: "POST", path: "/api/match", body: `{"do":"cheat"}`, kind: "application/json"}, 400, "one of begin"},

		{"tap", ask{method: "POST", path: "/api/tap", body: `{"place":"red","tag":"fox.1"}`, kind: "application/json"}, 202, "{}"},
		{"tap by form", ask{method: "POST", path: "/api/tap", body: `place=red&tag=fox.1`, kind: "application/x-www-form-urlencoded"}, 202, "{}"},
		{"tap nowhere", ask{method: "POST", path: "/api/tap", body: `{"place":"nowhere","tag":"fox.1"}`, kind: "application/json"}, 404, "not at this table"},
		{"tap nothing", ask{method: "POST", path: "/api/tap", body: `{"place":"red"}`, kind: "application/json"}, 400, `\"tag\"`},
		{"pick", ask{method: "POST", path: "/api/pick", body: "place=red/hand&card=owl.1", kind: "application/x-www-form-urlencoded"}, 202, "{}"},
		{"pick what is not there", ask{method: "POST", path: "/api/pick", body: `{"place":"red/hand","card":"owl.3"}`, kind: "application/json"}, 404, "not at this table"},
		{"tap too much", ask{method: "POST", path: "/api/tap", body: `{"place":"red","tag":"` + strings.Repeat("x", 300) + `"}`, kind: "application/json"}, 400, "at most 200"},
		{"late lift", ask{method: "POST", path: "/api/lift", body: `{"place":"red","tag":"owl.1"}`, kind: "application/json"}, 202, "{}"},
		{"lift nowhere", ask{method: "POST", path: "/api/lift", body: `{"place":"nowhere","tag":"fox.1"}`, kind: "application/json"}, 404, "not at this table"},
		{"lift", ask{method: "POST", path: "/api/lift", body: `{"place":"red","tag":"fox.1"}`, kind: "application/json"}, 202, "{}"},
		{"press", ask{method: "POST", path: "/api/press", body: `{"seat":"red","key":"next"}`, kind: "application/json"}, 202, "{}"},
		{"press nothing there", ask{method: "POST", path: "/api/press", body: `{"seat":"red","key":"any\nkey"}`, kind: "application/json"}, 404, "there is no key any?key"},

		{"reading from afar", ask{method: "GET", path: "/api/view", peer: far, host: "anything.example"}, 200, "Ring"},
		{"writing from afar", ask{method: "POST", path: "/api/input", body: "red undo", peer: far}, 401, "token"},
		{"writing through a proxy", ask{method: "POST", path: "/api/input", body: "red undo", header: map[string]string{"X-Forwarded-For": "10.0.0.9"}}, 401, "token"},
		{"writing with the token", ask{method: "POST", path: "/api/input", body: "red tap fox.1", peer: far, header: map[string]string{"Authorization": "Bearer s3cret"}}, 200, "accepted"},
		{"writing with a guess", ask{method: "POST", path: "/api/input", body: "red tap fox.1", peer: far, header: map[string]string{"Authorization": "Bearer s3cre"}}, 401, "token"},
		{"writing with the cookie", ask{method: "POST", path: "/api/input", body: "red tap fox.1", peer: far, header: map[string]string{"Cookie": "tableside=s3cret"}}, 200, "accepted"},
		{"hidden cards from afar", ask{method: "GET", path: "/api/piles", peer: far}, 401, "token"},
		{"the token from afar", ask{method: "GET", path: "/join.png", peer: far}, 401, "token"},
		{"the token on the glass from afar", ask{method: "GET", path: "/panel.png", peer: far}, 401, "token"},
		{"the glass with the token", ask{method: "GET", path: "/panel.png", peer: far, header: map[string]string{"Cookie": "tableside=s3cret"}}, 200, "PNG"},
		{"the lights from afar", ask{method: "GET", path: "/lights.png", peer: far}, 404, "nothing is shown yet"},

		{"another site", ask{method: "POST", path: "/api/input", body: "red undo", header: map[string]string{"Sec-Fetch-Site": "cross-site"}}, 403, "another site"},
		{"another site with the token", ask{method: "POST", path: "/api/input", body: "red undo", peer: far, header: map[string]string{"Origin": "https://evil.example", "Authorization": "Bearer s3cret"}}, 403, "another site"},
		{"another site wants the hands", ask{method: "GET", path: "/api/piles", header: map[string]string{"Sec-Fetch-Site": "cross-site"}}, 403, "another site"},
		{"another port of this machine", ask{method: "POST", path: "/api/input", body: "red undo", header: map[string]string{"Origin": "http://127.0.0.1:9999"}}, 403, "another site"},
		{"this site", ask{method: "POST", path: "/api/input", body: "red tap fox.1", header: map[string]string{"Origin": "http://127.0.0.1:8080", "Sec-Fetch-Site": "same-origin"}}, 200, "accepted"},
		{"a stranger's name for this machine", ask{method: "GET", path: "/api/piles", host: "evil.example:8080"}, 403, "does not answer to the name evil.example"},
		{"a stranger's name that plays a proxy", ask{method: "GET", path: "/api/view", host: "evil.example:8080", header: map[string]string{"X-Forwarded-For": "192.0.2.1"}}, 403, "does not answer to the name evil.example"},
		{"no name", ask{method: "GET", path: "/", host: "[::]"}, 403, "name"},
		{"names of this machine", ask{method: "GET", path: "/api/piles", host: "localhost:8080"}, 200, "hand"},
		{"its own name", ask{method: "GET", path: "/api/piles", host: "raspberrypi:8080"}, 200, "hand"},
		{"six", ask{method: "GET", path: "/api/piles", host: "[::1]:8080", peer: "[::1]:999"}, 200, "hand"},
		{"a configured name reads", ask{method: "GET", path: "/api/view", host: "Table.example."}, 200, "schema"},
		{"a configured name needs the token", ask{method: "GET", path: "/api/piles", host: "Table.example."}, 401, "needs the token"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, s := served(t)
			w := c.ask.of(s)
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.holds) {
				t.Errorf("%s %s: %d, want %d with %q:\n%.300s", c.ask.method, c.ask.path, w.Code, c.status, c.holds, w.Body)
			}
			if w.Code >= 400 && (strings.Count(w.Body.String(), "\n") != 1 || !json.Valid(w.Body.Bytes())) {
				t.Errorf("an error is one line of JSON, not %q", w.Body)
			}
			if w.Header().Get("X-Content-Type-Options") != "nosniff" && w.Code != 301 {
				t.Error("nosniff is missing")
			}
		})
	}
}

func TestTokenIsLeftBehindAtTheDoor(t *testing.T) {
	_, s := served(t)
	w := ask{method: "GET", path: "/?token=s3cret&lang=fr", peer: far}.of(s)
	cookies := w.Result().Cookies()
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/?lang=fr" {
		t.Errorf("%d to %q", w.Code, w.Header().Get("Location"))
	}
	if len(cookies) != 1 || cookies[0].Value != "s3cret" || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode {
		t.Errorf("cookies %v", cookies)
	}
	if w = (ask{method: "GET", path: "/?token=wrong", peer: far}).of(s); w.Code != http.StatusSeeOther || len(w.Result().Cookies()) != 0 {
		t.Errorf("a wrong token sets %v", w.Result().Cookies())
	}
	s.config.Token = ""
	if w = (ask{method: "GET", path: "/?token=", peer: far}).of(s); len(w.Result().Cookies()) != 0 {
		t.Error("an empty token is none")
	}
	if w = (ask{method: "POST", path: "/api/input", body: "red undo", peer: far, header: map[string]string{"Authorization": "Bearer "}}).of(s); w.Code != http.StatusForbidden {
		t.Errorf("without a token nobody writes from afar, not %d", w.Code)
	}
}

func TestAddressIsForThoseWhoWrite(t *testing.T) {
	s := exampleServer(exampleFrame(2))
	s.config.Token = "correct-horse"
	for _, peer := range []string{far, ""} {
		got := firstMessage(t, s, ask{method: "GET", path: "/api/live", peer: peer})
		if holds := strings.Contains(got, "correct-horse"); holds != (peer == "") {
			t.Errorf("peer %q learns the token: %v", peer, holds)
		}
	}
	if w := (ask{method: "GET", path: "/join.png"}).of(s); w.Code != 200 || !bytes.HasPrefix(w.Body.Bytes(), []byte("\x89PNG")) {
		t.Errorf("join: %d", w.Code)
	}
}

func TestGlassIsForThoseWhoWriteWhereItShowsTheToken(t *testing.T) {
	tb := newTable(t).begin()
	config := tb.config()
	for _, c := range []struct {
		token  string
		writes bool
		want   string
	}{{"", false, "lights panel"}, {"s3cret", true, "lights panel"}, {"s3cret", false, "lights"}} {
		config.Token = c.token
		if got := strings.Join(New(config).pictures(c.writes), " "); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestHiddenCardsAreInNoFrame(t *testing.T) {
	tb, s := served(t)
	live := firstMessage(t, s, ask{method: "GET", path: "/api/live"})
	for _, p := range tb.dealer.Piles() {
		for _, card := range p.Cards {
			if strings.Contains(live, card) {
				t.Fatalf("the live stream names %s of %s", card, p.Place)
			}
		}
	}
}

func TestWithoutHardware(t *testing.T) {
	s := New(Config{Games: func() []engine.Info { return nil }})
	for path, status := range map[string]int{"/api/view": 503, "/healthz": 503, "/api/piles": 404, "/panel.png": 404, "/api/matches": 200, "/api/journal": 404, "/metrics": 200, "/api/games": 200} {
		if w := (ask{method: "GET", path: path}).of(s); w.Code != status {
			t.Errorf("%s: %d, want %d", path, w.Code, status)
		}
	}
	if w := (ask{method: "POST", path: "/api/tap", body: "place=red&tag=x", kind: "application/x-www-form-urlencoded"}).of(s); w.Code != 404 {
		t.Errorf("tap: %d", w.Code)
	}
}

func TestViewsKeepTheSchema(t *testing.T) {
	schema := compiled(t)
	tb, s := served(t)
	check := func(name string, s *Server, path string) {
		t.Helper()
		w := ask{method: "GET", path: path}.of(s)
		doc, err := jsonschema.UnmarshalJSON(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	check("begun", s, "/api/view")
	check("French", s, "/api/view?lang=fr")
	tb.input(t.Context(), engine.Input{Seat: "red", Verb: engine.Tap, Args: []string{"fox.1"}})
	check("played", s, "/api/view")
	check("example of two", exampleServer(exampleFrame(2)), "/api/view")
	check("example of four", exampleServer(exampleFrame(4)), "/api/view?lang=fr")
	check("won", exampleServer(won()), "/api/view")
	dice := exampleFrame(2)
	dice.View.Dice = []engine.Die{{ID: "red-1", Seat: "red", Kind: "kot", Face: "growth-2", State: "kept"}, {ID: "red-2", Seat: "red", Kind: "kot"}}
	dice.View.Prompts[0].Roll = &engine.RollRequest{Kind: "kot", N: 2, Faces: []string{"growth-1", "energy-1"}}
	check("dice", exampleServer(dice), "/api/view")
}

func TestSchemaIsStrict(t *testing.T) {
	schema := compiled(t)
	data, err := json.Marshal(exampleFrame(2).View)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(v map[string]any){
		"another version": func(v map[string]any) { v["schema"] = 2 },
		"a new field":     func(v map[string]any) { v["colour"] = "red" },
		"a field too few": func(v map[string]any) { delete(v, "prompts") },
		"no list":         func(v map[string]any) { v["tracks"].([]any)[0].(map[string]any)["areas"] = nil },
		"a named back": func(v map[string]any) {
			v["zones"] = map[string]any{"row": []any{map[string]any{"card": nil, "copy": json.Number("2")}}}
		},
		"a counter of words": func(v map[string]any) { v["counters"] = map[string]any{"energy": "many"} },
		"a bad colour":       func(v map[string]any) { v["seats"].([]any)[0].(map[string]any)["colour"] = "red" },
	} {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		change(doc.(map[string]any))
		if schema.Validate(doc) == nil {
			t.Errorf("%s passes", name)
		}
	}
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("view.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("view.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// FuzzInput: whatever is sent, the answer is one line of JSON, no panic, and
// a refused or malformed input changes nothing.
func FuzzInput(f *testing.F) {
	for _, seed := range []string{"red tap fox.1", "1s red key yes", `red set name "Zoé"`, "red undo", `{"input":"red redo"}`, "\x00", "red roll a a a", strings.Repeat("red ", 2000), `{"input":"red tap \ud800"}`} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, body string, asJSON bool) {
		tb := newTable(t).begin()
		s := tb.show(New(tb.config()))
		kind := "text/plain"
		if asJSON {
			kind = "application/json"
		}
		w := ask{method: "POST", path: "/api/input", body: body, kind: kind}.of(s)
		switch w.Code {
		case 200:
			if tb.match.Seq() != 1 {
				t.Errorf("accepted, seq %d", tb.match.Seq())
			}
		case 400, 409, 413:
			if tb.match.Seq() != 0 {
				t.Errorf("%d, but seq %d", w.Code, tb.match.Seq())
			}
		default:
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
		data, _ := io.ReadAll(w.Body)
		if !json.Valid(data) || bytes.Count(data, []byte("\n")) != 1 {
			t.Errorf("not one line of JSON: %q", data)
		}
	})
}

// A help explains values by the titles that stand on the form, and nothing
// else is taken for a value.
func TestHelpSpeaksOfTitles(t *testing.T) {
	values := []value{{"turn", "$1 turn"}, {"action", "Action"}}
	got := titled("what follows a turn. turn: at once; action\u00a0: two; inaction: none; last turn: no", values)
	if want := "what follows a turn. $1 turn: at once; Action\u00a0: two; inaction: none; last turn: no"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	info := engine.Info{Options: []engine.Option{{Name: "length", Values: []string{"short"}}},
		Words: engine.MustWords("helped", "[option.length.help]\nen = short: a few rounds\nfr = short : peu de manches\n[option.length.short]\nen = Short\nfr = Courte\n")}
	if got := describe(info, engine.French).Options[0].Help; got != "Courte\u00a0: peu de manches" {
		t.Error(got)
	}
}
