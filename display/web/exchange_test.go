package web

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tableside/display/web/core"

	"github.com/chromedp/chromedp"
)

// TestExchange merges another file on the page: what differs is shown, and nothing is
// changed until it is decided.
func TestExchange(t *testing.T) {
	tb, m := newTable(t), newCardFiles()
	config := tb.config()
	config.Files = m.files()
	url, _ := listen(t, tb.show(newServer(config)), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/cards/share?game=genegrafter&lang=fr")
	b.until(`document.querySelector('a[download="genegrafter.csv"]')?.href.endsWith("/api/cards/genegrafter.csv?all")`)
	dir, before := t.TempDir(), m.text
	choose := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		b.do(chromedp.SetUploadFiles(`[data-act="take"]`, []string{file}))
	}
	choose("wrong.csv", "line,id,kind\ncard,wolf,hero\n")
	b.until(`document.querySelector("#exchange .trouble + ul")?.innerText.includes("n'est pas un genre de carte")`)
	choose("theirs.csv", "line,id,kind,en\ncard,zorro,character,Zorro\ncard,wolf,gear,Wolf\n")
	b.until(`document.querySelector('[data-act="join"]')?.disabled`)
	if text := b.eval(`document.querySelector(".merge").innerText`); !strings.Contains(text, "1 champ diffère") ||
		!strings.Contains(text, "wolf") || m.text != before {
		t.Errorf("got %s\n%s", text, m.text)
	}
	b.click(`[data-of^="zorro/"][data-choice="theirs"]`)
	b.click(`[data-act="join"]:not([disabled])`)
	b.until(`document.querySelector('#exchange [role="status"]')?.innerText === "Ajouté à votre fichier"`)
	want := "# mine\ncard zorro kind character  # sure\ncard zorro en Zorro\ncard wolf kind gear\ncard wolf en Wolf\n"
	if m.text != want {
		t.Errorf("got\n%s", m.text)
	}
}

// TestMergesTakeTurns checks that a merge waits for its turn, and is refused when the
// table has too much to do.
func TestMergesTakeTurns(t *testing.T) {
	m, s := withFiles(t)
	ask := post("/api/cards/genegrafter/merge?lang=fr", `{"text":"card wolf kind gear\ncard wolf en Wolf\n","decide":{}}`)
	s.Folds.Total = core.MaxFolds
	if w := ask.send(s); w.Code != http.StatusTooManyRequests || !strings.Contains(w.Body.String(), "très occupée") ||
		strings.Contains(m.text, "wolf") {
		t.Errorf("got %d %s, and the file\n%s", w.Code, w.Body, m.text)
	}
	s.Folds.Total = 0
	change := s.config.Files.Change
	s.config.Files.Change = func(game string, edit func(string) (string, error)) error {
		if s.FoldTurn.TryLock() {
			t.Error("the merge has not taken its turn")
		}
		return change(game, edit)
	}
	if w := ask.send(s); w.Code != http.StatusOK || !strings.Contains(m.text, "wolf") {
		t.Errorf("got %d %s, and the file\n%s", w.Code, w.Body, m.text)
	}
}
