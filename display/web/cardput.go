package web

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// cardLines holds a card's lines in the owner's file.
type cardLines struct {
	Lines []string `json:"lines"`
}

// tag returns the ETag of a card's lines.
func (c cardLines) tag() string {
	sum := sha256.Sum256([]byte(strings.Join(c.Lines, "\n")))
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// card serves the lines about one card, or no lines for a card that the owner has not entered.
func (s *Server) card(w http.ResponseWriter, r *http.Request) {
	game := r.PathValue("game")
	if s.owners(w, r, game) == nil {
		return
	}
	text, err := s.config.Files.Text(game)
	if err != nil {
		fail(w, http.StatusInternalServerError, s.reason(r, err))
		return
	}
	c := cardLines{cardfile.About(text, r.PathValue("card"))}
	w.Header().Set("ETag", c.tag())
	reply(w, http.StatusOK, c)
}

// errChanged is the error for a request to replace the lines about a card if these lines have
// changed since the client read them. In this case the tag in the request is out of date.
var errChanged = errors.New("the card was changed meanwhile: read it again")

// A cardPut is a request to replace the lines about one card. The old lines are replaced only
// if they still have the tag of the request.
type cardPut struct {
	Card  string   `json:"card"`
	Tag   string   `json:"tag"`
	Lines []string `json:"lines"`
}

// putCard replaces the lines about one card. Lines about other cards may have faults;
// the new ones may not.
func (s *Server) putCard(w http.ResponseWriter, r *http.Request) {
	game, id := r.PathValue("game"), r.PathValue("card")
	var put cardLines
	if s.owners(w, r, game) == nil || !s.decodeCards(w, r, &put) {
		return
	}
	now, ok := s.replaceCards(w, r, []cardPut{{id, r.Header.Get("If-Match"), put.Lines}})
	if ok {
		w.Header().Set("ETag", now[0].Tag)
		reply(w, http.StatusOK, cardLines{now[0].Lines})
	}
}

// maxPuts is the most cards that one request may replace: more than any box has.
const maxPuts = 500

// putCards replaces the lines about several cards in one change of the file: all of them
// or none.
func (s *Server) putCards(w http.ResponseWriter, r *http.Request) {
	var put struct{ Cards []cardPut }
	if s.owners(w, r, r.PathValue("game")) == nil || !s.decodeCards(w, r, &put) {
		return
	}
	if len(put.Cards) > maxPuts {
		s.failWith(w, r, http.StatusRequestEntityTooLarge, engine.T("files.many", "n", maxPuts))
		return
	}
	if now, ok := s.replaceCards(w, r, put.Cards); ok {
		reply(w, http.StatusOK, map[string]any{"cards": now})
	}
}

// replaceCards replaces the lines about the given cards in the owner's file. It returns the
// new lines of the file about each card, with their tags. If it cannot replace them, it
// answers the request with an error, changes nothing and returns false.
func (s *Server) replaceCards(w http.ResponseWriter, r *http.Request, puts []cardPut) ([]cardPut, bool) {
	game := r.PathValue("game")
	for _, put := range puts {
		for _, line := range put.Lines {
			about := cardfile.Named(line)
			if strings.ContainsAny(line, "\r\n") || !slices.Equal(about, []string{put.Card}) {
				why := engine.T("files.line", "line", printable(line), "card", printable(put.Card))
				s.failWith(w, r, http.StatusBadRequest, why)
				return nil, false
			}
		}
	}
	var found []cardProblem
	now, changed := []cardPut{}, []string{}
	err := s.config.Files.Change(game, func(before string) (string, error) {
		after := before
		for _, put := range puts {
			if (cardLines{cardfile.About(after, put.Card)}).tag() != put.Tag {
				changed = append(changed, put.Card)
			}
			after = cardfile.Replace(after, put.Card, put.Lines)
		}
		if len(changed) > 0 {
			return "", errChanged
		}
		if faults := s.addedFaults(game, before, after, puts); len(faults) > 0 {
			found = problems(after, faults, s.langFor(r))
			return "", cardfile.ErrFaults
		}
		if len(after) > cardfile.MaxFile {
			return "", cardfile.ErrTooLong
		}
		for _, put := range puts {
			lines := cardLines{cardfile.About(after, put.Card)}
			now = append(now, cardPut{put.Card, lines.tag(), lines.Lines})
		}
		return after, nil
	})
	switch {
	case errors.Is(err, errChanged):
		reply(w, http.StatusPreconditionFailed, map[string]any{"error": s.fileError(r, err), "changed": changed})
	case errors.Is(err, cardfile.ErrFaults):
		reply(w, http.StatusBadRequest, map[string]any{"error": s.fileError(r, err), "problems": found})
	case errors.Is(err, cardfile.ErrTooLong):
		fail(w, http.StatusRequestEntityTooLarge, s.fileError(r, err))
	case err != nil:
		fail(w, http.StatusInternalServerError, s.reason(r, err))
	}
	return now, err == nil
}

// addedFaults returns the faults in the lines about the given cards. If these lines have no
// faults, but the file has more faults than before, it returns all faults of the file.
func (s *Server) addedFaults(game, before, after string, puts []cardPut) []*engine.SyntaxError {
	owners := s.config.Files.Owners(game)
	_, old := owners.Define("", before)
	_, faults := owners.Define("", after)
	lines := strings.Split(after, "\n")
	inThem := slices.DeleteFunc(slices.Clone(faults), func(e *engine.SyntaxError) bool {
		about := cardfile.Named(lineOf(lines, e))
		return !slices.ContainsFunc(puts, func(put cardPut) bool { return slices.Contains(about, put.Card) })
	})
	switch {
	case len(inThem) > 0:
		return inThem
	case len(faults) > len(old):
		return faults
	}
	return nil
}
