package past

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"strconv"

	"tableside/display/web/core"
	"tableside/engine/advice"
)

// Chances returns who is how likely to win after the first inputs of a match; if the match is over, also what was wrong
// with the next answer.
type Chances func(ctx context.Context, match string, seq int) (advice.Moment, error)

// chances serves who is how likely to win after the first ?seq= inputs of a match, or after all of them. A visitor may
// wait for two answers: what everybody may ask for must not keep the table from folding matches.
func (s *Room) chances(_ http.ResponseWriter, r *http.Request) (any, error) {
	query, seq := r.URL.Query(), MaxReplay
	if text := query.Get("seq"); text != "" {
		var err error
		if seq, err = strconv.Atoi(text); err != nil || seq < 0 {
			return nil, core.Failf(http.StatusBadRequest, "%q is a number", "seq")
		}
	}
	match := query.Get("match")
	if s.Chances == nil || match != "" && !s.isListed(match) {
		return nil, errNoMatch
	}
	leave, _ := s.imagining.Take(s.Client(r))
	if leave == nil {
		return nil, core.ErrBusy
	}
	defer leave()
	moment, err := s.Chances(r.Context(), match, seq)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errNoMatch
	case errors.Is(err, advice.ErrBlind):
		return nil, core.Failf(http.StatusNotFound, "nobody knows the chances in this game")
	case err != nil:
		return nil, core.Failf(http.StatusConflict, notReplayed, err)
	}
	return moment, nil
}
