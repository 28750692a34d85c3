package genegrafter

import (
	"slices"

	"tableside/engine/cardfile"
)

// A Statement is one line of a card file, as "card super-punch super 2": it
// sets one field of a card, or says how a category looks or how many cards the
// box has. docs/genegrafter-cards.md describes the format.
type Statement = cardfile.Statement

const (
	maxDice   = 20
	maxCopies = 9
	mostCards = 99 // of a box
	maxSteps  = 6
)

var (
	places  = []string{"head", "torso", "arms", "hands", "legs", "feet"}
	colours = []string{"red", "blue", "green", "yellow", "orange", "purple", "white", "black"}
)

// parseData reads a card file. An error is an *engine.SyntaxError with file,
// line and column.
func parseData(file, source string) ([]Statement, error) {
	return cardfile.Parse(file, source, parseStatement)
}

// ParseStatement reads one line. The text of an empty one is "".
func ParseStatement(file string, line int, text string) (Statement, error) {
	return cardfile.ReadOne(file, line, text, parseStatement)
}

func parseStatement(l *cardfile.Line) (s Statement, err error) {
	s = l.Statement()
	if s.Subject, err = l.Among("what a line begins with", []string{"card", "category", "box"}); err != nil {
		return s, err
	}
	switch s.IDAt = l.Column(); s.Subject {
	case "category":
		category, err := l.Among("a category", categoryNames)
		if err != nil {
			return s, err
		}
		return s, colourFields(category).Read(l, &s, "a field of a category")
	case "box":
		return s, boxFields.Read(l, &s, "a field of the box")
	}
	if s.ID, err = l.Identifier("a card", "super-punch"); err != nil {
		return s, err
	}
	return s, cardFields.Read(l, &s, "a field of a card")
}

var boxFields = cardfile.Schema[Data]{{Name: "cards", Read: orUnknown(cardfile.Value(
	func(l *cardfile.Line) (int, error) { return l.Number("the number of cards", boxSize, mostCards) },
	func(d *Data, n int) { d.counted = n }))}}

// colourFields returns the fields of a category.
func colourFields(category string) cardfile.Schema[Data] {
	return cardfile.Schema[Data]{{Name: "colour", Read: orUnknown(cardfile.Value(
		func(l *cardfile.Line) (string, error) { return l.Among("a colour", append(colours, "?")) },
		func(d *Data, colour string) { d.Colours[slices.Index(categoryNames, category)] = colour }))}}
}

// orUnknown reads a value, or "?", which sets nothing.
func orUnknown[T any](read func(*cardfile.Line) (func(*T), error)) func(*cardfile.Line) (func(*T), error) {
	return func(l *cardfile.Line) (func(*T), error) {
		if l.Peek() == "?" {
			l.Next()
			return func(*T) {}, nil
		}
		return read(l)
	}
}
