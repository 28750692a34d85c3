package cards

import (
	"net/http"
	"strings"
	"unicode/utf16"

	"tableside/display/web/core"
	"tableside/engine"
	"tableside/engine/cardfile"
)

// CardFiles reads and changes the owner's card files. A game is a title without an edition,
// such as "mutants".
type Files struct {
	// Owners returns the object that reads a game's card files, or nil for a game without
	// cards.
	Owners func(game string) *cardfile.Owners
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
	Versions func(game string, most int) ([]cardfile.Version, error)

	// Workshop returns all cards of a game's box, what the given text of a card file says
	// about each of them, and the forms to fill in for them.
	Workshop func(game, text string, lang engine.Lang) (Workshop, error)
	// Editions returns the editions of a game in which its cards may be rehearsed.
	Editions func(game string) []engine.Game
	// Say returns the name that the text of a card file gives a card, and lines that describe
	// the card. There are no lines if the text does not describe it.
	Say func(game, text, card string, lang engine.Lang) (name string, says []string)
}

// A Problem is a mistake in a card file. Column and length count UTF-16 units,
// as JavaScript does.
type Problem struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Length  int    `json:"length"`
	Text    string `json:"text"`
	Suggest string `json:"suggest"`
}

// problems returns the faults of a text, each explained in a language.
func Problems(text string, faults []*engine.SyntaxError, lang engine.Lang) []Problem {
	lines := strings.Split(text, "\n")
	list := []Problem{}
	for _, e := range faults {
		line := lineOf(lines, e)
		from := min(max(e.Column-1, 0), len(line))
		to := min(from+e.Length, len(line))
		units := func(s string) int { return len(utf16.Encode([]rune(s))) }
		list = append(list, Problem{e.Line, units(line[:from]) + 1, units(line[from:to]), e.In(lang), e.Suggest})
	}
	return list
}

func lineOf(lines []string, e *engine.SyntaxError) string {
	if e.Line < 1 || e.Line > len(lines) {
		return ""
	}
	return lines[e.Line-1]
}

// owners returns the object that reads a game's card files.
func (s *Room) owners(game string) (*cardfile.Owners, error) {
	if owners := s.Files.Owners(game); owners != nil {
		return owners, nil
	}
	return nil, core.FailWith(http.StatusNotFound, engine.T("files.no-game", "name", core.Printable(game)))
}

var errTooLongFile = core.FailWith(http.StatusRequestEntityTooLarge, engine.T("files.long"))

// decodeCards does the same as decode, but for requests that may hold a whole card file.
func decodeCards(w http.ResponseWriter, r *http.Request, into any) error {
	return core.DecodeUpTo(w, r, 2*cardfile.MaxFile, errTooLongFile, into) // JSON escapes line ends and quotes
}

// checkCards answers with all faults in a text of a card file. If the request names a card,
// the answer also contains what the text says about this card.
func (s *Room) checkCards(w http.ResponseWriter, r *http.Request) (any, error) {
	var ask struct{ Game, Text, Card string }
	if err := decodeCards(w, r, &ask); err != nil {
		return nil, err
	}
	owners, err := s.owners(ask.Game)
	if err != nil {
		return nil, err
	}
	if len(ask.Text) > cardfile.MaxFile {
		return nil, errTooLongFile
	}
	leave, _ := s.Checks.Take(s.Client(r))
	if leave == nil {
		return nil, core.FailWith(http.StatusTooManyRequests, engine.T("files.busy"))
	}
	defer leave()
	s.CheckTurn.Lock()
	defer s.CheckTurn.Unlock()
	lines, faults := owners.Define("", ask.Text)
	answer := map[string]any{"problems": Problems(ask.Text, faults, s.LangFor(r))}
	if ask.Card != "" {
		if len(faults) > 0 { // Define leaves out a card with a fault
			lines, _ = owners.Define("", withoutFaults(ask.Text, faults))
		}
		answer["name"], answer["says"] = s.Files.Say(ask.Game, strings.Join(lines, "\n"), ask.Card, s.LangFor(r))
	}
	return answer, nil
}

func withoutFaults(text string, faults []*engine.SyntaxError) string {
	lines := strings.Split(text, "\n")
	for _, e := range faults {
		if e.Line >= 1 && e.Line <= len(lines) {
			lines[e.Line-1] = ""
		}
	}
	return strings.Join(lines, "\n")
}
