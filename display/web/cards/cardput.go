package cards

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"

	"tableside/display/web/core"
	"tableside/engine"
	"tableside/engine/cardfile"
)

// Lines holds a card's lines in the owner's file.
type Lines struct {
	Lines []string `json:"lines"`
}

func (c Lines) Tag() string {
	sum := sha256.Sum256([]byte(strings.Join(c.Lines, "\n")))
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// card serves the lines about one card, or no lines for a card that the owner has not entered.
func (s *Room) card(w http.ResponseWriter, r *http.Request) (any, error) {
	game := r.PathValue("game")
	if _, err := s.owners(game); err != nil {
		return nil, err
	}
	text, err := s.Files.Text(game)
	if err != nil {
		return nil, err
	}
	c := Lines{cardfile.About(text, r.PathValue("card"))}
	w.Header().Set("ETag", c.Tag())
	return c, nil
}

// errChanged is the error for a request to replace the lines about a card if these lines have
// changed since the client read them. In this case the tag in the request is out of date.
var errChanged = errors.New("the card was changed meanwhile: read it again")

// A Change is a request to replace the lines about one card. The old lines are replaced only
// if they still have the tag of the request.
type Change struct {
	Card  string   `json:"card"`
	Tag   string   `json:"tag"`
	Lines []string `json:"lines"`
}

// putCard replaces the lines about one card. Lines about other cards may have faults;
// the new ones may not.
func (s *Room) putCard(w http.ResponseWriter, r *http.Request) (any, error) {
	var put Lines
	if err := decodeCards(w, r, &put); err != nil {
		return nil, err
	}
	now, err := s.replaceCards(r, []Change{{r.PathValue("card"), r.Header.Get("If-Match"), put.Lines}})
	if err != nil {
		return nil, err
	}
	w.Header().Set("ETag", now[0].Tag)
	return Lines{now[0].Lines}, nil
}

// maxPuts is the most cards that one request may replace: more than any box has.
const MaxPuts = 500

// putCards replaces the lines about several cards in one change of the file: all of them
// or none.
func (s *Room) putCards(w http.ResponseWriter, r *http.Request) (any, error) {
	var put struct{ Cards []Change }
	if err := decodeCards(w, r, &put); err != nil {
		return nil, err
	}
	if len(put.Cards) > MaxPuts {
		return nil, core.FailWith(http.StatusRequestEntityTooLarge, engine.T("files.many", "n", MaxPuts))
	}
	now, err := s.replaceCards(r, put.Cards)
	return map[string]any{"cards": now}, err
}

// replaceCards replaces the lines about the given cards in the owner's file. It returns the
// new lines of the file about each card, with their tags. If it cannot replace them, it changes
// nothing and returns an error.
func (s *Room) replaceCards(r *http.Request, puts []Change) ([]Change, error) {
	game := r.PathValue("game")
	if _, err := s.owners(game); err != nil {
		return nil, err
	}
	for _, put := range puts {
		for _, line := range put.Lines {
			about := cardfile.Named(line)
			if strings.ContainsAny(line, "\r\n") || !slices.Equal(about, []string{put.Card}) {
				return nil, core.FailWith(http.StatusBadRequest,
					engine.T("files.line", "line", core.Printable(line), "card", core.Printable(put.Card)))
			}
		}
	}
	var found []Problem
	now, changed := []Change{}, []string{}
	err := s.Files.Change(game, func(before string) (string, error) {
		after := before
		for _, put := range puts {
			if (Lines{cardfile.About(after, put.Card)}).Tag() != put.Tag {
				changed = append(changed, put.Card)
			}
			after = cardfile.Replace(after, put.Card, put.Lines)
		}
		if len(changed) > 0 {
			return "", errChanged
		}
		if faults := s.addedFaults(game, before, after, puts); len(faults) > 0 {
			found = Problems(after, faults, s.LangFor(r))
			return "", cardfile.ErrFaults
		}
		if len(after) > cardfile.MaxFile {
			return "", cardfile.ErrTooLong
		}
		for _, put := range puts {
			lines := Lines{cardfile.About(after, put.Card)}
			now = append(now, Change{put.Card, lines.Tag(), lines.Lines})
		}
		return after, nil
	})
	switch {
	case errors.Is(err, errChanged):
		err = core.FailMore(http.StatusPreconditionFailed, fileError(err), map[string]any{"changed": changed})
	case errors.Is(err, cardfile.ErrFaults):
		err = core.FailMore(http.StatusBadRequest, fileError(err), map[string]any{"problems": found})
	case errors.Is(err, cardfile.ErrTooLong):
		err = errTooLongFile
	}
	return now, err
}

// addedFaults returns the faults in the lines about the given cards. If these lines have no
// faults, but the file has more faults than before, it returns all faults of the file.
func (s *Room) addedFaults(game, before, after string, puts []Change) []*engine.SyntaxError {
	owners := s.Files.Owners(game)
	_, old := owners.Define("", before)
	_, faults := owners.Define("", after)
	lines := strings.Split(after, "\n")
	inThem := slices.DeleteFunc(slices.Clone(faults), func(e *engine.SyntaxError) bool {
		about := cardfile.Named(lineOf(lines, e))
		return !slices.ContainsFunc(puts, func(put Change) bool { return slices.Contains(about, put.Card) })
	})
	switch {
	case len(inThem) > 0:
		return inThem
	case len(faults) > len(old):
		return faults
	}
	return nil
}
