package mindbug

import (
	"fmt"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// A Statement is one line of a card file, as "card killer-bee power 5": it
// sets one field of a card. Later statements win, but a "?" takes nothing
// away. docs/mindbug-cards.md describes the format.
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
	rules  []Rule
	open   bool // "?"
	column int  // of the id
}

const (
	maxCopies = 9
	maxDice   = 2 // 002 "Symbole de Lancer de dé": one's own and the opponent's
)

var (
	cardFields   = []string{"set", "en", "fr", "power", "dice", "keywords", "play", "attack", "defeated", "action", "discarded", "life-lost", "always", "in-discard"}
	energyFields = []string{"set", "en", "fr", "price", "effect"}
)

// ParseData reads a card file. An error is an *engine.SyntaxError with file,
// line and column.
func ParseData(file, source string) ([]Statement, error) {
	var all []Statement
	err := cardfile.Read(file, source, func(l *cardfile.Line) error {
		s, err := readStatement(l)
		all = append(all, s)
		return err
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

func (s *Statement) fail(format string, args ...any) error {
	return &engine.SyntaxError{File: s.File, Line: s.Line, Column: s.column, Reason: fmt.Sprintf(format, args...)}
}

func readStatement(l *cardfile.Line) (s Statement, err error) {
	s.Text = l.Text()
	s.File, s.Line = l.Position()
	what, err := l.Among("what a line begins with", []string{"card", "energy"})
	if err != nil {
		return s, err
	}
	s.column = l.Column()
	fields := cardFields
	if s.energy = what == "energy"; s.energy {
		fields = energyFields
	}
	if s.id, err = l.Identifier("a card", "killer-bee"); err != nil {
		return s, err
	}
	if s.field, err = l.Among("a field of a card", fields); err != nil {
		return s, err
	}
	return s, s.readValue(l)
}

func (s *Statement) readValue(l *cardfile.Line) (err error) {
	switch s.field {
	case "set":
		if s.name, err = l.Among("a set", sets); err == nil {
			s.n, err = l.Number("the number of copies", 1, maxCopies)
		}
	case "en", "fr":
		s.name, err = l.Title("Killer Bee")
	case "power":
		s.n, err = l.Number("a power", 1, maxNumber)
	case "dice":
		s.n, err = l.Number("a number of dice", 1, maxDice)
	case "price":
		s.n, err = l.Number("a price", 1, maxNumber)
	case "keywords":
		s.words, err = readKeywords(l)
	default:
		err = s.readAbility(l)
	}
	return err
}

const allKeywords = Frenzy | Hunter | Poisonous | Sneaky | Tough

func readKeywords(l *cardfile.Line) (all Keywords, err error) {
	for all == noKeywords || !l.Done() {
		word, err := l.Among("a keyword", allKeywords.list())
		if err != nil {
			return all, err
		}
		all |= keywordOf(word)
	}
	return all, nil
}

func keywordOf(word string) Keywords {
	for _, f := range keywordForms {
		if f.Words == word {
			return f.Is
		}
	}
	return noKeywords
}

func (s *Statement) readAbility(l *cardfile.Line) error {
	p, err := l.Rest()
	if err != nil {
		return err
	}
	if s.field == "always" || s.field == "in-discard" {
		s.rules, s.open, err = parseRule(p, s.field == "in-discard")
		return err
	}
	s.does, err = parseAbility(p)
	s.open = s.does.Unknown
	return err
}
