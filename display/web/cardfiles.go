package web

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode/utf16"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// CardFiles reads and changes the owner's files. A game is a title alone, such as
// "mutants".
type CardFiles struct {
	// Owners returns how a game reads such files; nil for one without cards.
	Owners func(game string) cardfile.Owners
	// Text returns a file as it is.
	Text func(game string) (string, error)
	// Change replaces a file by what edit makes of it, and keeps the old version.
	Change func(game string, edit func(before string) (string, error)) error
}

// maxCardFile is the size of a file from elsewhere, in bytes.
const maxCardFile = 1 << 20

// A cardProblem is a mistake in a card file. Column and length count UTF-16 units,
// as JavaScript does.
type cardProblem struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Length  int    `json:"length"`
	Text    string `json:"text"`
	Suggest string `json:"suggest"`
}

// problems returns the faults of a text in a language.
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

// lineOf returns the line of a fault; "" for one of the whole file.
func lineOf(lines []string, e *engine.SyntaxError) string {
	if e.Line < 1 || e.Line > len(lines) {
		return ""
	}
	return lines[e.Line-1]
}

// owners returns how a game reads card files. If there is no such game it answers
// the request.
func (s *Server) owners(w http.ResponseWriter, game string) cardfile.Owners {
	if s.config.Files != nil {
		if owners := s.config.Files.Owners(game); owners != nil {
			return owners
		}
	}
	fail(w, http.StatusNotFound, fmt.Sprintf("there is no game %q with cards", printable(game)))
	return nil
}

// decodeCards is decode for requests that may hold a whole file.
func decodeCards(w http.ResponseWriter, r *http.Request, into any) bool {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 2*maxCardFile)) // JSON escapes line ends and quotes
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		fail(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the file is longer than %d bytes", maxCardFile))
		return false
	case err != nil:
		fail(w, http.StatusBadRequest, "the request broke off")
		return false
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		fail(w, http.StatusBadRequest, "the JSON cannot be read: "+explainJSON(err))
		return false
	}
	return true
}

