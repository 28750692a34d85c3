package web

import (
	"context"
	"net/http"

	"tableside/engine"
)

// arrive passes on a tag that another device has read. Status 202 means that the table
// has it; the receipt comes with the next frame. It needs the same right as the input
// that it leads to.
func (s *Server) arrive(w http.ResponseWriter, r *http.Request, verb engine.Verb, place, read string) {
	seat, ok := s.config.Readers.Seat(place)
	if !ok {
		s.failf(w, r, http.StatusNotFound, "this table has no reader or seat called %q", printable(place))
		return
	}
	if !s.mayInput(w, r, inputAt(string(seat), verb, read)) {
		return
	}
	do := s.config.Readers.Tap
	if verb == engine.Lift {
		do = s.config.Readers.Lift
	}
	ctx, cancel := context.WithTimeout(r.Context(), doLimit)
	defer cancel()
	receipt := do(ctx, place, read)
	f, _ := s.current("")
	text := ""
	if receipt.Text.Key != "" {
		text = f.Words.Say(s.langFor(r), receipt.Text, f.View.Names())
	}
	switch {
	case receipt.Outcome == engine.Malformed:
		fail(w, http.StatusBadRequest, text)
	case receipt.Outcome == engine.Failed && receipt.Text.Key == "receipt.flood":
		fail(w, http.StatusTooManyRequests, text)
	case receipt.Outcome == engine.Failed:
		fail(w, http.StatusServiceUnavailable, text)
	default:
		reply(w, http.StatusAccepted, map[string]string{"outcome": string(receipt.Outcome), "text": text})
	}
}
