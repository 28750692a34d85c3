package web

import (
	"bytes"
	"net/http"
	"strings"

	"tableside/engine"
)

// Print says which labels to print: of a game, or of one of its boxes, on which size of
// label and paper. "" stands for what the command prints.
type Print struct {
	Game, Set, Size, Paper string
	Missing                bool // only cards without a tag in the catalogue
	Lang                   engine.Lang
}

// print serves a sheet of labels as a PDF. It needs the right to play, because the names
// come from the owner's file. One sheet is made at a time.
func (s *Server) print(w http.ResponseWriter, r *http.Request) {
	if s.config.Print == nil {
		fail(w, http.StatusNotFound, "this table prints no labels")
		return
	}
	q := r.URL.Query()
	ask := Print{Game: q.Get("game"), Set: q.Get("set"), Size: q.Get("size"), Paper: q.Get("paper"),
		Missing: q.Get("missing") == "1", Lang: s.langFor(r)}
	if f, _ := s.current(""); ask.Game == "" {
		ask.Game = string(f.View.Game)
	}
	var pdf bytes.Buffer
	s.printing.Lock()
	err := s.config.Print(&pdf, ask)
	s.printing.Unlock()
	if err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	name := strings.ReplaceAll(printable(ask.Game), "/", "-")
	w.Header().Set("Content-Type", "application/pdf")
	w.Header().Set("Content-Disposition", `inline; filename="`+name+`-labels.pdf"`)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(pdf.Bytes())
}
