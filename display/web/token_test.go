package web

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tableside/display/web/cards"
	"tableside/engine"
)

// TestAskHere checks that a table which needs the token from loopback peers too
// gives no access to a proxy that forwards requests without a header.
func TestAskHere(t *testing.T) {
	tb := newTable(t).begin()
	config := tb.config()
	config.Token, config.AskHere, config.Hosts = "s3cret", true, []string{"table.example"}
	s := tb.show(newServer(config))
	bearer := map[string]string{"Authorization": "Bearer s3cret"}
	cookie := map[string]string{"Cookie": "tableside=s3cret"}
	for _, r := range s.routes() {
		ask := request{method: r.Method, path: strings.TrimSuffix(r.Path, "{$}"), body: "red undo"}
		secret := r.Method != "GET" && !strings.Contains(" /api/cards/check /api/cards/pick /api/cards/play ", " "+r.Path+" ") ||
			strings.Contains(" /api/cards /api/hint /api/labels /api/piles /api/removal /api/setup /api/workshop/tag /cards/print "+
				"/panel.png /join.png ", " "+r.Path+" ")
		if r.Path == "/api/live" || r.Path == "/assets/{name...}" {
			continue
		}
		for _, host := range []string{"127.0.0.1:8080", "localhost", "[::1]:8080", s.Machine, "table.example"} {
			ask.host = host
			if w := ask.send(s); (w.Code == http.StatusUnauthorized) != secret {
				t.Errorf("%s %s as %s without the token: %d %s", r.Method, r.Path, host, w.Code, w.Body)
			}
		}
		ask.header = bearer
		if w := ask.send(s); w.Code == http.StatusUnauthorized {
			t.Errorf("%s %s with the token: %d %s", r.Method, r.Path, w.Code, w.Body)
		}
	}
	if w := (request{method: "POST", path: "/api/input", body: "red tap fox.1",
		header: cookie}).send(s); w.Code != http.StatusOK {
		t.Errorf("with the cookie: %d %s", w.Code, w.Body)
	}
	if got := firstMessage(t, s, request{method: "GET", path: "/api/live"}); !strings.Contains(got, `"writes":false`) {
		t.Errorf("a page on this machine gets write access: %.300s", got)
	}
}

// TestCookieBehindTLS checks that the cookie is Secure, and so never sent over
// plain HTTP, if a configured proxy says that the request came over HTTPS.
func TestCookieBehindTLS(t *testing.T) {
	_, s := served(t)
	for _, c := range []struct {
		peer, host, proto string
		want              bool
	}{
		{"", "table.example", "https", true},
		{"", "table.example", "http", false},
		{"", "127.0.0.1:8080", "https", false},
		{remotePeer, "table.example", "https", false},
	} {
		w := request{method: "GET", path: "/?token=s3cret", peer: c.peer, host: c.host,
			header: map[string]string{"X-Forwarded-Proto": c.proto}}.send(s)
		if cookies := w.Result().Cookies(); len(cookies) != 1 || cookies[0].Secure != c.want {
			t.Errorf("%+v: %v", c, cookies)
		}
	}
}

// TestTokenLeavesTheAddress checks that a page with a token leads to itself without the token,
// whatever is in its path.
func TestTokenLeavesTheAddress(t *testing.T) {
	_, s := served(t)
	for path, want := range map[string]string{
		"/?token=s3cret":                   "/",
		"/tv?lang=fr&token=s3cret":         "/tv?lang=fr",
		"/matches/a%3Fb%0A%20?token=wrong": "/matches/a%3Fb%0A%20",
	} {
		w := (request{method: "GET", path: path, peer: remotePeer}).send(s)
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != want {
			t.Errorf("%s: %d %q, want %q", path, w.Code, w.Header().Get("Location"), want)
		}
	}
}

// TestJournalsThatTheTableLists checks that a name reaches only a match that the
// table lists, and that no answer reveals where the files are.
func TestJournalsThatTheTableLists(t *testing.T) {
	dir := t.TempDir()
	config := newTable(t).config()
	config.Journal = func(match string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, match+".journal")) }
	config.Matches = func() ([]engine.MatchInfo, error) {
		return []engine.MatchInfo{{ID: "2026-11-19T19-00-00Z"}, {ID: "folder"}, {ID: "gone"}}, nil
	}
	config.Cards = func(string, engine.Lang) ([]cards.Card, error) {
		return nil, fmt.Errorf("owner: %w", &fs.PathError{Op: "open", Path: "/var/lib/tableside/cards/x.txt",
			Err: fs.ErrPermission})
	}
	if err := os.WriteFile(filepath.Join(dir, "2026-11-19T19-00-00Z.journal"), []byte("tableside-journal 1\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "evil.journal")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.journal"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := newServer(config)
	for path, want := range map[string]int{
		"/api/journal?match=2026-11-19T19-00-00Z":        200,
		"/api/journal?match=evil":                        404,
		"/api/journal?match=gone":                        404,
		"/api/journal?match=folder":                      500,
		"/api/journal?match=%00":                         404,
		"/api/journal?match=" + strings.Repeat("a", 300): 404,
		"/api/journal?match=../matches/evil":             404,
		"/api/journal?match=%2fetc%2fpasswd":             404,
		"/api/journal?match=.":                           404,
		"/api/journal?match=%ff%0a":                      404,
		"/api/cards?game=ring/test":                      500,
	} {
		w := request{method: "GET", path: path}.send(s)
		if w.Code != want {
			t.Errorf("%s: %d, want %d: %s", path, w.Code, want, w.Body)
		}
		if body := w.Body.String(); strings.Contains(body, dir) || strings.Contains(body, "/var/lib") ||
			strings.Contains(body, "root:") {
			t.Errorf("%s reveals the machine's files: %s", path, body)
		}
	}
}

// TestOddRequests checks that odd requests of proxies, old clients and scanners
// get an error of one line.
func TestOddRequests(t *testing.T) {
	_, s := served(t)
	for path, want := range map[string]int{"//x": 404, "/api/../api/view": 404, "/api//view": 404, "/overlay/": 404,
		"/api/view": 200} {
		if w := (request{method: "GET", path: path}).send(s); w.Code != want ||
			w.Header().Get("Content-Type") != "application/json; charset=utf-8" {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	for _, path := range []string{"/metrics", "/api/schema", "/api/view", "/healthz", "/api/journal", "/",
		"/assets/table.css"} {
		if w := (request{method: "GET", path: path}).send(s); w.Header().Get("Cache-Control") == "" {
			t.Errorf("%s has no Cache-Control header", path)
		}
	}
	r, w := httptest.NewRequest("GET", "/healthz", nil), httptest.NewRecorder()
	r.RemoteAddr, r.Host = "127.0.0.1:40000", "" // as HTTP/1.0 may
	if s.Handler().ServeHTTP(w, r); w.Code != http.StatusBadRequest ||
		!strings.Contains(w.Body.String(), "send the header Host") {
		t.Errorf("without Host: %d %s", w.Code, w.Body)
	}
}
