package web

import (
	"context"
	"net/http"

	"tableside/display/web/core"
	"tableside/engine"
)

// maxTries is the largest number of inputs that one request may try. It is enough for a page
// that asks to which places a card may go.
const maxTries = 64

// tryCorrections answers with the results that some corrections would have. Thus the page can
// offer only those corrections that the game accepts. If an input is not a correction but a
// move, tryCorrections refuses it, because nobody may learn what a move would do before the
// move is made.
func (s *Server) tryCorrections(w http.ResponseWriter, r *http.Request) (any, error) {
	var body struct {
		Inputs []string `json:"inputs"`
	}
	if err := core.Decode(w, r, &body); err != nil {
		return nil, err
	}
	if len(body.Inputs) > maxTries {
		return nil, core.Failf(http.StatusBadRequest, "got %d inputs, want at most %d", len(body.Inputs), maxTries)
	}
	var inputs []engine.Input
	for _, line := range body.Inputs {
		in, err := engine.ParseInput(line)
		if err != nil {
			return nil, core.FailWith(http.StatusBadRequest, err)
		}
		if in.Verb != engine.Set {
			return nil, core.Failf(http.StatusBadRequest, "got %q, want only corrections with set", line)
		}
		if err := s.MayInput(r, in); err != nil {
			return nil, err
		}
		inputs = append(inputs, in)
	}
	ctx, cancel := context.WithTimeout(r.Context(), core.DoLimit)
	defer cancel()
	now, results := s.config.Try(ctx, inputs)
	return struct {
		Now     string   `json:"now"`
		Results []string `json:"results"`
	}{now, append([]string{}, results...)}, nil
}
