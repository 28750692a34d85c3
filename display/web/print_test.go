package web

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tableside/display/web/cards"
	"tableside/engine"
	"tableside/engine/mindbug"
	"tableside/engine/mutants"
)

// TestPrint checks what reaches the printer of labels, and its answers.
func TestPrint(t *testing.T) {
	_, s := guarded(t, here, true)
	w := get("/cards/print?lang=fr&size=sticker&paper=letter&set=a&missing=1").as(here).send(s)
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/pdf" ||
		w.Header().Get("Content-Disposition") != `inline; filename="ring-test-labels.pdf"` ||
		w.Body.String() != "%PDF {Game:ring/test Set:a Size:sticker Paper:letter Missing:true Lang:fr Preview:false}" {
		t.Errorf("%d, %v: %s", w.Code, w.Header(), w.Body)
	}
	w = get("/cards/print?game=ring/test&size=banana").as(here).send(s)
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "no such size") ||
		w.Header().Get("Content-Disposition") != "" {
		t.Errorf("%d, %v: %s", w.Code, w.Header(), w.Body)
	}
}

// TestLabelsPage tests that the form for labels shows the first page of what is chosen, and
// leads to the PDF of the same.
func TestLabelsPage(t *testing.T) {
	_, s := guarded(t, here, true)
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/cards/labels?lang=fr")
	b.until(`document.querySelector(".sheet img")?.naturalWidth === 840`)
	b.until(`document.querySelector(".said").textContent === "24 étiquettes sur 3 pages"`)
	pick := func(choice, value string) {
		t.Helper()
		b.eval(`{ const on = document.querySelector("[data-choice=` + choice + `]");
			if (on.type === "checkbox") on.checked = true; else on.value = "` + value + `";
			on.dispatchEvent(new Event("input", { bubbles: true })); } ""`)
	}
	pick("set", "b")
	pick("missing", "")
	pick("size", "5160")
	b.until(`document.querySelector("[data-choice=paper]").disabled`)
	want := "/cards/print?game=ring%2Ftest&set=b&size=5160&paper=letter&missing=1&lang=fr"
	b.until(`document.querySelector("a.main")?.getAttribute("href") === "` + want + `"`)
	b.eval(`window.fetch = () => Promise.reject(new TypeError("Failed to fetch")); ""`)
	pick("set", "a")
	b.until(`document.querySelector(".said").textContent.startsWith("La table ne répond pas")`)
	w := get(want).as(here).send(s)
	if w.Body.String() != "%PDF {Game:ring/test Set:b Size:5160 Paper:letter Missing:true Lang:fr Preview:false}" {
		t.Errorf("%s", w.Body)
	}
	w = get("/api/labels?size=banana").as(here).send(s)
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"picture":"","why":"no such size"`) {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
}

// TestLabelsForPlayers tests that a browser without a code, or whose code is no longer valid,
// reads on the page for labels what to do.
func TestLabelsForPlayers(t *testing.T) {
	_, s := guarded(t, atHome, true)
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/cards/labels?lang=fr")
	b.until(`document.querySelector(".said")?.textContent.startsWith("Vous regardez")`)
	if n := b.eval(`String(document.querySelectorAll("select").length)`); n != "0" {
		t.Errorf("%s choices for somebody who may print nothing", n)
	}
}

// TestLabelsOfATitle tests that the form for labels takes a title as the page of cards has it:
// its edition that is played, else its first.
func TestLabelsOfATitle(t *testing.T) {
	tb := newTable(t)
	config := tb.config()
	config.Games = func() (all []engine.Info) {
		for _, g := range slices.Concat(mutants.Games(), mindbug.Games()) {
			all = append(all, g.Info())
		}
		return all
	}
	config.Print = func(io.Writer, cards.PrintOrder) (cards.PrintResult, error) { return cards.PrintResult{}, nil }
	s := newServer(config)
	for _, test := range []struct{ played, asked, want string }{
		{"", "mindbug", "mindbug/first-contact"},
		{"", "mindbug/king-of-tokyo", "mindbug/king-of-tokyo"},
		{"mindbug/king-of-tokyo", "mindbug", "mindbug/king-of-tokyo"},
		{"mindbug/king-of-tokyo", "mutants", "mutants/first-edition"},
		{"tally/score", "chess", "mutants/first-edition"},
	} {
		f := exampleFrame(2)
		f.View.Game = engine.Null(test.played)
		s.Show(t.Context(), f)
		w := get("/api/labels?game=" + test.asked).as(here).send(s)
		if !strings.HasPrefix(w.Body.String(), `{"game":"`+test.want+`"`) {
			t.Errorf("%s while %s is played: %.60s", test.asked, test.played, w.Body)
		}
	}
}
