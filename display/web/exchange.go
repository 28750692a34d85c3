package web

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// share serves the page on which owners exchange their card files.
func (s *Server) share(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
	s.serve(w, r, "share.html")
}

// cardFile serves an owner's card file for other owners, as text or as a spreadsheet. Tags,
// comments and names of people are left out of it.
func (s *Server) cardFile(w http.ResponseWriter, r *http.Request) {
	game, kind, _ := strings.Cut(r.PathValue("file"), ".")
	if kind != "txt" && kind != "csv" {
		s.failWith(w, r, http.StatusNotFound, engine.T("files.ending"))
		return
	}
	owners := s.owners(w, r, game)
	if owners == nil {
		return
	}
	text, err := s.config.Files.Text(game)
	if err != nil {
		fail(w, http.StatusInternalServerError, s.reason(r, err))
		return
	}
	if !s.fold(w, r, func() {
		text = cardfile.Shared(owners, text)
		if kind == "csv" {
			text = owners.CSV(text)
		}
	}) {
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if kind == "csv" {
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	}
	w.Header().Set("Content-Disposition", `attachment; filename="`+game+"."+kind+`"`)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, text)
}

// A mergeAnswer is the answer to a request to merge two files. It says how the files differ,
// and whether they are merged.
type mergeAnswer struct {
	Merged      bool                  `json:"merged"`
	Added       []string              `json:"added"`
	Differences []cardfile.Difference `json:"differences"`
	Problems    []cardProblem         `json:"problems"`
}

// ErrNoGame reports that this program does not have the game of a journal.
var ErrNoGame = errors.New("this program does not have the game of the match")

// A mergeOrder is a request to merge a file into the owner's file.
type mergeOrder struct {
	Text    string            `json:"text"`
	CSV     bool              `json:"csv"`     // it is a spreadsheet
	Journal bool              `json:"journal"` // it is the journal of a match
	Decide  map[string]string `json:"decide"`  // "mine" or "theirs", by card
}

// mergeCards adds the cards of another file to the owner's file. For each card that differs,
// the request decides "mine" or "theirs". While a decision is missing, mergeCards changes
// nothing. A request without "decide" only compares the two files.
func (s *Server) mergeCards(w http.ResponseWriter, r *http.Request) {
	game := r.PathValue("game")
	owners := s.owners(w, r, game)
	var ask mergeOrder
	if owners == nil || !s.decodeCards(w, r, &ask) || s.tooLong(w, r, ask.Text) {
		return
	}
	for card, choice := range ask.Decide {
		if choice != "mine" && choice != "theirs" {
			s.failWith(w, r, http.StatusBadRequest, engine.T("files.choice", "card", printable(card), "got", printable(choice)))
			return
		}
	}
	var answer mergeAnswer
	var err error
	why := ""
	if !s.fold(w, r, func() { // a file of 1 MiB, or a match, takes a while
		var theirs foreignFile
		if theirs, why = s.readForeign(r, owners, ask); why == "" {
			answer, err = s.merge(game, owners, theirs, ask.Decide, s.langFor(r))
		}
	}) {
		return
	}
	said := struct {
		Error string `json:"error"`
		mergeAnswer
	}{s.fileError(r, err), answer}
	switch {
	case why != "":
		fail(w, http.StatusBadRequest, why)
	case err == nil, errors.Is(err, cardfile.ErrUndecided):
		reply(w, http.StatusOK, answer)
	case errors.Is(err, cardfile.ErrFaults):
		reply(w, http.StatusBadRequest, said)
	case errors.Is(err, cardfile.ErrIncompatible):
		reply(w, http.StatusConflict, said)
	case errors.Is(err, cardfile.ErrTooLong):
		fail(w, http.StatusRequestEntityTooLarge, said.Error)
	default:
		fail(w, http.StatusInternalServerError, s.reason(r, err))
	}
}

// merge adds the cards of another file to the owner's file. For each card that differs, the
// map of decisions says "mine" or "theirs". If a decision is missing, or if the map is nil,
// merge changes nothing and returns cardfile.ErrUndecided.
func (s *Server) merge(game string, owners cardfile.Owners, theirs foreignFile, decide map[string]string,
	lang engine.Lang) (mergeAnswer, error) {
	answer := mergeAnswer{Added: []string{}, Problems: []cardProblem{}, Differences: []cardfile.Difference{}}
	err := s.config.Files.Change(game, func(before string) (string, error) {
		join, err := cardfile.Join(owners, before, theirs.text, func(card string) string { return decide[card] })
		answer.Added = append(answer.Added, join.Added...)
		answer.Differences = append(answer.Differences, join.Differences...)
		switch {
		case err == nil && decide == nil:
			return "", cardfile.ErrUndecided
		case errors.Is(err, cardfile.ErrIncompatible):
			answer.Problems = problems(join.Joined, join.Faults, lang)
		case theirs.rows != nil:
			answer.Problems = problems(theirs.original, cardfile.InRows(join.Faults, theirs.rows), lang)
		default:
			answer.Problems = problems(theirs.text, join.Faults, lang)
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
	rows     []int  // for each line of text, its row in the spreadsheet that was sent; else nil
}

// readForeign returns the file to be merged, or why it cannot be read.
func (s *Server) readForeign(r *http.Request, owners cardfile.Owners, ask mergeOrder) (theirs foreignFile, why string) {
	theirs.original, theirs.text = ask.Text, ask.Text
	var err error
	switch game := r.PathValue("game"); {
	case ask.CSV:
		theirs.text, theirs.rows, err = owners.FromCSV("", ask.Text)
	case ask.Journal && s.config.Files.FromMatch != nil:
		theirGame, lines, fault := s.config.Files.FromMatch([]byte(ask.Text))
		switch say := Words().Say; {
		case errors.Is(fault, ErrNoGame):
			return theirs, say(s.langFor(r), engine.T("files.strange-game", "game", printable(theirGame)), nil)
		case fault == nil && engine.Title(theirGame) != game:
			return theirs, say(s.langFor(r), engine.T("files.other-game", "game", engine.Title(theirGame)), nil)
		}
		theirs.text, err = strings.Join(lines, "\n"), fault
	}
	if err != nil {
		why = s.reason(r, err)
	}
	return theirs, why
}

// fileError returns a text that says why a file was not changed. If it knows no text for the
// error, it returns "".
func (s *Server) fileError(r *http.Request, err error) string {
	key := ""
	switch {
	case errors.Is(err, cardfile.ErrFaults):
		key = "files.faults"
	case errors.Is(err, cardfile.ErrIncompatible):
		key = "files.together"
	case errors.Is(err, cardfile.ErrTooLong):
		key = "files.long"
	case errors.Is(err, errChanged):
		key = "files.changed"
	default:
		return ""
	}
	return Words().Say(s.langFor(r), engine.T(key), nil)
}
