package cards

import (
	"errors"
	"net/http"
	"strings"

	"tableside/display/web/core"
	"tableside/engine"
	"tableside/engine/cardfile"
)

// cardFile serves an owner's card file for other owners, as text or as a core.Spreadsheet, in which
// "?all" gives each card of the box a row. Tags, comments and names of people are left out.
func (s *Room) cardFile(w http.ResponseWriter, r *http.Request) (any, error) {
	game, ending, _ := strings.Cut(r.PathValue("file"), ".")
	kind := map[string]string{"txt": core.PlainText, "csv": core.Spreadsheet}[ending]
	if kind == "" {
		return nil, core.FailWith(http.StatusNotFound, engine.T("files.ending"))
	}
	owners, err := s.owners(game)
	if err != nil {
		return nil, err
	}
	text, err := s.Files.Text(game)
	if err != nil {
		return nil, err
	}
	err = s.Fold(w, r, func() error {
		text = cardfile.Shared(owners, text)
		if ending == "csv" {
			text = owners.CSV(text, r.URL.Query().Has("all"))
		}
		return nil
	})
	return core.Document{Kind: kind, Name: game + "." + ending, Data: []byte(text)}, err
}

// A Merged is the answer to a request to merge two files. It says how the files differ,
// and whether they are merged.
type Merged struct {
	Merged      bool                  `json:"merged"`
	Added       []string              `json:"added"`
	Completed   []string              `json:"completed"` // cards that get fields
	Differences []cardfile.Difference `json:"differences"`
	Problems    []Problem             `json:"problems"`
}

// ErrNoGame reports that this program does not have the game of a journal.
var ErrNoGame = errors.New("this program does not have the game of the match")

// A mergeOrder is a request to merge a file into the owner's file.
type mergeOrder struct {
	Text    string            `json:"text"`
	CSV     bool              `json:"csv"`     // it is a core.Spreadsheet
	Journal bool              `json:"journal"` // it is the journal of a match
	Decide  map[string]string `json:"decide"`  // "mine" or "theirs", by cardfile.Difference.Decision
}

// mergeCards adds the cards of another file to the owner's file. For each field that differs,
// the request decides "mine" or "theirs". While a decision is missing, mergeCards changes
// nothing. A request without "decide" only compares the two files.
func (s *Room) mergeCards(w http.ResponseWriter, r *http.Request) (any, error) {
	game := r.PathValue("game")
	owners, err := s.owners(game)
	if err != nil {
		return nil, err
	}
	var ask mergeOrder
	if err := decodeCards(w, r, &ask); err != nil {
		return nil, err
	}
	if len(ask.Text) > cardfile.MaxFile {
		return nil, errTooLongFile
	}
	for card, choice := range ask.Decide {
		if choice != "mine" && choice != "theirs" {
			return nil, core.FailWith(http.StatusBadRequest,
				engine.T("files.choice", "card", core.Printable(card), "got", core.Printable(choice)))
		}
	}
	var answer Merged
	err = s.Fold(w, r, func() error { // a file of 1 MiB, or a match, takes a while
		theirs, err := s.readForeign(game, owners, ask)
		if err != nil {
			return err
		}
		answer, err = s.merge(game, owners, theirs, ask.Decide, s.LangFor(r))
		return err
	})
	switch {
	case errors.Is(err, cardfile.ErrUndecided):
		err = nil
	case errors.Is(err, cardfile.ErrFaults):
		err = core.FailMore(http.StatusBadRequest, fileError(err), answer.fields())
	case errors.Is(err, cardfile.ErrIncompatible):
		err = core.FailMore(http.StatusConflict, fileError(err), answer.fields())
	case errors.Is(err, cardfile.ErrTooLong):
		err = errTooLongFile
	}
	return answer, err
}

func (m Merged) fields() map[string]any {
	return map[string]any{"merged": m.Merged, "added": m.Added, "completed": m.Completed, "differences": m.Differences, "problems": m.Problems}
}

// merge adds the cards of another file to the owner's file. For each field that differs, the
// map of decisions says "mine" or "theirs". If a decision is missing, or if the map is nil,
// merge changes nothing and returns cardfile.ErrUndecided.
func (s *Room) merge(game string, owners *cardfile.Owners, theirs foreignFile, decide map[string]string,
	lang engine.Lang) (Merged, error) {
	answer := Merged{Added: []string{}, Completed: []string{}, Problems: []Problem{}, Differences: []cardfile.Difference{}}
	err := s.Files.Change(game, func(before string) (string, error) {
		join, err := cardfile.Join(owners, before, theirs.text, func(d cardfile.Difference) string { return d.Decision(decide) })
		answer.Added = append(answer.Added, join.Added...)
		answer.Completed = append(answer.Completed, join.Completed...)
		answer.Differences = append(answer.Differences, join.Differences...)
		switch {
		case err == nil && decide == nil:
			return "", cardfile.ErrUndecided
		case errors.Is(err, cardfile.ErrIncompatible):
			answer.Problems = Problems(join.Joined, join.Faults, lang)
		case theirs.rows != nil:
			answer.Problems = Problems(theirs.original, cardfile.InRows(join.Faults, theirs.rows), lang)
		default:
			answer.Problems = Problems(theirs.text, join.Faults, lang)
		}
		return join.Joined, err
	})
	answer.Merged = err == nil
	return answer, err
}

// A foreignFile is a file that is merged into the owner's file.
type foreignFile struct {
	original string
	text     string // as a card file
	rows     []int  // for each line of text, its row in the core.Spreadsheet that was sent; else nil
}

// readForeign returns the file to be merged.
func (s *Room) readForeign(game string, owners *cardfile.Owners, ask mergeOrder) (foreignFile, error) {
	theirs := foreignFile{original: ask.Text, text: ask.Text}
	var err error
	switch {
	case ask.CSV:
		theirs.text, theirs.rows, err = owners.FromCSV("", ask.Text)
	case ask.Journal:
		var theirGame string
		var lines []string
		theirGame, lines, err = s.Files.FromMatch([]byte(ask.Text))
		switch {
		case errors.Is(err, ErrNoGame):
			return theirs, core.FailWith(http.StatusBadRequest,
				engine.T("files.strange-game", "game", core.Printable(theirGame)))
		case err == nil && engine.Title(theirGame) != game:
			return theirs, core.FailWith(http.StatusBadRequest, engine.T("files.other-game", "game", engine.Title(theirGame)))
		}
		theirs.text = strings.Join(lines, "\n")
	}
	if err != nil {
		return theirs, core.FailWith(http.StatusBadRequest, err)
	}
	return theirs, nil
}

// fileError returns the text that says why a file was not changed.
func fileError(err error) engine.Text {
	switch {
	case errors.Is(err, cardfile.ErrFaults):
		return engine.T("files.faults")
	case errors.Is(err, cardfile.ErrIncompatible):
		return engine.T("files.together")
	}
	return engine.T("files.changed")
}
