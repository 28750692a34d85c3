package web

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"tableside/display/web/cards"
	"tableside/display/web/core"
	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/genegrafter"
	"tableside/engine/mindbug"
)

// A memoryFile is the owner's file of Genegrafter, in memory.
type memoryFile struct {
	sync.Mutex
	text string
}

func newCardFiles() *memoryFile {
	return &memoryFile{text: "# mine\ncard zorro kind character  # sure\ncard zorro en \"El Zorro\"\n"}
}

func (m *memoryFile) files() *cards.Files {
	return &cards.Files{
		Owners: func(game string) *cardfile.Owners {
			games := map[string][]engine.Game{"genegrafter": genegrafter.Games(), "mindbug": mindbug.Games()}[game]
			if games == nil {
				return nil
			}
			return games[0].(interface{ Owners() *cardfile.Owners }).Owners()
		},
		Text:     func(string) (string, error) { return m.text, nil },
		Workshop: func(string, string, engine.Lang) (cards.Workshop, error) { return cards.Workshop{}, nil },
		Versions: func(string, int) ([]cardfile.Version, error) { return nil, nil },
		Editions: func(string) []engine.Game { return genegrafter.Games() },
		Say:      func(_, _, card string, _ engine.Lang) (string, []string) { return card, nil },
		FromMatch: func(data []byte) (string, []string, error) {
			journal, err := engine.ParseJournal("", data)
			if err != nil {
				return "", nil, err
			}
			lines, err := journal.Definitions(genegrafter.Games()[0])
			return journal.Setup.Game, lines, err
		},
		Change: func(_ string, edit func(string) (string, error)) error {
			m.Lock()
			defer m.Unlock()
			after, err := edit(m.text)
			if err == nil {
				m.text = after
			}
			return err
		},
	}
}

func withFiles(t *testing.T) (*memoryFile, *Server) {
	tb, m := newTable(t), newCardFiles()
	config := tb.config()
	config.Files = m.files()
	return m, tb.show(newServer(config))
}

// TestCheckCards checks that all problems are told at once, where they are, in the
// language that was asked for.
func TestCheckCards(t *testing.T) {
	_, s := withFiles(t)
	text := "card é kind hero\ncard zorro kind hero\ncard zorro attack many\n" +
		"card wolf “kind” gear # a\ncard bear kind gear\n"
	body, _ := json.Marshal(map[string]string{"game": "genegrafter", "text": text})
	w := post("/api/cards/check?lang=fr", string(body)).send(s)
	var got struct{ Problems []cards.Problem }
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
		t.Fatal(w.Code, w.Body, err)
	}
	lines := strings.Split(text, "\n")
	var words []string
	for _, p := range got.Problems {
		line := []rune(lines[p.Line-1])
		words = append(words, string(line[p.Column-1:p.Column-1+p.Length]))
	}
	if said := strings.Join(words, " "); said != "é hero many wolf bear" {
		t.Errorf("got %q: %+v", said, got.Problems)
	}
	if p := got.Problems[1]; !strings.HasPrefix(p.Text, `"hero" n'est pas un genre de carte`) || p.Suggest != "character" {
		t.Errorf("got %+v", p)
	}
	for path, want := range map[string]int{"mutants": 404, "genegrafter": 413} {
		long := strings.Repeat(" ", map[string]int{"genegrafter": cardfile.MaxFile + 1}[path])
		body := `{"game":"` + path + `","text":"` + long + `"}`
		if w := post("/api/cards/check", body).send(s); w.Code != want {
			t.Errorf("%s: got %d %s", path, w.Code, w.Body)
		}
	}
}

// TestChecksAreBounded checks that a visitor who asks for many checks at once waits, and
// keeps nobody else from one.
func TestChecksAreBounded(t *testing.T) {
	_, s := withFiles(t)
	check := func(peer string) int {
		ask := post("/api/cards/check?lang=fr", `{"game":"genegrafter","text":""}`)
		ask.peer = peer
		return ask.send(s).Code
	}
	greedy, other := "192.168.1.20:4000", "192.168.1.21:4000"
	visitor := netip.MustParsePrefix("192.168.1.20/32")
	s.Checks.ByVisitor = map[netip.Prefix]int{visitor: core.MaxChecksPerVisitor}
	if got := [2]int{check(greedy), check(other)}; got != [2]int{http.StatusTooManyRequests, http.StatusOK} {
		t.Errorf("got %v", got)
	}
	s.Checks.Total = core.MaxChecks
	if got := check(other); got != http.StatusTooManyRequests {
		t.Errorf("got %d", got)
	}
	s.Checks.Total, s.Checks.ByVisitor = 0, nil
	s.FoldTurn.Lock() // a fold does not keep checks waiting
	defer s.FoldTurn.Unlock()
	if got := check(greedy); got != http.StatusOK || s.Checks.Total != 0 || len(s.Checks.ByVisitor) != 0 {
		t.Errorf("got %d, %+v", got, s.Checks.ByVisitor)
	}
}

