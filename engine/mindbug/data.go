package mindbug

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// A Statement is one line of a card file, as "card killer-bee power 5": it
// sets one field of a card. Later statements win, but a "?" takes nothing
// away. docs/cards.md describes the format.
type Statement struct {
	File   string // where it stands, for errors
	Line   int
	Text   string // without comment: as a journal keeps it after "define"
	energy bool   // of an Energy card
	id     string // of the card
	field  string
	name   string // of the card, or of its set
	n      int    // power, copies
	words  Keywords
	does   Ability
	always []Rule
	open   bool // "?"
	column int  // of the id
}

const (
	maxWords  = 60                   // of a statement, so that a journal's define line takes it
	maxLength = engine.MaxLine - 100 // the same, with a checksum behind it
	maxCopies = 9
	maxDice   = 2 // 002 "Symbole de Lancer de dé": one's own and the opponent's
)

var (
	cardFields    = []string{"set", "en", "fr", "power", "dice", "keywords", "play", "attack", "defeated", "action", "life-lost", "always"}
	energyFields  = []string{"set", "en", "fr", "price", "effect"}
	languageNames = []string{string(engine.English), string(engine.French)}
)

// ParseData reads a card file. An error is an *engine.SyntaxError with file,
// line and column.
func ParseData(file, source string) ([]Statement, error) {
	var all []Statement
	number := 0
	for line := range strings.Lines(source) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if number == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		s, err := ParseStatement(file, number, line)
		if err != nil {
			return nil, err
		}
		if s.Text != "" {
			all = append(all, s)
		}
	}
	return all, nil
}

// ParseStatement reads one line. The text of an empty one is "".
func ParseStatement(file string, line int, text string) (Statement, error) {
	s := Statement{File: file, Line: line}
	tokens, err := engine.Tokens(text)
	if err == nil && len(tokens) > 0 {
		r := reader{line: text, tokens: tokens, s: &s}
		switch {
		case len(text) > maxLength:
			err = &engine.SyntaxError{Column: maxLength + 1, Reason: fmt.Sprintf("a statement has at most %d bytes", maxLength)}
		case len(tokens) > maxWords:
			err = &engine.SyntaxError{Column: tokens[maxWords].Column, Reason: fmt.Sprintf("a statement has at most %d words", maxWords)}
		default:
			s.Text = text[tokens[0].Column-1 : r.end()]
			err = r.statement()
		}
	}
	if e, ok := err.(*engine.SyntaxError); ok {
		return Statement{}, &engine.SyntaxError{File: file, Line: line, Column: e.Column, Reason: e.Reason}
	}
	return s, err
}

func (s *Statement) fail(format string, args ...any) error {
	return &engine.SyntaxError{File: s.File, Line: s.Line, Column: s.column, Reason: fmt.Sprintf(format, args...)}
}

// A reader takes the words of one line into a statement.
type reader struct {
	line   string
	tokens []engine.Token
	at     int
	s      *Statement
}

// end is the byte behind the last word of the line.
func (r *reader) end() int {
	last := r.tokens[len(r.tokens)-1]
	if !last.Quoted {
		return last.Column - 1 + len(last.Text)
	}
	quoted, _ := strconv.QuotedPrefix(r.line[last.Column-1:])
	return last.Column - 1 + len(quoted)
}

func (r *reader) column() int {
	if r.at < len(r.tokens) {
		return r.tokens[r.at].Column
	}
	return r.end() + 1
}

func (r *reader) peek() string {
	if r.at < len(r.tokens) {
		return r.tokens[r.at].Text
	}
	return ""
}

func (r *reader) fail(format string, args ...any) error {
	return &engine.SyntaxError{Column: r.column(), Reason: fmt.Sprintf(format, args...)}
}