func tooLong(w http.ResponseWriter, text string) bool {
	if len(text) > maxCardFile {
		fail(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the file is longer than %d bytes", maxCardFile))
	}
	return len(text) > maxCardFile
}

// checkCards answers with all that is wrong with a text.
func (s *Server) checkCards(w http.ResponseWriter, r *http.Request) {
	var ask struct{ Game, Text string }
	if !decodeCards(w, r, &ask) || tooLong(w, ask.Text) {
		return
	}
	if owners := s.owners(w, ask.Game); owners != nil {
		_, faults := owners.Define("", ask.Text)
		reply(w, http.StatusOK, map[string]any{"problems": problems(ask.Text, faults, s.langFor(r))})
	}
}

// cardLines is what the owner's file says about a card.
type cardLines struct {
	Lines []string `json:"lines"`
}

// tag identifies a version of a card's lines.
func (c cardLines) tag() string {
	sum := sha256.Sum256([]byte(strings.Join(c.Lines, "\n")))
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// card serves the lines about one card: none for one that the owner has not
// entered.
func (s *Server) card(w http.ResponseWriter, r *http.Request) {
	game := r.PathValue("game")
	if s.owners(w, game) == nil {
		return
	}
	text, err := s.config.Files.Text(game)
	if err != nil {
		fail(w, http.StatusInternalServerError, reason(err))
		return
	}
	c := cardLines{cardfile.About(text, r.PathValue("card"))}
	w.Header().Set("ETag", c.tag())
	reply(w, http.StatusOK, c)
}

// cardFile serves a whole file, as text or as a spreadsheet. It has no tags and no
// names of people.
func (s *Server) cardFile(w http.ResponseWriter, r *http.Request) {
	game, kind, _ := strings.Cut(r.PathValue("file"), ".")
	if kind != "txt" && kind != "csv" {
		fail(w, http.StatusNotFound, "a file of cards ends with .txt or .csv")
		return
	}
	owners := s.owners(w, game)
	if owners == nil {
		return
	}
	text, err := s.config.Files.Text(game)
	if err != nil {
		fail(w, http.StatusInternalServerError, reason(err))
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if kind == "csv" {
		text = owners.CSV(text)
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	}
	w.Header().Set("Content-Disposition", `attachment; filename="`+game+"."+kind+`"`)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, text)
}

// Why a change of a file is not done.
var (
	errChanged = errors.New("the card was changed meanwhile: read it again")
	errFaults  = errors.New("the lines cannot be read")
	errDecide  = errors.New("not every difference is decided")
	errLong    = fmt.Errorf("the file would be longer than %d bytes", maxCardFile)
)

// putCard replaces the lines about one card. The others may have faults; these may
// not.
func (s *Server) putCard(w http.ResponseWriter, r *http.Request) {
	game, id := r.PathValue("game"), r.PathValue("card")
	owners := s.owners(w, game)
	var put cardLines
	if owners == nil || !decodeCards(w, r, &put) {
		return
	}
	for _, line := range put.Lines {
		if about := cardfile.Named(line); strings.ContainsAny(line, "\r\n") || !slices.Equal(about, []string{id}) {
			fail(w, http.StatusBadRequest, fmt.Sprintf("%q is not one line about %q", printable(line), printable(id)))
			return
		}
	}
	var found []cardProblem
	var now cardLines
	err := s.config.Files.Change(game, func(before string) (string, error) {
		if was := (cardLines{cardfile.About(before, id)}); r.Header.Get("If-Match") != was.tag() {
			return "", errChanged
		}
		after := cardfile.Replace(before, id, put.Lines)
		_, old := owners.Define("", before)
		_, faults := owners.Define("", after)
		lines := strings.Split(after, "\n")
		mine := slices.DeleteFunc(slices.Clone(faults), func(e *engine.SyntaxError) bool {
			return !slices.Contains(cardfile.Named(lineOf(lines, e)), id)
		})
		if len(mine) > 0 || len(faults) > len(old) {
			if len(mine) == 0 {
				mine = faults
			}
			found = problems(after, mine, s.langFor(r))
			return "", errFaults
		}
		if len(after) > maxCardFile {
			return "", errLong
		}
		now.Lines = cardfile.About(after, id)
		return after, nil
	})
	switch {
	case errors.Is(err, errChanged):
		fail(w, http.StatusPreconditionFailed, errChanged.Error())
	case errors.Is(err, errFaults):
		reply(w, http.StatusBadRequest, map[string]any{"error": errFaults.Error(), "problems": found})
	case errors.Is(err, errLong):
		fail(w, http.StatusRequestEntityTooLarge, err.Error())
	case err != nil:
		fail(w, http.StatusInternalServerError, reason(err))
	default:
		w.Header().Set("ETag", now.tag())
		reply(w, http.StatusOK, now)
	}
}

// A merged is the answer to a merge: what differs, and whether it is done.
type merged struct {
	Merged      bool                  `json:"merged"`
	Added       []string              `json:"added"`
	Differences []cardfile.Difference `json:"differences"`
	Problems    []cardProblem         `json:"problems"`
}

// mergeCards adds the cards of another file. It changes nothing until every card
// that differs is decided, as "mine" or "theirs".
func (s *Server) mergeCards(w http.ResponseWriter, r *http.Request) {
	game := r.PathValue("game")
	owners := s.owners(w, game)
	var ask struct {
		Text   string
		CSV    bool
		Decide map[string]string
	}
	if owners == nil || !decodeCards(w, r, &ask) || tooLong(w, ask.Text) {
		return
	}
	for card, choice := range ask.Decide {
		if choice != "mine" && choice != "theirs" {
			fail(w, http.StatusBadRequest, fmt.Sprintf("%s: got %q, want mine or theirs", printable(card), printable(choice)))
			return
		}
	}
	if ask.CSV {
		text, err := owners.FromCSV(game+".csv", ask.Text)
		if err != nil {
			fail(w, http.StatusBadRequest, err.Error())
			return
		}
		ask.Text = text
	}
	answer := merged{Added: []string{}, Problems: []cardProblem{}, Differences: []cardfile.Difference{}}
	if _, faults := owners.Define("", ask.Text); len(faults) > 0 {
		answer.Problems = problems(ask.Text, faults, s.langFor(r))
		reply(w, http.StatusBadRequest, struct {
			Error string `json:"error"`
			merged
		}{errFaults.Error(), answer})
		return
	}
	err := s.config.Files.Change(game, func(before string) (string, error) {
		added, differ := cardfile.Compare(before, ask.Text)
		answer.Added, answer.Differences = append(answer.Added, added...), append(answer.Differences, differ...)
		open := func(d cardfile.Difference) bool { return ask.Decide[d.Card] == "" }
		if ask.Decide == nil || slices.ContainsFunc(differ, open) {
			return "", errDecide
		}
		after := cardfile.Merge(before, ask.Text, func(card string) bool { return ask.Decide[card] == "theirs" })
		_, old := owners.Define("", before)
		if _, faults := owners.Define("", after); len(faults) > len(old) {
			answer.Problems = problems(after, faults, s.langFor(r))
			return "", errFaults
		}
		if len(after) > maxCardFile {
			return "", errLong
		}
		return after, nil
	})
	switch {
	case err == nil:
		answer.Merged = true
		reply(w, http.StatusOK, answer)
	case errors.Is(err, errDecide):
		reply(w, http.StatusOK, answer)
	case errors.Is(err, errFaults):
		reply(w, http.StatusConflict, answer)
	case errors.Is(err, errLong):
		fail(w, http.StatusRequestEntityTooLarge, err.Error())
	default:
		fail(w, http.StatusInternalServerError, reason(err))
	}
}
