package web

import (
	"context"
	"net/http"

	"tableside/engine"
)

// maxTries is the largest number of inputs that one request may try. It is enough for a page
// that asks to which places a card may go.
const maxTries = 64

// tryCorrections answers with the results that some corrections would have. Thus the page can
// offer only those corrections that the game accepts. If an input is not a correction but a
// move, tryCorrections refuses it, because nobody may learn what a move would do before the
// move is made.
func (s *Server) tryCorrections(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Inputs []string `json:"inputs"`
	}
	if !s.decode(w, r, &body) {
		return
	}
	if s.config.Try == nil {
		s.failf(w, r, http.StatusNotFound, "this table tries no inputs")
		return
	}
	if len(body.Inputs) > maxTries {
		s.failf(w, r, http.StatusBadRequest, "got %d inputs, want at most %d", len(body.Inputs), maxTries)
		return
	}
	var inputs []engine.Input
	for _, line := range body.Inputs {
		in, err := engine.ParseInput(line)
		if err != nil {
			fail(w, http.StatusBadRequest, engine.ErrorIn(err, s.langFor(r)))
			return
		}
		if in.Verb != engine.Set {
			s.failf(w, r, http.StatusBadRequest, "got %q, want only corrections with set", line)
			return
		}
		if !s.mayInput(w, r, in) {
			return
		}
		inputs = append(inputs, in)
	}
	ctx, cancel := context.WithTimeout(r.Context(), doLimit)
	defer cancel()
	now, results := s.config.Try(ctx, inputs)
	reply(w, http.StatusOK, struct {
		Now     string   `json:"now"`
		Results []string `json:"results"`
	}{now, append([]string{}, results...)})
}
