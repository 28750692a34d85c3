package past

import (
	"errors"
	"io/fs"
	"net/http"
	"slices"

	"tableside/display/web/core"
	"tableside/engine"
)

// A matchEntry is one match in the list of matches, with the label of the counter by which its
// seats are compared.
type matchEntry struct {
	engine.MatchInfo
	Label string `json:"label,omitempty"`
}

func (s *Room) matches(_ http.ResponseWriter, r *http.Request) (any, error) {
	matches, lang := []matchEntry{}, s.LangFor(r)
	list, err := s.Matches()
	if err != nil {
		return nil, core.Failf(http.StatusInternalServerError, "the matches cannot be listed: %s", err)
	}
	for _, m := range list {
		matches = append(matches, matchEntry{m, s.counterLabel(m, lang)})
	}
	return matches, nil
}

// counterLabel returns the word for the counter of an unfinished match. If there is no word,
// it returns the name of the counter. If the match has no counter, it returns "".
func (s *Room) counterLabel(m engine.MatchInfo, lang engine.Lang) string {
	for _, info := range s.Games() {
		if key := "counter." + m.Counter; info.Name == m.Game && info.Words.Has(key) {
			return info.Words.Say(lang, engine.Text{Key: key}, nil)
		}
	}
	return m.Counter
}

func (s *Room) journal(w http.ResponseWriter, r *http.Request) (any, error) {
	match := r.URL.Query().Get("match")
	if match != "" && !s.isListed(match) {
		return nil, errNoMatch
	}
	data, err := s.Journal(match)
	if err == nil && !s.RightsOf(r).Keep {
		busy := s.Fold(w, r, func() error {
			data, err = s.maskJournal(r, match, data)
			return nil
		})
		if busy != nil {
			return nil, busy
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errNoMatch
	case err != nil:
		return nil, core.Failf(http.StatusInternalServerError, "the journal cannot be read: %s", err)
	}
	return core.Document{Kind: core.PlainText, Data: data}, nil
}

func (s *Room) maskJournal(r *http.Request, match string, data []byte) ([]byte, error) {
	journal, err := engine.ParseJournal(match+".journal", data)
	if journal == nil {
		return nil, err
	}
	game, _, _ := s.played(match) // nil if this program does not have the game
	remark := core.Words().Say(s.LangFor(r), engine.T("journal.masked"), nil)
	return journal.Mask(game, data, remark, core.LimitTime(s.FoldTime)), nil
}

// isListed reports whether the list of matches has a match with this ID. If the list cannot be
// read, isListed returns false. Because the list holds only the plain files of one folder, a
// request cannot reach any other file by naming it.
func (s *Room) isListed(match string) bool {
	matches, err := s.Matches()
	return err == nil && slices.ContainsFunc(matches, func(m engine.MatchInfo) bool { return m.ID == match })
}

// matchReason returns the reason why a match cannot be replayed, as an argument of core.Failf. The
// caller passes the game of the match, or nil.
func matchReason(err error, game engine.Game) any {
	if _, setup := errors.AsType[*engine.SetupError](err); setup {
		return engine.Worded(func(lang engine.Lang) string { return engine.SayFault(err, game, lang) })
	}
	return err
}
