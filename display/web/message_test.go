package web

import (
	"net/http"
	"strings"
	"testing"

	"tableside/display/web/core"
)

// TestVisitsThatFail tests that who opens a page that cannot be shown gets a page with the same
// status, in their language, and that programs still get JSON.
func TestVisitsThatFail(t *testing.T) {
	const (
		browser  = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
		chosen   = "Choose a card first: on the page for cards, each one can be tried."
		kindJSON = "application/json; charset=utf-8"
	)
	_, s := served(t)
	for _, c := range []struct {
		path, peer, accept string
		status             int
		kind, says         string // the kind of message, "" for JSON
	}{
		{"/nowhere", "", browser, 404, "nowhere", "Nothing is at this address."},
		{"/nowhere?lang=fr", "", browser, 404, "nowhere", "Il n&#39;y a rien à cette adresse."},
		{"//nowhere", "", browser, 404, "nowhere", "Nothing is at this address."},
		{"/matches/none", "", browser, 404, "404", "There is no such match."},
		{"/matches/none", "", "*/*", 404, "", `{"error":"there is no such match"}`},
		{"/matches/a.pdf", "", browser, 404, "404", "A match has .html, .png and .gif."},
		{"/cards/play", "", browser, 404, "404", chosen},
		{"/cards/play?card=x&game=%3Cscript%3E", "", browser, 404, "404", "“?script?”"},
		{"/api/match", "", browser, 405, "", "/api/match takes POST"},
		{"/join.png", remotePeer, browser, 401, "401", "Writing needs the token: scan the code"},
		{"/join.png", remotePeer, "image/avif,*/*", 401, "", "writing needs the token"},
		{"/nowhere", "", "", 404, "", `{"error":"nothing is at this address"}`},
		{"/api/nowhere", "", browser, 404, "", `{"error":"nothing is at this address"}`},
		{"/assets/nothing.js", "", browser, 404, "", `{"error":"nothing is at this address"}`},
		{"/trust", "", "*/*", 404, "", "nothing to trust"},
	} {
		w := request{method: "GET", path: c.path, peer: c.peer, header: map[string]string{"Accept": c.accept}}.send(s)
		kind, want := kindJSON, c.says
		if c.kind != "" {
			kind = "text/html; charset=utf-8"
			want = `data-kind="` + c.kind + `"><p>`
		}
		if got := w.Body.String(); w.Code != c.status || w.Header().Get("Content-Type") != kind ||
			!strings.Contains(got, want) || !strings.Contains(got, c.says) {
			t.Errorf("%s for %q: %d, %v, %.300q", c.path, c.accept, w.Code, w.Header(), got[strings.Index(got, "<body>")+1:])
		}
	}
	starting := newServer(Config{})
	w := request{method: "GET", path: "/healthz", header: map[string]string{"Accept": browser}}.send(starting)
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "The table is still starting.") ||
		w.Header().Get("Content-Security-Policy") != core.Policy+"; frame-ancestors 'self'" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

// TestMessageSaysWhereElse tests that the page in place of another names the address as text,
// leads back, and follows the match.
func TestMessageSaysWhereElse(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, exampleServer(two()), "127.0.0.1:0")
	b.open(url + "/%3Cimg%20src=x%3E?lang=fr")
	b.until(`document.querySelector(".message code")?.textContent === "/%3Cimg%20src=x%3E" &&
		document.querySelector(".message p:not([class])").textContent.endsWith("rien n'est perdu.") &&
		!!document.querySelector(".on-air .of")`)
	b.click(".message .main")
	b.until(`location.pathname === "/" && !!document.querySelector(".seat")`)
}