// TestPutCard checks that a card is changed only as it was read, without faults,
// and that the rest of the file stays.
func TestPutCard(t *testing.T) {
	m, s := withFiles(t)
	path := "/api/cards/genegrafter/zorro"
	read := get(path).send(s)
	if got := read.Body.String(); got != `{"lines":["card zorro kind character","card zorro en \"El Zorro\""]}`+"\n" {
		t.Fatal(got)
	}
	put := func(tag, lines string) int {
		ask := request{method: "PUT", path: path, body: `{"lines":[` + lines + `]}`, kind: "application/json",
			header: map[string]string{"If-Match": tag}}
		return ask.send(s).Code
	}
	tag, before := read.Header().Get("ETag"), m.text
	whole := `"card zorro kind character","card zorro en Zorro","card zorro attack 2"`
	for _, test := range []struct {
		tag, lines string
		want       int
	}{
		{"", whole, http.StatusPreconditionFailed}, {`"old"`, whole, http.StatusPreconditionFailed},
		{tag, `"card zorro kind hero"`, http.StatusBadRequest}, {tag, `"card wolf kind gear"`, http.StatusBadRequest},
		{tag, `"card zorro kind character"`, http.StatusBadRequest}, // without a name
		{tag, `"card zorro en Zorro\ncard wolf en Wolf"`, http.StatusBadRequest},
	} {
		if got := put(test.tag, test.lines); got != test.want || m.text != before {
			t.Errorf("%s %s: got %d, want %d", test.tag, test.lines, got, test.want)
		}
	}
	if got := put(tag, whole); got != http.StatusOK {
		t.Fatal(got)
	}
	if want := "# mine\ncard zorro kind character  # sure\ncard zorro en Zorro\ncard zorro attack 2\n"; m.text != want {
		t.Errorf("got\n%s", m.text)
	}
	if got := put(tag, whole); got != http.StatusPreconditionFailed {
		t.Errorf("a second time: got %d", got)
	}
}

// TestPutCards checks that several cards are changed at once or not at all.
func TestPutCards(t *testing.T) {
	m, s := withFiles(t)
	before, none := m.text, cards.Lines{}.Tag()
	zorro := cards.Lines{Lines: cardfile.About(before, "zorro")}.Tag()
	put := func(cards ...cards.Change) (int, string) {
		body, err := json.Marshal(map[string]any{"cards": cards})
		if err != nil {
			t.Fatal(err)
		}
		ask := request{method: "PUT", path: "/api/cards/genegrafter", body: string(body), kind: "application/json"}
		w := ask.send(s)
		return w.Code, w.Body.String()
	}
	wolf := cards.Change{Card: "wolf", Tag: none, Lines: []string{"card wolf en Wolf", "card wolf kind gear"}}
	fox := func(tag string) cards.Change {
		return cards.Change{Card: "zorro", Tag: tag, Lines: []string{"card zorro kind character", "card zorro en Fox"}}
	}
	for _, test := range []struct {
		cards []cards.Change
		code  int
		says  string
	}{
		{[]cards.Change{wolf, fox(none)}, http.StatusPreconditionFailed, `"changed":["zorro"]`},
		{[]cards.Change{wolf, {Card: "bear", Tag: none, Lines: []string{"card bear kind hero"}}}, http.StatusBadRequest, `"line":6`},
		{[]cards.Change{wolf, {Card: "bear", Tag: none, Lines: []string{"card wolf kind gear"}}}, http.StatusBadRequest, "bear"},
		{[]cards.Change{wolf, wolf}, http.StatusPreconditionFailed, `"changed":["wolf"]`},
		{make([]cards.Change, cards.MaxPuts+1), http.StatusRequestEntityTooLarge, "500"},
	} {
		if code, says := put(test.cards...); code != test.code || !strings.Contains(says, test.says) || m.text != before {
			t.Errorf("%v: got %d %s, want %d %s", test.cards, code, says, test.code, test.says)
		}
	}
	code, says := put(wolf, fox(zorro))
	want := "# mine\ncard zorro kind character  # sure\ncard zorro en Fox\ncard wolf en Wolf\ncard wolf kind gear\n"
	if code != http.StatusOK || m.text != want || !strings.Contains(says, cards.Lines{Lines: wolf.Lines}.Tag()[1:24]) {
		t.Errorf("got %d %s\n%s", code, says, m.text)
	}
}

