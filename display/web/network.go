package web

import (
	"context"
	"net/http"

	"tableside/engine"
)

// An arrival is the answer to a request in which another device sends a tag that it has read.
type arrival struct {
	Outcome engine.Outcome `json:"outcome"`
	Text    string         `json:"text"`
	Name    string         `json:"name,omitempty"` // of the card or key that the tag names
}

// arrive passes on the UID or the text of a tag that another device has read. The request
// needs the right to make the input that the tag stands for. Status 202 means that the table
// has received the tag. The receipt comes with the next frame.
func (s *Server) arrive(w http.ResponseWriter, r *http.Request, verb engine.Verb, place, tag string) {
	seat, ok := s.config.Readers.Seat(place)
	if !ok {
		s.failf(w, r, http.StatusNotFound, "this table has no reader or seat called %q", printable(place))
		return
	}
	if !s.mayInput(w, r, inputAt(string(seat), verb, tag)) {
		return
	}
	do := s.config.Readers.Tap
	if verb == engine.Lift {
		do = s.config.Readers.Lift
	}
	ctx, cancel := context.WithTimeout(r.Context(), doLimit)
	defer cancel()
	receipt := do(ctx, place, tag)
	f, _ := s.currentFrame(s.langFor(r))
	text := ""
	if receipt.Text.Key != "" {
		text = f.Words.Say(f.Lang, receipt.Text, f.View.Names())
	}
	switch {
	case receipt.Outcome == engine.Malformed:
		fail(w, http.StatusBadRequest, text)
	case receipt.Outcome == engine.Failed && receipt.Text.Key == "receipt.flood":
		fail(w, http.StatusTooManyRequests, text)
	case receipt.Outcome == engine.Failed:
		fail(w, http.StatusServiceUnavailable, text)
	default:
		reply(w, http.StatusAccepted, arrival{receipt.Outcome, text, nameOf(f, tag)})
	}
}
