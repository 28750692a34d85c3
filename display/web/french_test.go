package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"strconv"
	"strings"
	"testing"

	"tableside/display/web/core"
	"tableside/display/web/past"
	"tableside/engine"
	"tableside/engine/enginetest"
)

// TestFrenchErrors checks that every error of a route has a French text.
func TestFrenchErrors(t *testing.T) {
	for _, folder := range []string{".", "core", "cards", "past", "setup"} {
		enginetest.CheckFrench(t, folder, core.FrenchErrors(), map[string]int{"Failf": 1, "Missing": 0})
		enginetest.CheckFrench(t, folder, nil, map[string]int{"FailWith": 1}) // it takes what is said already
	}
}

// TestFrenchAtTheStart checks that a table that has shown nothing yet answers in its
// language, or else in the browser's.
func TestFrenchAtTheStart(t *testing.T) {
	for _, c := range []struct {
		table           engine.Lang
		browser, wanted string
	}{
		{engine.French, "en-GB,en", "la table est en train de démarrer"},
		{engine.English, "fr", "the table is still starting"},
		{"", "de-CH, fr-CH;q=0.9, en;q=0.8", "la table est en train de démarrer"},
		{"", "", "the table is still starting"},
	} {
		s := newServer(Config{Config: core.Config{Lang: c.table}})
		t.Cleanup(s.Close)
		ask := request{method: "GET", path: "/api/view", header: map[string]string{"Accept-Language": c.browser}}
		if w := ask.send(s); w.Code != 503 || !strings.Contains(w.Body.String(), c.wanted) {
			t.Errorf("%+v: got %d %s", c, w.Code, w.Body)
		}
	}
}

// TestPageLanguage checks that a page begins in the language that is asked for, or else in the
// table's, or else in the browser's, and that a browser with the page in another language gets
// it again.
func TestPageLanguage(t *testing.T) {
	for _, c := range []struct {
		table                  engine.Lang
		path, browser, accepts string
		want                   string
	}{
		{engine.French, "/history", "en-GB,en", "", "fr"},
		{engine.English, "/history", "fr", "", "en"},
		{engine.English, "/history?lang=fr", "en", "", "fr"},
		{engine.English, "/history?lang=%22%3E", "fr", "", "en"},
		{"", "/tv", "de-CH, fr-CH;q=0.9, en;q=0.8", "", "fr"},
		{"", "/overlay", "", "", "en"},
		{engine.French, "/", "en", "gzip", "fr"},
	} {
		s := newServer(Config{Config: core.Config{Lang: c.table}, History: &past.History{}})
		t.Cleanup(s.Close)
		header := map[string]string{"Accept-Language": c.browser, "Accept-Encoding": c.accepts}
		page := request{method: "GET", path: c.path, header: header}.send(s)
		var body io.Reader = page.Body
		if c.accepts != "" {
			unpacked, err := gzip.NewReader(page.Body)
			if err != nil {
				t.Fatal(err)
			}
			body = unpacked
		}
		text, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		if page.Code != 200 || !bytes.Contains(text, []byte(`<html lang="`+c.want+`"`)) {
			t.Errorf("%+v: got %d %.80s", c, page.Code, text)
		}
		header["If-None-Match"] = page.Header().Get("ETag")
		again := request{method: "GET", path: c.path, header: header}.send(s)
		path, _, _ := strings.Cut(c.path, "?")
		other := request{method: "GET", path: path + "?lang=" + otherLang[c.want], header: header}.send(s)
		if again.Code != 304 || other.Code != 200 {
			t.Errorf("%+v: asked again: %d, in the other language: %d", c, again.Code, other.Code)
		}
	}
}

var otherLang = map[string]string{"en": "fr", "fr": "en"}

// TestChosenLanguage chooses a language in the browser. Every page is in it then, also the next
// time, unless the address asks for another one.
func TestChosenLanguage(t *testing.T) {
	s := trusted(t).Server
	url, _ := listen(t, s, "127.0.0.1:0")
	const english, french = "Your phone warns about this table", "Votre téléphone vous met en garde"
	b := newTab(t)
	title := func(address, want string) {
		t.Helper()
		b.open(url + address)
		b.until(`document.querySelector("h1")?.textContent === ` + strconv.Quote(want))
	}
	title("/trust", english)
	title("/trust?lang=fr", french)
	title("/trust", english) // that was no choice
	b.open(url + "/")
	b.awaited(`import("/assets/store.js").then(({ change }) => { change({ texts: { zombie: "moans" } }); return ""; })`)
	b.click(`[data-act="choose"][data-lang="fr"]`)
	b.until(`document.documentElement.lang === "fr"`)
	if text := b.awaited(`import("/assets/store.js").then(({ state }) => state.texts.zombie ?? "")`); text != "" {
		t.Errorf("a card still %s", text)
	}
	title("/trust", french)
	title("/trust?lang=en", english)
	b.open(url + "/")
	b.until(`document.querySelector('[data-act="choose"] b')?.textContent === "FR"`)
}

// TestErrorsInFrench checks that a browser gets errors in its language.
func TestErrorsInFrench(t *testing.T) {
	json := map[string]string{"Content-Type": "application/json"}
	for _, c := range []struct {
		ask  request
		want string
	}{
		{request{method: "POST", path: "/api/input", header: json, body: `{"input":`}, "le JSON s'arrête"},
		{request{method: "POST", path: "/api/input", body: "red dance"}, "colonne 5 : \\\"dance\\\" n'est pas un verbe"},
		{request{method: "POST", path: "/api/match", body: `{"do":7}`}, "\\\"do\\\" doit être un texte"},
		{request{method: "POST", path: "/api/match", body: `{"do":"dance"}`}, "« do » doit être l'un de begin"},
		{request{method: "POST", path: "/api/try", body: `{"inputs":["red dance"]}`}, "n'est pas un verbe"},
		{request{method: "POST", path: "/api/cards/check", body: `{"text":7}`}, "\\\"text\\\" doit être un texte"},
		{request{method: "GET", path: "/api/journal?match=none"}, "cette partie n'existe pas"},
		{request{method: "GET", path: "/nowhere"}, "il n'y a rien à cette adresse"},
	} {
		_, s := served(t)
		c.ask.path += map[bool]string{true: "&", false: "?"}[strings.Contains(c.ask.path, "?")] + "lang=fr"
		if w := c.ask.send(s); w.Code < 400 || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s %s: got %d %s, want %q", c.ask.method, c.ask.path, w.Code, w.Body, c.want)
		}
	}
}
