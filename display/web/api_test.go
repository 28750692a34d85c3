package web

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"tableside/display/web/core"
	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/genegrafter"
	"tableside/engine/mindbug"
	"tableside/engine/mutants"
	"tableside/engine/tally"
)

// request describes one HTTP request.
type request struct {
	method, path, body string
	kind               string // Content-Type
	peer               string // address; loopback if empty
	host               string
	header             map[string]string
}

func (a request) send(s *Server) *httptest.ResponseRecorder {
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
	return tb, tb.show(newServer(config))
}

const remotePeer = "192.168.1.7:5000"

func TestStatuses(t *testing.T) {
	deep := strings.Repeat(`{"setup":`, 20000)
	machine := newServer(Config{}).Machine
	for _, c := range []struct {
		name   string
		ask    request
		status int
		holds  string
	}{
		{"page", request{method: "GET", path: "/"}, 200, "<!doctype html>"},
		{"overlay", request{method: "GET", path: "/overlay?lang=fr&x=<script>"}, 200, "overlay.js"},
		{"asset", request{method: "GET", path: "/assets/table.css"}, 200, ".tile.on"},
		{"asset in a folder", request{method: "GET", path: "/assets/parts/bar.js"}, 200, "function bar("},
		{"no folder", request{method: "GET", path: "/assets/parts"}, 404, "nothing is at"},
		{"no html asset", request{method: "GET", path: "/assets/table.html"}, 404, "nothing is at"},
		{"no such asset", request{method: "GET", path: "/assets/..%2fweb.go"}, 404, "nothing is at"},
		{"no such page", request{method: "GET", path: "/nowhere"}, 404, `{"error":`},
		{"wrong method", request{method: "PUT", path: "/api/input"}, 405, "takes POST"},
		{"view", request{method: "GET", path: "/api/view?lang=fr"}, 200, "L'Anneau"},
		{"schema", request{method: "GET", path: "/api/schema"}, 200, "2020-12"},
		{"games", request{method: "GET", path: "/api/games?lang=fr"}, 200, `"title":"courte"`},
		{"games in the table's language", request{method: "GET", path: "/api/games"}, 200, `"title":"short"`},
		{"cards", request{method: "GET", path: "/api/cards?game=ring/test&lang=fr"}, 200,
			`[{"card":"fox","name":"Renard","copies":4}`},
		{"cards in the table's language", request{method: "GET", path: "/api/cards?game=ring/test"}, 200, `"name":"Fox"`},
		{"cards of no game", request{method: "GET", path: "/api/cards?game=../x"}, 200, `[]`},
		{"cards that cannot be read", request{method: "GET", path: "/api/cards?game=ring/torn"}, 500,
			"cards cannot be listed: torn"},
		{"matches", request{method: "GET", path: "/api/matches"}, 200, `"finished"`},
		{"journal", request{method: "GET", path: "/api/journal"}, 200, "tableside-journal 1"},
		{"no such journal", request{method: "GET", path: "/api/journal?match=../../etc/passwd"}, 404, "no such match"},
		{"piles", request{method: "GET", path: "/api/piles"}, 200, `"red/hand"`},
		{"panel", request{method: "GET", path: "/panel.png"}, 200, "PNG"},
		{"dark strip", request{method: "GET", path: "/lights.png"}, 404, "nothing is shown"},
		{"nobody can join", request{method: "GET", path: "/join.png"}, 404, "this machine only"},
		{"health", request{method: "GET", path: "/healthz"}, 200, `"status":"ok"`},
		{"metrics", request{method: "GET", path: "/metrics"}, 200, "tableside_inputs_total 1"},

		{"input", request{method: "POST", path: "/api/input", body: "red tap fox.1\n", kind: "text/plain"}, 200, `"seq":1`},
		{"input as curl sends it", request{method: "POST", path: "/api/input", body: "red tap fox.1",
			kind: "application/x-www-form-urlencoded"}, 200, `"seq":1`},
		{"input with a time", request{method: "POST", path: "/api/input", body: "12.5s red tap fox.1"}, 200, `"seq":1`},
		{"input as JSON", request{method: "POST", path: "/api/input", body: `{"input":"red tap fox.1"}`,
			kind: "application/json; charset=utf-8"}, 200, `"accepted"`},
		{"refused", request{method: "POST", path: "/api/input", body: "blue tap fox.3"}, 409, `"text":"It is Alice's turn"`},
		{"refused in French", request{method: "POST", path: "/api/input?lang=fr", body: "blue tap fox.3"}, 409,
			`"text":"C'est au tour d'Alice"`},
		{"refused with its reason", request{method: "POST", path: "/api/input", body: "blue tap fox.3"}, 409,
			`"reason":{"key":"refusal.not-your-turn"`},
		{"no such seat", request{method: "POST", path: "/api/input", body: "pink tap fox.3"}, 409, "pink"},
		{"malformed", request{method: "POST", path: "/api/input", body: "red dance"}, 400, `"outcome":"malformed"`},
		{"nothing", request{method: "POST", path: "/api/input"}, 400, "malformed"},
		{"binary", request{method: "POST", path: "/api/input", body: "\x00\xff\xfe red"}, 400, "malformed"},
		{"long line", request{method: "POST", path: "/api/input", body: "red tap " + strings.Repeat("a", 5000)}, 400,
			"longer than"},
		{"huge", request{method: "POST", path: "/api/input", body: strings.Repeat("a", core.MaxBody+1)}, 413, "longer than"},
		{"huge JSON", request{method: "POST", path: "/api/match", body: `{"do":"` + strings.Repeat("a", core.MaxBody) + `"}`,
			kind: "application/json"}, 413, "longer than"},
		{"two values", request{method: "POST", path: "/api/input", body: `{"input":"red undo"}{}`, kind: "application/json"},
			400, "follows"},
		{"unknown field", request{method: "POST", path: "/api/input", body: `{"inptu":"red undo"}`, kind: "application/json"},
			400, "inptu"},
		{"list", request{method: "POST", path: "/api/input", body: `[1]`, kind: "application/json"}, 400,
			"the JSON must be an object, as {…}"},
		{"deep", request{method: "POST", path: "/api/match", body: deep[:core.MaxBody], kind: "application/json"}, 400, "JSON"},

		{"abandon", request{method: "POST", path: "/api/match", body: `{"do":"abandon"}`, kind: "application/json"}, 200,
			"accepted"},
		{"begin what cannot be", request{method: "POST", path: "/api/match",
			body: `{"do":"begin","setup":{"game":"ring/test","seats":[{"seat":"red"}]}}`, kind: "application/json"}, 409,
			"2 to 4 seats"},
		{"a number for an option", request{method: "POST", path: "/api/match",
			body: `{"do":"begin","setup":{"options":{"target":20}}}`, kind: "application/json"}, 400,
			`\"setup.options\" must be text in quotes (byte 45)`},
		{"seats without objects", request{method: "POST", path: "/api/match",
			body: `{"do":"begin","setup":{"seats":["red","blue"]}}`, kind: "application/json"}, 400,
			`\"setup.seats\" must be an object, as {\"seat\":\"red\",\"name\":\"Alice\"} (byte 37)`},
		{"no such order", request{method: "POST", path: "/api/match", body: `{"do":"cheat"}`, kind: "application/json"}, 400,
			"one of begin"},

		{"tap", request{method: "POST", path: "/api/tap", body: `{"place":"red","tag":"fox.1"}`, kind: "application/json"},
			202, "{}"},
		{"tap by form", request{method: "POST", path: "/api/tap", body: `place=red&tag=fox.1`,
			kind: "application/x-www-form-urlencoded"}, 202, "{}"},
		{"tap nowhere", request{method: "POST", path: "/api/tap", body: `{"place":"nowhere","tag":"fox.1"}`,
			kind: "application/json"}, 404, "not at this table"},
		{"tap nothing", request{method: "POST", path: "/api/tap", body: `{"place":"red"}`, kind: "application/json"}, 400,
			`\"tag\"`},
		{"tap in JSON that says it is a form", request{method: "POST", path: "/api/tap", body: `{"place":"red","tag":"fox.1"}`,
			kind: "application/x-www-form-urlencoded"}, 400, "Content-Type: application/json"},
		{"pick", request{method: "POST", path: "/api/pick", body: "place=red/hand&card=owl.1",
			kind: "application/x-www-form-urlencoded"}, 202, "{}"},
		{"pick what is not there", request{method: "POST", path: "/api/pick", body: `{"place":"red/hand","card":"owl.3"}`,
			kind: "application/json"}, 404, "not at this table"},
		{"tap too much", request{method: "POST", path: "/api/tap",
			body: `{"place":"red","tag":"` + strings.Repeat("x", 300) + `"}`, kind: "application/json"}, 400, "at most 200"},
		{"late lift", request{method: "POST", path: "/api/lift", body: `{"place":"red","tag":"owl.1"}`,
			kind: "application/json"}, 202, "{}"},
		{"lift nowhere", request{method: "POST", path: "/api/lift", body: `{"place":"nowhere","tag":"fox.1"}`,
			kind: "application/json"}, 404, "not at this table"},
		{"lift", request{method: "POST", path: "/api/lift", body: `{"place":"red","tag":"fox.1"}`, kind: "application/json"},
			202, "{}"},
		{"press", request{method: "POST", path: "/api/press", body: `{"seat":"red","key":"next"}`, kind: "application/json"},
			202, "{}"},
		{"press nothing there", request{method: "POST", path: "/api/press", body: `{"seat":"red","key":"any\nkey"}`,
			kind: "application/json"}, 404, "there is no key any?key"},

		{"an empty header of a proxy", request{method: "GET", path: "/api/piles",
			header: map[string]string{"X-Forwarded-For": ""}}, 401, "token"},
		{"reading from afar", request{method: "GET", path: "/api/view", peer: remotePeer, host: "anything.example"}, 200,
			"Ring"},
		{"writing from afar", request{method: "POST", path: "/api/input", body: "red undo", peer: remotePeer}, 401, "token"},
		{"writing through a proxy", request{method: "POST", path: "/api/input", body: "red undo",
			header: map[string]string{"X-Forwarded-For": "10.0.0.9"}}, 401, "token"},
		{"writing with the token", request{method: "POST", path: "/api/input", body: "red tap fox.1", peer: remotePeer,
			header: map[string]string{"Authorization": "Bearer s3cret"}}, 200, "accepted"},
		{"writing with a guess", request{method: "POST", path: "/api/input", body: "red tap fox.1", peer: remotePeer,
			header: map[string]string{"Authorization": "Bearer s3cre"}}, 401, "token"},
		{"writing with the cookie", request{method: "POST", path: "/api/input", body: "red tap fox.1", peer: remotePeer,
			header: map[string]string{"Cookie": "tableside=s3cret"}}, 200, "accepted"},
		{"hidden cards from afar", request{method: "GET", path: "/api/piles", peer: remotePeer}, 401, "token"},
		{"the token from afar", request{method: "GET", path: "/join.png", peer: remotePeer}, 401, "token"},
		{"the token on the glass from afar", request{method: "GET", path: "/panel.png", peer: remotePeer}, 401, "token"},
		{"the glass with the token", request{method: "GET", path: "/panel.png", peer: remotePeer,
			header: map[string]string{"Cookie": "tableside=s3cret"}}, 200, "PNG"},
		{"the lights from afar", request{method: "GET", path: "/lights.png", peer: remotePeer}, 404, "nothing is shown yet"},

		{"another site", request{method: "POST", path: "/api/input", body: "red undo",
			header: map[string]string{"Sec-Fetch-Site": "cross-site"}}, 403, "another site"},
		{"another site with the token", request{method: "POST", path: "/api/input", body: "red undo", peer: remotePeer,
			header: map[string]string{"Origin": "https://evil.example", "Authorization": "Bearer s3cret"}}, 403, "another site"},
		{"another site wants the hands", request{method: "GET", path: "/api/piles",
			header: map[string]string{"Sec-Fetch-Site": "cross-site"}}, 403, "another site"},
		{"another port of this machine", request{method: "POST", path: "/api/input", body: "red undo",
			header: map[string]string{"Origin": "http://127.0.0.1:9999"}}, 403, "another site"},
		{"this site", request{method: "POST", path: "/api/input", body: "red tap fox.1",
			header: map[string]string{"Origin": "http://127.0.0.1:8080", "Sec-Fetch-Site": "same-origin"}}, 200, "accepted"},
		{"a stranger's name for this machine", request{method: "GET", path: "/api/piles", host: "evil.example:8080"}, 403,
			"does not answer to the name evil.example"},
		{"a stranger's name that plays a proxy", request{method: "GET", path: "/api/view", host: "evil.example:8080",
			header: map[string]string{"X-Forwarded-For": "192.0.2.1"}}, 403, "does not answer to the name evil.example"},
		{"no name", request{method: "GET", path: "/", host: "[::]"}, 403, "name"},
		{"names of this machine", request{method: "GET", path: "/api/piles", host: "localhost:8080"}, 200, "hand"},
		{"its own name", request{method: "GET", path: "/api/piles", host: machine + ":8080"}, 200, "hand"},
		{"a name without a dot", request{method: "GET", path: "/api/piles", host: "ai:8080"}, 403,
			"does not answer to the name ai"},
		{"six", request{method: "GET", path: "/api/piles", host: "[::1]:8080", peer: "[::1]:999"}, 200, "hand"},
		{"a configured name reads", request{method: "GET", path: "/api/view", host: "Table.example."}, 200, "schema"},
		{"a configured name needs the token", request{method: "GET", path: "/api/piles", host: "Table.example."}, 401,
			"needs the token"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, s := served(t)
			w := c.ask.send(s)
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.holds) {
				t.Errorf("%s %s: %d, want %d with %q:\n%.300s", c.ask.method, c.ask.path, w.Code, c.status, c.holds, w.Body)
			}
			if w.Code >= 400 && (strings.Count(w.Body.String(), "\n") != 1 || !json.Valid(w.Body.Bytes())) {
				t.Errorf("got error body %q, want one line of JSON", w.Body)
			}
			if w.Header().Get("X-Content-Type-Options") != "nosniff" && w.Code != 301 {
				t.Error("nosniff is missing")
			}
		})
	}
}

