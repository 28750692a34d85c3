package web

import (
	"encoding/json"
	"net/http"
	"net/url"

	"tableside/display/web/core"
	"tableside/engine"
)

// manifest serves the Web Application Manifest, with which a phone puts the page on its home
// screen. With ?seat=red it leads to the page of that seat.
func (s *Server) manifest(w http.ResponseWriter, r *http.Request) (any, error) {
	lang, start := s.LangFor(r), "/"
	if seat := r.URL.Query().Get("seat"); engine.IsWord(seat) {
		start += "?" + url.Values{"seat": {seat}}.Encode()
	}
	icon := func(size string) map[string]string {
		return map[string]string{"src": "/icon-" + size + ".png", "sizes": size + "x" + size, "type": "image/png",
			"purpose": "any maskable"}
	}
	name := core.Words().Say(lang, engine.T("page.title"), nil)
	data, err := json.Marshal(map[string]any{
		"name": name, "short_name": name, "lang": lang, "id": start, "start_url": start, "scope": "/",
		"display": "standalone", "background_color": "#0d0f15", "theme_color": "#0d0f15",
		"icons": []any{icon("192"), icon("512")},
	})
	w.Header().Set("Cache-Control", "no-cache")
	return core.Document{Kind: "application/manifest+json", Data: data}, err
}
