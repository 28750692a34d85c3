package web

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"unicode/utf16"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// CardFiles reads and changes the owner's card files. A game is a title without an edition,
// such as "mutants".
type CardFiles struct {
	// Owners returns the object that reads a game's card files, or nil for a game without
	// cards.
	Owners func(game string) cardfile.Owners
	// Text returns the text of a game's card file, unchanged; "" if there is no file.
	Text func(game string) (string, error)
	// FromMatch returns the game of a journal, with its edition, and the owner's card data in
	// the journal. It returns ErrNoGame if the program does not have the game.
	FromMatch func(journal []byte) (game string, lines []string, err error)
	// Change passes the text of a file to the given function, replaces the file with the
	// result, and keeps the old version. If the function returns an error, Change returns
	// this error and leaves the file unchanged.
	Change func(game string, edit func(before string) (string, error)) error
	// Versions returns old versions of a file, the newest first. The parameter most is their
	// greatest number, or -1 for all.
	Versions func(game string, most int) ([]CardVersion, error)

	// Workshop returns all cards of a game's box, what the given text of a card file says
	// about each of them, and the forms to fill in for them. The function is nil if the table
	// has no page for cards.
	Workshop func(game, text string, lang engine.Lang) (Workshop, error)
	// Editions returns the editions of a game in which its cards may be rehearsed.
	Editions func(game string) []engine.Game
	// Say returns the name that the text of a card file gives a card, and lines that describe
	// the card. There are no lines if the text does not describe it.
	Say func(game, text, card string, lang engine.Lang) (name string, says []string)
}

// A cardProblem is a mistake in a card file. Column and length count UTF-16 units,
// as JavaScript does.
type cardProblem struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Length  int    `json:"length"`
	Text    string `json:"text"`
	Suggest string `json:"suggest"`
}

// problems returns the faults of a text, each explained in a language.
func problems(text string, faults []*engine.SyntaxError, lang engine.Lang) []cardProblem {
	lines := strings.Split(text, "\n")
	list := []cardProblem{}
	for _, e := range faults {
		line := lineOf(lines, e)
		from := min(max(e.Column-1, 0), len(line))
		to := min(from+e.Length, len(line))
		units := func(s string) int { return len(utf16.Encode([]rune(s))) }
		list = append(list, cardProblem{e.Line, units(line[:from]) + 1, units(line[from:to]), e.In(lang), e.Suggest})
	}
	return list
}

// lineOf returns the text of the line that has the fault, or "" for a fault of the whole file.
func lineOf(lines []string, e *engine.SyntaxError) string {
	if e.Line < 1 || e.Line > len(lines) {
		return ""
	}
	return lines[e.Line-1]
}

// owners returns the object that reads a game's card files. If there is no such game, it
// answers the request with an error and returns nil.
func (s *Server) owners(w http.ResponseWriter, r *http.Request, game string) cardfile.Owners {
	if s.config.Files != nil {
		if owners := s.config.Files.Owners(game); owners != nil {
			return owners
		}
	}
	s.failWith(w, r, http.StatusNotFound, engine.T("files.no-game", "name", printable(game)))
	return nil
}

// decodeCards does the same as decode, but for requests that may hold a whole card file.
func (s *Server) decodeCards(w http.ResponseWriter, r *http.Request, into any) bool {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 2*cardfile.MaxFile)) // JSON escapes line ends and quotes
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		s.failWith(w, r, http.StatusRequestEntityTooLarge, engine.T("files.long"))
		return false
	case err != nil:
		s.failf(w, r, http.StatusBadRequest, "the request broke off")
		return false
	}
	return s.parse(w, r, data, into)
}

func (s *Server) tooLong(w http.ResponseWriter, r *http.Request, text string) bool {
	if len(text) > cardfile.MaxFile {
		s.failWith(w, r, http.StatusRequestEntityTooLarge, engine.T("files.long"))
	}
	return len(text) > cardfile.MaxFile
}

// checkCards answers with all faults in a text of a card file. If the request names a card,
// the answer also contains what the text says about this card.
func (s *Server) checkCards(w http.ResponseWriter, r *http.Request) {
	var ask struct{ Game, Text, Card string }
	if !s.decodeCards(w, r, &ask) || s.tooLong(w, r, ask.Text) {
		return
	}
	owners := s.owners(w, r, ask.Game)
	if owners == nil {
		return
	}
	end := s.checks.begin(s.client(r))
	if end == nil {
		s.failWith(w, r, http.StatusTooManyRequests, engine.T("files.busy"))
		return
	}
	defer end()
	lines, faults := owners.Define("", ask.Text)
	answer := map[string]any{"problems": problems(ask.Text, faults, s.langFor(r))}
	if say := s.config.Files.Say; say != nil && ask.Card != "" {
		if len(faults) > 0 { // Define leaves out a card with a fault
			lines, _ = owners.Define("", withoutFaults(ask.Text, faults))
		}
		answer["name"], answer["says"] = say(ask.Game, strings.Join(lines, "\n"), ask.Card, s.langFor(r))
	}
	reply(w, http.StatusOK, answer)
}

// withoutFaults returns a text in which the lines with a fault are empty.
func withoutFaults(text string, faults []*engine.SyntaxError) string {
	lines := strings.Split(text, "\n")
	for _, e := range faults {
		if e.Line >= 1 && e.Line <= len(lines) {
			lines[e.Line-1] = ""
		}
	}
	return strings.Join(lines, "\n")
}