// among takes one of the words, or says what was expected.
func (r *reader) among(what string, words []string) (string, error) {
	got := r.peek()
	switch near := engine.Nearest(got, words); {
	case slices.Contains(words, got):
		r.at++
		return got, nil
	case r.at >= len(r.tokens):
		return "", r.fail("%s is missing: expected %s", what, oneOf(words))
	case near != "":
		return "", r.fail("%q is not %s; did you mean %q?", got, what, near)
	default:
		return "", r.fail("%q is not %s: expected %s", got, what, oneOf(words))
	}
}

func (r *reader) statement() error {
	what, err := r.among("what a line begins with", []string{"card", "energy"})
	if err != nil {
		return err
	}
	s := r.s
	s.column = r.column()
	fields := cardFields
	if s.energy = what == "energy"; s.energy {
		fields = energyFields
	}
	if s.id, err = r.identifier("a card"); err != nil {
		return err
	}
	if s.field, err = r.among("a field of a card", fields); err != nil {
		return err
	}
	switch s.field {
	case "set":
		if s.name, err = r.identifier("a set"); err == nil {
			s.n, err = r.number("the number of copies", 1, maxCopies)
		}
	case "en", "fr":
		s.name, err = r.name()
	case "power":
		s.n, err = r.number("a power", 1, maxNumber)
	case "dice":
		s.n, err = r.number("a number of dice", 1, maxDice)
	case "price":
		s.n, err = r.number("a price", 1, maxNumber)
	case "keywords":
		for r.at < len(r.tokens) && err == nil || s.words == noKeywords && err == nil {
			var word string
			if word, err = r.among("a keyword", allKeywords.list()); err == nil {
				s.words |= keywordOf(word)
			}
		}
	default:
		err = r.ability()
	}
	if err == nil && r.at < len(r.tokens) {
		err = r.fail("%q is one word too many", r.peek())
	}
	return err
}

const allKeywords = Frenzy | Hunter | Poisonous | Sneaky | Tough

func keywordOf(word string) Keywords {
	for _, f := range keywordForms {
		if f.words == word {
			return f.is
		}
	}
	return noKeywords
}

func (r *reader) identifier(what string) (string, error) {
	got := r.peek()
	switch {
	case r.at >= len(r.tokens):
		return "", r.fail("the name of %s is missing", what)
	case !engine.IsWord(got) || slices.Contains(languageNames, got):
		return "", r.fail("%q cannot name %s: small letters and digits with - between them, as in %q", got, what, "killer-bee")
	}
	r.at++
	return got, nil
}

func (r *reader) name() (string, error) {
	name := r.peek()
	switch {
	case r.at >= len(r.tokens):
		return "", r.fail("the name is missing")
	case strings.TrimSpace(name) == "" || strings.ContainsAny(name, "{}") || len([]rune(name)) > 40:
		return "", r.fail("a name has 1 to 40 letters, and neither { nor }")
	}
	r.at++
	if r.at < len(r.tokens) {
		return "", r.fail("a name of several words is quoted, as in %q", "Killer Bee")
	}
	return name, nil
}

func (r *reader) number(what string, low, high int) (int, error) {
	got := r.peek()
	n, err := strconv.Atoi(got)
	switch {
	case r.at >= len(r.tokens):
		return 0, r.fail("%s is missing", what)
	case err != nil || n < low || n > high || strconv.Itoa(n) != got:
		return 0, r.fail("%q is not %s: a number from %d to %d", got, what, low, high)
	}
	r.at++
	return n, nil
}

func (r *reader) ability() (err error) {
	for _, t := range r.tokens[r.at:] {
		if t.Quoted {
			return &engine.SyntaxError{Column: t.Column, Reason: "an ability is written without quotes"}
		}
	}
	column := r.column()
	words := r.line[min(column-1, r.end()):r.end()]
	r.at = len(r.tokens)
	if r.s.field == "always" {
		r.s.always, r.s.open, err = parseRule(words, column)
		return err
	}
	r.s.does, err = parseAbility(words, column)
	r.s.open = r.s.does.Unknown
	return err
}
