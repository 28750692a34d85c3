package web

import (
	"encoding/json"
	"net/http"
)

// historyPage serves the list of the matches that were played.
func (s *Server) historyPage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", policy+"; frame-ancestors 'self'")
	s.serve(w, r, "history.html")
}

// past serves the matches with their results.
func (s *Server) past(w http.ResponseWriter, r *http.Request) {
	if s.config.History == nil {
		fail(w, http.StatusNotFound, "this table keeps no journals")
		return
	}
	var matches any
	var err error
	if !s.fold(w, r, func() { matches, err = s.config.History() }) {
		return
	}
	if err != nil {
		fail(w, http.StatusInternalServerError, "the matches cannot be listed: "+reason(err))
		return
	}
	data, err := json.Marshal(matches)
	if err != nil {
		fail(w, http.StatusInternalServerError, "the matches cannot be written as JSON")
		return
	}
	replyPacked(w, r, data)
}

// replyPacked sends JSON that may be large, compressed if the client takes that.
func replyPacked(w http.ResponseWriter, r *http.Request, data []byte) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Vary", "Accept-Encoding")
	if takesGzip(r, ".js") {
		w.Header().Set("Content-Encoding", "gzip")
		data = compressed(data)
	}
	_, _ = w.Write(data)
}
