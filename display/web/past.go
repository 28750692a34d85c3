package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"

	"tableside/engine"
)

// A History provides the matches that were played. What it returns is sent as JSON.
type History struct {
	// Matches calls a function for every match that is not deleted, the newest match
	// first. If deleted is set, it calls the function for every deleted match instead. It
	// passes one match at a time, so that thousands of matches need not be in memory
	// together.
	Matches func(deleted bool, lang engine.Lang, each func(any) error) error
	Players func() (any, error)
	Stats   func(engine.Lang) (any, error)
	// Change makes a change. If the change is refused, the error is an *engine.Refusal
	// with a text of the page's catalogue. Any other error says what is wrong with the
	// disk.
	Change func(Change) error
}

// pastRoutes returns the routes of the HTTP interface for matches that were played. A table
// has these routes, and so has a hall.
func (s *Server) pastRoutes() []route {
	return []route{
		{"GET", "/api/rights", toRead, s.rights},
		{"GET", "/api/games", toRead, s.games},
		{"GET", "/api/journal", toRead, s.journal},
		{"GET", "/api/result", toRead, s.result},
		{"GET", "/result.png", toRead, s.resultPicture},
		{"GET", "/matches/{file}", toRead, s.match},
		{"GET", "/history", toRead, s.plainPage("history.html")},
		{"GET", "/api/history", toRead, s.servePast},
		{"POST", "/api/history", toKeep, s.changePast},
		{"GET", "/players", toRead, s.plainPage("players.html")},
		{"GET", "/api/players", toRead, s.players},
		{"GET", "/api/stats", toRead, s.stats},
		{"GET", "/api/replay", toRead, s.replay},
	}
}

// rights serves the browser's Rights as JSON, and says whether the server belongs to a hall.
func (s *Server) rights(w http.ResponseWriter, r *http.Request) {
	reply(w, http.StatusOK, struct {
		Rights
		Hall bool `json:"hall"`
	}{s.rightsOf(r), s.routesFunc != nil})
}

// A Change is a request to change something about a match or a player. No journal records the
// change itself. The field Do is the kind of change: "note", "delete" or "restore" for a
// match, and "rename", "separate" or "remove" for a player. The field Match or Name says which
// match or player it is.
type Change struct {
	Do    string `json:"do"`
	Match string `json:"match"`
	Text  string `json:"text"` // of a note
	Name  string `json:"name"`
	To    string `json:"to"` // the new name
}

// plainPage returns a handler that serves the page with the given name. The page is the same
// for everybody, and a script fills it.
func (s *Server) plainPage(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy+"; frame-ancestors 'self'")
		s.serve(w, r, name)
	}
}

// servePast serves the matches with their results. With ?deleted, it serves only the deleted
// matches. A request with ?deleted needs Rights.Keep.
func (s *Server) servePast(w http.ResponseWriter, r *http.Request) {
	deleted, need := r.URL.Query().Has("deleted"), toRead
	if deleted {
		need = toKeep
	}
	s.require(need, func(w http.ResponseWriter, r *http.Request) {
		s.tell(w, r, func(h *History, to io.Writer) error {
			return WriteList(to, func(each func(any) error) error { return h.Matches(deleted, s.langFor(r), each) })
		})
	})(w, r)
}

// players serves the people who have played here; the list is empty if no journals are kept.
func (s *Server) players(w http.ResponseWriter, r *http.Request) {
	if s.config.History == nil {
		reply(w, http.StatusOK, []struct{}{})
		return
	}
	s.tell(w, r, func(h *History, to io.Writer) error {
		players, err := h.Players()
		if err != nil {
			return err
		}
		return json.NewEncoder(to).Encode(players)
	})
}

// stats serves the statistics.
func (s *Server) stats(w http.ResponseWriter, r *http.Request) {
	s.tell(w, r, func(h *History, to io.Writer) error {
		stats, err := h.Stats(s.langFor(r))
		if err != nil {
			return err
		}
		return json.NewEncoder(to).Encode(stats)
	})
}

// tell answers a request with the output of the given function. Until the answer is complete,
// it is kept compressed in memory. Thus a slow client delays nobody else, and 10,000 matches
// take less than a megabyte.
func (s *Server) tell(w http.ResponseWriter, r *http.Request, write func(*History, io.Writer) error) {
	if s.config.History == nil {
		s.failf(w, r, http.StatusNotFound, "this table keeps no journals")
		return
	}
	var packed bytes.Buffer
	var err error
	if !s.fold(w, r, func() {
		to, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed) // BestSpeed is a valid level
		if err = write(s.config.History, to); err == nil {
			err = to.Close()
		}
	}) {
		return
	}
	if err != nil {
		s.failf(w, r, http.StatusInternalServerError, "the matches cannot be listed: %s", s.reason(r, err))
		return
	}
	sendPacked(w, r, &packed)
}

// WriteList writes a list in JSON. It calls the given function once, with an argument that
// writes one row. The function must pass each row to this argument. Thus the rows need not all
// be in memory together.
func WriteList(to io.Writer, rows func(each func(any) error) error) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // people read it, too
	between := "["
	err := rows(func(row any) error {
		text.Reset()
		text.WriteString(between)
		between = ","
		if err := encoder.Encode(row); err != nil {
			return err
		}
		_, err := to.Write(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
		return err
	})
	switch {
	case err != nil:
		return err
	case between == "[":
		_, err = io.WriteString(to, "[]\n")
	default:
		_, err = io.WriteString(to, "]\n")
	}
	return err
}

// changePast carries out the Change in the request.
func (s *Server) changePast(w http.ResponseWriter, r *http.Request) {
	var c Change
	if s.config.History == nil || s.config.History.Change == nil {
		s.failf(w, r, http.StatusNotFound, "this table keeps no journals")
		return
	}
	if !s.decode(w, r, &c) {
		return
	}
	switch c.Do {
	case "note", "delete", "restore", "rename", "separate", "remove":
	default:
		s.failf(w, r, http.StatusBadRequest, `"do" is one of %s`,
			"note, delete, restore, rename, separate, remove")
		return
	}
	var err error
	if !s.fold(w, r, func() { err = s.config.History.Change(c) }) {
		return
	}
	refusal, refused := engine.AsRefusal(err)
	switch {
	case refused:
		s.failWith(w, r, http.StatusConflict, refusal.Text)
	case err != nil:
		s.failf(w, r, http.StatusInternalServerError, "this cannot be kept: %s", s.reason(r, err))
	default:
		reply(w, http.StatusOK, struct{}{})
	}
}

// replyPacked sends JSON that may be large. The JSON is compressed if the client accepts that.
func replyPacked(w http.ResponseWriter, r *http.Request, data []byte) {
	if headPacked(w, r) {
		data = compressed(data)
	}
	_, _ = w.Write(data)
}

// sendPacked does the same as replyPacked, but for JSON that is already compressed.
func sendPacked(w http.ResponseWriter, r *http.Request, packed io.Reader) {
	if !headPacked(w, r) {
		if plain, err := gzip.NewReader(packed); err == nil {
			packed = plain
		}
	}
	_, _ = io.Copy(w, packed)
}

// headPacked sets the header of the response that replyPacked or sendPacked is about to
// send. It reports whether the response must be compressed.
func headPacked(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Vary", "Accept-Encoding")
	takes := takesGzip(r, ".js")
	if takes {
		w.Header().Set("Content-Encoding", "gzip")
	}
	return takes
}
