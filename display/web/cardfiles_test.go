package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"tableside/engine/cardfile"
	"tableside/engine/genegrafter"
)

// A memoryFile is the owner's file of Genegrafter, in memory.
type memoryFile struct {
	sync.Mutex
	text string
}

func newCardFiles() *memoryFile {
	return &memoryFile{text: "# mine\ncard zorro kind character  # sure\ncard zorro en \"El Zorro\"\n"}
}

func (m *memoryFile) files() *CardFiles {
	return &CardFiles{
		Owners: func(game string) cardfile.Owners {
			if game != "genegrafter" {
				return nil
			}
			return genegrafter.Games()[0].(interface{ Owners() cardfile.Owners }).Owners()
		},
		Text: func(string) (string, error) { return m.text, nil },
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
	return m, tb.show(New(config))
}

// TestCheckCards checks that all problems are told at once, where they are, in the
// language that was asked for.
func TestCheckCards(t *testing.T) {
	_, s := withFiles(t)
	text := "card é kind hero\ncard zorro kind hero\ncard zorro attack many\n" +
		"card wolf “kind” gear # a\ncard bear kind gear\n"
	body, _ := json.Marshal(map[string]string{"game": "genegrafter", "text": text})
	w := post("/api/cards/check?lang=fr", string(body)).send(s)
	var got struct{ Problems []cardProblem }
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
		long := strings.Repeat(" ", map[string]int{"genegrafter": maxCardFile + 1}[path])
		body := `{"game":"` + path + `","text":"` + long + `"}`
		if w := post("/api/cards/check", body).send(s); w.Code != want {
			t.Errorf("%s: got %d %s", path, w.Code, w.Body)
		}
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

// TestMergeCards checks that a merge tells the differences first, and that a file
// goes to another table as text or as a spreadsheet.
func TestMergeCards(t *testing.T) {
	m, s := withFiles(t)
	before := m.text
	theirs := "card wolf kind gear\ncard wolf en Wolf\ncard zorro kind character\ncard zorro en Zorro\n"
	merge := func(body map[string]any) (answer merged) {
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

// TestCardFilesStaySmall checks that no change makes a file larger than one that can be
// shared.
func TestCardFilesStaySmall(t *testing.T) {
	m, s := withFiles(t)
	m.text += "#" + strings.Repeat("-", maxCardFile-len(m.text)-20) + "\n"
	before := m.text
	wolf := `card wolf kind gear", "card wolf en Wolf`
	put := request{method: "PUT", path: "/api/cards/genegrafter/wolf", body: `{"lines":["` + wolf + `"]}`,
		kind: "application/json", header: map[string]string{"If-Match": cardLines{}.tag()}}
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
	files := newCardFiles().files()
	f.Fuzz(func(t *testing.T, text, lang string) {
		_, faults := files.Owners("genegrafter").Define("", text)
		lines := strings.Split(text, "\n")
		for _, p := range problems(text, faults, "fr") {
			if p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column-1+p.Length > len(lines[p.Line-1]) || p.Text == "" {
				t.Errorf("%q: %+v", text, p)
			}
		}
	})
}