// TestMergeCards checks that a merge tells the differences first, and that a file
// goes to another table as text or as a core.Spreadsheet.
func TestMergeCards(t *testing.T) {
	m, s := withFiles(t)
	before := m.text
	theirs := "card wolf kind gear\ncard wolf en Wolf\ncard zorro kind character\ncard zorro en Zorro\n"
	merge := func(body map[string]any) (answer cards.Merged) {
		data, _ := json.Marshal(body)
		w := post("/api/cards/genegrafter/merge", string(data)).send(s)
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatal(w.Code, err)
		}
		return answer
	}
	got := merge(map[string]any{"text": theirs})
	if got.Merged || m.text != before || len(got.Added) != 1 || len(got.Differences) != 1 ||
		got.Differences[0].Card != "zorro" {
		t.Errorf("got %+v\n%s", got, m.text)
	}
	got = merge(map[string]any{"text": "card wolf kind hero"})
	if got.Merged || len(got.Problems) != 1 || m.text != before {
		t.Errorf("got %+v", got)
	}
	if got := merge(map[string]any{"text": theirs, "decide": map[string]string{"zorro": "theirs"}}); !got.Merged ||
		!strings.HasSuffix(m.text, "card zorro en Zorro\ncard wolf kind gear\ncard wolf en Wolf\n") {
		t.Errorf("got %+v\n%s", got, m.text)
	}
	sheet := get("/api/cards/genegrafter.csv").send(s).Body.String()
	if want := "line,id,kind,en\ncard,zorro,character,Zorro\ncard,wolf,gear,Wolf\n"; sheet != want {
		t.Errorf("got\n%s", sheet)
	}
	other, s := withFiles(t)
	data, _ := json.Marshal(map[string]any{"text": sheet, "csv": true, "decide": map[string]string{"zorro": "mine"}})
	if w := post("/api/cards/genegrafter/merge", string(data)).send(s); w.Code != http.StatusOK ||
		other.text != before+"card wolf kind gear\ncard wolf en Wolf\n" {
		t.Errorf("got %d %s\n%s", w.Code, w.Body, other.text)
	}
}

// TestMergeMatch checks that a match's journal brings what was entered, if it is one of
// this game, and that what is wrong is said in the language of the page.
func TestMergeMatch(t *testing.T) {
	m, s := withFiles(t)
	head := "tableside-journal 1\ngame genegrafter/early rules 2\noption guide off\n" +
		"define card wolf kind gear\ndefine card wolf en Wolf\nseat red Alice\nseat blue\nfirst red\n" +
		"begin 2026-11-24T20:00:00Z\n"
	merge := func(text, way string) (int, string) {
		data, _ := json.Marshal(map[string]any{"text": text, way: true, "decide": map[string]string{}})
		w := post("/api/cards/genegrafter/merge?lang=fr", string(data)).send(s)
		return w.Code, w.Body.String()
	}
	for _, test := range []struct{ text, way, want string }{
		{strings.Replace(head, "genegrafter/early", "mutants/first", 1), "journal",
			"Cette partie se joue à un autre jeu"},
		{"line,id\n\"card", "csv", `"error":"2:6: un guillemet est mal placé`},
		{"id,line\n", "csv", "doit commencer par les colonnes line, id"},
		{"line,id,kind\ncard,fox,\ncard,bat,hero\n", "csv", `n'est pas un genre de carte`},
	} {
		if code, said := merge(test.text, test.way); code != http.StatusBadRequest || !strings.Contains(said, test.want) {
			t.Errorf("%q: got %d %s", test.text, code, said)
		}
	}
	moves := "0s table set card-14 kind gear\n1s table set card-14 place head\n2s red undo\n"
	code, said := merge(head+moves, "journal")
	want := "card wolf kind gear\ncard wolf en Wolf\ncard card-14 kind gear\n"
	if code != http.StatusOK || !strings.HasSuffix(m.text, want) {
		t.Errorf("got %d %s\n%s", code, said, m.text)
	}
	shared := get("/api/cards/genegrafter.txt").send(s).Body.String()
	if strings.Contains(shared, "#") || !strings.Contains(shared, "card zorro kind character\n") {
		t.Errorf("got\n%s", shared)
	}
}

// TestCardFilesStaySmall checks that no change makes a file larger than one that can be
// shared.
func TestCardFilesStaySmall(t *testing.T) {
	m, s := withFiles(t)
	m.text += "#" + strings.Repeat("-", cardfile.MaxFile-len(m.text)-20) + "\n"
	before := m.text
	wolf := `card wolf kind gear", "card wolf en Wolf`
	put := request{method: "PUT", path: "/api/cards/genegrafter/wolf", body: `{"lines":["` + wolf + `"]}`,
		kind: "application/json", header: map[string]string{"If-Match": cards.Lines{}.Tag()}}
	merge := post("/api/cards/genegrafter/merge",
		`{"text":"`+strings.ReplaceAll(wolf, `", "`, `\n`)+`\n","decide":{}}`)
	for _, ask := range []request{put, merge} {
		if w := ask.send(s); w.Code != http.StatusRequestEntityTooLarge || m.text != before {
			t.Errorf("%s: got %d %s", ask.method, w.Code, w.Body)
		}
	}
}

// FuzzCheckCards checks that any text gets problems that lie in it.
func FuzzCheckCards(f *testing.F) {
	f.Add("card zorro kind hero\n\"", "fr")
	owners := newCardFiles().files().Owners("genegrafter")
	f.Fuzz(func(t *testing.T, text, lang string) {
		_, faults := owners.Define("", text)
		lines := strings.Split(text, "\n")
		for _, p := range cards.Problems(text, faults, "fr") {
			if p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column-1+p.Length > len(lines[p.Line-1]) || p.Text == "" {
				t.Errorf("%q: %+v", text, p)
			}
		}
	})
}
