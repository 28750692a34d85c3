package core

import (
	"bytes"
	"html"
	"net/http"
	"strconv"
	"strings"

	"tableside/engine"
)

// Policy is the Content Security Policy of the pages. It allows the server's own files, but
// nothing that a name or a card could inject.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"

// Unframed is the policy of a page that no other page may show in a frame.
const Unframed = Policy + "; frame-ancestors 'none'"

// Framed returns the policy of a page that this server's own pages and those of Config.Frame
// may show in a frame.
func (s *Site) Framed() string {
	return strings.Join(append([]string{Policy + "; frame-ancestors 'self'"}, s.config.Frame...), " ")
}

// OverlayPolicy is the policy of the page for OBS, a program for video streams.
//
// The page allows style elements, because OBS puts its Custom CSS into such an element. This
// is safe: the only text from other people on the page is names, and names are never markup. A
// streamer's logo may come from any site.
var OverlayPolicy = strings.NewReplacer("style-src", "style-src 'unsafe-inline'", "img-src", "img-src http: https:").
	Replace(Policy)

// EditorPolicy returns the policy of the page that makes an overlay, and shows it in a frame.
func (s *Site) EditorPolicy() string {
	return strings.Replace(s.Framed(), "img-src", "frame-src 'self'; img-src blob:", 1)
}

// Page returns a handler that serves a Page with the given policy. A request with a token goes
// to the method admit instead.
func (s *Site) Page(file, policy string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("token") {
			s.admit(w, r)
			return
		}
		w.Header().Set("Content-Security-Policy", policy)
		s.SendFile(w, r, file)
	}
}

// isVisit reports whether a browser asks for something to show in a window. What scripts fetch
// says */*, and what only scripts fetch is under /api and /assets.
func isVisit(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		strings.Contains(r.Header.Get("Accept"), "text/html") &&
		!strings.HasPrefix(r.URL.Path, "/api/") && !strings.HasPrefix(r.URL.Path, "/assets/")
}

// explain answers a visit that failed with a page: why, and where else to go. The reason is in the
// page itself, because a name under which the table does not answer gets no scripts either.
func (s *Site) explain(w http.ResponseWriter, r *http.Request, f *Failure, why string) {
	kind := strconv.Itoa(f.status)
	if f == ErrNotFound {
		kind = "nowhere"
	}
	why = strings.TrimSuffix(engine.Capital(why), ".") + "."
	page := s.Assets.Get(s.LangFor(r), "message.html").data
	page = bytes.Replace(page, []byte("{{kind}}"), []byte(kind), 1)
	page = bytes.Replace(page, []byte("{{why}}"), []byte(html.EscapeString(why)), 1)
	w.Header().Set("Content-Security-Policy", s.Framed())
	w.Header().Set("Content-Type", KindOf(".html"))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(f.status)
	_, _ = w.Write(page)
}