func TestTokenIsRemovedFromTheAddress(t *testing.T) {
	_, s := served(t)
	w := request{method: "GET", path: "/?token=s3cret&lang=fr", peer: remotePeer}.send(s)
	cookies := w.Result().Cookies()
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/?lang=fr" {
		t.Errorf("%d to %q", w.Code, w.Header().Get("Location"))
	}
	if len(cookies) != 1 || cookies[0].Value != "s3cret" || !cookies[0].HttpOnly ||
		cookies[0].SameSite != http.SameSiteStrictMode {
		t.Errorf("cookies %v", cookies)
	}
	if w = (request{method: "GET", path: "/?token=wrong", peer: remotePeer}).send(s); w.Code != http.StatusSeeOther ||
		len(w.Result().Cookies()) != 0 {
		t.Errorf("a wrong token sets %v", w.Result().Cookies())
	}
	s.config.Token = ""
	if w = (request{method: "GET", path: "/?token=", peer: remotePeer}).send(s); len(w.Result().Cookies()) != 0 {
		t.Error("an empty token sets a cookie")
	}
	if w = (request{method: "POST", path: "/api/input", body: "red undo", peer: remotePeer,
		header: map[string]string{"Authorization": "Bearer "}}).send(s); w.Code != http.StatusForbidden {
		t.Errorf("remote write to a table without a token: got %d, want %d", w.Code, http.StatusForbidden)
	}
}

