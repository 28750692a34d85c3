package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"tableside/display/web/cards"
	"tableside/engine/cardfile"
)

// FuzzPutCard changes a card by the interface that the form uses. Whatever is sent, it is
// kept as it was sent or refused, other cards stay as they were, and the file has no
// more faults than before.
func FuzzPutCard(f *testing.F) {
	f.Add("zorro", "card zorro kind character\ncard zorro en \"Zorro II\"\ncard zorro attack 2")
	f.Add("wolf", "card wolf en Wolf\ncard wolf kind ability\ncard wolf does text \"Hum.\" # sure")
	f.Add("category", "category mental colour red")
	f.Add("box", "box sixth-face \"Draw two cards.\"")
	f.Add("zorro", "")
	f.Add("é/..%2f", "card é/..%2f en \xff")
	f.Fuzz(func(t *testing.T, card, text string) {
		if card == "" || card == "." || card == ".." || len(card) > 100 || len(text) > 2000 {
			t.Skip()
		}
		m, s := withFiles(t)
		before := m.text
		owners := s.config.Files.Owners("genegrafter")
		lines := []string{}
		if text != "" {
			lines = strings.Split(text, "\n")
		}
		path := "/api/cards/genegrafter/" + url.PathEscape(card)
		body, err := json.Marshal(cards.Lines{Lines: lines})
		if err != nil {
			t.Fatal(err)
		}
		ask := request{method: "PUT", path: path, body: string(body), kind: "application/json",
			header: map[string]string{"If-Match": cards.Lines{Lines: cardfile.About(before, card)}.Tag()}}
		w := ask.send(s)
		switch w.Code {
		case http.StatusOK:
		case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed:
			if m.text != before {
				t.Fatalf("refused with %d, and the file is\n%s", w.Code, m.text)
			}
			return
		default:
			t.Fatalf("got %d %s", w.Code, w.Body)
		}
		_, old := owners.Define("", before)
		if _, faults := owners.Define("", m.text); len(faults) > len(old) {
			t.Fatalf("the file has faults, %v:\n%s", faults[0], m.text)
		}
		var now cards.Lines
		err = json.Unmarshal(w.Body.Bytes(), &now)
		if err != nil || !slices.Equal(now.Lines, cardfile.About(m.text, card)) || w.Header().Get("ETag") != now.Tag() {
			t.Fatalf("answered %s, and the file is\n%s", w.Body, m.text)
		}
		for _, other := range cardfile.Named(before) {
			if was := cardfile.About(before, other); other != card && !slices.Equal(was, cardfile.About(m.text, other)) {
				t.Fatalf("%s was %q:\n%s", other, was, m.text)
			}
		}
		if !strings.Contains(m.text, "# mine\n") {
			t.Fatalf("a comment is lost:\n%s", m.text)
		}
	})
}
