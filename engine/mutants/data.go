package mutants

import (
	"fmt"
	"slices"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// A Statement is one line of a card file, as "card zombie freeze 1": it sets
// one field of a card, of the board, of a ready-made gene pool, or of a boss
// and its cards. Later statements win over earlier ones, but a "?" takes
// nothing away. The format is described in docs/cards.md.
type Statement struct {
	File    string // where it stands, for errors
	Line    int
	Text    string // without comment: as a journal keeps it after "define"
	StandIn bool   // made up for this project

	subject subject
	id      string // of the card, precon or boss
	field   string
	edition string // "" for all
	columns columns
	names   string
	basic   bool
	flag    bool // genes: inferred
	genes   []Gene
	value   Value
	ability Ability
	trigger Trigger
	n       int // board: spaces; boss: health; 0 is unknown
	rounds  []Points
	cards   []string
	action  Action
}

type subject string

const (
	aCard   subject = "card"
	aBoard  subject = "board"
	aPrecon subject = "precon"
	aBoss   subject = "boss"
	aAction subject = "action" // of a boss
)

// columns of the words that Build may find at fault.
type columns struct {
	id, field, value int
	cards            []int
}

const (
	roundCount = 5 // EN "Game flow"
	maxPoints  = 99
	minSpaces  = 7 // four markers from the Second Space down, above a Red Zone
	maxSpaces  = 30
)

var (
	subjects     = []string{string(aCard), string(aBoard), string(aPrecon), string(aBoss), string(aAction)}
	cardFields   = []string{"kind", "en", "fr", "genes", "freeze", "deploy", "leave", "block", "ongoing", "draft"}
	boardFields  = []string{"spaces", "red-zone", "rounds"}
	bossFields   = []string{"en", "fr", "health", "set-up", "power"}
	actionFields = []string{"boss", "en", "fr", "arrow", "deploy", "leave", "weakness"}
	editionNames = []string{"first-edition", "second-edition"}
)

// ParseData reads a card file. An error is an *engine.SyntaxError with file,
// line and column. What only shows when statements are put together, Build
// finds.
func ParseData(file, source string) ([]Statement, error) {
	var all []Statement
	type key struct {
		subject            subject
		id, field, edition string
	}
	first := map[key]int{}
	err := cardfile.Read(file, source, func(l *cardfile.Line) error {
		s, err := readStatement(l)
		if err != nil {
			return err
		}
		k := key{s.subject, s.id, s.field, s.edition}
		if line := first[k]; line > 0 && s.once() {
			return l.FailAt(s.columns.field, "%s stands twice: first on line %d", s.what(), line)
		}
		if first[k] == 0 {
			first[k] = s.Line
		}
		all = append(all, s)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// ParseStatement reads one line. The text of an empty one is "".
func ParseStatement(file string, line int, text string) (s Statement, err error) {
	err = cardfile.ReadLine(file, line, text, func(l *cardfile.Line) error {
		s, err = readStatement(l)
		return err
	})
	return s, err
}

func readStatement(l *cardfile.Line) (Statement, error) {
	s := Statement{Text: l.Text()}
	s.File, s.Line = l.Position()
	r := reader{l, &s}
	return s, r.statement()
}

// once reports whether a second statement for the same thing in one file can
// only be a mistake. Values that are asked for at the table are written to
// the owner's file as they come, the last one counting.
func (s *Statement) once() bool {
	return s.subject == aPrecon || s.field == "kind" || s.field == "boss" || slices.Contains(cardfile.LanguageFields, s.field)
}

func (s *Statement) what() string {
	switch {
	case s.subject == aBoard:
		return "the board's " + s.field
	case s.field == "":
		return fmt.Sprintf("%s %q", s.subject, s.id)
	}
	return fmt.Sprintf("%s of %s %q", s.field, s.subject, s.id)
}

func (s *Statement) fail(column int, format string, args ...any) error {
	return &engine.SyntaxError{File: s.File, Line: s.Line, Column: column, Reason: fmt.Sprintf(format, args...)}
}