func TestAddressNeedsWriteAccess(t *testing.T) {
	s := exampleServer(exampleFrame(2))
	s.config.Token = "correct-horse"
	for _, peer := range []string{remotePeer, ""} {
		got := firstMessage(t, s, request{method: "GET", path: "/api/live", peer: peer})
		if holds := strings.Contains(got, "correct-horse"); holds != (peer == "") {
			t.Errorf("peer %q gets the token: %v, want %v", peer, holds, peer == "")
		}
	}
	if w := (request{method: "GET", path: "/join.png"}).send(s); w.Code != 200 ||
		!bytes.HasPrefix(w.Body.Bytes(), []byte("\x89PNG")) {
		t.Errorf("join: %d", w.Code)
	}
}

func TestPanelWithTokenNeedsWriteAccess(t *testing.T) {
	tb := newTable(t).begin()
	config := tb.config()
	for _, c := range []struct {
		token string
		has   core.Rights
		want  string
	}{
		{"", core.Rights{}, "lights panel"}, {"s3cret", core.Rights{Play: true}, "lights panel"}, {"s3cret", core.Rights{}, "lights"},
		{"s3cret", core.Rights{Play: true, Seat: "red"}, "lights"},
	} {
		config.Token = c.token
		if got := strings.Join(newServer(config).pictures(c.has), " "); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}

func TestHiddenCardsAreInNoFrame(t *testing.T) {
	tb, s := served(t)
	// Not asked for, and not allowed.
	for path, peer := range map[string]string{"/api/live": "", "/api/live?piles": remotePeer} {
		live := firstMessage(t, s, request{method: "GET", path: path, peer: peer})
		for _, p := range tb.dealer.Piles() {
			for _, card := range p.Cards {
				if strings.Contains(live, card) {
					t.Fatalf("%s for %q names %s of %s", path, peer, card, p.Place)
				}
			}
		}
	}
}

func TestWithoutHardware(t *testing.T) {
	s := newServer(Config{Games: func() []engine.Info { return nil }})
	for path, status := range map[string]int{"/api/view": 503, "/healthz": 503, "/api/piles": 404, "/panel.png": 404,
		"/api/matches": 200, "/api/journal": 404, "/metrics": 200, "/api/games": 200} {
		if w := (request{method: "GET", path: path}).send(s); w.Code != status {
			t.Errorf("%s: %d, want %d", path, w.Code, status)
		}
	}
	if w := (request{method: "POST", path: "/api/tap", body: "place=red&tag=x",
		kind: "application/x-www-form-urlencoded"}).send(s); w.Code != 404 {
		t.Errorf("tap: %d", w.Code)
	}
}

func TestViewsMatchTheSchema(t *testing.T) {
	schema := compiled(t)
	tb, s := served(t)
	check := func(name string, s *Server, path string) {
		t.Helper()
		w := request{method: "GET", path: path}.send(s)
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
	dice.View.Dice = []engine.Die{{ID: "red-1", Seat: "red", Kind: "kot", Face: "growth-2", State: "kept"},
		{ID: "red-2", Seat: "red", Kind: "kot"}}
	dice.View.Prompts[0].Roll = &engine.RollRequest{Kind: "kot", N: 2, Faces: []string{"growth-1", "energy-1"}}
	check("dice", exampleServer(dice), "/api/view")
	for _, game := range slices.Concat(mutants.Games(), mindbug.Games(), genegrafter.Games(), tally.Games()) {
		info := game.Info()
		match, err := engine.NewMatch(game, engine.Setup{Game: info.Name, Seats: enginetest.Seats(info.MaxSeats)})
		if err != nil {
			t.Fatal(err)
		}
		tb.match = match
		tb.frame(nil)
		for _, lang := range engine.Languages {
			check(info.Name, s, "/api/view?lang="+string(lang))
		}
	}
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

// FuzzInput checks that every body is answered with one line of JSON, without a
// panic, and that a refused or malformed input changes nothing.
func FuzzInput(f *testing.F) {
	for _, seed := range []string{"red tap fox.1", "1s red key yes", `red set name "Zoé"`, "red undo",
		`{"input":"red redo"}`, "\x00", "red roll a a a", strings.Repeat("red ", 2000), `{"input":"red tap \ud800"}`} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, body string, asJSON bool) {
		tb := newTable(t).begin()
		s := tb.show(newServer(tb.config()))
		kind := "text/plain"
		if asJSON {
			kind = "application/json"
		}
		w := request{method: "POST", path: "/api/input", body: body, kind: kind}.send(s)
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

// TestHelpUsesTitles checks that a help text names values by their titles on
// the form, and replaces nothing else.
func TestHelpUsesTitles(t *testing.T) {
	values := []core.Value{{Value: "turn", Title: "$1 turn"}, {Value: "action", Title: "Action"}}
	got := core.WithTitles("what follows a turn. turn: at once; action\u00a0: two; inaction: none; last turn: no", values)
	if want := "what follows a turn. $1 turn: at once; Action\u00a0: two; inaction: none; last turn: no"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	info := engine.Info{Options: []engine.Option{{Name: "length", Values: []string{"short"}}},
		Words: engine.MustWords("helped",
			"[option.length.help]\nen = short: a few rounds\nfr = short : peu de manches\n[option.length.short]\nen = "+
				"Short\nfr = Courte\n")}
	if got := core.Describe(info, engine.French).Options[0].Help; got != "Courte\u00a0: peu de manches" {
		t.Error(got)
	}
}
