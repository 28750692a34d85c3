package web

import (
	"context"
	"net/http"

	"tableside/display/web/core"
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
func (s *Server) arrive(r *http.Request, verb engine.Verb, place, tag string) (any, error) {
	seat, ok := s.config.Readers.Seat(place)
	if !ok {
		return nil, core.Failf(http.StatusNotFound, "this table has no reader or seat called %q", core.Printable(place))
	}
	in := inputAt(string(seat), verb, tag)
	if f, _ := s.currentFrame(""); f.View.Match == "" && verb == engine.Tap {
		in.Verb = engine.Lift // only a key can choose what is played
		if key := s.config.Readers.Key(tag); key != "" {
			in = inputAt(string(seat), engine.Key, key)
		}
	}
	if err := s.MayInput(r, in); err != nil {
		return nil, err
	}
	do := s.config.Readers.Tap
	if verb == engine.Lift {
		do = s.config.Readers.Lift
	}
	ctx, cancel := context.WithTimeout(r.Context(), core.DoLimit)
	defer cancel()
	receipt := do(ctx, place, tag)
	f, _ := s.currentFrame(s.LangFor(r))
	text := ""
	if receipt.Text.Key != "" {
		text = f.Words.Say(f.Lang, receipt.Text, f.View.Names())
	}
	switch {
	case receipt.Outcome == engine.Malformed:
		return nil, core.FailWith(http.StatusBadRequest, text)
	case receipt.Outcome == engine.Failed && receipt.Text.Key == "receipt.flood":
		return nil, core.FailWith(http.StatusTooManyRequests, text)
	case receipt.Outcome == engine.Failed:
		return nil, core.FailWith(http.StatusServiceUnavailable, text)
	}
	return core.WithStatus(http.StatusAccepted, arrival{receipt.Outcome, text, nameOf(f, tag)}), nil
}
